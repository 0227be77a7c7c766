//! Reads plain text: paragraphs, lists, and the lines that people write as headings without markup.

use text::markdown::escape;

use super::block::{Block, BlockKind, Piece};

/// The longest heading, in characters.
const HEADING_CHARS: usize = 80;
/// A line without any other sign is a heading only before a paragraph that is this many times as long.
const LENGTH_RATIO: usize = 2;
/// Lines of a text that wraps its lines have about this many characters, at least.
const MIN_WRAP_CHARS: usize = 60;
/// An item belongs to a list if another of it is within this many paragraphs.
const MAX_APART: usize = 2;

/// Reads a plain text.
pub(super) fn read(text: &str) -> Vec<Piece> {
    let paragraphs: Vec<Vec<&str>> = paragraphs(text);
    let width = paragraphs.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let items = Items::of(&paragraphs);
    let mut pieces = Vec::new();
    for (at, lines) in paragraphs.iter().enumerate() {
        let next = paragraphs.get(at + 1).map_or(0, |next| next.iter().map(|line| line.chars().count()).sum());
        let (heading, rest) = heading(lines, next);
        // A heading above the whole text is its title.
        let heading = heading.map(|(level, text)| (if at == 0 { 1 } else { level.max(2) }, text));
        pieces.extend(heading.map(|(level, text)| Piece::Heading { level, text }));
        let (kind, text) = markdown(rest, &items, at, width);
        pieces.extend(Block::of(kind, text).map(Piece::Block));
    }
    pieces
}

/// The mark of a line that may be an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker {
    Bullet(char),
    Number(u32),
}

impl Marker {
    /// The mark of a line and the text after it.
    fn of(line: &str) -> Option<(Self, &str)> {
        let line = line.trim_start();
        let first = line.chars().next()?;
        if matches!(first, '-' | '*' | '+' | '•' | '–' | '·') {
            return Some((Self::Bullet(first), line.strip_prefix(first)?.strip_prefix([' ', '\t'])?));
        }
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = line.strip_suffix(rest)?.parse().ok()?;
        Some((Self::Number(number), rest.strip_prefix(['.', ')'])?.strip_prefix([' ', '\t'])?))
    }
}

/// The marks of a text by their paragraphs: a mark alone is no list, `- 5 degrees` and `1986. A great year`.
struct Items(Vec<(usize, Marker)>);

impl Items {
    fn of(paragraphs: &[Vec<&str>]) -> Self {
        let marks = |(at, lines): (usize, &Vec<&str>)| {
            lines.iter().filter_map(|line| Marker::of(line)).map(|(mark, _)| (at, mark)).collect::<Vec<_>>()
        };
        Self(paragraphs.iter().enumerate().flat_map(marks).collect())
    }

    /// Whether the mark of a line in paragraph `at` has a companion near it: the same bullet, or the next number.
    fn has_companion(&self, at: usize, mark: Marker) -> bool {
        let from = self.0.partition_point(|(place, _)| place + MAX_APART < at);
        let near = self.0.iter().skip(from).take_while(|(place, _)| *place <= at + MAX_APART).map(|(_, other)| *other);
        match mark {
            Marker::Bullet(_) => near.filter(|other| *other == mark).take(2).count() > 1,
            Marker::Number(number) => {
                near.into_iter().any(|other| matches!(other, Marker::Number(n) if n.abs_diff(number) == 1))
            }
        }
    }
}

/// The lines of a paragraph as Markdown. A line that ends before the width of the text ends on purpose.
fn markdown(lines: &[&str], items: &Items, at: usize, width: usize) -> (BlockKind, String) {
    let mut out = String::new();
    let mut kind = BlockKind::Prose;
    // The indentation of the open items in the source, and of their text in the result.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut before: Option<&str> = None;
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        let item = Marker::of(line).filter(|(mark, _)| items.has_companion(at, *mark));
        let text = item.map_or(line.trim(), |(_, text)| text.trim());
        let text =
            text.strip_prefix("A: ").or_else(|| text.strip_prefix("A. ")).filter(|_| before.is_none()).unwrap_or(text);
        match item {
            Some((mark, _)) => {
                open.retain(|(of, _)| *of < indent);
                let margin = open.last().map_or(0, |(_, margin)| *margin);
                let mark = match mark {
                    Marker::Bullet(_) => "- ".to_owned(),
                    Marker::Number(number) => format!("{number}. "),
                };
                out.push_str(if before.is_some() && kind == BlockKind::Prose { "\n\n" } else { "\n" });
                out.push_str(&format!("{}{mark}", " ".repeat(margin)));
                open.push((indent, margin + mark.len()));
                kind = BlockKind::Lines;
            }
            None => {
                if let Some(before) = before {
                    let wrapped = Marker::of(line).is_none() && is_wrapped(before, text, width);
                    out.push_str(if wrapped { "\n" } else { "\\\n" });
                }
                out.push_str(&" ".repeat(open.last().map_or(0, |(_, margin)| *margin)));
            }
        }
        out.push_str(&escape(text));
        before = Some(line);
    }
    (kind, out)
}

/// Whether the first word of the next line would not have fitted into a line.
fn is_wrapped(line: &str, next: &str, width: usize) -> bool {
    let word = next.split_whitespace().next().map_or(0, |word| word.chars().count());
    width >= MIN_WRAP_CHARS && line.chars().count() + 1 + word > width.saturating_sub(width / 8)
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
    matches!(Marker::of(line), Some((Marker::Bullet(_), _)))
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
        assert_eq!(show(text), ["Dear all,", "we moved. 5 things changed\\\nsince then.", "- one\n- two", "Best"]);
    }

    #[test]
    fn lines_come_back_as_they_were_written() {
        let wrapped = "This line is one of a text whose lines were wrapped by a program at\nsome width, as mails are.";
        for (text, expected) in [
            ("Dial *21*0301234567#", "Dial \\*21\\*0301234567#"),
            ("1986. A great year", "1986\\. A great year"),
            ("- 5 degrees", "\\- 5 degrees"),
            ("> 30 kg", "\\> 30 kg"),
            ("Shop\n5 Main Street\nBerlin", "Shop\\\n5 Main Street\\\nBerlin"),
            (wrapped, wrapped),
            ("You need:\n• a box\n• tape\nand time", "You need:\n\n- a box\n- tape\\\n  and time"),
            ("1) Open\n   - left\n   - right\n2) Close", "1. Open\n   - left\n   - right\n2. Close"),
        ] {
            assert_eq!(show(text), [expected], "{text}");
        }
        assert_eq!(show("- a\n\n- b"), ["- a", "- b"]);
    }

    #[test]
    fn reading_lists_is_linear() {
        let own = ["- a\n", "1. a\n", "- a\n\n", "1. a\n2. b\n", " - a\n", "• a\n  ", "2. "];
        growth::linear("plain", 60_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(read(text));
        });
    }
}
