//! From a question to an answer with its sources and an honest confidence.
//!
//! [`AnswerEngine`] is the way in: `conversation` makes terms of a question and those before it, `lookup` asks
//! [`crate::search`] for candidates, `rank` says how near each is and how sure that makes us, and `extract` quotes. Where a
//! [`model::LanguageModel`] is configured, `rewrite` asks it for a follow-up that stands alone and `grounded` for the answer,
//! through [`prompt`]; `verbatim` says whether an answer only quotes.

mod conversation;
pub mod embedding;
mod engine;
mod extract;
mod generic_words;
mod grounded;
mod lookup;
pub mod model;
pub mod prompt;
pub(crate) mod rank;
mod rewrite;
pub mod search;
pub mod tidy;
mod verbatim;

#[cfg(test)]
mod tests;

pub use conversation::ConversationQuery;
pub use engine::{AnswerEngine, AnswerFailure, Answered, Found, Question};
pub use rank::{Evidence, FollowUp, Ranked, rank, rank_in_conversation};
