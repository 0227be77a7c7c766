//! Cuts an entry into passages: whole sentences up to about 90 words. Each begins with the last sentence of the one
//! before.

use super::sentences::{paragraphs, sentences, token_words, word_count};
use super::words::lacks_spaces;

/// The most words of a passage.
const PASSAGE_WORDS: usize = 90;

/// The passages' texts, in order, white space made single; one empty text if there is nothing to read.
pub(super) fn texts(content: &str) -> Vec<String> {
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
