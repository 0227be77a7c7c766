//! Receivers of events: the kinds that they subscribe to, how they are stored, and as callers read them. A [`delivery`] is an
//! event on its way to one of them.
//!
//! What a receiver can rely on are pure functions: the [`signature`] of a delivery, and what follows from its [`attempts`].

pub mod attempts;
pub mod delivery;
pub mod signature;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use text::wire_enum;
use url::Url;

pub use self::attempts as health;
pub use self::attempts as schedule;
use crate::is_default;
use crate::models::{Scope, Timestamp, WebhookId};

wire_enum! {
    /// The kind of an event.
    pub enum EventKind {
        /// A conversation began.
        SessionCreated => "session.created",
        /// A conversation was closed.
        SessionClosed => "session.closed",
        /// A closed conversation was resumed.
        SessionResumed => "session.resumed",
        /// A message was written.
        MessageCreated => "message.created",
        /// The wiki has a gap.
        AnswerUnanswered => "answer.unanswered",
        /// A customer reacted to an answer.
        ReactionCreated => "reaction.created",
        /// An escalation was created.
        HandoverRequested => "handover.requested",
        /// An agent took over.
        HandoverClaimed => "handover.claimed",
        /// An agent gave it to another.
        HandoverTransferred => "handover.transferred",
        /// An agent took it up again after it was resolved.
        HandoverReopened => "handover.reopened",
        /// An agent gave it back to the queue.
        HandoverReleased => "handover.released",
        /// An agent gave it back to the AI.
        HandoverReturned => "handover.returned",
        /// An agent resolved it.
        HandoverResolved => "handover.resolved",
        /// The escalation was cancelled, or no agent came.
        HandoverCancelled => "handover.cancelled",
        /// A customer has waited for an agent as long as the tenant wants to be told.
        HandoverWaiting => "handover.waiting",
        /// A customer rated the people who helped.
        RatingCreated => "rating.created",
        /// A wiki entry was made.
        EntryCreated => "entry.created",
        /// A wiki entry was changed.
        EntryUpdated => "entry.updated",
        /// A wiki entry was deleted.
        EntryDeleted => "entry.deleted",
        /// An ingest is done and searchable.
        IngestCompleted => "ingest.completed",
        /// An ingest job failed.
        IngestFailed => "ingest.failed",
        /// A receiver was disabled.
        WebhookDisabled => "webhook.disabled",
        /// A test of a receiver.
        WebhookTest => "webhook.test",
    }
}

impl EventKind {
    /// Whether it tells of people who help customers, or is a test: what a Slack channel may be told.
    #[must_use]
    pub fn is_of_people(self) -> bool {
        self.as_str().starts_with("handover.") || matches!(self, Self::RatingCreated | Self::WebhookTest)
    }
}

wire_enum! {
    /// Whether a receiver is sent anything.
    pub enum WebhookStatus {
        /// It is.
        Active => "active",
        /// Its deliveries are held.
        Disabled => "disabled",
    }
}

wire_enum! {
    /// Why a receiver is disabled.
    pub enum DisabledReason {
        /// By request.
        Manual => "manual",
        /// It answered 410.
        Gone => "gone",
        /// Only failures for 120 hours.
        Failing => "failing",
        /// Its secret cannot be decrypted: the master key was replaced. Rotating the secret enables it.
        SecretUnreadable => "secret_unreadable",
    }
}

wire_enum! {
    /// The format of deliveries.
    pub enum WebhookFormat {
        /// Events, signed.
        Events => "events",
        /// One line of text for a Slack channel, unsigned. The address is a secret.
        Slack => "slack",
    }
}

impl WebhookFormat {
    /// Whether receivers of this format may subscribe so.
    #[must_use]
    pub fn takes(self, events: &Subscription) -> bool {
        match (self, events) {
            (Self::Events, _) => true,
            (Self::Slack, Subscription::All) => false,
            (Self::Slack, Subscription::Kinds(kinds)) => kinds.iter().all(|kind| kind.is_of_people()),
        }
    }
}

/// The subscription of a receiver. A stored kind that this release does not know is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub enum Subscription {
    /// Everything, also kinds that are yet to come: `*`.
    All,
    /// These kinds, each once, in the order they were named.
    Kinds(Vec<EventKind>),
}

impl Subscription {
    /// How everything is written.
    pub const ALL: &'static str = "*";

    /// Parses a list of kinds; `*` anywhere in it means all.
    ///
    /// # Errors
    /// The position of the first unknown name.
    pub fn parse(names: &[String]) -> Result<Self, usize> {
        let mut kinds = Vec::new();
        let mut all = false;
        for (position, name) in names.iter().enumerate() {
            match EventKind::parse(name) {
                Some(kind) if !kinds.contains(&kind) => kinds.push(kind),
                Some(_) => {}
                None if name == Self::ALL => all = true,
                None => return Err(position),
            }
        }
        Ok(if all { Self::All } else { Self::Kinds(kinds) })
    }

    /// Every name that may be in a list.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        std::iter::once(Self::ALL).chain(EventKind::ALL.iter().map(|kind| kind.as_str()))
    }

    /// The names on the wire.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Self::All => vec![Self::ALL],
            Self::Kinds(kinds) => kinds.iter().map(|kind| kind.as_str()).collect(),
        }
    }

    /// Whether events of `kind` are wanted.
    #[must_use]
    pub fn includes(&self, kind: EventKind) -> bool {
        match self {
            Self::All => true,
            Self::Kinds(kinds) => kinds.contains(&kind),
        }
    }
}

impl From<Vec<String>> for Subscription {
    fn from(names: Vec<String>) -> Self {
        let known = || Self::Kinds(names.iter().filter_map(|name| EventKind::parse(name)).collect());
        Self::parse(&names).unwrap_or_else(|_| known())
    }
}

impl From<Subscription> for Vec<String> {
    fn from(subscription: Subscription) -> Self {
        subscription.names().into_iter().map(str::to_owned).collect()
    }
}

/// The schema of one name in a [`Subscription`].
#[derive(Debug)]
pub struct SubscribedKind;

impl JsonSchema for SubscribedKind {
    fn schema_name() -> Cow<'static, str> {
        "SubscribedKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Subscription::all_names().collect();
        schemars::json_schema!({
            "type": "string",
            "description": "A kind of events that a receiver gets; `*` is every kind, also those that are yet to come.",
            "enum": names,
        })
    }
}

/// A secret as it is stored: encrypted, in base64.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct EncryptedSecret(pub String);

/// A secret that was replaced and signs a while longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetiredSecret {
    /// The secret.
    pub sealed: EncryptedSecret,
    /// From this moment on it no longer signs.
    pub until: Timestamp,
}

/// How a receiver has been doing; kept apart from the receiver itself, because every attempt changes it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookHealth {
    /// When it was last tried.
    pub last_delivery_at: Option<Timestamp>,
    /// The HTTP status it then answered; none if it did not answer.
    pub last_status: Option<u16>,
    /// How long that took, in milliseconds.
    pub last_duration_ms: u32,
    /// Failures since the last success.
    pub consecutive_failures: u32,
    /// The first failure since the last success.
    pub failing_since: Option<Timestamp>,
    /// The newest failure.
    pub last_failure_at: Option<Timestamp>,
    /// Counts every change.
    pub version: u64,
}

/// A receiver of events.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub webhook_id: WebhookId,
    /// Where it listens.
    pub url: String,
    /// The format of its messages; a receiver that was stored without one gets events.
    #[serde(default = "events")]
    pub format: WebhookFormat,
    /// Its subscription.
    pub events: Subscription,
    /// For people.
    pub description: Option<String>,
    /// Whether it is sent anything.
    pub status: WebhookStatus,
    /// Why not.
    pub disabled_reason: Option<DisabledReason>,
    /// Since when not.
    pub disabled_at: Option<Timestamp>,
    /// The signing secret, encrypted.
    pub secret: EncryptedSecret,
    /// The last four characters of it, if it is long enough.
    pub secret_hint: Option<String>,
    /// The earlier signing secrets, newest first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub retired_secrets: Vec<RetiredSecret>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last changed by a caller, or disabled.
    pub updated_at: Timestamp,
    /// How it has been doing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub health: WebhookHealth,
    /// Counts every change.
    pub version: u64,
}

impl Webhook {
    /// The address as it may be shown: of one that is a secret the host and the last four characters of a long path.
    #[must_use]
    pub fn shown_url(&self) -> String {
        match self.format {
            WebhookFormat::Events => self.url.clone(),
            WebhookFormat::Slack => concealed(&self.url),
        }
    }

    /// Whether `text`, such as an answer that names the path it was sent to, tells of an address that is a secret.
    #[must_use]
    pub fn is_revealed_by(&self, text: &str) -> bool {
        let Ok(url) = Url::parse(&self.url) else { return false };
        let parts = url.path().split('/').chain(url.query()).filter(|part| part.len() > MIN_CONCEALED_CHARS);
        let mut parts = parts.chain(Some(url.path()).filter(|path| path.len() > 1));
        self.format == WebhookFormat::Slack && parts.any(|part| text.contains(part))
    }

    /// Whether it is sent anything.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == WebhookStatus::Active
    }

    /// Stops sending; a receiver that is disabled already keeps its reason.
    #[must_use]
    pub fn disabled(mut self, reason: DisabledReason, now: Timestamp) -> Self {
        if self.is_active() {
            self.status = WebhookStatus::Disabled;
            self.disabled_reason = Some(reason);
            self.disabled_at = Some(now);
            self.updated_at = now;
        }
        self
    }

    /// Enables it and clears the failures: the 120 hours start again.
    #[must_use]
    pub fn enabled(mut self, now: Timestamp) -> Self {
        if !self.is_active() {
            self.status = WebhookStatus::Active;
            self.disabled_reason = None;
            self.disabled_at = None;
            self.updated_at = now;
            self.health.consecutive_failures = 0;
            (self.health.failing_since, self.health.last_failure_at) = (None, None);
        }
        self
    }

    /// The secrets that sign at `now`, newest first.
    pub fn signing(&self, now: Timestamp) -> impl Iterator<Item = &EncryptedSecret> {
        let retired = self.retired_secrets.iter().filter(move |old| old.until > now).map(|old| &old.sealed);
        std::iter::once(&self.secret).chain(retired)
    }
}

/// A path has to be longer than this for its end to be shown.
const MIN_CONCEALED_CHARS: usize = 8;

fn concealed(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return String::new() };
    let path: Vec<char> = url.path().trim_start_matches('/').chars().collect();
    let end = path.len().saturating_sub(4);
    let shown = path.get(end..).filter(|_| path.len() > MIN_CONCEALED_CHARS).unwrap_or_default();
    format!("{}/…{}", url.origin().ascii_serialization(), shown.iter().collect::<String>())
}

/// How many deliveries may wait for the answer of one receiver at once, so that a slow one leaves room for the others.
pub const RECEIVER_CONCURRENCY: usize = 5;

/// The owner of a receiver's secrets, to which the stored ones are bound.
#[must_use]
pub fn secret_owner(scope: &Scope, id: &WebhookId) -> String {
    format!("{}#{}#{id}", scope.tenant, scope.mode)
}

/// A receiver of events.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Webhook")]
pub struct WebhookOut {
    #[serde(flatten)]
    receiver: ReceiverOut,
    /// The last four characters of a secret of at least 24.
    secret_hint: Option<String>,
    /// What may go wrong with the secret, only in the answer that took it; absent if nothing may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WebhookWarning>,
}

wire_enum! {
    /// What may go wrong with what was taken.
    pub enum WebhookWarningCode {
        /// The secret is base64 without `whsec_`: it signs by its text, and libraries decode it.
        UnprefixedBase64 => "UNPREFIXED_BASE64",
    }
}

/// What may go wrong with a field that was taken.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WebhookWarning")]
pub struct WebhookWarning {
    /// The field.
    field: String,
    /// What it is.
    code: WebhookWarningCode,
    /// For a person.
    message: String,
}

impl WebhookWarning {
    /// Of a secret that libraries decode and this service does not.
    #[must_use]
    pub fn unprefixed_base64() -> Self {
        let message = "is base64 without whsec_: deliveries are signed with its characters, and libraries of Standard Webhooks decode it. Put whsec_ before base64 of 24 to 64 bytes, or tell the library that the secret is raw.";
        Self { field: "secret".into(), code: WebhookWarningCode::UnprefixedBase64, message: message.into() }
    }
}

/// A receiver of events, as events tell of it: without anything of its secret.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Receiver")]
pub struct ReceiverOut {
    /// Its id.
    webhook_id: WebhookId,
    /// Where it listens; of a Slack channel, whose address is a secret, the host, `…` and the last four characters.
    url: String,
    /// The format of its deliveries.
    #[serde(default = "events")]
    format: WebhookFormat,
    /// The kinds of events that it gets; `*` is all of them.
    #[schemars(with = "Vec<SubscribedKind>")]
    events: Vec<String>,
    /// For people.
    description: Option<String>,
    /// Whether it is sent anything.
    status: WebhookStatus,
    /// Why it is disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<DisabledReason>,
    /// When it was registered.
    created_at: Timestamp,
    /// When it was last changed by somebody, or disabled.
    updated_at: Timestamp,
    /// When it was last tried.
    last_delivery_at: Option<Timestamp>,
    /// The HTTP status of the newest attempt; null where it had no answer, or there was none yet.
    last_status: Option<u16>,
    /// Failures since the last success.
    consecutive_failures: u32,
}

/// The format of a receiver in an answer that was kept before there was another.
const fn events() -> WebhookFormat {
    WebhookFormat::Events
}

impl WebhookOut {
    /// Its id.
    #[must_use]
    pub const fn webhook_id(&self) -> &WebhookId {
        &self.receiver.webhook_id
    }

    /// The receiver in the answer that took its secret.
    #[must_use]
    pub fn with_warnings(self, warnings: Vec<WebhookWarning>) -> Self {
        Self { warnings, ..self }
    }
}

impl From<Webhook> for WebhookOut {
    fn from(webhook: Webhook) -> Self {
        Self { secret_hint: webhook.secret_hint.clone(), receiver: webhook.into(), warnings: Vec::new() }
    }
}

impl From<Webhook> for ReceiverOut {
    fn from(webhook: Webhook) -> Self {
        Self {
            url: webhook.shown_url(),
            webhook_id: webhook.webhook_id,
            format: webhook.format,
            events: webhook.events.names().into_iter().map(str::to_owned).collect(),
            description: webhook.description,
            status: webhook.status,
            disabled_reason: webhook.disabled_reason,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            last_delivery_at: webhook.health.last_delivery_at,
            last_status: webhook.health.last_status,
            consecutive_failures: webhook.health.consecutive_failures,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_a_secret_shows_its_host_and_its_end() {
        for (url, shown) in [
            ("https://hooks.slack.com/services/T0/B0/abcdefWXYZ", "https://hooks.slack.com/…WXYZ"),
            ("https://u:p@chat.example:8443/hooks/abcdefWXYZ?key=secret#x", "https://chat.example:8443/…WXYZ"),
            ("https://chat.example/12345678", "https://chat.example/…"),
            ("https://chat.example", "https://chat.example/…"),
            ("nothing", ""),
        ] {
            assert_eq!(concealed(url), shown);
        }
    }

    fn parse(names: &[&str]) -> Result<Subscription, usize> {
        Subscription::parse(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_star_anywhere_is_everything_and_a_kind_counts_once() {
        assert_eq!(parse(&["entry.updated", "*"]), Ok(Subscription::All));
        let two = parse(&["entry.updated", "handover.requested", "entry.updated"]).unwrap();
        assert_eq!(two.names(), ["entry.updated", "handover.requested"]);
        assert!(two.includes(EventKind::EntryUpdated) && !two.includes(EventKind::EntryDeleted));
        assert_eq!(parse(&["entry.updated", "Entry.Updated"]), Err(1));
        assert!(EventKind::ALL.iter().all(|kind| Subscription::All.includes(*kind)));
    }
}
