//! Quotes the answer to each question of a message from its entry.

use super::engine::Question;
use super::extract;
use super::parts::{Outcome, RankedPart};
use super::rank::{Scorer, nearest_passage};
use domain::models::WikiPath;
use text::{Analyzer, Opposites, QueryTerms, images, sanitise};

const MAX_ANSWER_BYTES: usize = 8 * 1024;
/// The most words of the answers to several questions together.
const MAX_WORDS: usize = 140;

/// Quotes the nearest entry of each question that it is sure enough of. Questions with the same entry get one quotation;
/// of several entries, each is at most its share of 140 words long.
pub(super) fn quotations(question: &Question<'_>, parts: &[RankedPart], shares: usize) -> Outcome {
    let analyzer = Analyzer::new(question.language);
    let limit = if shares > 1 { MAX_WORDS / shares } else { usize::MAX };
    let sure = parts.iter().enumerate().filter(|(_, part)| part.confidence() >= question.threshold);
    let mut asked: Vec<(WikiPath, QueryTerms, Vec<usize>)> = Vec::new();
    for (at, part) in sure {
        let Some((entry, _)) = part.best() else { continue };
        match asked.iter_mut().find(|(path, ..)| *path == entry.path) {
            Some((_, query, of)) => {
                query.add(&part.query, 1.0);
                of.push(at);
            }
            None => asked.push((entry.path.clone(), part.query.clone(), vec![at])),
        }
    }
    let mut outcome = Outcome::default();
    for (path, query, of) in asked {
        let Some(part) = of.first().and_then(|at| parts.get(*at)) else { continue };
        let texts: Vec<&str> = of.iter().filter_map(|at| parts.get(*at)).map(|part| part.text.as_str()).collect();
        let (text, used) = match of.as_slice() {
            [_] if shares == 1 => (part.quote.clone(), part.quoted().map(|entry| entry.path.clone()).collect()),
            _ => (quote(&analyzer, &texts.join(" "), &query, part, limit.saturating_mul(of.len())), vec![path]),
        };
        let text = shown(&text);
        if text.is_empty() {
            continue;
        }
        if !outcome.text.is_empty() {
            outcome.text.push_str("\n\n");
        }
        outcome.text.push_str(&text);
        outcome.answered.extend(of);
        outcome.used.extend(used);
    }
    outcome.answered.sort_unstable();
    outcome
}

fn quote(analyzer: &Analyzer, text: &str, query: &QueryTerms, part: &RankedPart, most_words: usize) -> String {
    let scorer = Scorer::new(query, &part.retrieval.stats);
    let Some((candidate, _)) = part.best() else { return String::new() };
    let near = nearest_passage(candidate).map(|passage| passage.text.as_str());
    let opposites = Opposites::asked(analyzer, text);
    let question = extract::Question { analyzer, text, query, scorer: &scorer, opposites: &opposites, near };
    extract::extract_within(&question, &images::without(&candidate.content), most_words)
}

/// A quotation as a customer sees it.
fn shown(text: &str) -> String {
    let mut text = sanitise::visible(text);
    text.truncate(text.floor_char_boundary(MAX_ANSWER_BYTES));
    text.trim().to_owned()
}
