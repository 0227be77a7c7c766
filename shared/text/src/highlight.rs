//! Marks where a text matches a query.

use std::collections::HashSet;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Analyzer, QueryTerms};

/// A part of a text that matches as a whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Segment {
    /// The part, as written; all parts together are the text.
    pub text: String,
    /// Whether its words are among the question's terms.
    #[serde(rename = "match")]
    pub matched: bool,
}

/// Cuts `text` into segments that match `query` and segments that do not; together they are the text.
#[must_use]
pub fn highlight(analyzer: &Analyzer, query: &QueryTerms, text: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut at = 0;
    for matched in matches(analyzer, query, text) {
        push(&mut segments, text, at..matched.start, false);
        at = matched.end;
        push(&mut segments, text, matched, true);
    }
    push(&mut segments, text, at..text.len(), false);
    segments
}

/// The byte ranges of words whose term, or a part, is in `query`, in order, without overlap.
fn matches(analyzer: &Analyzer, query: &QueryTerms, text: &str) -> Vec<Range<usize>> {
    let wanted: HashSet<&str> = query.distinct.iter().map(String::as_str).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    analyzer.each_indexed_term(text, |range, term| found.extend(wanted.contains(term.as_str()).then_some(range)));
    found.sort_unstable_by_key(|range| (range.start, range.end));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in found {
        match ranges.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges
}

fn push(segments: &mut Vec<Segment>, text: &str, range: Range<usize>, matched: bool) {
    if let Some(part) = text.get(range).filter(|part| !part.is_empty()) {
        segments.push(Segment { text: part.to_owned(), matched });
    }
}
