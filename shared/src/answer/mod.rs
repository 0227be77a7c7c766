//! From a question to an answer with its sources and an honest confidence.

pub mod bedrock;
pub mod model;
pub mod openai;
pub mod prompt;
pub(crate) mod rank;
pub mod sanitise;

#[cfg(test)]
mod stub;
pub use rank::{Ranked, rank};
