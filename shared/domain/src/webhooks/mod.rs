//! The rules that a receiver of events can rely on, as pure functions: the [`signature`], the retry [`schedule`], and
//! the [`health`] rules by which it is disabled.

pub mod health;
pub mod schedule;
pub mod signature;

use crate::models::{Scope, WebhookId};

/// How many deliveries may wait for the answer of one receiver at once, so that a slow one leaves room for the others.
pub const RECEIVER_CONCURRENCY: usize = 5;

/// The owner of a receiver's secrets, to which the stored ones are bound.
#[must_use]
pub fn secret_owner(scope: &Scope, id: &WebhookId) -> String {
    format!("{}#{}#{id}", scope.tenant, scope.mode)
}
