//! A linear model of what a text does: it asks something, asks for a human, or is small talk of some kind.
//!
//! The model is a multinomial logistic regression over hashed features (`features`): words and their neighbours, the
//! letters of words, which carry typos, slang and words run together, and what the words mean in any language
//! (`concepts`), by which examples in one language teach all. `training/train.py` makes `weights.bin` from examples, and
//! computes the same features.

mod concepts;
mod evidence;
mod features;
#[cfg(test)]
mod tests;
pub(crate) mod tokens;
mod turn;

pub(super) use concepts::{apologises, praises};
use evidence::{SHORT, has_word_of};
use features::Features;
use turn::TURNS;
pub(super) use turn::Turn;

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
static WEIGHTS: &[u8] = include_bytes!("weights.bin");
/// The bytes of a number in [`WEIGHTS`].
const NUMBER: usize = 4;

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
    let tokens = tokens::tokens(text);
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
    evidence::asks_whether_anyone_is_there(&tokens::tokens(text)) && judge(text, |_| true) == Turn::Greeting
}

/// Whether a text has a word of small talk of a kind.
pub(super) fn is_said(turn: Turn, text: &str) -> bool {
    has_word_of(turn, &tokens::tokens(text))
}

/// The number of words and the probability of each kind of turn; none for a text that is too short or too long.
fn probabilities(text: &str) -> Option<(usize, [f32; TURNS.len()])> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let features = Features::of(text)?;
    let (numbers, weights) = WEIGHTS.split_at_checked(NUMBER * (1 + TURNS.len()))?;
    let mut numbers = numbers.as_chunks::<NUMBER>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let scale = numbers.next()?;
    let mut scores = [0.0; TURNS.len()];
    scores.iter_mut().zip(numbers).for_each(|(score, bias)| *score = bias);
    for group in features.groups() {
        let mut sums = [0_i32; TURNS.len()];
        for bucket in group {
            let row = weights.get(bucket * TURNS.len()..(bucket + 1) * TURNS.len())?;
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += i32::from(weight.cast_signed()));
        }
        let length = (group.len() as f32).sqrt();
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += scale * sum as f32 / length);
    }
    Some((features.count, softmax(scores)))
}

fn softmax(scores: [f32; TURNS.len()]) -> [f32; TURNS.len()] {
    let highest = scores.into_iter().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| (score - highest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
