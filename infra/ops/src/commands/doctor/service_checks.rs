//! Checks of every service, local or deployed: with its own clients.

use std::time::Duration;

use answer::model::ModelRequest;
use aws::queue::Queue;
use domain::Error;
use domain::models::AgentName;
use edge::ClientProvider;
use support::tenants::widget_key_rotation::known_at;

use super::outcome::{Check, Outcome};
use super::sign_in;
use crate::clients::Target;

/// How long ago the sweeper may have run: on AWS it runs every minute.
const SWEEPER_SILENT_MS: i64 = 5 * 60_000;
/// How many messages may wait on a queue.
const MAX_WAITING: u64 = 10_000;
/// How long a model may take.
const MODEL_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) async fn all(clients: &impl ClientProvider) -> Vec<Check> {
    let mut checks = vec![
        Check { name: "table", outcome: table(clients).await },
        Check { name: "index", outcome: index(clients).await },
        Check { name: "schedule", outcome: schedule(clients).await },
    ];
    for queue in Queue::ALL {
        let name = match queue {
            Queue::Webhooks => "webhook queue",
            Queue::Ingest => "ingest queue",
            Queue::Embeddings => "embedding queue",
        };
        checks.push(Check { name, outcome: self::queue(clients, *queue).await });
    }
    checks.push(Check { name: "dead letters", outcome: dead_letters(clients).await });
    checks.push(Check { name: "language model", outcome: model(clients).await });
    checks.push(Check { name: "embedding model", outcome: embedding_model(clients).await });
    checks.push(Check { name: "sign-in", outcome: sign_in::check(clients).await });
    checks
}

async fn table(clients: &impl ClientProvider) -> Outcome {
    let store = clients.store();
    let answered = async {
        store.ping().await?;
        store.probe_writes().await
    };
    match answered.await {
        Ok(()) => Outcome::Fine("it reads and writes".into()),
        Err(error) => Outcome::unanswered(&error, "look at the table in DynamoDB's console, and at the alarms"),
    }
}

/// The mapping is compared if there is one; an index that was made by hand accepts other documents.
async fn index(clients: &impl ClientProvider) -> Outcome {
    let checked = async {
        let index = clients.index()?;
        index.ping().await?;
        index.mapping_differences().await
    };
    match checked.await {
        Ok(fields) if fields.is_empty() => Outcome::Fine("it answers, with this version's mapping".into()),
        Ok(fields) => Outcome::problem(
            format!("the mapping differs in {}", fields.join(", ")),
            "run `ops reindex` without a tenant: it rebuilds the index from the table while the old one is used",
        ),
        Err(error) => Outcome::unanswered(&error, "look at the search domain's health"),
    }
}

async fn schedule(clients: &impl ClientProvider) -> Outcome {
    let runs = match clients.store().agent_runs().list().await {
        Ok(runs) => runs,
        Err(error) => return Outcome::unanswered(&error, "mend the table first"),
    };
    let advice = "enable the sweeper's schedule and look at its log; a local service must run";
    match runs.iter().find(|run| run.agent == AgentName::Sweeper) {
        None => Outcome::problem("the sweeper has never run", advice),
        Some(run) if clients.runtime().now().millis_since(run.finished_at) > SWEEPER_SILENT_MS => {
            Outcome::problem(format!("the sweeper last ran at {}", run.finished_at), advice)
        }
        Some(run) => match &run.error {
            Some(error) => Outcome::problem(format!("the sweeper failed: {error}"), "look at its log"),
            None => Outcome::Fine(format!("the sweeper ran at {}", run.finished_at)),
        },
    }
}

/// The signing keys of widget tokens: whether a rotation was left half done, and whether all that signs may sign.
pub(super) async fn widget_keys(target: &Target) -> Outcome {
    let read = async {
        let set = target.stored_widget_keys().await?;
        let revoked = target.store().revoked_widget_keys().list().await?;
        domain::Result::Ok((set, revoked))
    };
    let (set, revoked) = match read.await {
        Ok(read) => read,
        Err(error) => return Outcome::unanswered(&error, "mend the secret, or restore its previous version"),
    };
    let now = target.runtime().now();
    if set.keys().any(|key| revoked.contains(&key.fingerprint())) {
        return Outcome::problem("a revoked key is among them", "repeat `ops widget-key rotate --revoke`");
    }
    if known_at(&set).is_some_and(|at| at <= now) {
        return Outcome::problem(
            "a rotation is half done: the new key does not sign",
            "repeat `ops widget-key rotate`",
        );
    }
    if set.previous.is_some() && set.previous_until(now).is_none() {
        return Outcome::problem(
            "it is not known when the previous key was replaced: its tokens are refused",
            "`ops widget-key rotate` replaces it",
        );
    }
    Outcome::Fine(format!("{} signs", set.current.kid))
}

async fn queue(clients: &impl ClientProvider, queue: Queue) -> Outcome {
    let depth = match clients.queue(queue) {
        Ok(queue) => queue.depth().await,
        Err(error) => Err(error),
    };
    match depth {
        Ok(depth) if depth.dead > 0 => {
            Outcome::problem(format!("{} dead letters", depth.dead), "`ops dead-letters list` shows them")
        }
        Ok(depth) if depth.ready > MAX_WAITING => {
            Outcome::problem(format!("{} messages wait", depth.ready), "look at the worker's errors and throttles")
        }
        Ok(depth) => Outcome::Fine(format!("{} messages wait", depth.ready)),
        Err(error) => Outcome::unanswered(&error, "look at the queue in SQS's console"),
    }
}

async fn dead_letters(clients: &impl ClientProvider) -> Outcome {
    let names = match clients.dead_letters() {
        Ok(dead_letters) => dead_letters.list_all().await,
        Err(error) => Err(error),
    };
    match names {
        Ok(names) if names.is_empty() => Outcome::Fine("none".into()),
        Ok(names) => Outcome::problem(
            format!("{} changes or due items could not be handled", names.len()),
            "`ops dead-letters list` shows them; mend the cause, then `ops dead-letters replay --all`",
        ),
        Err(error) => Outcome::unanswered(&error, "look at the bucket"),
    }
}

async fn model(clients: &impl ClientProvider) -> Outcome {
    let advice = "enable the model in the account, and compare ModelId, ModelArns and the endpoint's key";
    match clients.model().await {
        Ok(None) => Outcome::Skipped("none is configured"),
        Ok(Some(model)) => {
            let request = ModelRequest {
                system: "Answer with one word.".into(),
                user: "Say yes.".into(),
                max_tokens: 64,
                timeout: MODEL_TIMEOUT,
            };
            match model.complete(&request).await {
                Ok(_) => Outcome::Fine(format!("{} answers", model.name())),
                Err(error) => Outcome::problem(error.to_string(), advice),
            }
        }
        Err(error) => Outcome::unanswered(&error, advice),
    }
}

async fn embedding_model(clients: &impl ClientProvider) -> Outcome {
    let advice = "enable the embedding model in the account, and compare EmbeddingModelId and the endpoint's key";
    let embedder = match clients.embedder().await {
        Ok(None) => return Outcome::Skipped("none is configured"),
        Ok(Some(embedder)) => embedder,
        Err(error) => return Outcome::unanswered(&error, advice),
    };
    let asked = embedder.probe(MODEL_TIMEOUT).await.map_err(|e| Error::unavailable(e.to_string()));
    match asked {
        Ok(_) => Outcome::Fine("it answers".into()),
        Err(error) => Outcome::problem(error.to_string(), advice),
    }
}
