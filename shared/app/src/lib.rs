//! The use cases: what callers, workers and the schedule have the service do. Each takes what it needs from [`Ctx`].
//!
//! - [`conversation`] takes one customer turn from start to stored, and the inbox's agents to it.
//! - [`gaps`] keeps what customers ask and the wiki does not answer; [`recount`] doubts the counters.
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
