//! The question in customer turns, and the language of the reply.

use answer::Answered;
use domain::models::{CustomerLanguage, Presence, ReasonCategory, Session, Settings, Timestamp, Turn, TurnRole};
use text::dialogue::{
    Intent, MatchContext, MessageAnalysis, Sentence, SmallTalk, analyse, ask_again, sentence,
    when_to_ask_for_human_again,
};

use crate::sessions::conversation::answering::AnswerAttempt;
use crate::sessions::conversation::handover::away;
use crate::sessions::conversation::pending_answer::is_reply_to_customer;

/// The most characters of several turns' questions together.
const MAX_QUESTION_CHARS: usize = 8_000;
/// How much of a question that has no answer is named, and how many are.
const MAX_NAMED_WORDS: usize = 8;
const MAX_NAMED_CHARS: usize = 100;
const MAX_NAMED: usize = 3;
/// The newest turns of those that are answered together are read, up to this number and this many characters, because a
/// request waits for it.
const MAX_TURNS: usize = 50;
const MAX_CHARS: usize = 4 * MAX_QUESTION_CHARS;

/// The least confidence at which the wiki answers what reads like small talk, 0-1: most of it is.
const MIN_CONFIDENCE_OF_SMALL_TALK: f64 = 0.65;
/// The same for what reads like a request for a human.
const MIN_CONFIDENCE_OF_REQUEST: f64 = 0.7;

/// Customer turns as they are understood together.
#[derive(Debug, Clone)]
pub(crate) struct TurnClassification {
    /// The question for the wiki; empty for none. Of small talk and of an unsure request the part that the wiki may answer
    /// nevertheless.
    pub(crate) question: String,
    /// The customer asks for a human.
    pub(crate) wants_human: bool,
    /// They do so by the model's word alone, and read like a question.
    pub(crate) is_unsure_request: bool,
    /// A person's part ended before these turns, and nobody asked for one since.
    pub(crate) is_after_person: bool,
    /// They complain: the answer before them is not given again.
    pub(crate) complains: bool,
    /// They complain after a person's part: they are for people, and not for the wiki.
    pub(crate) comes_back: bool,
    /// The small talk of the turns, if they neither ask anything nor want a human.
    pub(crate) small_talk: Option<SmallTalk>,
    /// The turns that ask something or for a human, by their place; those that were not read count among them. Of
    /// small talk those whose question the wiki may answer.
    pub(crate) asking: Vec<usize>,
    /// The language of the newest turn in which it can be detected.
    pub(crate) language: Option<CustomerLanguage>,
    /// The service offered a human before these turns.
    was_offered_human: bool,
}

/// The speaker, and the language.
#[derive(Debug, Clone)]
pub(crate) struct Voice<'a> {
    language: CustomerLanguage,
    settings: &'a Settings,
    /// The time zone of the customer's clock.
    timezone: Option<String>,
    /// When it speaks.
    now: Timestamp,
}

impl TurnClassification {
    /// Reads what the customer wrote after `attempt.recent`, oldest first.
    pub(crate) fn of(attempt: &AnswerAttempt, session: &Session, written: &[&str]) -> Self {
        let setting = MatchContext {
            was_offered_human: attempt.allows_human_request && was_offered_human(session, &attempt.recent),
            expected: likely_languages(session, &attempt.settings),
        };
        let (unread, taken) = written.split_at(first_index_read(written));
        let readings: Vec<MessageAnalysis> = taken.iter().map(|text| analyse(text, &setting)).collect();
        let wants = |reading: &MessageAnalysis| attempt.allows_human_request && reading.intent == Intent::HumanRequest;
        let is_small_talk = |reading: &MessageAnalysis| {
            matches!(reading.intent, Intent::SmallTalk(_)) || (reading.question.is_empty() && !wants(reading))
        };
        let is_of_wiki = |language| language == CustomerLanguage::from(attempt.settings.language);
        let is_all_small_talk = unread.is_empty() && readings.iter().all(is_small_talk);
        // In another language too much means something else.
        let may_ask = |reading: &MessageAnalysis| {
            !reading.possible_question.is_empty() && reading.language.is_none_or(is_of_wiki)
        };
        let asks = |reading: &MessageAnalysis| match is_all_small_talk {
            true => may_ask(reading),
            false => !is_small_talk(reading),
        };
        let read_asking = (unread.len()..).zip(&readings).filter(|(_, reading)| asks(reading)).map(|(at, _)| at);
        let asking: Vec<usize> = (0..unread.len()).chain(read_asking).collect();
        // A yes to the offer of a human is none.
        let is_unsure_request = unread.is_empty()
            && !setting.was_offered_human
            && readings.iter().all(|reading| wants(reading) && may_ask(reading))
            && !asked_for_human_before(&attempt.recent, &setting.expected);
        let is_possible = is_all_small_talk || is_unsure_request;
        let asked = readings.iter().filter(|reading| asks(reading));
        let asked = asked.map(|reading| if is_possible { &reading.possible_question } else { &reading.question });
        let questions: Vec<&str> = asked.map(String::as_str).filter(|text| !text.is_empty()).collect();
        // If the read turns contain no question, the unread ones are asked as written.
        let question = if questions.is_empty() { newest_within_limit(unread) } else { newest_within_limit(&questions) };
        let last_act = readings.last().map(|reading| reading.intent);
        let is_after_person = attempt.allows_human_request && session.last_human_part.is_some();
        let all = Self {
            question: question.join("\n\n"),
            wants_human: readings.iter().any(wants),
            is_unsure_request,
            is_after_person,
            complains: readings.iter().any(|reading| reading.complains),
            comes_back: false,
            small_talk: is_all_small_talk.then_some(match last_act {
                Some(Intent::SmallTalk(small_talk)) => small_talk,
                // A request for a human that is not allowed.
                _ => SmallTalk::Acknowledgement,
            }),
            asking,
            language: readings.iter().rev().find_map(|reading| reading.language),
            was_offered_human: setting.was_offered_human,
        };
        match is_after_person && !all.wants_human && all.complains {
            true => all.into_return(written.len()),
            false => all,
        }
    }

    /// The same as a complaint to people.
    fn into_return(self, turns: usize) -> Self {
        let asking = (0..turns).collect();
        Self { question: String::new(), comes_back: true, small_talk: None, asking, ..self }
    }

    /// Whether this is a no to the service's own offer of a human.
    pub(crate) fn declines_human(&self) -> bool {
        self.was_offered_human && self.small_talk == Some(SmallTalk::Declined)
    }

    /// The same if the wiki does not answer the question in it.
    pub(crate) fn into_small_talk(self) -> Self {
        Self { question: String::new(), asking: Vec::new(), ..self }
    }

    /// The least confidence at which the wiki answers what may be a question, 0-1; none for a question.
    pub(crate) fn min_confidence(&self) -> Option<f64> {
        let of_small_talk = self.small_talk.map(|_| MIN_CONFIDENCE_OF_SMALL_TALK);
        of_small_talk.or(self.is_unsure_request.then_some(MIN_CONFIDENCE_OF_REQUEST))
    }

    /// An unsure request for a human, if it is known whether the wiki answers it.
    pub(crate) fn settled(self, is_answered: bool) -> Self {
        match (self.is_unsure_request, is_answered) {
            (false, _) => self,
            (true, true) => Self { wants_human: false, is_unsure_request: false, ..self },
            (true, false) => Self { question: String::new(), is_unsure_request: false, ..self },
        }
    }

    /// The voice that answers: in the session's locale, else the customer's language, else the wiki's.
    pub(crate) fn voice<'a>(&self, session: &Session, settings: &'a Settings, now: Timestamp) -> Voice<'a> {
        let likely = [locale(session), self.language, session.language];
        let language = likely.into_iter().flatten().next().unwrap_or_else(|| settings.language.into());
        Voice { language, settings, timezone: session.timezone.clone(), now }
    }
}

impl Voice<'_> {
    /// A sentence: the tenant's, else the service's own.
    pub(crate) fn say(&self, which: Sentence) -> String {
        let texts = &self.settings.texts;
        let own = match which {
            Sentence::Greeting => &texts.greeting,
            Sentence::Thanks => &texts.thanks,
            Sentence::Farewell => &texts.farewell,
            Sentence::AboutUs => &texts.about_me,
            Sentence::NoAnswer => &texts.no_answer,
            Sentence::Handover => &texts.handover,
            Sentence::Failure => &texts.failure,
            Sentence::Acknowledgement
            | Sentence::NoProblem
            | Sentence::Praised
            | Sentence::Unclear
            | Sentence::Apology
            | Sentence::Notice => &None,
        };
        own.clone().unwrap_or_else(|| sentence(self.language, which).to_owned())
    }

    /// An answer: to the questions that have one, then which have none, then which are to be asked again. And whether it
    /// offers a human.
    pub(crate) fn answer(&self, answer: &Answered) -> (String, bool) {
        let mut said = vec![answer.text.clone()];
        if !answer.missing.is_empty() {
            said.push(format!("{}\n{}", quoted(&answer.missing), self.say(Sentence::NoAnswer)));
        }
        said.extend(self.ask_again(&answer.left_out));
        (said.join("\n\n"), !answer.missing.is_empty())
    }

    /// A sentence, and which questions are to be asked again.
    pub(crate) fn say_and_ask_again(&self, which: Sentence, questions: &[String]) -> String {
        let said = std::iter::once(self.say(which)).chain(self.ask_again(questions));
        said.collect::<Vec<_>>().join("\n\n")
    }

    fn ask_again(&self, questions: &[String]) -> Option<String> {
        (!questions.is_empty()).then(|| ask_again(self.language, &quoted(questions)))
    }

    /// Says that a person takes over, or when somebody is there.
    fn say_handover(&self, presence: &Presence) -> String {
        if presence.people_available {
            return self.say(Sentence::Handover);
        }
        self.say_who_is_away(ReasonCategory::CustomerRequest, presence)
    }

    /// Says that nobody is there, and when somebody is; after a failure that, too. No text of the tenant replaces it: it
    /// says what holds now.
    pub(crate) fn say_who_is_away(&self, category: ReasonCategory, presence: &Presence) -> String {
        let away = away(self.language, self.settings, presence, self.timezone.as_deref(), self.now);
        match category {
            ReasonCategory::AiFailure => format!("{}\n\n{away}", sentence(self.language, Sentence::Failure)),
            _ => away,
        }
    }

    /// Says when a human can be called again. No text of the tenant replaces it: it says what holds now.
    pub(crate) fn say_when_to_ask_again(&self, minutes: u32) -> String {
        when_to_ask_for_human_again(self.language, minutes)
    }
}

/// The answer to a customer who asks for a person at `now`, in the wiki's language.
#[must_use]
pub(crate) fn handover_text(settings: &Settings, presence: &Presence, now: Timestamp) -> String {
    Voice { language: settings.language.into(), settings, timezone: None, now }.say_handover(presence)
}

/// Questions as they are named to their customer: each on a line, in quotation marks, its beginning.
fn quoted(questions: &[String]) -> String {
    let beginning = |question: &String| {
        let words: Vec<&str> = question.split_whitespace().collect();
        let line = words.get(..MAX_NAMED_WORDS.min(words.len())).unwrap_or_default().join(" ");
        let kept: String = line.chars().take(MAX_NAMED_CHARS).collect();
        let is_whole = kept.len() == words.join(" ").len();
        format!("“{kept}{}”", if is_whole { "" } else { "…" })
    };
    questions.iter().take(MAX_NAMED).map(beginning).collect::<Vec<_>>().join(", ")
}

/// Whether what a customer wrote after `recent` is a no to the service's own offer of a human.
pub(crate) fn declines_offer(session: &Session, settings: &Settings, recent: &[Turn], written: &str) -> bool {
    let setting = || MatchContext { was_offered_human: true, expected: likely_languages(session, settings) };
    was_offered_human(session, recent) && analyse(written, &setting()).intent == Intent::SmallTalk(SmallTalk::Declined)
}

/// Whether the last thing that was said to the customer, since the session is the AI's, offers a human.
fn was_offered_human(session: &Session, recent: &[Turn]) -> bool {
    let last = recent.iter().rev().find(|turn| is_reply_to_customer(turn));
    last.is_some_and(|turn| turn.number > session.ai_since_turn && turn.ai().is_some_and(|ai| ai.offers_human))
}

/// Whether the customer's last turn that is no small talk asks for a human: whoever asks again is sure.
fn asked_for_human_before(recent: &[Turn], expected: &[CustomerLanguage]) -> bool {
    let setting = MatchContext { was_offered_human: false, expected: expected.to_vec() };
    let asked = recent.iter().rev().filter(|turn| turn.role() == TurnRole::Customer);
    let mut intents = asked.map(|turn| analyse(&turn.content, &setting).intent);
    intents.find(|intent| !matches!(intent, Intent::SmallTalk(_))) == Some(Intent::HumanRequest)
}

/// The languages that the customer most likely writes.
fn likely_languages(session: &Session, settings: &Settings) -> Vec<CustomerLanguage> {
    let mut all: Vec<_> = [locale(session), session.language].into_iter().flatten().collect();
    all.push(settings.language.into());
    all
}

fn locale(session: &Session) -> Option<CustomerLanguage> {
    session.locale.as_deref().and_then(CustomerLanguage::of_locale)
}

/// The customer's turns as one question: the newest ones, up to the size of one message.
#[must_use]
pub(crate) fn combined_question(asked: &[Turn]) -> String {
    let written: Vec<&str> = asked.iter().map(|turn| turn.content.as_str()).collect();
    newest_within_limit(&written).join("\n\n")
}

/// The newest text and those before it, as much as one message may hold.
fn newest_within_limit<'a, 'b>(written: &'a [&'b str]) -> &'a [&'b str] {
    written.get(index_within_chars(written, MAX_QUESTION_CHARS)..).unwrap_or_default()
}

/// The place of the oldest text that is read.
fn first_index_read(written: &[&str]) -> usize {
    index_within_chars(written, MAX_CHARS).max(written.len().saturating_sub(MAX_TURNS))
}

/// The place of the oldest text that is taken if the newest one is, and those before it until they have `chars`
/// characters.
fn index_within_chars(written: &[&str], chars: usize) -> usize {
    let mut room = chars;
    let newest = written.iter().rev().take_while(|text| {
        let first = room == chars;
        room = room.saturating_sub(text.chars().count());
        first || room > 0
    });
    written.len() - newest.count()
}

#[cfg(test)]
mod tests;
