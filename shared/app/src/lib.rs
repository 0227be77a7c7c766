//! The use cases that callers, workers and the schedule run. Each names the clients that it uses and takes them from a
//! [`ClientProvider`].
//!
//! - [`conversation`] handles customer turns and the inbox.
//! - [`gaps`] keeps unanswered questions; [`recount`] verifies the counters.
//! - [`tenants`] and [`api_keys`] are what an operator creates; [`tenant_erasure`] erases a tenant,
//!   [`tenant_transfer`] exports and imports one.
//! - [`members`] are the people of a tenant, and how they sign in.
//! - [`widget_key_rotation`] replaces the key that signs widget tokens.
//! - [`allowance`] counts what a caller may do only so often.
//! - [`model_budget`] keeps a tenant's calls of the language model within its daily budget.
//! - [`jobs`] is the work that follows from a change.

pub mod allowance;
pub mod api_keys;
pub mod conversation;
pub mod gaps;
pub mod jobs;
pub mod members;
pub mod model_budget;
pub mod panics;
mod provider;
pub mod recount;
mod requester;
pub mod tenant_erasure;
pub mod tenant_transfer;
pub mod tenants;
pub mod viewer;
pub mod widget_key_rotation;

pub use provider::{ClientProvider, answer_engine, openid_provider};
pub use requester::Requester;
