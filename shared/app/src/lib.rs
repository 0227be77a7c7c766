//! The use cases that callers, workers and the schedule run. Each names the clients that it uses and takes them from a
//! [`Provider`].
//!
//! - [`conversation`] handles customer turns and the inbox.
//! - [`gaps`] keeps unanswered questions; [`recount`] verifies the counters.
//! - [`delivery`], [`ingest`], [`indexing`], [`embedding`] and [`revisions`] are the jobs that follow from a change.

pub mod conversation;
pub mod delivery;
pub mod embedding;
pub mod gaps;
pub mod indexing;
pub mod ingest;
pub mod panics;
mod provider;
pub mod recount;
pub mod revisions;
pub mod viewer;

pub use provider::{Provider, answer_engine};
