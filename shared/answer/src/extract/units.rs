//! Splits an entry into units that can be quoted alone: sentences, list items, code blocks, each under its heading.

use text::{Analyzer, paragraphs, sentences, word_count};

/// A part of an entry.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    /// As written; a heading without its marks.
    pub(super) text: &'a str,
    /// Its terms.
    pub(super) terms: Vec<String>,
    /// Its words; a list mark is one.
    pub(super) words: usize,
    /// The number of its paragraph.
    pub(super) paragraph: usize,
    /// What it is.
    pub(super) kind: Kind,
    /// The place of the unit without which it cannot be understood: its heading, or what introduces its list.
    pub(super) needs: Option<usize>,
}

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Never quoted alone.
    Heading,
    /// A list item or table row.
    Item,
    /// Anything else.
    Sentence,
}

/// The units of `content`, in order.
pub(super) fn units<'a>(analyzer: &Analyzer, content: &'a str) -> Vec<Unit<'a>> {
    let mut all: Vec<Unit<'a>> = Vec::new();
    let (mut title, mut lead) = (None, None);
    for (paragraph, text) in paragraphs(content).into_iter().enumerate() {
        for text in sentences(text) {
            let at = all.len();
            let (kind, text, needs) = match heading(text) {
                Some(text) => (Kind::Heading, text, None),
                None if is_item(text) => (Kind::Item, text, lead.or(title)),
                None => (Kind::Sentence, text, title),
            };
            match kind {
                Kind::Heading => (title, lead) = (Some(at), None),
                Kind::Sentence => lead = Some(at),
                Kind::Item => {}
            }
            all.push(Unit { text, terms: analyzer.terms(text), words: word_count(text), paragraph, kind, needs });
        }
    }
    all
}

/// The text of a heading, without its marks.
pub(super) fn heading(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    let marks = text.len() - rest.len();
    let is_heading = (1..=6).contains(&marks) && rest.starts_with([' ', '\t']) && !text.contains('\n');
    is_heading.then(|| rest.trim().trim_end_matches('#').trim_end()).filter(|text| !text.is_empty())
}

/// The text with each heading as a line in bold.
pub(super) fn plain(text: &str) -> String {
    let mut in_code = false;
    let lines = text.lines().map(|line| {
        in_code ^= line.trim_start().starts_with("```");
        match heading(line.trim_end()) {
            Some(heading) if !in_code => bold(heading),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A heading as it is quoted.
pub(super) fn bold(heading: &str) -> String {
    if heading.contains('*') { heading.to_owned() } else { format!("**{heading}**") }
}

fn is_item(text: &str) -> bool {
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        after_number.len() < text.len() && (after_number.starts_with(". ") || after_number.starts_with(") "));
    numbered || text.starts_with('|') || ["- ", "* ", "+ ", "\u{2022}"].iter().any(|mark| text.starts_with(mark))
}
