//! From a question to an answer with its sources and an honest confidence.
//!
//! [`AnswerEngine`] is the way in: [`crate::search`] finds candidates, `rank` says how near each is and how sure that
//! makes us, `extract` quotes, and `grounded` asks a [`model::LanguageModel`] where one is configured, through
//! [`prompt`], [`bedrock`] or [`openai`].

pub mod bedrock;
mod configured;
mod engine;
mod extract;
mod grounded;
pub mod model;
pub mod openai;
pub mod prompt;
pub(crate) mod rank;
pub mod sanitise;
pub mod tidy;

#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;

pub use configured::configured_model;
pub use engine::{AnswerEngine, AnswerFailure, Answered, Found, Question};
pub use rank::{Ranked, rank};
