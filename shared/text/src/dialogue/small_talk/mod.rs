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
