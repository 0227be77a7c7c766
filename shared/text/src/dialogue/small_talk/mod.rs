//! Detects small talk: a message that phrases of small talk cover completely.
//!
//! Phrases are compared without the spaces inside them, so `thankyou` is `thank you`, and `whats up` is `what's up`.

mod kinds;
mod lexicon;
mod signs;
#[cfg(test)]
mod tests;

pub(super) use kinds::{Kind, Kinds};
pub(super) use lexicon::{cover, leading, trailing};
pub(super) use signs::{signs, without_emoticons};
