//! Markdown as pieces: headings, and blocks that stay as they were written.

use super::block::{Block, BlockKind, Piece};

/// What a Markdown text is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Markdown {
    /// The `title` of its front matter.
    pub(super) title: Option<String>,
    pub(super) pieces: Vec<Piece>,
}

/// Reads a Markdown text.
pub(super) fn read(text: &str) -> Markdown {
    let (title, body) = front_matter(text);
    let body = without_comments(body);
    let mut reader = Reader { pieces: Vec::new(), lines: Vec::new(), kind: BlockKind::Prose, level: 1 };
    let mut fence: Option<String> = None;
    for line in body.lines() {
        match &fence {
            Some(open) => {
                let ends = closes(line, open);
                reader.lines.push(line.to_owned());
                if ends {
                    fence = None;
                    reader.end_block();
                }
            }
            None => match opening_fence(line) {
                Some(open) => {
                    reader.begin(BlockKind::Code);
                    reader.lines.push(line.trim_start().to_owned());
                    fence = Some(open);
                }
                None => reader.line(line),
            },
        }
    }
    if let Some(open) = fence {
        reader.lines.push(open);
    }
    reader.end_block();
    Markdown { title, pieces: reader.pieces }
}

/// Whether a text shows by its marks that it is Markdown.
pub(super) fn looks_like(text: &str) -> bool {
    text.starts_with("---\n")
        || text.lines().any(|line| {
            heading(line).is_some() || opening_fence(line).is_some() || is_table_rule(line) || line.contains("](http")
        })
}

struct Reader {
    pieces: Vec<Piece>,
    lines: Vec<String>,
    kind: BlockKind,
    /// Of the last heading.
    level: u8,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if line.trim().is_empty() {
            // A list goes on over blank lines; whether it does shows in the next line.
            if self.kind != BlockKind::Lines {
                self.end_block();
            } else if self.lines.last().is_some_and(|last| !last.is_empty()) {
                self.lines.push(String::new());
            }
            return;
        }
        if let Some((level, text)) = heading(line) {
            return self.heading(level, &text);
        }
        if let Some(summary) = between(line, "<summary>", "</summary>") {
            let level = self.level.saturating_add(1).min(6);
            return self.heading_piece(level, &plain(summary));
        }
        if line.trim_start().starts_with("</details") {
            self.end_block();
            let level = self.level.saturating_add(1).min(6);
            return self.pieces.push(Piece::End { level });
        }
        let line = without_images(line);
        if line.trim().is_empty() || is_markup_alone(&line) {
            return;
        }
        if let Some(level) = underline(&line).filter(|_| self.kind == BlockKind::Prose && self.lines.len() == 1) {
            let title = self.lines.pop().unwrap_or_default();
            return self.heading(level, &plain(&title));
        }
        if is_rule(&line) {
            return self.end_block();
        }
        self.text(&line);
    }

    fn text(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let indented = line.len() > trimmed.len();
        let kind = if trimmed.starts_with('|') {
            BlockKind::Table
        } else if is_item(trimmed) || trimmed.starts_with('>') || (self.kind == BlockKind::Lines && indented) {
            BlockKind::Lines
        } else {
            BlockKind::Prose
        };
        let after_blank = self.lines.last().is_some_and(String::is_empty);
        let lazy = self.kind == BlockKind::Lines && kind == BlockKind::Prose && !after_blank && !self.lines.is_empty();
        if kind != self.kind && !lazy {
            self.begin(kind);
        }
        self.lines.push(line.trim_end().to_owned());
    }

    fn heading(&mut self, level: u8, text: &str) {
        self.level = level;
        self.heading_piece(level, text);
    }

    fn heading_piece(&mut self, level: u8, text: &str) {
        self.end_block();
        if !text.is_empty() {
            self.pieces.push(Piece::Heading { level, text: text.to_owned() });
        }
    }

    fn begin(&mut self, kind: BlockKind) {
        self.end_block();
        self.kind = kind;
    }

    fn end_block(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let kind = std::mem::replace(&mut self.kind, BlockKind::Prose);
        self.pieces.extend(Block::of(kind, lines.join("\n")).map(Piece::Block));
    }
}

/// `---`, lines of `name: value`, `---` at the very beginning.
fn front_matter(text: &str) -> (Option<String>, &str) {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return (None, text) };
    let mut at = 0;
    let mut title = None;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        let line = line.trim_end();
        if line == "---" || line == "..." {
            return (title, rest.get(at..).unwrap_or_default());
        }
        if let Some(value) = line.strip_prefix("title:") {
            title = Some(value.trim().trim_matches(['"', '\'']).trim().to_owned()).filter(|title| !title.is_empty());
        }
    }
    (None, text)
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        let Some((_, next)) = after.split_once("-->") else { break };
        out.push_str(before);
        rest = next;
    }
    out.push_str(rest);
    out
}

/// An ATX heading (CommonMark, 4.2).
fn heading(line: &str) -> Option<(u8, String)> {
    let trimmed = line.trim_start_matches(' ');
    if line.len() - trimmed.len() > 3 {
        return None;
    }
    let text = trimmed.trim_start_matches('#');
    let level = u8::try_from(trimmed.len() - text.len()).ok().filter(|level| (1..=6).contains(level))?;
    if !(text.is_empty() || text.starts_with([' ', '\t'])) {
        return None;
    }
    let text = text.trim();
    let bare = text.trim_end_matches('#');
    let text = if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { text };
    Some((level, plain(text)))
}

/// The level that a line of `=` or `-` makes of the line before it.
fn underline(line: &str) -> Option<u8> {
    let line = line.trim_end();
    match (line.trim_matches('=').is_empty(), line.trim_matches('-').is_empty()) {
        (true, _) if !line.is_empty() => Some(1),
        (_, true) if line.len() >= 2 => Some(2),
        _ => None,
    }
}

fn is_rule(line: &str) -> bool {
    let marks: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    marks.len() >= 3 && ["-", "*", "_"].iter().any(|mark| marks.replace(mark, "").is_empty())
}

fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains('|') && line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn is_item(line: &str) -> bool {
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        after_number.len() < line.len() && (after_number.starts_with(". ") || after_number.starts_with(") "));
    numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

/// The marks of a fence that begins here.
fn opening_fence(line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    let mark = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = trimmed.chars().take_while(|c| *c == mark).count();
    let info = trimmed.trim_start_matches(mark);
    (count >= 3 && !(mark == '`' && info.contains('`'))).then(|| mark.to_string().repeat(count))
}

fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.starts_with(fence) && fence.chars().next().is_some_and(|mark| line.trim_start_matches(mark).is_empty())
}

fn between<'t>(line: &'t str, open: &str, close: &str) -> Option<&'t str> {
    line.split_once(open)?.1.split_once(close).map(|(inner, _)| inner)
}

/// Tags and nothing else.
fn is_markup_alone(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('<') && line.ends_with('>') && without_tags(line).trim().is_empty()
}

fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The line without `![alt](source)`, and without the link around one.
fn without_images(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("![") {
        let Some((_, after_alt)) = after.split_once("](") else { break };
        let Some((_, next)) = after_alt.split_once(')') else { break };
        out.push_str(before.strip_suffix('[').unwrap_or(before));
        rest = match (before.ends_with('['), next.strip_prefix("](")) {
            (true, Some(link)) => link.split_once(')').map_or("", |(_, next)| next),
            _ => next,
        };
    }
    out.push_str(rest);
    out
}

/// A heading's text without marks: `**A** [b](c) `d`` is `A b d`.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        match after.split_once("](").and_then(|(label, target)| Some((label, target.split_once(')')?.1))) {
            Some((label, next)) => {
                out.push_str(label);
                rest = next;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    let out = without_heading_id(&out).replace("**", "").replace("__", "").replace('`', "");
    without_tags(&out).split_whitespace().collect::<Vec<_>>().join(" ").trim_matches('*').to_owned()
}

/// `Title {#anchor}` is `Title`.
fn without_heading_id(text: &str) -> &str {
    match text.rsplit_once("{#") {
        Some((title, id)) if id.ends_with('}') => title,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> Vec<String> {
        let shown = |piece| match piece {
            Piece::Heading { level, text } => format!("h{level} {text}"),
            Piece::End { level } => format!("end {level}"),
            Piece::Block(block) => format!("{:?} {}", block.kind, block.text),
        };
        read(text).pieces.into_iter().map(shown).collect()
    }

    #[test]
    fn headings_of_both_kinds_are_found_and_nothing_else_is_one() {
        let text = "# A `b` [c](d) #\n\nE\n=\ntext\n\nF\n---\n```sh\n# no\n```\n#no\n    # no";
        assert_eq!(
            show(text),
            ["h1 A b c", "h1 E", "Prose text", "h2 F", "Code ```sh\n# no\n```", "Prose #no\n    # no"]
        );
    }

    #[test]
    fn lists_and_tables_stay_whole() {
        let text = "Intro:\n- a\n  more\n\n- b\nlazy\n\nend\n| x | y |\n|---|---|\n| 1 | 2 |\n> q\n> r";
        let expected = [
            "Prose Intro:",
            "Lines - a\n  more\n\n- b\nlazy",
            "Prose end",
            "Table | x | y |\n|---|---|\n| 1 | 2 |",
            "Lines > q\n> r",
        ];
        assert_eq!(show(text), expected);
    }

    #[test]
    fn what_is_not_for_readers_is_left_out() {
        let text = "---\ntitle: \"T\"\n---\n[![build](x)](y) ![z](w)\n<div align=center>\n\n<!-- hidden\n# no -->\n<details><summary>How?</summary>\n\nSo.\n\n</details>\nAfter";
        assert_eq!(read(text).title.as_deref(), Some("T"));
        assert_eq!(show(text), ["h2 How?", "Prose So.", "end 2", "Prose After"]);
    }

    #[test]
    fn a_fence_that_never_ends_is_ended() {
        assert_eq!(show("```\nx"), ["Code ```\nx\n```"]);
    }
}
