//! Detects small talk: a message that phrases of small talk cover completely.
//!
//! `table` holds the phrases of all languages, which `collect` reads from the lists when the crate is built. Phrases are
//! compared without the spaces inside them, so `thankyou` is `thank you`, and `whats up` is `what's up`.

#[cfg(test)]
mod collect;
mod kinds;
mod lexicon;
mod phrase;
mod signs;
mod table;
#[cfg(test)]
mod tests;

pub(super) use kinds::{Kind, Kinds};
pub(super) use lexicon::{cover, has, leading, trailing};
pub(super) use signs::{signs, without_emoticons};
