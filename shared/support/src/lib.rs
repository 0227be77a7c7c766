//! The product, by thing: each folder holds its handlers, its use cases, its workers and its `table`: its keys, stored
//! forms and conditions, whose writes nobody else makes. A function or worker gets its parts as one
//! [`edge::App`].
//!
//! - [`table`]: what every thing's table is made of.
//! - [`edge`]: HTTP: callers, bodies, errors, routes, quotas.
//! - [`tenants`]: tenants, their settings, keys and audit.
//! - [`members`]: the people of a tenant, and how they sign in.
//! - [`functions`]: the functions that answer HTTP, each with its parts and its endpoints.
//! - [`wiki`]: entries, their search, history, index and vectors.
//! - [`sessions`]: sessions and their messages, with `conversation`, a customer's turn from receipt to storage, and
//!   requests for a human.
//! - [`inbox`]: the acts of agents on conversations, and saved replies.
//! - [`knowledge`]: what improves the wiki: gaps, drafts, dry runs, and the answers that were made from an entry.
//! - [`webhooks`]: receivers of events, and the deliveries to them.
//! - [`ingest`]: pages and texts that become entries.
//! - [`analytics`]: figures, disliked answers, and the recount that counters must equal.
//! - [`changes`]: the consumers of the table's stream.
//! - [`sweeper`]: the due items, once a minute.
//! - [`health`]: the report on what works, and the OpenAPI document.
//! - [`transfer`]: export, import and erasure of a tenant.
//! - [`dead_letters`] keeps changes that cannot be handled.
//! - [`model_budget`] limits a tenant's calls of the language model, and [`requester`] is the author of an audited
//!   change.

pub mod analytics;
pub mod changes;
pub mod dead_letters;
pub mod edge;
pub mod functions;
pub mod health;
pub mod inbox;
pub mod ingest;
pub mod knowledge;
pub mod members;
pub mod model_budget;
pub mod requester;
pub mod sessions;
pub mod sweeper;
pub mod table;
pub mod tenants;
pub mod transfer;
pub mod webhooks;
pub mod wiki;

use std::panic::AssertUnwindSafe;

use domain::{Error, Result};
use futures::FutureExt;

/// The result of `work`. Its state is dropped after a panic. State that it shares with others is behind locks or in the
/// table.
///
/// Turns a panic into the failure of one piece of work, without effect on concurrent or later work. Release builds
/// abort on a panic; then the record of running work shows what ended the process.
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
