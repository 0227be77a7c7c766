//! Checks of every service, local or deployed, with its own clients.

use std::time::Duration;

use answer::model::ModelRequest;
use aws::queue::Queue;
use domain::Error;
use domain::models::AgentName;
use openid::OpenIdProvider;
use support::edge::ClientProvider;
use support::tenants::widget_key_rotation::known_at;
use url::Url;

use crate::target::Target;

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All is well, with what was seen.
    Fine(String),
    /// Something is wrong, with what to do.
    Problem { found: String, advice: String },
    /// There is nothing to check here.
    Skipped(&'static str),
}

impl Outcome {
    pub(super) fn problem(found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Problem { found: found.into(), advice: advice.into() }
    }

    /// A check that got no answer. A refusal of AWS names the right that is missing.
    pub(super) fn unanswered(error: &domain::Error, advice: &str) -> Self {
        let text = error.to_string();
        let denied = ["AccessDenied", "not authorized", "Forbidden", "403"].iter().any(|word| text.contains(word));
        let advice = match denied {
            true => "a right is missing: allow the named action to the caller, or deploy the stack's roles again",
            false => advice,
        };
        Self::problem(text, advice)
    }
}

/// How long ago the sweeper may have run: on AWS it runs every minute.
const SWEEPER_SILENT_MS: i64 = 5 * 60_000;
/// How many messages may wait on a queue.
const MAX_WAITING: u64 = 10_000;
/// How long a model may take.
const MODEL_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) async fn checks(target: &Target) -> Vec<(&'static str, Outcome)> {
    let mut checks =
        vec![("table", table(target).await), ("index", index(target).await), ("schedule", schedule(target).await)];
    for queue in Queue::ALL {
        let name = match queue {
            Queue::Webhooks => "webhook queue",
            Queue::Ingest => "ingest queue",
            Queue::Embeddings => "embedding queue",
        };
        checks.push((name, self::queue(target, *queue).await));
    }
    checks.extend([
        ("dead letters", dead_letters(target).await),
        ("language model", model(target).await),
        ("embedding model", embedding_model(target).await),
        ("sign-in", sign_in(target).await),
        ("widget keys", widget_keys(target).await),
    ]);
    checks
}

async fn table(clients: &Target) -> Outcome {
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
async fn index(clients: &Target) -> Outcome {
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

async fn schedule(clients: &Target) -> Outcome {
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
async fn widget_keys(target: &Target) -> Outcome {
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

async fn queue(clients: &Target, queue: Queue) -> Outcome {
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

async fn dead_letters(clients: &Target) -> Outcome {
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

async fn model(clients: &Target) -> Outcome {
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

async fn embedding_model(clients: &Target) -> Outcome {
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

/// How long the authorization page may take.
const PAGE_TIMEOUT: Duration = Duration::from_secs(10);
/// A verifier of nobody: its challenge makes the request complete.
const VERIFIER: &str = "the-doctor-never-redeems-a-code-0123456789-ab";

/// Whether people can sign in to the desk, as far as can be known from here: the provider is asked what it says of
/// itself, and what its authorization page says to this client with the desk's address.
async fn sign_in(clients: &Target) -> Outcome {
    let provider = match clients.openid().await {
        Ok(Some(provider)) => provider,
        Ok(None) => return Outcome::Skipped("no provider is configured"),
        Err(error) => return Outcome::unanswered(&error, "compare DeskIssuer, DeskClientId and DeskUrl"),
    };
    let advice = "compare DeskIssuer with what the provider says of itself, and look at its status page";
    let metadata = match provider.metadata().await {
        Ok(metadata) => metadata,
        Err(error) => return Outcome::problem(error.to_string(), advice),
    };
    if let Err(error) = provider.check_keys().await {
        return Outcome::problem(error.to_string(), advice);
    }
    match refusal(&provider, &metadata.authorization_endpoint).await {
        Ok(None) => Outcome::Fine(format!("{} answers, and knows the client and the desk's address", metadata.issuer)),
        Ok(Some(refusal)) => Outcome::problem(
            format!("the provider does not take this client with the desk's address: {refusal}"),
            "compare DeskClientId, and register DeskUrl as redirect address; for the stack's own pool deploy again",
        ),
        Err(error) => Outcome::unanswered(&error, advice),
    }
}

#[expect(clippy::disallowed_methods, reason = "the operator's provider, not a tenant's address")]
fn client() -> domain::Result<reqwest::Client> {
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().timeout(PAGE_TIMEOUT);
    client.build().map_err(|e| Error::internal(format!("no client: {e}")))
}

/// The refusal that a person would see at the authorization page, in place of a sign-in form. A provider that
/// knows the client shows a page, or redirects to one of its own; one that does not answers 400, or leads to an error.
async fn refusal(provider: &OpenIdProvider, endpoint: &str) -> domain::Result<Option<String>> {
    let settings = provider.settings();
    let challenge = openid::nonce_of(VERIFIER);
    let parameters = [
        ("response_type", "code"),
        ("client_id", &settings.client_id),
        ("redirect_uri", &settings.redirect_uri),
        ("scope", "openid email"),
        ("state", "doctor"),
        ("nonce", &challenge),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let url = Url::parse_with_params(endpoint, parameters).map_err(|e| Error::internal(e.to_string()))?;
    let answer = client()?.get(url).send().await.map_err(|e| Error::unavailable(format!("its sign-in page: {e}")))?;
    let status = answer.status();
    let location = answer.headers().get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let error = location.split(['?', '&', '#']).find_map(|part| part.strip_prefix("error="));
    Ok(match (status.is_success() || status.is_redirection(), error) {
        (true, None) => None,
        (true, Some(error)) => Some(error.chars().take(100).collect()),
        (false, _) => Some(format!("it answered {status}")),
    })
}
