//! What kind of turn a customer's message is, decided from tables of phrases before anything is searched for.
//!
//! `languages` has one file of phrases for each language. `words` splits a message into clauses and words,
//! `expression` compiles phrases to regular expressions over words, and [`human_request`] finds requests for a human.
//! No model takes part, and all work is linear in the length of the message.

mod expression;
mod human_request;
mod languages;
mod words;

pub use human_request::{HumanRequest, besides, human_request};
