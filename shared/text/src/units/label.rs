//! The lines that are about what comes next.

use crate::word_count;

/// A line of more words in bold may say something itself.
const MAX_LABEL_WORDS: usize = 3;
/// The same in bytes, for questions, too: longer lines are not looked at.
const MAX_LABEL_BYTES: usize = 200;

pub(super) fn ends_in_colon(text: &str) -> bool {
    text.ends_with([':', '：'])
}

/// Whether a line in bold is about what comes next: a question, or up to three words without a number or an address, as
/// the title of a box ("Note"). A longer one may be what was asked for.
#[must_use]
pub fn is_label(text: &str) -> bool {
    if text.len() > MAX_LABEL_BYTES {
        return false;
    }
    let inner = text.strip_prefix("**").and_then(|text| text.strip_suffix("**")).map(str::trim);
    inner.filter(|inner| !inner.is_empty() && !inner.contains("**")).is_some_and(|inner| {
        let says = |c: char| c.is_numeric() || "@€$£".contains(c);
        inner.ends_with(['?', '？'])
            || (word_count(inner) <= MAX_LABEL_WORDS
                && !inner.contains(says)
                && !inner.ends_with(['.', '!', '。', '！']))
    })
}
