//! The fixed sentences of the service, in every language.

use super::phrasebook::Sentences;
use super::tables;
use crate::CustomerLanguage;

/// Something the service says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sentence {
    /// Answers a greeting, asks how to help.
    Greeting,
    /// Answers thanks.
    Thanks,
    /// Answers a goodbye.
    Farewell,
    /// Takes note.
    Acknowledgement,
    /// Says that this is a machine, and that a person can be asked for.
    AboutUs,
    /// Answers an apology of the customer.
    NoProblem,
    /// Answers praise.
    Praised,
    /// Asks what was unclear, and says that a person can be asked for.
    Unclear,
    /// Is sorry, and offers a human.
    Apology,
    /// The wiki holds no answer: says so and offers a human.
    NoAnswer,
    /// Says that a person takes over; asks nothing.
    Handover,
    /// Something behind the service failed: says so, and that a person takes over.
    Failure,
    /// Says that an automatic assistant answers. People have to be told so at the first contact (Regulation (EU)
    /// 2024/1689, article 50).
    Notice,
}

impl Sentence {
    /// Whether it asks if the customer wants a human.
    #[must_use]
    pub const fn offers_human(self) -> bool {
        matches!(self, Self::Apology | Self::NoAnswer)
    }
}

/// The least number of minutes that is said: so no language needs a word for one of them.
const LEAST_MINUTES: u32 = 2;

/// Says in `language` that a person cannot be called again yet, and in how many minutes; at least two are said.
#[must_use]
pub fn when_to_ask_for_human_again(language: CustomerLanguage, minutes: u32) -> String {
    let sentence = tables::sentences(language).human_later;
    sentence.replace("{minutes}", &minutes.max(LEAST_MINUTES).to_string())
}

/// Says in `language` that at most three questions are answered at a time, and asks for `questions` again.
#[must_use]
pub fn ask_again(language: CustomerLanguage, questions: &str) -> String {
    tables::sentences(language).too_many.replace("{questions}", questions)
}

/// When a team is back, by the clock and the calendar of its own time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamReturn {
    /// Days from today; 0 is today.
    pub days_ahead: u32,
    /// The day of the week: 0 is Monday, 6 Sunday.
    pub weekday: usize,
    /// The date, `YYYY-MM-DD`.
    pub date: String,
    /// Minutes from midnight.
    pub minute: u32,
    /// The place whose clock it is, if the customer's may show another time: a city, such as Berlin.
    pub zone: Option<String>,
}

/// From so many days on a day of the week alone is not clear, so its date is said too.
const DAYS_BY_NAME: u32 = 7;

/// Says in `language` that nobody of the team is there, when they are back, if that is known, and that they will answer
/// then.
#[must_use]
pub fn nobody_there(language: CustomerLanguage, back: Option<&TeamReturn>) -> String {
    let sentences = tables::sentences(language);
    let first = back.map_or_else(|| sentences.nobody.to_owned(), |back| team_is_back(sentences, back));
    // Chinese and Japanese put no space between sentences.
    let gap = if first.ends_with('。') { "" } else { " " };
    format!("{first}{gap}{}", sentences.later)
}

fn team_is_back(sentences: &Sentences, back: &TeamReturn) -> String {
    let weekday = sentences.days.lines().nth(back.weekday).unwrap_or_default();
    let day = match back.days_ahead {
        // On another clock it may be another day.
        0 if back.zone.is_none() => sentences.today.to_owned(),
        0..DAYS_BY_NAME => weekday.to_owned(),
        _ => format!("{weekday} ({})", back.date),
    };
    let time = format!("{}:{:02}", back.minute / 60, back.minute % 60);
    let zone = back.zone.as_ref().map_or_else(String::new, |zone| format!(" ({zone})"));
    sentences.back.replace("{day}", &day).replace("{time}", &time).replace("{zone}", &zone)
}

/// A sentence in `language`.
#[must_use]
pub fn sentence(language: CustomerLanguage, which: Sentence) -> &'static str {
    let sentences = tables::sentences(language);
    match which {
        Sentence::Greeting => sentences.greeting,
        Sentence::Thanks => sentences.thanks,
        Sentence::Farewell => sentences.farewell,
        Sentence::Acknowledgement => sentences.acknowledgement,
        Sentence::AboutUs => sentences.about_us,
        Sentence::NoProblem => sentences.no_problem,
        Sentence::Praised => sentences.praised,
        Sentence::Unclear => sentences.unclear,
        Sentence::Apology => sentences.apology,
        Sentence::NoAnswer => sentences.no_answer,
        Sentence::Handover => sentences.handover,
        Sentence::Failure => sentences.failure,
        Sentence::Notice => sentences.notice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(days_ahead: u32, weekday: usize) -> TeamReturn {
        TeamReturn { days_ahead, weekday, date: "2026-12-28".to_owned(), minute: 540, zone: None }
    }

    #[test]
    fn a_return_is_said_by_the_day_of_the_week_and_from_a_week_on_with_its_date() {
        let english = |back: Option<&TeamReturn>| nobody_there(CustomerLanguage::English, back);
        let later = "The team will read what you wrote and answer here.";
        assert_eq!(english(Some(&back(0, 0))), format!("Our team is back today at 9:00. {later}"));
        assert_eq!(english(Some(&back(6, 0))), format!("Our team is back on Monday at 9:00. {later}"));
        assert_eq!(english(Some(&back(7, 0))), format!("Our team is back on Monday (2026-12-28) at 9:00. {later}"));
        assert_eq!(english(None), format!("Nobody of our team is here right now. {later}"));
        let late = TeamReturn { minute: 17 * 60 + 5, ..back(1, 6) };
        assert_eq!(
            nobody_there(CustomerLanguage::German, Some(&late)),
            "Unser Team ist am Sonntag um 17:05 Uhr wieder da. Das Team liest, was Sie geschrieben haben, und antwortet \
             Ihnen hier."
        );
        assert_eq!(
            nobody_there(CustomerLanguage::Chinese, Some(&back(2, 2))),
            "我们的团队将于星期三 9:00 恢复服务。工作人员会阅读您写的内容并在这里回复您。"
        );
    }

    #[test]
    fn every_language_says_the_day_and_the_time_and_names_seven_days() {
        for &language in CustomerLanguage::ALL {
            let mut said = std::collections::BTreeSet::new();
            for weekday in 0..7 {
                let text = nobody_there(language, Some(&back(3, weekday)));
                assert!(text.contains("9:00") && !text.contains(['{', '}']), "{language}: {text}");
                said.insert(text);
            }
            said.insert(nobody_there(language, Some(&back(0, 0))));
            said.insert(nobody_there(language, None));
            assert_eq!(said.len(), 9, "{language}");
            let dated = nobody_there(language, Some(&back(29, 0)));
            assert!(dated.contains("(2026-12-28)") && dated.contains("9:00"), "{language}: {dated}");
            let of = |days_ahead| TeamReturn { zone: Some("New York".to_owned()), ..back(days_ahead, 0) };
            let elsewhere = nobody_there(language, Some(&of(0)));
            assert!(elsewhere.contains(" (New York)") && !elsewhere.contains(['{', '}']), "{language}: {elsewhere}");
            assert_eq!(elsewhere, nobody_there(language, Some(&of(1))), "{language}: today may be another day there");
        }
    }
}
