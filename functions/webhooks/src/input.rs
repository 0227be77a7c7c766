//! The request bodies of receivers.

use domain::Error;
use domain::Secret;
use domain::error::DetailCode;
use domain::models::{EventKind, SubscribedKind, Subscription, WebhookFormat};
use domain::webhooks::signature;
use domain::wire::WebhookWarning;
use edge::input::{FieldPath, Format, Text, line, list, within};
use outbound::{OutboundPolicy, OutboundUrl, UrlError};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

/// The most kinds that may be named.
const MAX_KINDS: usize = 50;
/// A secret (contract, section 8).
const SECRET: Text = line(8, 256);
/// A description (a limit of ours).
pub(crate) const DESCRIPTION: Text = within(domain::limits::WEBHOOK_DESCRIPTION);

/// Checks the syntax only; [`check_url`] applies the policy of this service.
const SYNTAX_ONLY_POLICY: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

/// Parses a URL, without the check whether this service may call it.
pub(crate) fn parse_url(text: &str) -> Result<OutboundUrl, &'static str> {
    OutboundUrl::parse(text, &SYNTAX_ONLY_POLICY).map_err(UrlError::message)
}

/// The address, if this service may call it.
pub(crate) fn check_url(url: &OutboundUrl, policy: &OutboundPolicy) -> domain::Result<OutboundUrl> {
    let invalid = |error: UrlError| Error::invalid("url", DetailCode::InvalidFormat, error.message());
    OutboundUrl::parse(url.as_str(), policy).map_err(invalid)
}

/// Refuses kinds that a receiver of `format` is not sent.
pub(crate) fn check_format(format: WebhookFormat, events: &Subscription) -> domain::Result<()> {
    if format.takes(events) {
        return Ok(());
    }
    let allowed = "a Slack channel is sent handover kinds, rating.created and webhook.test only";
    Err(Error::invalid("events", DetailCode::NotAllowed, allowed))
}

/// How much of a secret its hint shows, in characters.
const HINT_CHARS: usize = 4;
/// The shortest secret that has a hint, in characters.
const MIN_HINT_SECRET_CHARS: usize = 24;

/// The kinds of events: at least one name, each of them known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds;

impl Format for Kinds {
    type Value = Subscription;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Subscription> {
        let names = list(MAX_KINDS, line(1, 100)).read(value, at)?;
        if names.is_empty() {
            return at.refuse(DetailCode::TooFew, "must name at least one kind");
        }
        let known = || EventKind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
        let unknown =
            |position| at.item(position).problem(DetailCode::NotAllowed, format!("must be *, or one of {}", known()));
        Subscription::parse(&names).map_err(unknown).ok()
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<SubscribedKind>();
        json_schema!({"type": "array", "minItems": 1, "maxItems": MAX_KINDS, "items": item})
    }
}

/// A secret; nothing of it stands in a complaint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SecretFormat;

impl Format for SecretFormat {
    type Value = Secret;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Secret> {
        let secret = SECRET.read(value, at)?;
        match signature::check_secret(&secret) {
            Ok(()) => Some(Secret::new(secret)),
            Err(message) => at.refuse(DetailCode::InvalidSecret, message),
        }
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        SECRET.schema(generator)
    }
}

/// Warnings of a secret that is taken, for its maker.
pub(crate) fn secret_warnings(secret: &Secret) -> Vec<WebhookWarning> {
    signature::is_unprefixed_base64(secret.expose()).then(WebhookWarning::unprefixed_base64).into_iter().collect()
}

/// The last four characters of a secret, so that people can tell secrets apart; none for a secret of which four
/// characters would reveal too much.
pub(crate) fn secret_hint(secret: &Secret) -> Option<String> {
    let characters: Vec<char> = secret.expose().chars().collect();
    let hint = characters.get(characters.len().saturating_sub(HINT_CHARS)..)?;
    (characters.len() >= MIN_HINT_SECRET_CHARS).then(|| hint.iter().collect())
}
