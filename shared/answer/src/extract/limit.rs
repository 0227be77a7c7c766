//! How long a short answer is.

use text::word_count;

/// The most words of an answer to a short question.
pub(super) const MAX_WORDS: usize = 90;

/// The first words of a text that has no sentences.
pub(super) fn cut(text: &str, most_words: usize) -> String {
    let mut words = 0;
    let kept = text.split_inclusive(char::is_whitespace).take_while(|token| {
        words += word_count(token);
        words <= most_words
    });
    let kept: String = kept.collect();
    if kept.is_empty() { text.chars().take(most_words * 2).collect() } else { kept.trim_end().to_owned() }
}
