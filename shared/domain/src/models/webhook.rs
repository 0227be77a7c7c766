//! A receiver of events: its address, its subscription, and its health.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use url::Url;

use super::{EventKind, Timestamp, WebhookId, wire_enum};

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

/// The subscription of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetiredSecret {
    /// The secret.
    pub sealed: EncryptedSecret,
    /// From this moment on it no longer signs.
    pub until: Timestamp,
}

/// How a receiver has been doing; kept apart from the receiver itself, because every attempt changes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub webhook_id: WebhookId,
    /// Where it listens.
    pub url: String,
    /// The format of its messages.
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
    pub retired_secrets: Vec<RetiredSecret>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last changed by a caller, or disabled.
    pub updated_at: Timestamp,
    /// How it has been doing.
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
