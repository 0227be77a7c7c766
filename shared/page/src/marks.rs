//! The marks of a paragraph that is being built, and their Markdown.
//!
//! A mark is a character that no text holds (a noncharacter of Unicode). Emphasis is written only if CommonMark reads it
//! back as such (spec 0.31, 6.2): `**注意：**请` would show its asterisks.

use text::markdown::{escape_line_starts, push_escaped};

/// A line break.
pub(super) const BREAK: char = '\n';

/// The meaning of a character of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Strong,
    Emphasis,
    Strike,
    Link,
    Code,
}

impl Mark {
    /// The characters that begin and end it; of code, the first is the only one.
    const fn chars(self) -> (char, char) {
        match self {
            Self::Strong => ('\u{FDD0}', '\u{FDD1}'),
            Self::Emphasis => ('\u{FDD2}', '\u{FDD3}'),
            Self::Strike => ('\u{FDD4}', '\u{FDD5}'),
            Self::Link => ('\u{FDD6}', '\u{FDD7}'),
            Self::Code => ('\u{FDD8}', '\u{FDD9}'),
        }
    }

    pub(super) const fn opening(self) -> char {
        self.chars().0
    }

    pub(super) const fn closing(self) -> char {
        self.chars().1
    }

    /// The mark of a character, and whether it begins it.
    fn of(c: char) -> Option<(Self, bool)> {
        let all = [Self::Strong, Self::Emphasis, Self::Strike, Self::Link, Self::Code];
        let mark = all.into_iter().find(|mark| is_mark(c) && (mark.opening() == c || mark.closing() == c))?;
        Some((mark, mark.opening() == c))
    }

    const fn markdown(self) -> &'static str {
        match self {
            Self::Strong => "**",
            Self::Emphasis => "*",
            Self::Strike => "~~",
            Self::Link | Self::Code => "",
        }
    }
}

/// Whether a character is reserved for marks.
pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}')
}

/// Whether a character begins emphasis or a link.
pub(super) const fn opens(c: char) -> bool {
    matches!(c, '\u{FDD0}' | '\u{FDD2}' | '\u{FDD4}' | '\u{FDD6}')
}

/// The text without its marks.
pub(super) fn literal(text: &str) -> String {
    text.chars().filter(|c| !is_mark(*c)).collect()
}

/// The parts of a text between two line breaks in a row; one that was a third is at their ends.
pub(super) fn paragraphs(text: &str) -> Vec<&str> {
    text.split("\n\n").collect()
}

/// Writes the parts of one text in order.
pub(super) struct Writer<'a> {
    codes: std::slice::Iter<'a, String>,
    targets: std::slice::Iter<'a, Option<String>>,
}

/// A character of a paragraph, with what its mark is.
#[derive(Clone, Copy)]
enum Token<'a> {
    Literal(char),
    Open(Mark),
    Close(Mark),
    LinkOpen,
    LinkClose(&'a str),
    Code(&'a str),
    Dropped,
}

impl<'a> Writer<'a> {
    pub(super) fn new(codes: &'a [String], targets: &'a [Option<String>]) -> Self {
        Self { codes: codes.iter(), targets: targets.iter() }
    }

    /// The Markdown of a part.
    pub(super) fn write(&mut self, part: &str) -> String {
        let tokens = self.tokens(part);
        let mut out = String::with_capacity(part.len());
        let mut in_link = false;
        let mut before = None;
        for (at, token) in tokens.iter().enumerate() {
            let after = || tokens.iter().skip(at + 1).find_map(|token| token.shown());
            match token {
                Token::Literal(BREAK) if in_link => out.push(' '),
                Token::Literal(BREAK) => push_break(&mut out),
                Token::Literal(' ') if out.is_empty() || out.ends_with([' ', BREAK]) => {}
                Token::Literal(c @ ('[' | ']')) if in_link => out.extend(['\\', *c]),
                Token::Literal('!') if matches!(tokens.get(at + 1), Some(Token::LinkOpen)) => out.push_str("\\!"),
                Token::Literal(c) => push_escaped(&mut out, before, *c, after()),
                Token::Open(mark) | Token::Close(mark) => out.push_str(mark.markdown()),
                Token::LinkOpen => {
                    in_link = true;
                    out.push('[');
                }
                Token::LinkClose(target) => {
                    in_link = false;
                    out.push_str(&format!("]({target})"));
                }
                Token::Code(code) => out.push_str(&code_span(code)),
                Token::Dropped => {}
            }
            before = token.shown().or(before);
        }
        // A line break at the end would show its backslash.
        let text = out.trim_end_matches(' ');
        let text = text.strip_suffix("\\\n").unwrap_or(text).trim();
        escape_line_starts(text)
    }

    /// The part's characters and marks; those that would not read back are dropped.
    fn tokens(&mut self, part: &str) -> Vec<Token<'a>> {
        let mut tokens = Vec::with_capacity(part.len());
        // The marks that are open: where, and the target of a link.
        let mut open: Vec<(Mark, usize, &'a str)> = Vec::new();
        let mut pairs = Vec::new();
        for c in part.chars() {
            let at = tokens.len();
            let Some((mark, opens)) = Mark::of(c) else {
                tokens.push(Token::Literal(c));
                continue;
            };
            let mut token = Token::Dropped;
            match mark {
                Mark::Code => token = Token::Code(self.codes.next().map_or("", String::as_str)),
                Mark::Link if opens => {
                    open.push((mark, at, self.targets.next().and_then(Option::as_deref).unwrap_or_default()));
                }
                _ if opens => open.push((mark, at, "")),
                _ => pairs
                    .extend(open.pop_if(|(last, ..)| *last == mark).map(|(_, from, target)| (mark, from, at, target))),
            }
            tokens.push(token);
        }
        for (mark, from, to, target) in &pairs {
            let (first, last) = match mark {
                Mark::Link if target.is_empty() => continue,
                Mark::Link => (Token::LinkOpen, Token::LinkClose(target)),
                mark => (Token::Open(*mark), Token::Close(*mark)),
            };
            tokens.get_mut(*from).into_iter().for_each(|token| *token = first);
            tokens.get_mut(*to).into_iter().for_each(|token| *token = last);
        }
        for (mark, from, to, _) in pairs {
            if mark != Mark::Link && !(can_open(&tokens, from) && can_close(&tokens, to)) {
                for at in [from, to] {
                    tokens.get_mut(at).into_iter().for_each(|token| *token = Token::Dropped);
                }
            }
        }
        tokens
    }
}

impl Token<'_> {
    /// The character next to its neighbour, if it writes any.
    const fn shown(&self) -> Option<char> {
        match self {
            Self::Literal(c) => Some(*c),
            Self::Open(Mark::Strike) | Self::Close(Mark::Strike) => Some('~'),
            Self::Open(_) | Self::Close(_) => Some('*'),
            Self::LinkOpen => Some('['),
            Self::LinkClose(_) => Some(')'),
            Self::Code(_) => Some('`'),
            Self::Dropped => None,
        }
    }
}

/// Whether the mark at `at` is a left-flanking run.
fn can_open(tokens: &[Token<'_>], at: usize) -> bool {
    let before = neighbour(tokens.iter().take(at).rev(), |token| matches!(token, Token::Open(_)));
    let after = neighbour(tokens.iter().skip(at + 1), |token| matches!(token, Token::Open(_)));
    flanks(after, before)
}

/// Whether the mark at `at` is a right-flanking run.
fn can_close(tokens: &[Token<'_>], at: usize) -> bool {
    let before = neighbour(tokens.iter().take(at).rev(), |token| matches!(token, Token::Close(_)));
    let after = neighbour(tokens.iter().skip(at + 1), |token| matches!(token, Token::Close(_)));
    flanks(before, after)
}

/// The next character that is shown, past marks of the same run; `None` at the end of the text.
fn neighbour<'t, 'a: 't>(
    mut tokens: impl Iterator<Item = &'t Token<'a>>,
    same: impl Fn(&Token<'_>) -> bool,
) -> Option<char> {
    tokens.find(|token| !same(token) && token.shown().is_some()).and_then(Token::shown)
}

/// Whether a run between its text and what is outside of it is emphasis. Symbols count as punctuation for some readers
/// and not for others, so neither is relied on.
fn flanks(inside: Option<char>, outside: Option<char>) -> bool {
    let is_letter = |c: char| c.is_alphanumeric();
    let is_outside = |c: char| c.is_whitespace() || (is_punctuation(c) && c != '*');
    inside.is_some_and(|c| !c.is_whitespace() && c != '*' && (is_letter(c) || outside.is_none_or(is_outside)))
        && outside != Some('*')
}

/// Punctuation by every version of CommonMark.
const fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '«' | '»' | '¿' | '¡' | '·' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203E}')
        || matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '！' | '，' | '：' | '；' | '？' | '（' | '）')
}

fn push_break(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() && !out.ends_with(BREAK) {
        out.push_str("\\\n");
    }
}

/// Code between more backticks than it has in a row.
pub(super) fn code_span(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    [&fence, space, code, space, &fence].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let text =
            text.replace('{', "\u{FDD0}").replace('}', "\u{FDD1}").replace('<', "\u{FDD2}").replace('>', "\u{FDD3}");
        Writer::new(&[], &[]).write(&text)
    }

    #[test]
    fn emphasis_that_would_not_close_is_written_without_marks() {
        for (text, expected) in [
            ("{注意：}请", "注意：请"),
            ("{환불(7일)}은", "환불(7일)은"),
            ("{Note:}not", "Note:not"),
            ("{50 %}ige", "50 %ige"),
            ("a{“b”}c", "a“b”c"),
            ("{Note:} not", "**Note:** not"),
            ("a{b}c", "a**b**c"),
            ("{<a>} b", "***a*** b"),
            ("{a}<b>", "a*b*"),
            ("{a <b>} c", "**a *b*** c"),
            ("{5 €}.", "**5 €**."),
            ("{}a{ }b", "a b"),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }
}
