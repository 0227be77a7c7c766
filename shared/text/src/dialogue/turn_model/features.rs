//! The features of a text, each hashed to a bucket: two groups, of its words and of its concepts.

use super::concepts::{UNKNOWN, concepts};
use super::tokens::{QUESTION_MARK, is_run, tokens};

/// How many buckets the weights have.
pub(super) const BUCKETS: u32 = 1 << 15;

/// How many letters an n-gram has, of a word with its bounds and of a run of Chinese or Japanese characters.
const WORD_NGRAM: std::ops::RangeInclusive<usize> = 2..=5;
const RUN_NGRAM: std::ops::RangeInclusive<usize> = 1..=4;
/// Fewer words are not judged; a word of a run is taken to have two characters.
const MIN_WORDS: usize = 2;
const CHARS_OF_A_WORD: usize = 2;
/// The bounds of a text among concepts.
const START: u8 = 0xFE;
const END: u8 = 0xFF;

/// The buckets of a text's features, each once.
pub(super) struct Features {
    /// How many words the text has.
    pub(super) count: usize,
    words: Vec<usize>,
    concepts: Vec<usize>,
}

impl Features {
    /// None for a single word, which is a topic as often as not: only phrases tell.
    pub(super) fn of(text: &str) -> Option<Self> {
        let tokens = tokens(text);
        let count: usize = tokens.iter().map(|token| weight(token)).sum();
        (count >= MIN_WORDS).then(|| Self {
            count,
            words: distinct_buckets(word_hashes(&tokens)),
            concepts: distinct_buckets(concept_hashes(&concepts(&tokens))),
        })
    }

    pub(super) fn groups(&self) -> [&[usize]; 2] {
        [&self.words, &self.concepts]
    }
}

/// How many words a token counts for: a run of characters is several, a question mark none.
fn weight(token: &str) -> usize {
    match token {
        QUESTION_MARK => 0,
        run if is_run(run) => run.chars().count() / CHARS_OF_A_WORD,
        _ => 1,
    }
}

fn distinct_buckets(hashes: Vec<u32>) -> Vec<usize> {
    let mut buckets: Vec<usize> = hashes.into_iter().map(|hash| ((hash ^ hash >> 15) % BUCKETS) as usize).collect();
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}

/// Words, pairs and triples of neighbours, the letters of words, and how many words there are.
fn word_hashes(tokens: &[String]) -> Vec<u32> {
    let mut hashes = Vec::new();
    for token in tokens {
        hashes.push(hash(b"w", &[token]));
        add_ngrams(token, &mut hashes);
    }
    let bounded: Vec<&str> = std::iter::once("^").chain(tokens.iter().map(String::as_str)).chain(["$"]).collect();
    hashes.extend(bounded.windows(2).map(|pair| hash(b"b", pair)));
    hashes.extend(bounded.windows(3).map(|triple| hash(b"t", triple)));
    let length = if tokens.len() < 6 { tokens.len() } else { 6 + ((tokens.len() - 6) / 3).min(6) };
    hashes.push(hash(b"l", &[length.to_string()]));
    hashes
}

fn add_ngrams(token: &str, hashes: &mut Vec<u32>) {
    let (text, lengths) =
        if is_run(token) { (token.to_owned(), RUN_NGRAM) } else { (format!("<{token}>"), WORD_NGRAM) };
    for (start, _) in text.char_indices() {
        let from = text.get(start..).unwrap_or_default();
        let mut hash = add(OFFSET, b"c");
        for (number, (at, c)) in (1..=*lengths.end()).zip(from.char_indices()) {
            hash = add(hash, from.get(at..at + c.len_utf8()).unwrap_or_default().as_bytes());
            if lengths.contains(&number) {
                hashes.push(hash);
            }
        }
    }
}

/// Concepts, pairs and triples of neighbours, any two that occur, and how many words are unknown, of how many.
fn concept_hashes(concepts: &[u8]) -> Vec<u32> {
    let mut distinct = concepts.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let of_concepts = |tag: &[u8], concepts: &[u8]| add(add(CONCEPTS, tag), concepts);
    let mut hashes: Vec<u32> = distinct.iter().map(|concept| of_concepts(b"1", &[*concept])).collect();
    let bounded: Vec<u8> = std::iter::once(START).chain(concepts.iter().copied()).chain([END]).collect();
    hashes.extend(bounded.windows(2).map(|pair| of_concepts(b"2", pair)));
    hashes.extend(bounded.windows(3).map(|triple| of_concepts(b"3", triple)));
    for (at, first) in distinct.iter().enumerate() {
        hashes.extend(distinct.iter().skip(at + 1).map(|second| of_concepts(b"p", &[*first, *second])));
    }
    let unknown = concepts.iter().filter(|concept| **concept == UNKNOWN).count();
    let count = |most: usize, number: usize| u8::try_from(number.min(most)).unwrap_or(u8::MAX);
    hashes.push(of_concepts(b"u", &[count(6, unknown)]));
    hashes.push(of_concepts(b"v", &[count(4, unknown), count(12, concepts.len()) / 2]));
    hashes
}

/// The start of the FNV-1a hash (Fowler, Noll and Vo, 32 bits) of words, and of concepts.
const OFFSET: u32 = 0x811C_9DC5;
const CONCEPTS: u32 = 0x0001_2345;
const PRIME: u32 = 0x0100_0193;

fn add(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(PRIME))
}

/// The hash of parts with a blank between them, after a tag.
fn hash(tag: &[u8], parts: &[impl AsRef<str>]) -> u32 {
    let tagged = add(OFFSET, tag);
    parts.iter().enumerate().fold(tagged, |hash, (number, part)| {
        let parted = if number > 0 { add(hash, b" ") } else { hash };
        add(parted, part.as_ref().as_bytes())
    })
}
