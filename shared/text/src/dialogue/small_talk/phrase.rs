//! A phrase of small talk, as the tables hold it.

use super::kinds::Kinds;
use crate::CustomerLanguage;

/// A shorter word is not corrected; in bytes.
pub(crate) const MIN_CORRECTED_BYTES: usize = 6;

/// A phrase in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Phrase {
    pub(crate) language: CustomerLanguage,
    pub(in crate::dialogue) kinds: Kinds,
    pub(crate) ambiguous: bool,
    /// A list has it with an accent.
    pub(crate) accented: bool,
}
