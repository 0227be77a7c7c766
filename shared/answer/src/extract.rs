//! Quotes an answer from an entry: the part about the question, in a readable length.
//!
//! Of an entry of ordinary length, `select` takes the units that contain the answer: sentences, list items, steps, table
//! rows, blocks of code ([`text::units()`]). `question` knows what kind of answer is asked for, `render` writes those that
//! are quoted. Of a long entry, the best paragraph is quoted. A short question gets a short
//! answer, so a long paragraph is cut for it.

mod question;
mod render;
mod select;
mod shape;
mod support;

pub(super) use question::Question;
use question::SHORT_QUESTION_WORDS;
use render::{MAX_WORDS, cut};
pub(super) use select::excerpt;
pub use support::Support;
pub(super) use support::Topic;
use text::{Unit, UnitKind, is_label, paragraphs, sentences, units, word_count};

/// The most words of an entry with headings, lists, tables or code of which units are selected.
const STRUCTURED_PAGE_WORDS: usize = 300;
/// Up to how many words of an entry of sentences alone, for up to how many words of the question, units are selected. Of
/// a longer entry one paragraph is quoted. (Words of the question, words of the entry.)
const PAGES: [(usize, usize); 2] = [(SHORT_QUESTION_WORDS, 200), (12, 170)];
/// The most words of an entry of sentences alone that is quoted whole for a long question.
const WHOLE_WORDS: usize = 120;
/// The most words of a paragraph that is quoted whole for a question that is not short.
const PARAGRAPH_WORDS: usize = 200;
/// The most words of a paragraph that is preferred for a short question.
const SHORT_PARAGRAPH_WORDS: usize = 120;
/// A long paragraph has to be this much better than the best short one: a whole thought reads better than a piece.
const LONG_PARAGRAPH_WEIGHT: f64 = 0.3;

/// The text of an entry that answers a question best; empty if the entry has none.
pub(super) fn extract(question: &Question<'_>, content: &str) -> String {
    let content = content.trim();
    let length = word_count(content);
    if length <= STRUCTURED_PAGE_WORDS {
        let units = units(content);
        let page = PAGES.iter().find(|(words, _)| question.query.words <= *words).map(|(_, page)| *page);
        if is_structured(&units) || page.is_some_and(|page| length <= page) {
            return select::select_of(question, content, &units, MAX_WORDS);
        }
        if page.is_none() && length <= WHOLE_WORDS {
            return render::plain(content);
        }
    }
    let all = paragraphs(content);
    let Some(at) = best_paragraph(question, &all) else { return cut(content, MAX_WORDS) };
    quote_paragraph(question, &all, at)
}

/// The same in at most `most_words` words.
pub(super) fn extract_within(question: &Question<'_>, content: &str, most_words: usize) -> String {
    let text = extract(question, content);
    if word_count(&text) <= most_words { text } else { select::select(question, &text, most_words) }
}

/// Whether a text has more units than sentences: its parts are read by themselves.
fn is_structured(units: &[Unit<'_>]) -> bool {
    units.iter().any(|unit| unit.kind != UnitKind::Sentence)
}

/// The place of the paragraph that is nearest to the question by its words and those of the headings just before.
fn best_paragraph(question: &Question<'_>, all: &[&str]) -> Option<usize> {
    let most_words = if question.is_short() { SHORT_PARAGRAPH_WORDS } else { PARAGRAPH_WORDS };
    let mut text = String::new();
    let mut best: Option<(f64, usize)> = None;
    for (at, paragraph) in all.iter().enumerate() {
        text.push_str(paragraph);
        text.push('\n');
        if render::heading(paragraph).is_some() || is_label(paragraph) {
            continue;
        }
        let long = word_count(paragraph) > most_words && !is_structured(&units(paragraph));
        let score = question.scorer.text_score(&question.analyzer.indexed_terms(&text))
            * if long { LONG_PARAGRAPH_WEIGHT } else { 1.0 };
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, at));
        }
        text.clear();
    }
    best.map(|(_, at)| at)
}

/// A paragraph as far as it is quoted. A list, a table and code are quoted from their section, with its heading.
fn quote_paragraph(question: &Question<'_>, all: &[&str], at: usize) -> String {
    let Some(paragraph) = all.get(at) else { return String::new() };
    if is_structured(&units(paragraph)) || paragraph.ends_with([':', '：']) {
        let is_heading = |at: &usize| all.get(*at).is_some_and(|text| render::heading(text).is_some());
        let from = (0..at).rev().find(is_heading).unwrap_or(0);
        let to = (at + 1..all.len()).find(is_heading).unwrap_or(all.len());
        return select::select(question, &all.get(from..to).unwrap_or_default().join("\n\n"), MAX_WORDS);
    }
    let words = word_count(paragraph);
    let quoted = match question.is_short() {
        _ if words <= MAX_WORDS => render::plain(paragraph),
        true => select::select(question, paragraph, MAX_WORDS),
        false if words <= PARAGRAPH_WORDS => render::plain(paragraph),
        false => best_sentences(question, paragraph),
    };
    let label = at.checked_sub(1).and_then(|before| all.get(before)).filter(|before| is_label(before));
    match label {
        Some(label) => format!("{label}\n\n{quoted}"),
        None => quoted,
    }
}

/// The best sentence and what follows, up to the length of a short answer.
fn best_sentences(question: &Question<'_>, paragraph: &str) -> String {
    let sentences = sentences(paragraph);
    let mut best = (0.0, 0);
    for (at, sentence) in sentences.iter().enumerate() {
        let score = question.scorer.text_score(&question.analyzer.indexed_terms(sentence));
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
    cut(&quoted.copied().collect::<Vec<_>>().join(" "), MAX_WORDS)
}

#[cfg(test)]
mod tests;
