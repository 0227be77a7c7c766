//! The checks. Each makes a real request with a timeout and reports the result.

use std::time::Duration;

use crate::Health;
use app::embedding;
use aws::queue::{Depth, TaskQueue};
use aws::search::DomainHealth;
use domain::clock::Ambient;
use domain::models::wire_enum;
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;

wire_enum! {
    /// What one check found.
    pub(crate) enum Found {
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
    /// What was found.
    pub(crate) status: Found,
    /// How long the answer took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    latency_ms: Option<u64>,
}

/// What a check came to, with what it learned where it was answered.
pub(crate) struct Checked<T> {
    pub(crate) check: Check,
    pub(crate) learned: Option<T>,
}

impl<T> Checked<T> {
    fn not_configured() -> Self {
        Self { check: Check { status: Found::NotConfigured, latency_ms: None }, learned: None }
    }
}

/// Asks for at most `patience`.
pub(crate) async fn ask<T>(
    ambient: &Ambient,
    name: &'static str,
    asking: impl Future<Output = Result<T>>,
    patience: Duration,
) -> Checked<T> {
    let started = ambient.now();
    let (status, learned) = match tokio::time::timeout(patience, asking).await {
        Ok(Ok(learned)) => (Found::Ok, Some(learned)),
        Ok(Err(error)) => {
            tracing::error!(check = name, error = %error, "a health check failed");
            (Found::Failed, None)
        }
        Err(_) => {
            tracing::error!(check = name, "a health check timed out");
            (Found::Timeout, None)
        }
    };
    let latency_ms = u64::try_from(ambient.now().millis_since(started)).ok().filter(|_| status == Found::Ok);
    Checked { check: Check { status, latency_ms }, learned }
}

/// Whether the index of wiki entries answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchCheck {
    #[serde(flatten)]
    pub(crate) check: Check,
    /// What AWS says of the search domain.
    pub(crate) domain: DomainCheck,
}

/// What AWS says of the search domain.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DomainCheck {
    #[serde(flatten)]
    pub(crate) check: Check,
    /// The health of its cluster; null where AWS did not say.
    pub(crate) cluster: Option<String>,
    /// What is being done to it; null where AWS did not say.
    state: Option<String>,
}

/// Asks the index by a question, and AWS for the domain's health.
pub(crate) async fn search(ctx: &Health, patience: Duration) -> SearchCheck {
    let domain = async {
        let Some(domain) = &ctx.search_domain else { return Checked::not_configured() };
        ask(&ctx.ambient, "search domain", domain.health(), patience).await
    };
    let index = ask(&ctx.ambient, "search", ctx.index.ping(), patience);
    let (index, Checked { check, learned }) = tokio::join!(index, domain);
    let (cluster, state) = learned.map(|DomainHealth { cluster, state }| (cluster, state)).unzip();
    SearchCheck { check: index.check, domain: DomainCheck { check, cluster, state } }
}

impl SearchCheck {
    /// The index answers, and the domain has all of its data, as far as known: a control plane that does not answer
    /// does not affect the index.
    pub(crate) fn is_well(&self) -> bool {
        self.check.status == Found::Ok && self.domain.cluster.as_deref() != Some("red")
    }
}

/// The language model is not asked: each question costs, and one that fails shows as a failed run of `answer`.
pub(crate) fn model(ctx: &Health) -> Check {
    Check { status: if ctx.has_model { Found::NotChecked } else { Found::NotConfigured }, latency_ms: None }
}

/// Whether the embedding model answers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmbeddingsCheck {
    #[serde(flatten)]
    check: Check,
    /// Entries of all tenants whose passages are not embedded yet and are found by their words alone, without those that were given up; null where the index or the table did not say.
    pending: Option<u64>,
}

/// Asks the embedding model for one small vector, and the index how many entries have none.
pub(crate) async fn embeddings(ctx: &Health, patience: Duration) -> EmbeddingsCheck {
    let Some(embedder) = &ctx.embedder else {
        let check = Check { status: Found::NotConfigured, latency_ms: None };
        return EmbeddingsCheck { check, pending: Some(0) };
    };
    let probe = async {
        let vector = embedder.query("health", patience).await;
        vector.map(drop).map_err(|error| Error::unavailable(error.to_string()))
    };
    let pending = async {
        let space = embedding::space::known(&ctx.store, embedder).await?;
        ctx.index.count_without_vectors(&space).await
    };
    let (model, pending) = tokio::join!(
        ask(&ctx.ambient, "embeddings", probe, patience),
        ask(&ctx.ambient, "pending embeddings", pending, patience),
    );
    EmbeddingsCheck { check: model.check, pending: pending.learned }
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
pub(crate) async fn queue(ambient: &Ambient, queue: &TaskQueue, patience: Duration) -> QueueCheck {
    let Checked { check, learned } = ask(ambient, queue.name(), queue.depth(), patience).await;
    let depth = learned.map(|Depth { ready, given_out, delayed, .. }| ready + given_out + delayed);
    QueueCheck { check, depth, oldest_age_seconds: None, dead: learned.map(|learned| learned.dead) }
}

impl QueueCheck {
    /// It answers.
    pub(crate) fn is_well(&self) -> bool {
        self.check.status == Found::Ok
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_red_domain_is_not_well_and_one_that_cannot_be_asked_decides_nothing() {
        let check = |status| Check { status, latency_ms: None };
        let search = |index, domain, cluster: Option<&str>| {
            let domain = DomainCheck { check: check(domain), cluster: cluster.map(str::to_owned), state: None };
            SearchCheck { check: check(index), domain }.is_well()
        };
        assert!(search(Found::Ok, Found::Ok, Some("yellow")));
        assert!(search(Found::Ok, Found::NotConfigured, None) && search(Found::Ok, Found::Timeout, None));
        assert!(!search(Found::Ok, Found::Ok, Some("red")) && !search(Found::Failed, Found::Ok, Some("green")));
    }

    #[tokio::test]
    async fn a_check_says_what_it_got() {
        let (ambient, patience) = (Ambient::system(), Duration::from_millis(20));
        let good = ask(&ambient, "x", async { Ok(7) }, patience).await;
        assert_eq!((good.check.status, good.learned), (Found::Ok, Some(7)));
        let failed = ask::<()>(&ambient, "x", async { Err(domain::Error::unavailable("gone")) }, patience).await;
        assert_eq!((failed.check.status, failed.learned, failed.check.latency_ms), (Found::Failed, None, None));
        assert_eq!(ask::<()>(&ambient, "x", std::future::pending(), patience).await.check.status, Found::Timeout);
    }
}
