//! Writes units as an answer shows them, in Markdown, with `…` for what is left out between two of them.

use text::markdown::escape_line_start;
use text::{Unit, UnitKind, word_count};

/// The mark for units that are left out.
pub(super) const GAP: &str = "…";

/// The chosen units of `units`, in order.
pub(super) fn render(units: &[Unit<'_>], chosen: &[bool]) -> String {
    let mut text = String::new();
    let mut before: Option<(usize, &Unit<'_>)> = None;
    let quoted = units.iter().enumerate().filter(|(at, _)| chosen.get(*at) == Some(&true));
    for (at, unit) in quoted {
        if let Some((last, before)) = before {
            let between = units.get(last + 1..at).unwrap_or_default();
            let gap = !before.is_context() && between.iter().any(|unit| unit.kind != UnitKind::Heading);
            text.push_str(&separator(before, unit, gap));
        }
        push_indented(&mut text, unit);
        before = Some((at, unit));
    }
    text
}

fn separator(before: &Unit<'_>, unit: &Unit<'_>, gap: bool) -> String {
    let same = before.block == unit.block;
    let in_text = before.kind == UnitKind::Sentence && unit.kind == UnitKind::Sentence && unit.indent == before.indent;
    let in_table = unit.kind == UnitKind::Row;
    let in_list = unit.kind != UnitKind::Sentence && !gap;
    match (same, gap) {
        (true, false) if in_text => " ".to_owned(),
        (true, true) if in_text => format!(" {GAP} "),
        (true, true) if in_table => format!("\n{GAP}\n"),
        (true, false) if in_table || in_list => "\n".to_owned(),
        (_, true) => format!("\n\n{GAP}\n\n"),
        (_, false) => "\n\n".to_owned(),
    }
}

fn push_indented(text: &mut String, unit: &Unit<'_>) {
    if unit.kind == UnitKind::Heading {
        text.push_str(&bold(&unit.text));
        return;
    }
    // The second and later lines of an item belong to it if they are indented like its text.
    let mark = match unit.kind {
        UnitKind::Item | UnitKind::Step => unit.text.find(' ').map_or(0, |at| at + 1),
        _ => 0,
    };
    for (number, line) in unit.text.lines().enumerate() {
        let indent = if number == 0 { unit.indent } else { unit.indent + mark };
        if number > 0 {
            text.push('\n');
        }
        let begins_line = text.is_empty() || text.ends_with('\n');
        text.extend(std::iter::repeat_n(' ', indent));
        // A sentence from the middle of a paragraph may begin with what is a mark at the beginning of a line.
        if begins_line && number == 0 && unit.kind == UnitKind::Sentence {
            text.push_str(&escape_line_start(line, true));
        } else {
            text.push_str(line);
        }
    }
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
fn bold(heading: &str) -> String {
    if heading.contains('*') { heading.to_owned() } else { format!("**{heading}**") }
}

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
