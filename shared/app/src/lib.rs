//! The use cases that callers, workers and the schedule run. Each names the clients that it uses and takes them from a
//! [`ClientProvider`].
//!
//! - [`conversation`] handles customer turns and the inbox.
//! - [`gaps`] keeps unanswered questions; [`recount`] verifies the counters.
//! - [`tenants`] and [`api_keys`] are what an operator creates.
//! - [`jobs`] is the work that follows from a change.

pub mod api_keys;
pub mod conversation;
pub mod gaps;
pub mod jobs;
pub mod panics;
mod provider;
pub mod recount;
pub mod tenants;
pub mod viewer;

pub use provider::{ClientProvider, answer_engine};
