//! The words by which small talk is told from a statement about anything else: "too small" is as short as "so long".

use super::concepts::{
    ABLE, AGAIN, ANSWER, ANYONE, ASK, BAD, BOSS, BOT, BYE, CALL, CAN, CONNECT, DAY, GIVE, GOOD, HELLO, HELP, LATER,
    MACHINE, ME, MISTAKE, NAME, NOBODY, NOT, OK, PERSON, PLEASE, QUESTION, REAL, SAY, SOLVED, SORRY, STAFF, TALK,
    THANK, UNDERSTAND, VOICE, WAIT, WANT, WHAT, WHOQ, WRITE, YOU, concepts,
};
use super::turn::Turn;

/// A text of at most so many tokens has too few features for the model alone.
pub(super) const SHORT: usize = 4;

/// A text of more concepts asks for more than whether somebody is there.
const MOST_CONCEPTS_OF_A_GREETING: usize = 8;

/// Whether a text has a word of small talk of a kind, in any language; a token of Chinese or Japanese has several.
pub(super) fn has_word_of(turn: Turn, tokens: &[String]) -> bool {
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
pub(super) fn asks_whether_anyone_is_there(tokens: &[String]) -> bool {
    const SAYS_WHAT_FOR: [u8; 17] = [
        ANSWER, ASK, BOSS, BOT, CALL, CONNECT, GIVE, HELP, MACHINE, PERSON, REAL, STAFF, TALK, VOICE, WAIT, WANT, WRITE,
    ];
    let found = concepts(tokens);
    found.len() <= MOST_CONCEPTS_OF_A_GREETING
        && found.contains(&ANYONE)
        && !found.iter().any(|concept| SAYS_WHAT_FOR.contains(concept))
}
