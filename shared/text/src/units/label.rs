//! The lines that are about what comes next.

use crate::word_count;

/// A line of more words in bold may say something itself.
const MAX_LABEL_WORDS: usize = 3;
/// The same in bytes, for questions, too: longer lines are not looked at.
const MAX_LABEL_BYTES: usize = 200;

pub(super) fn ends_in_colon(text: &str) -> bool {
    text.ends_with([':', '：'])
}

/// The text of a line of which all is in bold.
#[must_use]
pub fn in_bold(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("**")?.strip_suffix("**")?.trim();
    (!inner.is_empty() && !inner.contains("**")).then_some(inner)
}

/// Whether a line in bold is about what comes next: a question, or up to three words without a number or an address, as
/// the title of a box ("Note"). A longer one may be what was asked for.
#[must_use]
pub fn is_label(text: &str) -> bool {
    if text.len() > MAX_LABEL_BYTES {
        return false;
    }
    let Some(inner) = in_bold(text) else { return false };
    let says = |c: char| c.is_numeric() || "@€$£".contains(c);
    let is_sentence = inner.ends_with(['.', '!', '。', '！']);
    inner.ends_with(['?', '？']) || (word_count(inner) <= MAX_LABEL_WORDS && !is_sentence && !inner.contains(says))
}
