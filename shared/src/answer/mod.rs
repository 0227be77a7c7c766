//! From a question to an answer with its sources and an honest confidence.
//!
//! [`AnswerEngine`] is the way in: `conversation` makes terms of a question and those before it, `lookup` asks
//! [`crate::search`] for candidates, `rank` says how near each is and how sure that makes us, `extract` quotes, and `grounded` asks a [`model::LanguageModel`] where one is configured, through
//! [`prompt`], [`bedrock`] or [`openai`].

pub mod bedrock;
mod configured;
mod conversation;
mod engine;
mod extract;
mod grounded;
mod lookup;
pub mod model;
pub mod openai;
pub mod prompt;
pub(crate) mod rank;
mod rewrite;
pub mod sanitise;
pub mod tidy;

#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;

pub use configured::configured_model;
pub use conversation::ConversationQuery;
pub use engine::{AnswerEngine, AnswerFailure, Answered, Found, Question};
pub use rank::{Evidence, Ranked, rank, rank_in_conversation};
