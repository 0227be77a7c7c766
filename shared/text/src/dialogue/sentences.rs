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
    /// Is sorry, and offers a human.
    Apology,
    /// The wiki holds no answer: says so and offers a human.
    NoAnswer,
    /// Says that a person takes over; asks nothing.
    Handover,
    /// Something behind the service failed: says so, and that a person takes over.
    Failure,
}

impl Sentence {
    /// Whether it asks if the customer wants a human.
    #[must_use]
    pub const fn offers_human(self) -> bool {
        matches!(self, Self::Apology | Self::NoAnswer)
    }
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
        Sentence::Apology => sentences.apology,
        Sentence::NoAnswer => sentences.no_answer,
        Sentence::Handover => sentences.handover,
        Sentence::Failure => sentences.failure,
    }
}
