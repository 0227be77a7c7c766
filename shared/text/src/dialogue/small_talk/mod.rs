//! Whether words are small talk: whether phrases of small talk cover all of them.
//!
//! Phrases are compared without the blanks inside them, so `thankyou` is `thank you`, and `whats up` is `what's up`.

mod kinds;
mod lexicon;
mod signs;
#[cfg(test)]
mod tests;

pub(super) use kinds::{Kind, Kinds};
pub(super) use lexicon::{cover, leading, trailing};
pub(super) use signs::{signs, without_emoticons};

/// Small talk of one language: lists of phrases, parted by `|`.
#[derive(Debug)]
pub(super) struct Tables {
    /// Hello, how are you; may stand before a question.
    pub(super) greeting: &'static str,
    /// Says that a question follows, but not which.
    pub(super) opening: &'static str,
    /// May stand before or after a question.
    pub(super) thanks: &'static str,
    /// Goodbye.
    pub(super) farewell: &'static str,
    /// Agrees; a yes to an offer.
    pub(super) okay: &'static str,
    /// Takes note, praises, apologises.
    pub(super) acknowledgement: &'static str,
    /// Asks who or what we are.
    pub(super) about_us: &'static str,
    /// Anger without a question.
    pub(super) anger: &'static str,
    /// Says that the answer did not help.
    pub(super) unhelped: &'static str,
    /// A yes to an offer.
    pub(super) yes: &'static str,
    /// A no to an offer.
    pub(super) no: &'static str,
    /// Says nothing beside any of these.
    pub(super) filler: &'static str,
    /// Says nothing beside greetings, thanks, farewells, praise and anger: whom they are for, and what for.
    pub(super) addition: &'static str,
    /// Of all phrases, those that are a matter of their own in another language: alone they are small talk only where
    /// this language is expected.
    pub(super) ambiguous: &'static str,
}
