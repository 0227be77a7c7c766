//! The report: each check really asks, within a time, and says what it got.

use std::time::Duration;

use serde::Serialize;
use shared::clock::Ambient;
use shared::config::ModelChoice;
use shared::models::Timestamp;
use shared::{Ctx, Result};

/// How the service as a whole is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Everything answers.
    Ok,
    /// Sessions are kept, but answers cannot be looked up: humans are asked instead.
    Degraded,
    /// Nothing can be kept.
    Down,
}

/// What one check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Found {
    /// It answered.
    Ok,
    /// It answered with an error, or not at all.
    Failed,
    /// It took too long.
    Timeout,
    /// There is none to ask; answers are extracted.
    NotConfigured,
    /// It is there, and asking it would cost: its failures show in the answers.
    NotChecked,
}

/// One check.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Check {
    pub(crate) status: Found,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) latency_ms: Option<u64>,
}

/// Every check.
#[derive(Debug, Serialize)]
pub(crate) struct Checks {
    database: Check,
    search: Check,
    model: Check,
}

/// What nobody gets to know.
#[derive(Debug, Serialize)]
pub(crate) struct Brief {
    pub(crate) status: Status,
    pub(crate) time: Timestamp,
}

/// What somebody with a key gets to know.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) status: Status,
    version: String,
    pub(crate) time: Timestamp,
    checks: Checks,
}

impl Report {
    /// Asks database and index at once, each for at most `patience`.
    pub(crate) async fn make(ctx: &Ctx, patience: Duration) -> Self {
        let (database, search) = tokio::join!(
            check(&ctx.ambient, "database", ctx.store.ping(), patience),
            check(&ctx.ambient, "search", ctx.index.ping(), patience)
        );
        let configured = ctx.model.is_some() || ctx.config.model != ModelChoice::None;
        let model = if configured { Found::NotChecked } else { Found::NotConfigured };
        Self {
            status: overall(database.status, search.status),
            version: ctx.config.version.clone(),
            time: ctx.ambient.now(),
            checks: Checks { database, search, model: Check { status: model, latency_ms: None } },
        }
    }
}

fn overall(database: Found, search: Found) -> Status {
    match (database, search) {
        (Found::Ok, Found::Ok) => Status::Ok,
        (Found::Ok, _) => Status::Degraded,
        _ => Status::Down,
    }
}

async fn check(
    ambient: &Ambient,
    name: &'static str,
    asking: impl Future<Output = Result<()>>,
    patience: Duration,
) -> Check {
    let started = ambient.now();
    let status = match tokio::time::timeout(patience, asking).await {
        Ok(Ok(())) => Found::Ok,
        Ok(Err(error)) => {
            tracing::error!(check = name, error = %error, "a check failed");
            Found::Failed
        }
        Err(_) => {
            tracing::error!(check = name, "a check took too long");
            Found::Timeout
        }
    };
    let latency_ms = u64::try_from(ambient.now().millis_since(started)).ok().filter(|_| status == Found::Ok);
    Check { status, latency_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_check_says_what_it_got() {
        let (ambient, patience) = (Ambient::system(), Duration::from_millis(20));
        assert_eq!(check(&ambient, "x", async { Ok(()) }, patience).await.status, Found::Ok);
        assert_eq!(
            check(&ambient, "x", async { Err(shared::Error::unavailable("gone")) }, patience).await.status,
            Found::Failed
        );
        assert_eq!(check(&ambient, "x", std::future::pending(), patience).await.status, Found::Timeout);
    }

    #[test]
    fn without_the_database_the_service_is_down_and_without_the_index_degraded() {
        assert_eq!(overall(Found::Ok, Found::Ok), Status::Ok);
        assert_eq!(overall(Found::Ok, Found::Timeout), Status::Degraded);
        assert_eq!(overall(Found::Failed, Found::Ok), Status::Down);
    }
}
