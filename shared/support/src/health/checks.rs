//! The checks of the report. A check is a real request with a timeout, except that of
//! the language model, for which the configuration alone is looked at.

use std::time::Duration;

use aws::queue::{Depth, Queue};
use aws::search::DomainHealth;
use domain::clock::Runtime;
use domain::models::wire_enum;
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::App;
use crate::wiki::embedding;

/// Whether the index of wiki entries answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchCheck {
    #[serde(flatten)]
    pub(crate) check: Check,
    /// AWS's report on the search domain.
    pub(crate) domain: DomainCheck,
}

/// AWS's report on the search domain.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DomainCheck {
    #[serde(flatten)]
    pub(crate) check: Check,
    /// The health of its cluster; null where AWS did not say.
    pub(crate) cluster: Option<String>,
    /// The operation on the domain that is in progress; null where AWS did not say.
    state: Option<String>,
}

/// Asks the index by a question, and AWS for the domain's health.
pub(crate) async fn search(app: &App, timeout: Duration) -> SearchCheck {
    let domain = async {
        let Some(domain) = &app.search_domain else { return CheckResult::not_configured() };
        check_with_timeout(&app.runtime, "search domain", domain.health(), timeout).await
    };
    let index = check_with_timeout(&app.runtime, "search", async { app.index()?.ping().await }, timeout);
    let (index, CheckResult { check, value }) = tokio::join!(index, domain);
    let (cluster, state) = value.map(|DomainHealth { cluster, state }| (cluster, state)).unzip();
    SearchCheck { check: index.check, domain: DomainCheck { check, cluster, state } }
}

impl SearchCheck {
    /// The index answers, and the domain has all of its data, as far as known: a control plane that does not answer
    /// does not affect the index.
    pub(crate) fn is_healthy(&self) -> bool {
        self.check.status == CheckStatus::Ok && self.domain.cluster.as_deref() != Some("red")
    }
}

/// The language model is not asked: each question costs, and one that fails shows as a failed run of `answer`.
pub(crate) fn model(app: &App) -> Check {
    Check { status: if app.has_model { CheckStatus::NotChecked } else { CheckStatus::NotConfigured }, latency_ms: None }
}

/// Whether the embedding model answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmbeddingsCheck {
    #[serde(flatten)]
    check: Check,
    /// Entries of all tenants whose passages are not embedded yet and are found by their words alone, without those
    /// that were given up; null where the index or the table did not say.
    pending: Option<u64>,
}

/// Asks the embedding model for one small vector, and the index how many entries have none.
pub(crate) async fn embeddings(app: &App, timeout: Duration) -> EmbeddingsCheck {
    let Some(embedder) = &app.embedder else {
        let check = Check { status: CheckStatus::NotConfigured, latency_ms: None };
        return EmbeddingsCheck { check, pending: Some(0) };
    };
    let probe = async {
        let dimensions = embedder.probe(timeout).await;
        dimensions.map(drop).map_err(|error| Error::unavailable(error.to_string()))
    };
    let pending = async {
        let space = embedding::known(&app.store, embedder).await?;
        app.index()?.count_without_vectors(&space).await
    };
    let (model, pending) = tokio::join!(
        check_with_timeout(&app.runtime, "embeddings", probe, timeout),
        check_with_timeout(&app.runtime, "pending embeddings", pending, timeout),
    );
    EmbeddingsCheck { check: model.check, pending: pending.value }
}

/// How much waits on a queue.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueCheck {
    #[serde(flatten)]
    pub(crate) check: Check,
    /// Messages that wait, are being worked on, or are delayed.
    depth: Option<u64>,
    /// Always null: SQS reports the age of the oldest message only to CloudWatch, where an alarm watches it.
    oldest_age_seconds: Option<u64>,
    /// Messages in the dead-letter queue.
    dead: Option<u64>,
}

/// Asks a queue how much waits on it.
pub(crate) async fn queue(app: &App, queue: Queue, timeout: Duration) -> QueueCheck {
    let depth = async { app.queue(queue)?.depth().await };
    let CheckResult { check, value } = check_with_timeout(&app.runtime, queue.as_str(), depth, timeout).await;
    let depth = value.map(|Depth { ready, given_out, delayed, .. }| ready + given_out + delayed);
    QueueCheck { check, depth, oldest_age_seconds: None, dead: value.map(|value| value.dead) }
}

impl QueueCheck {
    /// It answers.
    pub(crate) fn is_healthy(&self) -> bool {
        self.check.status == CheckStatus::Ok
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_red_domain_is_not_well_and_one_that_cannot_be_asked_decides_nothing() {
        let check = |status| Check { status, latency_ms: None };
        let search = |index, domain, cluster: Option<&str>| {
            let domain = DomainCheck { check: check(domain), cluster: cluster.map(str::to_owned), state: None };
            SearchCheck { check: check(index), domain }.is_healthy()
        };
        assert!(search(CheckStatus::Ok, CheckStatus::Ok, Some("yellow")));
        assert!(
            search(CheckStatus::Ok, CheckStatus::NotConfigured, None)
                && search(CheckStatus::Ok, CheckStatus::Timeout, None)
        );
        assert!(
            !search(CheckStatus::Ok, CheckStatus::Ok, Some("red"))
                && !search(CheckStatus::Failed, CheckStatus::Ok, Some("green"))
        );
    }

    #[tokio::test]
    async fn a_check_says_what_it_got() {
        let (runtime, timeout) = (Runtime::system(), Duration::from_millis(20));
        let good = check_with_timeout(&runtime, "x", async { Ok(7) }, timeout).await;
        assert_eq!((good.check.status, good.value), (CheckStatus::Ok, Some(7)));
        let failed =
            check_with_timeout::<()>(&runtime, "x", async { Err(domain::Error::unavailable("gone")) }, timeout).await;
        assert_eq!((failed.check.status, failed.value, failed.check.latency_ms), (CheckStatus::Failed, None, None));
        assert_eq!(
            check_with_timeout::<()>(&runtime, "x", std::future::pending(), timeout).await.check.status,
            CheckStatus::Timeout
        );
    }
}
