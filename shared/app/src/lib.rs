//! The use cases that callers, workers and the schedule run. Each names the clients that it uses and takes them from a
//! [`ClientProvider`].
//!
//! - [`conversation`] handles customer turns and the inbox.
//! - [`gaps`] keeps unanswered questions; [`recount`] verifies the counters.
//! - [`jobs`] is the work that follows from a change.

pub mod conversation;
pub mod gaps;
pub mod jobs;
pub mod panics;
mod provider;
pub mod recount;
pub mod viewer;

pub use provider::{ClientProvider, answer_engine};
