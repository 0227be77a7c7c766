//! A linear model of what a text does: it asks something, asks for a human, or is small talk of some kind.
//!
//! The model is a multinomial logistic regression over hashed features: words and their neighbours, the letters of words,
//! which carry typos, slang and words run together, and what the words mean in any language (`concepts.txt`), by which examples
//! in one language teach all. `training/train.py` makes `weights.bin` from examples, and computes the same features. Small
//! talk is told from a statement about anything else by the concepts, too: "too small" is as short as "so long".

#[cfg(test)]
mod tests;
pub(crate) mod tokens;

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::tables::Table;
use tokens::{QUESTION_MARK, is_run, tokens};

/// A longer text is not judged: it says more than one thing. In bytes.
const MAX_BYTES: usize = 600;

/// The least probability at which a text of up to so many words asks for a human. The longer a text is, the more often it has
/// a subject of its own. A question that reaches a person unanswered costs more than a request that gets the offer of one.
const MIN_HUMAN: [(usize, f32); 3] = [(10, 0.47), (20, 0.70), (usize::MAX, 0.95)];
/// The least probability of all small talk together at which a text is small talk: one with a word of the kind that is
/// likeliest, or a long one.
const MIN_SMALL_TALK: f32 = 0.6;
/// The same for thanks, farewells and praise with a word of it.
const MIN_SAID: f32 = 0.5;
/// The least probability of the likeliest kind at which a text without a word of it is small talk.
const MIN_UNSAID: f32 = 0.94;

/// The scale of the weights (f32), the bias of each kind of turn (f32), then the weights of each bucket for each kind
/// of turn (i8); little-endian.
static WEIGHTS: &[u8] = include_bytes!("turn_model/weights.bin");
/// The bytes of a number in [`WEIGHTS`].
const BYTES_OF_A_NUMBER: usize = 4;

/// The most probable kind of turn of a text, if it is probable enough; else a question. `says` tells whether the text has
/// a phrase of a kind.
pub(super) fn judge(text: &str, says: impl Fn(Turn) -> bool) -> Turn {
    let Some((words, probabilities)) = probabilities(text) else { return Turn::Question };
    let [question, human, ..] = probabilities;
    if MIN_HUMAN.iter().find(|(most, _)| words <= *most).is_some_and(|(_, least)| human >= *least) {
        return Turn::Human;
    }
    let small_talk = TURNS.into_iter().zip(probabilities).skip(2);
    let Some((turn, probability)) = small_talk.max_by(|(_, a), (_, b)| a.total_cmp(b)) else { return Turn::Question };
    let tokens = tokens(text);
    let is_said = has_word_of(turn, &tokens) || says(turn);
    let is_probable = match turn {
        Turn::Thanks | Turn::Farewell | Turn::Praise if is_said => 1.0 - question - human >= MIN_SAID,
        Turn::AboutUs | Turn::Repeat if !is_said => probability >= MIN_UNSAID,
        _ if is_said || tokens.len() > SHORT => 1.0 - question - human >= MIN_SMALL_TALK,
        _ => probability >= MIN_UNSAID,
    };
    if is_probable { turn } else { Turn::Question }
}

/// Whether a text only asks if anyone is there, as a greeting does.
pub(super) fn asks_whether_anyone_is_there(text: &str) -> bool {
    only_asks_for_anyone(&tokens(text)) && judge(text, |_| true) == Turn::Greeting
}

/// Whether a text has a word of small talk of a kind.
pub(super) fn is_said(turn: Turn, text: &str) -> bool {
    has_word_of(turn, &tokens(text))
}

/// The number of words and the probability of each kind of turn; none for a text that is too short or too long.
fn probabilities(text: &str) -> Option<(usize, [f32; TURNS.len()])> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let (count, groups) = features(text)?;
    let (numbers, weights) = WEIGHTS.split_at_checked(BYTES_OF_A_NUMBER * (1 + TURNS.len()))?;
    let mut numbers = numbers.as_chunks::<BYTES_OF_A_NUMBER>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let scale = numbers.next()?;
    let mut scores = [0.0; TURNS.len()];
    scores.iter_mut().zip(numbers).for_each(|(score, bias)| *score = bias);
    for group in &groups {
        let mut sums = [0_i32; TURNS.len()];
        for bucket in group {
            let row = weights.get(bucket * TURNS.len()..(bucket + 1) * TURNS.len())?;
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i32::from(weight.cast_signed()));
        }
        let length = (group.len() as f32).sqrt();
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += scale * sum as f32 / length);
    }
    Some((count, softmax(scores)))
}

fn softmax(scores: [f32; TURNS.len()]) -> [f32; TURNS.len()] {
    let highest = scores.into_iter().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| (score - highest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// The kind of turn that a text is; in the order of the columns of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Asks something, or says what a help centre may answer.
    Question,
    /// Asks for a human.
    Human,
    /// Greets.
    Greeting,
    /// Thanks.
    Thanks,
    /// Says goodbye.
    Farewell,
    /// Praises or takes note.
    Praise,
    /// Asks who or what we are.
    AboutUs,
    /// Apologises.
    Apology,
    /// Wants the last thing said again.
    Repeat,
    /// Insults.
    Insult,
}

/// Every kind, in this order.
const TURNS: [Turn; 10] = [
    Turn::Question,
    Turn::Human,
    Turn::Greeting,
    Turn::Thanks,
    Turn::Farewell,
    Turn::Praise,
    Turn::AboutUs,
    Turn::Apology,
    Turn::Repeat,
    Turn::Insult,
];

/// How many buckets the weights have.
const BUCKETS: u32 = 1 << 15;

/// How many letters an n-gram has, of a word with its bounds and of a run of Chinese or Japanese characters.
const WORD_NGRAM: RangeInclusive<usize> = 2..=5;
const RUN_NGRAM: RangeInclusive<usize> = 1..=4;
/// Fewer words are not judged; a word of a run is taken to have two characters.
const MIN_WORDS: usize = 2;
const CHARS_OF_A_WORD: usize = 2;
/// The bounds of a text among concepts.
const START: u8 = 0xFE;
const END: u8 = 0xFF;

/// The number of words of a text, and the buckets of its features in two groups, each once. None for a single word, which is
/// a topic as often as not: only phrases tell.
fn features(text: &str) -> Option<(usize, [Vec<usize>; 2])> {
    let tokens = tokens(text);
    let count: usize = tokens.iter().map(|token| weight(token)).sum();
    (count >= MIN_WORDS)
        .then(|| (count, [word_hashes(&tokens), concept_hashes(&concepts(&tokens))].map(distinct_buckets)))
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

/// By word two concepts: in the lower eight bits that of the word itself, above it that of every word that begins so;
/// 0 is none.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/concepts.fst"))));

/// A word of no concept, a number and a question mark; those of `concepts.txt` follow in its order.
const UNKNOWN: u8 = 1;
const NUMBER: u8 = 2;
const QUESTION: u8 = 3;

include!(concat!(env!("OUT_DIR"), "/concepts.rs"));

/// The concepts of some tokens; several of a run of characters.
fn concepts(tokens: &[String]) -> Vec<u8> {
    let mut found = Vec::new();
    for token in tokens {
        match token.as_str() {
            QUESTION_MARK => found.push(QUESTION),
            run if is_run(run) => add_of_run(run, &mut found),
            word => found.push(of_word(word)),
        }
    }
    found
}

/// Whether a text has a word of praise.
pub(super) fn praises(text: &str) -> bool {
    concepts(&tokens(text)).contains(&GOOD)
}

/// Whether a text has a word of regret.
pub(super) fn apologises(text: &str) -> bool {
    concepts(&tokens(text)).contains(&SORRY)
}

/// The concept of the word, else of the longest beginning that is listed.
fn of_word(word: &str) -> u8 {
    let (mut found, mut position) = (None, TABLE.start());
    for byte in word.bytes() {
        position = position.and_then(|position| position.step(byte));
        let Some(position) = position else { break };
        found = position.value().and_then(|value| concept(value >> 8)).or(found);
    }
    let whole = position.and_then(|position| position.value()).and_then(concept);
    let is_number = word.chars().all(char::is_numeric);
    whole.or(found).unwrap_or(if is_number { NUMBER } else { UNKNOWN })
}

/// Those of the longest words in turn; characters between them are one unknown word.
fn add_of_run(run: &str, found: &mut Vec<u8>) {
    let mut rest = run;
    let mut in_unknown = false;
    while let Some(first) = rest.chars().next() {
        let (length, concept) = longest_word(rest).unwrap_or((first.len_utf8(), UNKNOWN));
        if concept != UNKNOWN || !in_unknown {
            found.push(concept);
        }
        in_unknown = concept == UNKNOWN;
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// The length in bytes of the longest listed word with which a run begins, and its concept.
fn longest_word(run: &str) -> Option<(usize, u8)> {
    let (mut longest, mut position) = (None, TABLE.start()?);
    for (at, byte) in run.bytes().enumerate() {
        let Some(next) = position.step(byte) else { break };
        position = next;
        longest = position.value().and_then(concept).map(|concept| (at + 1, concept)).or(longest);
    }
    longest
}

fn concept(value: u64) -> Option<u8> {
    u8::try_from(value & 0xFF).ok().filter(|concept| *concept != 0)
}

/// A text of at most so many tokens has too few features for the model alone.
const SHORT: usize = 4;

/// A text of more concepts asks for more than whether somebody is there.
const MOST_CONCEPTS_OF_A_GREETING: usize = 8;

/// Whether a text has a word of small talk of a kind, in any language; a token of Chinese or Japanese has several.
fn has_word_of(turn: Turn, tokens: &[String]) -> bool {
    let found = concepts(tokens);
    let any = |wanted: &[u8]| wanted.iter().any(|concept| found.contains(concept));
    let all = |wanted: &[u8]| wanted.iter().all(|concept| found.contains(concept));
    match turn {
        Turn::Question | Turn::Human => false,
        Turn::Greeting => any(&[HELLO, ANYONE, NOBODY]) || all(&[GOOD, DAY]),
        Turn::Thanks => any(&[THANK]),
        Turn::Farewell => any(&[BYE, HELLO, THANK, GOOD, OK, SOLVED]) && !any(&[NOT]),
        Turn::Praise => any(&[BYE, HELLO, THANK, GOOD, OK, SOLVED, YOU]) && !any(&[NOT]),
        Turn::Repeat if any(&[CAN, PLEASE]) => true,
        Turn::AboutUs | Turn::Repeat => {
            let is_of_us = any(&[YOU, BOT, NAME, MACHINE, WHOQ, ABLE, SAY, UNDERSTAND]);
            let is_of_asking = [ASK, HELP, WHAT].into_iter().any(|what| all(&[CAN, what]));
            let is_of_talking = [TALK, WRITE].into_iter().any(|talking| all(&[ANYONE, talking]));
            let asks_again = any(&[AGAIN, LATER]) && any(&[QUESTION, TALK]);
            let is_long = found.len() > SHORT && any(&[ASK, CAN, TALK]);
            is_of_us || is_of_asking || is_of_talking || asks_again || is_long || all(&[NOT, OK])
        }
        Turn::Apology => any(&[SORRY]) || all(&[ME, MISTAKE]),
        Turn::Insult => any(&[BAD, YOU, BOT]),
    }
}

/// Whether a text asks if anyone is there, in few words, and not what for.
fn only_asks_for_anyone(tokens: &[String]) -> bool {
    const SAYS_WHAT_FOR: [u8; 17] = [
        ANSWER, ASK, BOSS, BOT, CALL, CONNECT, GIVE, HELP, MACHINE, PERSON, REAL, STAFF, TALK, VOICE, WAIT, WANT, WRITE,
    ];
    let found = concepts(tokens);
    found.len() <= MOST_CONCEPTS_OF_A_GREETING
        && found.contains(&ANYONE)
        && !found.iter().any(|concept| SAYS_WHAT_FOR.contains(concept))
}
