//! `listen`: shows the events of a tenant, and forwards them to the receiver of a developer.
//!
//! It registers a receiver of its own, which is disabled: the service holds its deliveries, and sends them nowhere. The
//! command reads them by the API and forwards each once, signed like a delivery. The receiver goes when the command ends.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::Duration;

use domain::Secret;
use domain::clock::Runtime;
use domain::models::EventId;
use domain::webhooks::signature::{check_secret, sign};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::api::{Api, Page};
use crate::cli::ListenOptions;
use crate::output::{Failure, Report};

/// Deliveries are listed once in so long: a list counts as three of a key's 600 calls a minute.
const PERIOD: Duration = Duration::from_secs(1);
const FORWARD_TIMEOUT: Duration = Duration::from_secs(15);
/// The variable that holds a secret of the developer's own.
const SECRET: &str = "SUPPORT_WEBHOOK_SECRET";
/// Nobody has a name in this domain (RFC 6761, section 6.4).
const NOWHERE: &str = "https://listen.invalid";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Made {
    webhook_id: String,
}

/// A delivery that is held.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Held {
    event_id: String,
    delivery_id: String,
}

#[derive(Deserialize)]
struct Told {
    payload: Value,
}

/// A receiver whose deliveries are read.
struct Listener<'a> {
    api: &'a Api,
    forward: Option<&'a str>,
    secret: Secret,
    webhook: String,
    runtime: Runtime,
    /// What was shown, by its event.
    events: BTreeMap<String, Value>,
}

/// Shows events until Ctrl-C or the end of the input. An empty line forwards the newest event again, the id of an event
/// that one.
pub(crate) async fn run(api: &Api, options: &ListenOptions) -> Result<Report, Failure> {
    let runtime = Runtime::system();
    #[expect(clippy::disallowed_methods, reason = "a developer's own secret, of no deployed service")]
    let secret = match std::env::var(SECRET) {
        Ok(secret) => Secret::new(secret),
        Err(_) => Secret::new(format!("dev-{}", runtime.token()?)),
    };
    check_secret(secret.expose()).map_err(|problem| Failure::usage(format!("{SECRET} {problem}")))?;
    let name = runtime.token()?;
    let new = json!({
        "url": format!("{NOWHERE}/{name}"), "events": options.events, "secret": secret.expose(), "description": "ops listen, until it ends",
    });
    let made = api.call((Method::POST, "/webhooks"), Some(("idempotency-key", &name)), Some(&new)).await?;
    let Made { webhook_id: webhook } = made.read()?;
    let forward = options.forward.as_deref();
    let mut listener = Listener { api, forward, secret, webhook, runtime, events: BTreeMap::new() };
    let listened = listener.listen().await;
    let path = format!("/webhooks/{}", listener.webhook);
    let deleted = api.call((Method::DELETE, &path), None, None).await;
    listened?;
    deleted.map_err(|failure| Failure::refused(format!("{}: delete it: {}", listener.webhook, failure.message())))?;
    let shown = listener.events.len();
    Ok(Report::new(format!("{shown} events"), json!({"events": shown})))
}

impl Listener<'_> {
    async fn listen(&mut self) -> Result<(), Failure> {
        let path = format!("/webhooks/{}", self.webhook);
        self.api.call((Method::PATCH, &path), None, Some(&json!({"status": "disabled"}))).await?;
        say(&format!("listening; signed with {}", self.secret.expose()));
        let mut input = BufReader::new(tokio::io::stdin()).lines();
        loop {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => return Ok(()),
                line = input.next_line() => match line {
                    Ok(Some(line)) => self.replay(line.trim()).await,
                    _ => return Ok(()),
                },
                () = tokio::time::sleep(PERIOD) => self.read_new().await?,
            }
        }
    }

    /// Shows and forwards the deliveries that were not shown yet, oldest first.
    async fn read_new(&mut self) -> Result<(), Failure> {
        let (mut new, mut cursor) = (BTreeSet::new(), String::new());
        loop {
            let path = format!("/webhooks/{}/deliveries?limit=100&cursor={cursor}", self.webhook);
            let page: Page<Held> = self.api.call((Method::GET, &path), None, None).await?.read()?;
            let listed = page.items.len();
            let unseen = page.items.into_iter().map(|Held { event_id, delivery_id }| (event_id, delivery_id));
            let unseen: Vec<_> = unseen.filter(|(event, _)| !self.events.contains_key(event)).collect();
            // Newest first: behind one that was shown are none that were not.
            let is_last = unseen.len() < listed;
            new.extend(unseen);
            match page.next_cursor.filter(|_| !is_last) {
                Some(next) => cursor = next,
                None => break,
            }
        }
        for (event, delivery) in new {
            let path = format!("/webhooks/{}/deliveries/{delivery}", self.webhook);
            let Told { payload } = self.api.call((Method::GET, &path), None, None).await?.read()?;
            self.forward(&event, &payload).await;
            self.events.insert(event, payload);
        }
        Ok(())
    }

    async fn replay(&self, wanted: &str) {
        let found = match wanted {
            "" => self.events.last_key_value(),
            id => self.events.get_key_value(id),
        };
        match found {
            Some((id, payload)) => self.forward(id, payload).await,
            None => say("no such event was shown"),
        }
    }

    /// Shows an event and forwards it; a receiver that fails stops no other event.
    async fn forward(&self, event: &str, payload: &Value) {
        let kind = payload.get("type").and_then(Value::as_str).unwrap_or("erased");
        let shown = format!("{kind} {event}");
        let (Some(url), Some(id)) = (self.forward, EventId::parse(event)) else {
            return say(&format!("{shown}\n{payload}"));
        };
        let body = payload.to_string();
        let signed = sign(std::slice::from_ref(&self.secret), &id, self.runtime.now(), body.as_bytes());
        let request = self
            .api
            .http()
            .post(url)
            .timeout(FORWARD_TIMEOUT)
            .header("content-type", "application/json")
            .header("webhook-id", signed.id);
        let request = request.header("webhook-timestamp", signed.timestamp);
        let began = self.runtime.now();
        let outcome = match request.header("webhook-signature", signed.signature).body(body).send().await {
            Ok(response) => response.status().as_u16().to_string(),
            Err(e) => format!(
                "no answer: {}",
                std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string)
            ),
        };
        say(&format!("{shown} -> {outcome}, {} ms", self.runtime.now().as_millis() - began.as_millis()));
    }
}

/// A line while the command runs. Errors of a closed terminal are ignored.
fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").ok();
}
