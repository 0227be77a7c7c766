//! Splits plain text or Markdown into paragraphs and sentences, and counts their words.

use super::words::lacks_spaces;

/// Closing quotes and brackets that belong to the sentence they follow.
const CLOSERS: &[char] = &['"', '\'', ')', ']', '\u{201D}', '\u{2019}', '\u{BB}', '\u{300D}', '\u{300F}', '\u{FF09}'];

/// Abbreviations that a full stop does not end a sentence after.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "no", "fig", "approx", "inc", "ltd", "co", "cf",
    "resp", "incl", "max", "min", "dept", "z.b", "bzw", "ca", "nr", "p.ej",
];

/// The paragraphs of `text`: parts between blank lines, trimmed, none empty.
pub fn paragraphs(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            push_trimmed(&mut all, text.get(from..at));
            from = at + line.len();
        }
        at += line.len();
    }
    push_trimmed(&mut all, text.get(from..));
    all
}

/// The sentences of one paragraph, trimmed, none empty.
///
/// A sentence ends at a full stop, question or exclamation mark before white space, at the full-width ones anywhere,
/// and before a line that begins a list item, a heading or a table row.
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let mut end = at + c.len_utf8();
        let ends = match c {
            '.' | '!' | '?' | '\u{2026}' | '\u{061F}' | '\u{06D4}' | '\u{0964}' => {
                while let Some(&(next, closer)) = chars.peek()
                    && (CLOSERS.contains(&closer) || matches!(closer, '.' | '!' | '?'))
                {
                    end = next + closer.len_utf8();
                    chars.next();
                }
                let before_space = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
                before_space && !(c == '.' && is_abbreviated(paragraph.get(from..at).unwrap_or_default()))
            }
            '\u{3002}' | '\u{FF01}' | '\u{FF1F}' => {
                while let Some(&(next, closer)) = chars.peek()
                    && CLOSERS.contains(&closer)
                {
                    end = next + closer.len_utf8();
                    chars.next();
                }
                true
            }
            '\n' => begins_block(paragraph.get(end..).unwrap_or_default()),
            _ => false,
        };
        if ends {
            push_trimmed(&mut all, paragraph.get(from..end));
            from = end;
        }
    }
    push_trimmed(&mut all, paragraph.get(from..));
    all
}

/// Words separated by white space; in scripts without spaces two characters count as one.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().map(token_words).sum()
}

/// Words of one run without white space, at least one.
pub(super) fn token_words(token: &str) -> usize {
    if token.is_ascii() {
        return 1;
    }
    (token.chars().filter(|c| lacks_spaces(*c)).count() / 2).max(1)
}

fn push_trimmed<'a>(all: &mut Vec<&'a str>, part: Option<&'a str>) {
    let part = part.unwrap_or_default().trim();
    if !part.is_empty() {
        all.push(part);
    }
}

fn is_abbreviated(sentence: &str) -> bool {
    let Some(last) = sentence.split_whitespace().next_back() else { return false };
    let last = last.trim_start_matches(['(', '[', '"']).to_lowercase();
    let is_list_number = sentence.trim() == last && last.len() <= 3 && last.bytes().all(|b| b.is_ascii_digit());
    is_list_number || ABBREVIATIONS.contains(&last.as_str())
}

/// A line of its own: list item, heading, quotation, table row.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = after_number.len() < line.len() && after_number.starts_with(['.', ')']);
    numbered
        || line.starts_with(['#', '|', '>', '\u{2022}'])
        || ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_sees_them_end() {
        assert_eq!(
            sentences("Open v2.1 (e.g. here). \"Done?\" Yes! See http://a.b/c.d now"),
            ["Open v2.1 (e.g. here).", "\"Done?\"", "Yes!", "See http://a.b/c.d now"]
        );
        assert_eq!(sentences("返金します。カードへ。"), ["返金します。", "カードへ。"]);
        assert_eq!(
            sentences("Steps:\n1. Open it\n2. Close it\nfor good"),
            ["Steps:", "1. Open it", "2. Close it\nfor good"]
        );
        assert_eq!(sentences(" \n "), Vec::<&str>::new());
    }

    #[test]
    fn paragraphs_are_parted_by_blank_lines() {
        assert_eq!(paragraphs("a\nb\n\n \n c\r\n\r\nd\n"), ["a\nb", "c", "d"]);
        assert_eq!(paragraphs(""), Vec::<&str>::new());
    }

    #[test]
    fn words_are_counted_in_scripts_without_spaces_too() {
        assert_eq!(word_count("two words"), 2);
        assert_eq!(word_count("返金の方法です"), 3);
    }
}
