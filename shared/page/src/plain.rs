//! Reads plain text: paragraphs, and the lines that people write as headings without markup.

use super::block::{Block, BlockKind, Piece};

/// The longest heading, in characters.
const HEADING_CHARS: usize = 80;
/// A line without any other sign is a heading only before a paragraph that is this many times as long.
const LENGTH_RATIO: usize = 2;

/// Reads a plain text.
pub(super) fn read(text: &str) -> Vec<Piece> {
    let paragraphs: Vec<Vec<&str>> = paragraphs(text);
    let mut pieces = Vec::new();
    for (at, lines) in paragraphs.iter().enumerate() {
        let next = paragraphs.get(at + 1).map_or(0, |next| next.iter().map(|line| line.chars().count()).sum());
        let (heading, rest) = heading(lines, next);
        // A heading above the whole text is its title.
        let heading = heading.map(|(level, text)| (if at == 0 { 1 } else { level.max(2) }, text));
        pieces.extend(heading.map(|(level, text)| Piece::Heading { level, text }));
        let lines = rest.iter().any(|line| is_item(line));
        let kind = if lines { BlockKind::Lines } else { BlockKind::Prose };
        let text = rest.join("\n");
        let text = text.strip_prefix("A: ").or_else(|| text.strip_prefix("A. ")).unwrap_or(&text);
        pieces.extend(Block::of(kind, text).map(Piece::Block));
    }
    pieces
}

fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        if line.trim().is_empty() {
            if all.last().is_some_and(|last| !last.is_empty()) {
                all.push(Vec::new());
            }
        } else if let Some(last) = all.last_mut() {
            last.push(line.trim_end());
        }
    }
    all.retain(|lines| !lines.is_empty());
    all
}

/// The heading that a paragraph begins with, or is, and what is left of the paragraph.
fn heading<'l>(lines: &'l [&'l str], next_chars: usize) -> (Option<(u8, String)>, &'l [&'l str]) {
    let Some((first, rest)) = lines.split_first() else { return (None, lines) };
    let text = first.trim();
    if let Some((under, rest)) = rest.split_first()
        && let Some(level) = underline(under)
    {
        return (Some((level, text.to_owned())), rest);
    }
    let level = level_of(text, rest.is_empty(), next_chars);
    match level {
        Some(level) => (Some((level, strip_question_prefix(text).to_owned())), rest),
        None => (None, lines),
    }
}

fn level_of(text: &str, alone: bool, next_chars: usize) -> Option<u8> {
    let chars = text.chars().count();
    if !(2..=HEADING_CHARS).contains(&chars) || is_item(text) || !text.chars().any(char::is_alphabetic) {
        return None;
    }
    if text.ends_with(['?', '？', '؟']) {
        // A question within a text is followed by more of its own paragraph's length.
        return (alone && next_chars > 0 || text != strip_question_prefix(text)).then_some(4);
    }
    if text.ends_with(['.', ',', ';', ':', '!', '。', '、', '…']) {
        return None;
    }
    if is_capitals(text) {
        return Some(1);
    }
    let number = numbering(text);
    if let Some(dots) = number.filter(|_| alone) {
        return Some(dots.saturating_add(1).min(5));
    }
    let begins = text.chars().next().is_some_and(|c| !c.is_lowercase());
    (alone && begins && chars <= 60 && next_chars >= chars * LENGTH_RATIO).then_some(2)
}

fn underline(line: &str) -> Option<u8> {
    let line = line.trim();
    let of = |mark: char| line.len() >= 3 && line.chars().all(|c| c == mark);
    if of('=') || of('*') || of('#') {
        Some(1)
    } else if of('-') || of('~') {
        Some(2)
    } else {
        None
    }
}

fn is_capitals(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (upper, all) = letters.fold((0, 0), |(upper, all), c| (upper + usize::from(c.is_uppercase()), all + 1));
    all >= 3 && upper == all
}

/// `2.3 Title` has two numbers, `Chapter 4` one.
fn numbering(text: &str) -> Option<u8> {
    let (first, rest) = text.split_once(' ')?;
    let word = first.to_lowercase();
    if matches!(word.as_str(), "chapter" | "section" | "part" | "appendix" | "article") {
        return rest.starts_with(|c: char| c.is_alphanumeric()).then_some(1);
    }
    let numbers: Vec<&str> = first.trim_end_matches('.').split('.').collect();
    let sound = numbers.iter().all(|n| (1..=3).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit()));
    (sound && first.contains('.')).then(|| u8::try_from(numbers.len()).unwrap_or(6))
}

fn strip_question_prefix(text: &str) -> &str {
    text.strip_prefix("Q: ").or_else(|| text.strip_prefix("Q. ")).unwrap_or(text)
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    ["- ", "* ", "+ ", "• ", "– "].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> Vec<String> {
        let shown = |piece| match piece {
            Piece::Heading { level, text } => format!("h{level} {text}"),
            Piece::End { level } => format!("end {level}"),
            Piece::Links => "links".to_owned(),
            Piece::Block(block) => block.text,
        };
        read(text).into_iter().map(shown).collect()
    }

    #[test]
    fn headings_are_known_by_how_people_write_them() {
        let long = "This goes on for a while, long enough to be the text under a heading.";
        let text = format!(
            "USER GUIDE\n\nIntro\n-----\n{long}\n\n1. First steps\n\n{long}\n\n1.2 Second steps\n\n{long}\n\nGood to know\n\n{long}\n\nQ: Why?\nA: Because.\n\nThanks."
        );
        assert_eq!(
            show(&text),
            [
                "h1 USER GUIDE",
                "h2 Intro",
                long,
                "h2 1. First steps",
                long,
                "h3 1.2 Second steps",
                long,
                "h2 Good to know",
                long,
                "h4 Why?",
                "Because.",
                "Thanks."
            ]
        );
    }

    #[test]
    fn an_ordinary_text_has_no_headings() {
        let text = "Dear all,\n\nwe moved. 5 things changed\nsince then.\n\n- one\n- two\n\nBest";
        assert_eq!(show(text), ["Dear all,", "we moved. 5 things changed\nsince then.", "- one\n- two", "Best"]);
    }
}
