//! The use cases that callers, workers and the schedule run. Each takes what it needs from [`Ctx`].
//!
//! - [`conversation`] handles customer turns and the inbox.
//! - [`gaps`] keeps unanswered questions; [`recount`] verifies the counters.
//! - [`delivery`], [`ingest`], [`indexing`], [`embedding`] and [`revisions`] are the jobs that follow from a change.

mod context;
pub mod conversation;
pub mod delivery;
pub mod embedding;
pub mod gaps;
pub mod indexing;
pub mod ingest;
pub mod panics;
pub mod recount;
pub mod revisions;
pub mod viewer;

pub use context::Ctx;
