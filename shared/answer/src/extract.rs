//! Quotes an answer from an entry: the part about the question, in a readable length.
//!
//! Of an entry of ordinary length, `select` takes the units that contain the answer: sentences, list items, steps, table
//! rows, blocks of code ([`text::units()`]). `weigh` scores them, `wanted` knows what kind of answer is asked for,
//! `render` writes those that are quoted. Of a long entry, the best paragraph is quoted. A short question gets a short
//! answer, so a long paragraph is cut for it.

mod limit;
mod render;
mod select;
mod wanted;
mod weigh;

use super::rank::Scorer;
use limit::{MAX_WORDS, cut};
use text::{Analyzer, QueryTerms, paragraphs, sentences, word_count};
use wanted::Wanted;

/// The most words of an entry of which units are selected. Of a longer entry one paragraph is quoted.
const PAGE_WORDS: usize = 200;
/// The most words of a short question.
const SHORT_QUESTION_WORDS: usize = 8;
/// The most words of an entry, or a paragraph, that is quoted whole for a long question.
const PARAGRAPH_WORDS: usize = 120;
/// A long paragraph has to be this much better than the best short one: a whole thought reads better than a piece.
const LONG_PARAGRAPH_WEIGHT: f64 = 0.3;

/// What a quotation is to answer.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    /// The analysis of the wiki's language.
    pub(super) analyzer: &'a Analyzer,
    /// As written.
    pub(super) text: &'a str,
    /// Its terms, with those of earlier questions.
    pub(super) query: &'a QueryTerms,
    /// What the terms weigh in the wiki.
    pub(super) scorer: &'a Scorer<'a>,
    /// The passage that is nearest to the question by its vector, where there is one.
    pub(super) near: Option<&'a str>,
}

/// The text of an entry that answers a question best; empty where the entry has none.
pub(super) fn extract(question: &Question<'_>, content: &str) -> String {
    let content = content.trim();
    let short = question.query.words <= SHORT_QUESTION_WORDS;
    if word_count(content) <= PAGE_WORDS {
        return select::select(question, content);
    }
    let Some(best) = best_paragraph(question, content) else { return cut(content) };
    if word_count(best) <= MAX_WORDS {
        return render::plain(best);
    }
    match (short, word_count(best) <= PARAGRAPH_WORDS) {
        (true, _) => select::select(question, best),
        (false, true) => render::plain(best),
        (false, false) => best_sentences(question, best),
    }
}

fn best_paragraph<'a>(question: &Question<'_>, content: &'a str) -> Option<&'a str> {
    let mut terms = Vec::new();
    let mut best: Option<(f64, &str)> = None;
    for paragraph in paragraphs(content) {
        terms.append(&mut question.analyzer.terms(paragraph));
        if render::heading(paragraph).is_some() {
            continue;
        }
        let long = word_count(paragraph) > PARAGRAPH_WORDS;
        let score = question.scorer.text_score(&terms) * if long { LONG_PARAGRAPH_WEIGHT } else { 1.0 };
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, paragraph));
        }
        terms.clear();
    }
    best.map(|(_, paragraph)| paragraph)
}

fn best_sentences(question: &Question<'_>, paragraph: &str) -> String {
    let sentences = sentences(paragraph);
    let mut best = (0.0, 0);
    for (at, sentence) in sentences.iter().enumerate() {
        let score = question.scorer.text_score(&question.analyzer.terms(sentence));
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
