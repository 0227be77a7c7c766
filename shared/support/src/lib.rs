//! The use cases that callers, workers and the schedule run. Each names the clients that it uses and takes them from a
//! [`edge::ClientProvider`].
//!
//! - [`conversation`] handles customer turns and the inbox.
//! - [`gaps`] keeps unanswered questions; [`recount`] verifies the counters.
//! - [`tenants`] and [`api_keys`] are what an operator creates; [`tenant_erasure`] erases a tenant,
//!   [`tenant_transfer`] exports and imports one.
//! - [`members`] are the people of a tenant, and how they sign in.
//! - [`widget_key_rotation`] replaces the key that signs widget tokens.
//! - [`model_budget`] keeps a tenant's calls of the language model within its daily budget.
//! - [`jobs`] is the work that follows from a change.
//!
//! Turns a panic into the failure of one piece of work, without effect on concurrent or later work.
//!
//! Release builds abort on a panic; then the record of running work shows what ended the process.

pub mod analytics;
pub mod auth;
pub mod changes;
pub mod health;
pub mod inbox;
pub mod ingest;
pub mod knowledge;
pub mod members;
pub mod model_budget;
pub mod requester;
pub mod sessions;
pub mod sweeper;
pub mod tenants;
pub mod webhooks;
pub mod wiki;

use std::panic::AssertUnwindSafe;

use domain::{Error, Result};
use futures::FutureExt;

pub use crate::requester::Requester;

/// The result of `work`. Its state is dropped after a panic. State that it shares with others is behind locks or in the
/// table.
///
/// # Errors
/// Those of `work`; an internal error if it panicked.
pub async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    // The panic's message may quote what people wrote; the panic hook has printed where it was.
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.unwrap_or_else(|_| Err(Error::internal("it panicked")))
}

#[cfg(test)]
mod tests {
    use domain::error::Code;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_anything_else_stays() {
        assert_eq!(caught(async { Ok(7) }).await.unwrap(), 7);
        assert_eq!(
            caught::<()>(async { Err(Error::unavailable("x")) }).await.unwrap_err().code(),
            Code::ServiceUnavailable
        );
        let panicked = caught::<()>(async {
            tokio::task::yield_now().await;
            panic!("poison")
        });
        assert_eq!(panicked.await.unwrap_err().code(), Code::InternalError);
    }
}
