//! Writes literal text as Markdown (CommonMark with tables and strikethrough), so that it reads back as it was.
//!
//! A character is escaped only if it could be markup at its place: most texts stay as they are.

/// `text`, one paragraph, as Markdown; its line feeds are soft line breaks.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        push_escaped(&mut out, before, c, chars.peek().copied());
        before = Some(c);
    }
    escape_line_starts(&out)
}

/// Adds a literal character between its neighbours (`None` at the ends of the text); what only the start of a line
/// makes markup is left to [`escape_line_start`].
pub fn push_escaped(out: &mut String, before: Option<char>, c: char, after: Option<char>) {
    let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let escaped = match c {
        '`' => true,
        // A backslash before a line end is a hard line break.
        '\\' => after.is_none_or(|next| next.is_ascii_punctuation() || next == '\n'),
        '*' => !(is_space(before) && is_space(after)),
        '_' => !(is_space(before) && is_space(after) || is_word(before) && is_word(after)),
        '~' => before == Some('~') || after == Some('~') || !is_space(before),
        ']' => after == Some('('),
        '>' => ends_address(out),
        _ => false,
    };
    match c {
        '<' if after.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')) => {
            return out.push_str("&lt;");
        }
        ';' => escape_reference(out),
        _ if escaped => out.push('\\'),
        _ => {}
    }
    out.push(c);
}

/// Whether a `>` would make a mail address of what stands behind a `<` (CommonMark 6.5).
fn ends_address(out: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "@.!#$%&'*+/=?^_`{|}~-".contains(c);
    let address = out.trim_end_matches(is_part);
    address.ends_with('<') && out.get(address.len()..).is_some_and(|address| address.contains('@'))
}

/// The most characters of a character reference between `&` and `;`.
const REFERENCE_CHARS: usize = 32;

/// Escapes the `&` of what the next `;` would make a character reference.
fn escape_reference(out: &mut String) {
    let name = out.bytes().rev().take(REFERENCE_CHARS).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#').count();
    let start = out.len() - name;
    if name > 1 && out.get(..start).is_some_and(|before| before.ends_with('&')) {
        out.insert_str(start, "amp;");
    }
}

/// Each line of a paragraph by [`escape_line_start`].
#[must_use]
pub fn escape_line_starts(paragraph: &str) -> String {
    let lines = paragraph.split('\n').enumerate();
    lines.map(|(at, line)| escape_line_start(line, at == 0)).collect::<Vec<_>>().join("\n")
}

/// A line of a paragraph so that it begins no list, heading, quotation, rule, table or definition of a link, and
/// underlines nothing; `first` is the first line of its paragraph.
#[must_use]
pub fn escape_line_start(line: &str, first: bool) -> String {
    let start = line.len() - line.trim_start().len();
    let (_, text) = line.split_at_checked(start).unwrap_or(("", line));
    match marker(text, first) {
        Some(at) => {
            let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
            format!("{before}\\{after}")
        }
        None => line.to_owned(),
    }
}

/// The place in a line of the character whose escape makes the line text.
fn marker(text: &str, first: bool) -> Option<usize> {
    let ends_mark = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\n']);
    let after = |mark: char| text.trim_start_matches(mark);
    let is_row_of = |marks: &[char]| text.chars().all(|c| marks.contains(&c) || c == ' ');
    match text.chars().next()? {
        '#' => (text.len() - after('#').len() <= 6 && ends_mark(after('#'))).then_some(0),
        '>' => Some(0),
        '-' | '+' | '*' if text.get(1..).is_some_and(ends_mark) => Some(0),
        '-' | '_' if is_row_of(&['-', '_']) => Some(0),
        '=' => (!first && is_row_of(&['='])).then_some(0),
        // The line under the head of a table.
        '-' | ':' | '|' => (!first && is_row_of(&['-', ':', '|']) && text.contains('-')).then_some(0),
        // The label of a definition may end on a later line.
        '[' => text.split_once(']').is_none_or(|(_, after)| after.starts_with(':')).then_some(0),
        '0'..='9' => {
            let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let ended = text.get(digits..)?.strip_prefix(['.', ')'])?;
            (digits <= 9 && ends_mark(ended)).then_some(digits)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    /// The text of Markdown that holds one paragraph and nothing else.
    fn read(markdown: &str) -> Option<String> {
        let mut out = String::new();
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
            match event {
                Event::Text(text) => out.push_str(&text),
                Event::SoftBreak => out.push('\n'),
                Event::Start(Tag::Paragraph) | Event::End(_) => {}
                _ => return None,
            }
        }
        Some(out)
    }

    #[test]
    fn a_character_is_escaped_if_it_would_be_markup() {
        for (text, expected) in [
            ("Dial *21*0301234567#", "Dial \\*21\\*0301234567#"),
            ("__init__ and my_var, a * b", "\\_\\_init\\_\\_ and my_var, a * b"),
            ("*86*PIN*0#", "\\*86\\*PIN\\*0#"),
            ("1986. A great year", "1986\\. A great year"),
            ("- 5 degrees", "\\- 5 degrees"),
            ("# 5 Main Street", "\\# 5 Main Street"),
            ("> 30 kg", "\\> 30 kg"),
            ("C:\\new\\*.txt", "C:\\new\\\\\\*.txt"),
            ("~5 kg, ~~6~~", "~5 kg, \\~\\~6\\~\\~"),
            ("[a](b) [c], d [e]: f", "[a\\](b) [c], d [e]: f"),
            ("[a]: b", "\\[a]: b"),
            ("[a\nb]: c", "\\[a\nb]: c"),
            ("a\n---\n=\n|-|-|", "a\n\\---\n\\=\n\\|-|-|"),
            ("3.5 kg, 2) b, #1, -5, +49", "3.5 kg, 2) b, #1, -5, +49"),
            ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
            ("</b> <!-- c --> <?x?>", "&lt;/b> &lt;!-- c --> &lt;?x?>"),
            ("3 < 4 && a <= b, <3, R&D, x & y; a&b c;", "3 < 4 && a <= b, <3, R&D, x & y; a&b c;"),
            ("<&x@y.example> <5@y.example> <3> x@y>", "<&x@y.example\\> <5@y.example\\> <3> x@y>"),
            ("write &lt; or &#60;", "write &amp;lt; or &amp;#60;"),
        ] {
            assert_eq!(escape(text), expected);
            assert_eq!(read(&escape(text)).as_deref(), Some(text));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn every_text_reads_back_as_it_was(parts in prop::collection::vec(prop::sample::select(vec![
            "*", "**", "_", "__", "~", "~~", "`", "``", "\\", "[", "]", "(", ")", "]:", "!", "<", ">", "&", "&lt;", "#", "-",
            "---", "+", "=", "===", "|", ":", "1.", "12)", " ", " ", "\n", "a", "b c", "5", "é", "。", "http://x.example", "<b>",
            "|-|-|", "- ", "# ", "x@y.example",
        ]), 0..14)) {
            let text: Vec<String> = parts
                .concat()
                .split('\n')
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .filter(|line| !line.is_empty())
                .collect();
            let text = text.join("\n");
            let written = escape(&text);
            prop_assert_eq!(read(&written), Some(text), "{}", written);
        }
    }

    #[test]
    fn escaping_is_linear() {
        let own = ["*", "_", "&", ";", "&a", "[", "](", "]:", "\n-", "\n1. ", "\n|-", "\\", "<5@a", "@>"];
        growth::linear("escape", 60_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(escape(text));
        });
    }
}
