//! The fixed sentences of the service, in every language.

use super::languages;
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
    let sentence = languages::sentences(language).human_later;
    sentence.replace("{minutes}", &minutes.max(LEAST_MINUTES).to_string())
}

/// Says in `language` that at most three questions are answered at a time, and asks for `questions` again.
#[must_use]
pub fn ask_again(language: CustomerLanguage, questions: &str) -> String {
    languages::sentences(language).too_many.replace("{questions}", questions)
}

/// A sentence in `language`.
#[must_use]
pub fn sentence(language: CustomerLanguage, which: Sentence) -> &'static str {
    let sentences = languages::sentences(language);
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
