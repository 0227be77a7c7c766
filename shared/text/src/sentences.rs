//! Splits plain text or Markdown into paragraphs and sentences, counts their words, and cuts an entry into passages: whole
//! sentences up to about 90 words, each of which begins with the last sentence of the one before.

use crate::words::lacks_spaces;

crate::lists! { "lists.txt": ABBREVIATIONS }

/// Closing quotes and brackets that belong to the sentence they follow.
const CLOSERS: &[char] = &['"', '\'', ')', ']', '\u{201D}', '\u{2019}', '\u{BB}', '\u{300D}', '\u{300F}', '\u{FF09}'];

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
            '.' | '!' | '?' | '\u{2026}' | '\u{061F}' | '\u{06D4}' | '\u{0964}' | '\u{3002}' | '\u{FF01}'
            | '\u{FF1F}' => {
                let is_wide = matches!(c, '\u{3002}' | '\u{FF01}' | '\u{FF1F}');
                let goes_on = |c| CLOSERS.contains(&c) || !is_wide && matches!(c, '.' | '!' | '?');
                while let Some((next, closer)) = chars.next_if(|(_, c)| goes_on(*c)) {
                    end = next + closer.len_utf8();
                }
                let before_space = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
                let is_abbreviation = || c == '.' && is_abbreviated(paragraph.get(from..at).unwrap_or_default());
                is_wide || (before_space && !is_abbreviation())
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
fn token_words(token: &str) -> usize {
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

/// The most words of a passage.
const PASSAGE_WORDS: usize = 90;

/// The passages' texts, in order, white space made single; one empty text if there is nothing to read.
pub(crate) fn passages(content: &str) -> Vec<String> {
    let sentences: Vec<Sentence> =
        paragraphs(content).into_iter().flat_map(sentences).flat_map(Sentence::split_to_passage_size).collect();
    let mut texts = Vec::new();
    let mut from = 0;
    let mut words = 0;
    for (at, sentence) in sentences.iter().enumerate() {
        if at > from && words + sentence.words > PASSAGE_WORDS {
            texts.push(join(sentences.get(from..at).unwrap_or_default()));
            let overlap = sentences.get(at - 1).map_or(0, |last| last.words);
            let fits = at - 1 > from && overlap + sentence.words <= PASSAGE_WORDS;
            (from, words) = if fits { (at - 1, overlap) } else { (at, 0) };
        }
        words += sentence.words;
    }
    texts.push(join(sentences.get(from..).unwrap_or_default()));
    texts
}

struct Sentence {
    text: String,
    words: usize,
}

impl Sentence {
    /// The sentence, or pieces of it if it is longer than a passage (code, tables, text without full stops).
    fn split_to_passage_size(text: &str) -> Vec<Self> {
        let words = word_count(text);
        if words <= PASSAGE_WORDS {
            return vec![Self { text: text.split_whitespace().collect::<Vec<_>>().join(" "), words }];
        }
        let mut pieces: Vec<Self> = Vec::new();
        for token in text.split_whitespace().flat_map(split_token) {
            let words = token_words(token);
            match pieces.last_mut() {
                Some(piece) if piece.words + words <= PASSAGE_WORDS => {
                    piece.text.push(' ');
                    piece.text.push_str(token);
                    piece.words += words;
                }
                _ => pieces.push(Self { text: token.to_owned(), words }),
            }
        }
        pieces
    }
}

/// A run without white space in pieces that fit into a passage (two characters of such scripts are a word).
fn split_token(token: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = token;
    // Counted once: counting the rest for each piece would be quadratic.
    let mut glued = if token.is_ascii() { 0 } else { token.chars().filter(|c| lacks_spaces(*c)).count() };
    while glued / 2 > PASSAGE_WORDS {
        let cut = rest.char_indices().nth(PASSAGE_WORDS * 2).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at_checked(cut).unwrap_or((rest, ""));
        glued -= piece.chars().filter(|c| lacks_spaces(*c)).count();
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn join(sentences: &[Sentence]) -> String {
    sentences.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" ")
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
