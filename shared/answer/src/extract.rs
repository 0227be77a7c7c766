//! Quotes an answer from an entry: the part about the question, in a readable length.
//!
//! Of a short entry, `select` takes the sentences that contain the answer. Of a long entry, the best paragraph is
//! quoted. A short question gets a short answer, so a long paragraph is cut for it.

mod limit;
mod select;
mod units;

use super::rank::Scorer;
use limit::{MAX_WORDS, cut};
use text::{Analyzer, paragraphs, sentences, word_count};

/// Up to how many words of the entry, for up to how many words of the question, sentences are selected. Of a longer
/// entry one paragraph is quoted. (Words of the question, words of the entry.)
const PAGES: [(usize, usize); 2] = [(8, 200), (12, 170)];
/// The most words of a short question.
const SHORT_QUESTION_WORDS: usize = 8;
/// The most words of an entry, or a paragraph, that is quoted whole for a long question.
const PARAGRAPH_WORDS: usize = 120;
/// A long paragraph has to be this much better than the best short one: a whole thought reads better than a piece.
const LONG_PARAGRAPH_WEIGHT: f64 = 0.3;

/// The text that answers a question of `words` words best; empty where the entry has none. `near` is the passage that
/// is nearest to the question by its vector, where there is one.
pub(super) fn extract(
    analyzer: &Analyzer,
    scorer: &Scorer<'_>,
    content: &str,
    words: usize,
    near: Option<&str>,
) -> String {
    let content = content.trim();
    let short = words <= SHORT_QUESTION_WORDS;
    let length = word_count(content);
    match PAGES.iter().find(|(question, _)| words <= *question) {
        Some((_, page)) if length <= *page => return select::select(analyzer, scorer, content, near),
        None if length <= PARAGRAPH_WORDS => return units::plain(content),
        _ => {}
    }
    let Some(best) = best_paragraph(analyzer, scorer, content) else { return cut(content) };
    if word_count(best) <= MAX_WORDS {
        return units::plain(best);
    }
    match (short, word_count(best) <= PARAGRAPH_WORDS) {
        (true, _) => select::select(analyzer, scorer, best, near),
        (false, true) => units::plain(best),
        (false, false) => best_sentences(analyzer, scorer, best),
    }
}

fn best_paragraph<'a>(analyzer: &Analyzer, scorer: &Scorer<'_>, content: &'a str) -> Option<&'a str> {
    let mut terms = Vec::new();
    let mut best: Option<(f64, &str)> = None;
    for paragraph in paragraphs(content) {
        terms.append(&mut analyzer.terms(paragraph));
        if units::heading(paragraph).is_some() {
            continue;
        }
        let long = word_count(paragraph) > PARAGRAPH_WORDS;
        let score = scorer.text_score(&terms) * if long { LONG_PARAGRAPH_WEIGHT } else { 1.0 };
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, paragraph));
        }
        terms.clear();
    }
    best.map(|(_, paragraph)| paragraph)
}

fn best_sentences(analyzer: &Analyzer, scorer: &Scorer<'_>, paragraph: &str) -> String {
    let sentences = sentences(paragraph);
    let mut best = (0.0, 0);
    for (at, sentence) in sentences.iter().enumerate() {
        let score = scorer.text_score(&analyzer.terms(sentence));
        if score > best.0 {
            best = (score, at);
        }
    }
    let mut words = 0;
    let quoted = sentences.iter().skip(best.1).take_while(|sentence| {
        let first = words == 0;
        words += word_count(sentence);
        first || words <= MAX_WORDS
    });
    cut(&quoted.copied().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
