//! What a receiver of events may rely on, as pure functions: the [`signature`] of what it gets, the [`schedule`] by
//! which it is tried again, and the [`health`] by which it is given up.

pub mod health;
pub mod schedule;
pub mod signature;

use crate::models::{Scope, WebhookId};

/// Whose a receiver's secrets are: what they are bound to where they are stored.
#[must_use]
pub fn secret_owner(scope: &Scope, id: &WebhookId) -> String {
    format!("{}#{}#{id}", scope.tenant, scope.mode)
}
