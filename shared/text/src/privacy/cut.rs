//! Cuts a text without splitting a number or word: half a number is not detected and is still personal data.

use super::digits::{digit, is_hyphen, is_space};

/// A longer run without white space is not a word or address, in characters: an e-mail address has at most 254.
const LONGEST_WORD_CHARS: usize = 254;

/// At most the first `max` characters of `text`, without a word or a number that may continue after them.
pub(super) fn first(text: &str, max: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(max) else { return text };
    let (head, _) = text.split_at(end);
    let word_chars = head.chars().rev().take_while(|c| !c.is_whitespace()).take(LONGEST_WORD_CHARS + 1).count();
    let head =
        if word_chars <= LONGEST_WORD_CHARS { head.trim_end_matches(|c: char| !c.is_whitespace()) } else { head };
    head.trim_end_matches(is_of_number)
}

fn is_of_number(c: char) -> bool {
    digit(c).is_some() || is_space(c) || is_hyphen(c) || matches!(c, '.' | '/' | '(' | ')' | '+')
}
