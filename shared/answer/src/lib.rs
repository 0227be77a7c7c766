//! From a question to an answer with sources and a calibrated confidence.
//!
//! [`AnswerEngine`] is the entry point, `decision` its steps. `conversation` makes terms of a question and those before
//! it, in the language that `question_language` detects, and `synonyms` adds other words for them. `lookup` asks
//! [`crate::search`] for candidates, `parts` for those of each question of a message that asks several. `rank` computes
//! their order, `reading` chooses the entry whose text says what was asked, and computes the confidence. `quotation`
//! answers each question by `extract`, which quotes. With a [`model::LanguageModel`], `rewrite` turns a follow-up into a
//! self-contained question and `grounded` asks for the answer, through [`prompt`]. `verbatim` checks whether an answer only
//! quotes, `images` puts images of entries under what it quotes.

mod conversation;
mod decision;
pub mod embedding;
mod engine;
mod extract;
mod grounded;
mod images;
mod lookup;
pub mod model;
mod parts;
pub mod prompt;
pub(crate) mod rank;
mod reading;
pub mod search;
pub mod tidy;
mod verbatim;

#[cfg(test)]
mod tests;

pub use conversation::ConversationQuery;
pub use engine::{AnswerEngine, AnswerFailure, Answered, Found, Question};
pub use extract::Support;
pub use images::{EntryImage, illustrated};
pub use rank::{Evidence, FollowUp, Ranked, rank, rank_in_conversation};
pub use reading::{Reading, read_nearest};
