//! Quoting an answer from an entry: as much as a person wants to read, and the part that is about the question.

use super::rank::Scorer;
use crate::text::{Analyzer, paragraphs, sentences, word_count};

/// An entry, or a paragraph, of at most so many words is quoted whole.
const WHOLE_WORDS: usize = 120;
/// Of a longer paragraph, its best sentence and those after it up to so many words.
const SENTENCES_WORDS: usize = 90;

/// The text that answers the question best; empty where the entry has none.
pub(super) fn extract(analyzer: &Analyzer, scorer: &Scorer<'_>, content: &str) -> String {
    let content = content.trim();
    if word_count(content) <= WHOLE_WORDS {
        return content.to_owned();
    }
    let score = |text: &&str| scorer.text_score(&analyzer.terms(text));
    let Some(best) = first_best(paragraphs(content), score) else { return String::new() };
    if word_count(best) <= WHOLE_WORDS {
        return best.to_owned();
    }
    let sentences = sentences(best);
    let Some(start) = first_best(0..sentences.len(), |at| sentences.get(*at).map_or(0.0, score)) else {
        return String::new();
    };
    let mut words = 0;
    let quoted = sentences.iter().skip(start).take_while(|sentence| {
        let first = words == 0;
        words += word_count(sentence);
        first || words <= SENTENCES_WORDS
    });
    cut(&quoted.copied().collect::<Vec<_>>().join(" "), WHOLE_WORDS)
}

/// The first of those with the highest score.
fn first_best<T>(items: impl IntoIterator<Item = T>, score: impl Fn(&T) -> f64) -> Option<T> {
    let scored = items.into_iter().map(|item| (score(&item), item));
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, item)| item)
}

/// The first words of a text that has no sentences.
fn cut(text: &str, max_words: usize) -> String {
    let mut words = 0;
    let kept = text.split_inclusive(char::is_whitespace).take_while(|token| {
        words += word_count(token);
        words <= max_words
    });
    kept.collect::<String>().trim_end().to_owned()
}
