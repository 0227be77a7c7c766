//! One check: a real request with a timeout, and its result.

use std::time::Duration;

use domain::Result;
use domain::clock::Runtime;
use domain::models::wire_enum;
use schemars::JsonSchema;
use serde::Serialize;

wire_enum! {
    /// The result of one check.
    pub(crate) enum CheckStatus {
        /// It answered.
        Ok => "ok",
        /// It answered with an error, or not at all.
        Failed => "failed",
        /// It took too long.
        Timeout => "timeout",
        /// There is none to ask.
        NotConfigured => "not_configured",
        /// It is there, and asking it would cost: its failures show in the answers.
        NotChecked => "not_checked",
    }
}

/// One check.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Check {
    /// The result of the check.
    pub(crate) status: CheckStatus,
    /// How long the answer took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) latency_ms: Option<u64>,
}

/// The outcome of a check, with the figures of its answer.
pub(crate) struct CheckResult<T> {
    pub(crate) check: Check,
    pub(crate) value: Option<T>,
}

impl<T> CheckResult<T> {
    pub(crate) fn not_configured() -> Self {
        Self { check: Check { status: CheckStatus::NotConfigured, latency_ms: None }, value: None }
    }
}

/// Asks for at most `timeout`.
pub(crate) async fn check_with_timeout<T>(
    runtime: &Runtime,
    name: &'static str,
    check: impl Future<Output = Result<T>>,
    timeout: Duration,
) -> CheckResult<T> {
    let started = runtime.now();
    let (status, value) = match tokio::time::timeout(timeout, check).await {
        Ok(Ok(value)) => (CheckStatus::Ok, Some(value)),
        Ok(Err(error)) => {
            tracing::error!(check = name, error = %error, "a health check failed");
            (CheckStatus::Failed, None)
        }
        Err(_) => {
            tracing::error!(check = name, "a health check timed out");
            (CheckStatus::Timeout, None)
        }
    };
    let latency_ms = u64::try_from(runtime.now().millis_since(started)).ok().filter(|_| status == CheckStatus::Ok);
    CheckResult { check: Check { status, latency_ms }, value }
}
