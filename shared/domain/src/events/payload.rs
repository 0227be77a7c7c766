//! The bytes that receivers get: one envelope for every kind, at most [`MAX_BYTES`], and its schema; or one line for a Slack
//! channel.
//!
//! A larger payload is cut, not refused: the longest texts first, then lists from their ends. Then `truncated` stands
//! beside `data`; the resource has the rest.
//!
//! An event goes to all receivers of a tenant, and the query or user part of an address is often a password: events have
//! neither these nor anything of a secret. A line for Slack has nothing that a customer wrote.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use crate::events::{DeletedEntryData, Event, Fields, ReactionData, TurnData, UnansweredData};
use crate::models::{EventId, EventKind, Mode, OutgoingEvent, SessionId, TenantId, Timestamp, WebhookFormat};
use crate::wire::{EntryOut, EscalationOut, IngestOut, ReceiverOut, SessionOut};

/// The largest payload; Standard Webhooks recommends this limit.
pub const MAX_BYTES: usize = 20 * 1024;

/// How many elements of a list are kept, step by step, until the rest fits.
const LIST_LENGTHS: [usize; 5] = [usize::MAX, 200, 50, 10, 0];
/// Texts are not cut below this many bytes of JSON as long as shorter lists help.
const TEXT_FLOOR: usize = 256;

/// The body that a receiver of events gets, signed by Standard Webhooks 1.0.0.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<'a> {
    /// The event, the same on every attempt.
    id: &'a EventId,
    /// The kind of the event.
    r#type: EventKind,
    /// When it happened.
    timestamp: Timestamp,
    /// Which half of the tenant's data it is about.
    mode: Mode,
    tenant_id: &'a TenantId,
    /// The resource after the change.
    data: &'a Fields,
    /// The fields that changed, as they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<&'a Fields>,
    /// Longer text was cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl Event {
    /// The event in the form for a receiver of `format`. A line for Slack names the place in the desk at `desk_url`.
    #[must_use]
    pub fn outgoing(&self, format: WebhookFormat, desk_url: Option<&str>) -> OutgoingEvent {
        OutgoingEvent {
            event_id: self.id.clone(),
            kind: self.kind,
            at: self.at,
            session_id: self.data.get("sessionId").and_then(Value::as_str).and_then(SessionId::parse),
            body: match format {
                WebhookFormat::Events => self.payload(),
                WebhookFormat::Slack => json!({"text": line(self, desk_url)}).to_string(),
            },
        }
    }

    /// The exact bytes that are signed and sent, at most [`MAX_BYTES`].
    pub(super) fn payload(&self) -> String {
        let event = Self {
            data: for_events(self.data.clone()),
            previous: self.previous.clone().map(for_events),
            ..self.clone()
        };
        let whole = event.envelope(&event.data, event.previous.as_ref(), false);
        if whole.len() <= MAX_BYTES {
            return whole;
        }
        LIST_LENGTHS.iter().find_map(|length| event.cut(*length)).unwrap_or_else(|| event.minimal_envelope())
    }

    fn envelope(&self, data: &Fields, previous: Option<&Fields>, truncated: bool) -> String {
        let envelope = Envelope {
            id: &self.id,
            r#type: self.kind,
            timestamp: self.at,
            mode: self.scope.mode,
            tenant_id: &self.scope.tenant,
            data,
            previous,
            truncated,
        };
        // Text keys and plain values always serialise.
        serde_json::to_string(&envelope).unwrap_or_default()
    }

    /// The payload with lists of at most `list` elements and the longest texts that fit; none if none do.
    fn cut(&self, list: usize) -> Option<String> {
        let (mut fits, mut too_long) = (self.cut_to(list, TEXT_FLOOR), MAX_BYTES);
        if fits.len() > MAX_BYTES {
            return None;
        }
        let mut length = TEXT_FLOOR;
        while too_long - length > 16 {
            let middle = length.midpoint(too_long);
            let tried = self.cut_to(list, middle);
            if tried.len() <= MAX_BYTES {
                (fits, length) = (tried, middle);
            } else {
                too_long = middle;
            }
        }
        Some(fits)
    }

    fn cut_to(&self, list: usize, text: usize) -> String {
        let shorter = |fields: &Fields| shorter_fields(fields, list, text);
        self.envelope(&shorter(&self.data), self.previous.as_ref().map(shorter).as_ref(), true)
    }

    /// The plain fields, without maps and lists, if no other cut helps.
    fn minimal_envelope(&self) -> String {
        let plain = self.data.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
        let plain: Fields = plain.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.envelope(&shorter_fields(&plain, 0, TEXT_FLOOR), None, true)
    }
}

fn shorter_fields(fields: &Fields, list: usize, text: usize) -> Fields {
    fields.iter().map(|(name, value)| (name.clone(), shorter(value, list, text))).collect()
}

fn shorter(value: &Value, list: usize, text: usize) -> Value {
    match value {
        Value::String(long) => Value::String(cut_text(long, text).to_owned()),
        Value::Array(items) => items.iter().take(list).map(|item| shorter(item, list, text)).collect(),
        Value::Object(fields) => Value::Object(shorter_fields(fields, list, text)),
        plain => plain.clone(),
    }
}

/// The beginning of a text that takes at most `bytes` of JSON.
fn cut_text(text: &str, bytes: usize) -> &str {
    let mut written = 0;
    for (at, character) in text.char_indices() {
        written += json_length(character);
        if written > bytes {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

const fn json_length(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\u{0}'..='\u{1f}' => 6,
        _ => character.len_utf8(),
    }
}

/// The fields that hold an address: a receiver's, an ingested page's, and below `source` an entry's.
const ADDRESS: &str = "url";
/// The object of an entry that holds one, too.
const SOURCE: &str = "source";
/// The end of a receiver's secret.
const SECRET_HINT: &str = "secretHint";

/// The fields of a resource as events carry them: without a secret's hint, and without query, fragment and user part
/// of an address.
fn for_events(mut fields: Fields) -> Fields {
    fields.remove(SECRET_HINT);
    shorten(&mut fields);
    if let Some(Value::Object(source)) = fields.get_mut(SOURCE) {
        shorten(source);
    }
    fields
}

fn shorten(fields: &mut Fields) {
    if let Some(Value::String(address)) = fields.get_mut(ADDRESS)
        && address.contains(['?', '#', '@'])
    {
        *address = without_query_and_user(address).unwrap_or_default();
    }
}

/// None for an invalid address: nothing is safer than a part too many.
fn without_query_and_user(address: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url.into())
}

fn line(event: &Event, desk_url: Option<&str>) -> String {
    let said = said(event.kind, &event.data);
    let escalation = event.data.get("escalationId").and_then(Value::as_str);
    match (desk_url.filter(|_| event.scope.mode == Mode::Live), escalation) {
        (Some(desk), Some(id)) => format!("{said} {}/inbox/{id}", desk.trim_end_matches('/')),
        _ => said,
    }
}

fn said(kind: EventKind, data: &Fields) -> String {
    let agent = data.get("claimedBy").and_then(|agent| agent.get("name")).and_then(Value::as_str);
    let agent = agent.map_or_else(|| "An agent".to_owned(), escaped);
    match kind {
        EventKind::HandoverRequested if data.get("priority").is_some_and(|priority| priority == "high") => {
            "A customer asks for a person, with high priority.".to_owned()
        }
        EventKind::HandoverRequested => "A customer asks for a person.".to_owned(),
        EventKind::HandoverWaiting => "A customer is still waiting for a person.".to_owned(),
        EventKind::HandoverClaimed => format!("{agent} has taken over a customer."),
        EventKind::HandoverReleased if data.get("releaseReason").is_some_and(|reason| reason == "lapsed") => {
            "A claim lapsed, and its customer is back in the queue.".to_owned()
        }
        EventKind::HandoverReleased => "A customer is back in the queue.".to_owned(),
        EventKind::HandoverReturned => format!("{agent} has given a customer back to the assistant."),
        EventKind::HandoverResolved => format!("{agent} has resolved a customer's request."),
        EventKind::HandoverCancelled => "A customer no longer waits for a person.".to_owned(),
        EventKind::RatingCreated => {
            let score = data.get("rating").and_then(|rating| rating.get("score")).and_then(Value::as_u64);
            format!("A customer rated the help: {} of 5.", score.unwrap_or_default())
        }
        EventKind::WebhookTest => "This is a test of the notices from the support desk.".to_owned(),
        other => format!("The support desk reports {other}."),
    }
}

/// The name of an agent in Slack's text, in which three characters have a meaning.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl JsonSchema for Envelope<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds = EventKind::ALL.iter().map(|kind| {
            let (name, schema) = (name_of(*kind), event(*kind, generator));
            generator.definitions_mut().insert(name.clone(), schema.into());
            json!({"$ref": format!("#/components/schemas/{name}")})
        });
        let kinds: Vec<_> = kinds.collect();
        json_schema!({
            "description": "What a receiver of events gets, signed by Standard Webhooks 1.0.0; `type` says which of them.",
            "oneOf": kinds,
        })
    }
}

/// `SessionCreatedEvent` of `session.created`.
fn name_of(kind: EventKind) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    };
    kind.as_str().split('.').map(capital).chain(["Event".to_owned()]).collect()
}

fn event(kind: EventKind, generator: &mut SchemaGenerator) -> Schema {
    let data = with_description(data_of(kind, generator), "The resource after the change.");
    let previous = json!({
        "type": "object", "additionalProperties": true,
        "description": "The fields of `data` that changed, as they were; null for those that were not there.",
    });
    json_schema!({
        "type": "object",
        "description": format!("An event `{kind}`."),
        "required": ["id", "type", "timestamp", "mode", "tenantId", "data"],
        "properties": {
            "id": with_description(generator.subschema_for::<EventId>(), "The event, the same on every attempt."),
            "type": {"type": "string", "const": kind.as_str(), "description": "What happened."},
            "timestamp": with_description(generator.subschema_for::<Timestamp>(), "When it happened."),
            "mode": with_description(generator.subschema_for::<Mode>(), "Which half of the tenant's data it is about."),
            "tenantId": with_description(generator.subschema_for::<TenantId>(), "Whose it is."),
            "data": data,
            "previous": previous,
            "truncated": {"type": "boolean", "description": "True where longer texts and lists were cut."},
        },
    })
}

fn with_description(mut schema: Schema, about: &str) -> Schema {
    schema.insert("description".into(), about.into());
    schema
}

/// The type of `data`.
fn data_of(kind: EventKind, generator: &mut SchemaGenerator) -> Schema {
    match kind {
        EventKind::SessionCreated | EventKind::SessionClosed | EventKind::SessionResumed => {
            generator.subschema_for::<SessionOut>()
        }
        EventKind::MessageCreated => generator.subschema_for::<TurnData>(),
        EventKind::AnswerUnanswered => generator.subschema_for::<UnansweredData>(),
        EventKind::ReactionCreated => generator.subschema_for::<ReactionData>(),
        EventKind::HandoverRequested
        | EventKind::HandoverClaimed
        | EventKind::HandoverTransferred
        | EventKind::HandoverReopened
        | EventKind::HandoverReleased
        | EventKind::HandoverReturned
        | EventKind::HandoverResolved
        | EventKind::HandoverCancelled
        | EventKind::HandoverWaiting
        | EventKind::RatingCreated => generator.subschema_for::<EscalationOut>(),
        EventKind::EntryCreated | EventKind::EntryUpdated => generator.subschema_for::<EntryOut>(),
        EventKind::EntryDeleted => generator.subschema_for::<DeletedEntryData<'static>>(),
        EventKind::IngestCompleted | EventKind::IngestFailed => generator.subschema_for::<IngestOut>(),
        EventKind::WebhookDisabled | EventKind::WebhookTest => generator.subschema_for::<ReceiverOut>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Scope;

    #[test]
    fn a_line_says_what_happened_and_nothing_that_a_customer_wrote() {
        let data = json!({
            "escalationId": "esc_1", "reason": "SECRET", "summary": "SECRET", "customer": {"name": "SECRET"},
            "claimedBy": {"agentId": "a", "name": "Ann <b> & Co"}, "priority": "high",
            "rating": {"score": 4, "comment": "SECRET"},
        });
        let Value::Object(data) = data else { unreachable!() };
        let kinds = EventKind::ALL.iter().filter(|kind| kind.is_of_people());
        let lines: Vec<String> = kinds.map(|kind| said(*kind, &data)).collect();
        assert!(
            lines.len() >= 9 && lines.iter().all(|line| !line.contains("SECRET") && !line.contains('\n')),
            "{lines:?}"
        );
        assert!(lines.contains(&"Ann &lt;b&gt; &amp; Co has taken over a customer.".to_owned()), "{lines:?}");
        let event = Event {
            id: EventId::parse("evt_01JDB8Q7XKZ3T5V9W2Y4A6C8EG").unwrap(),
            kind: EventKind::HandoverWaiting,
            at: Timestamp::from_millis(1),
            scope: Scope { tenant: TenantId::parse("ten_01JDB8Q7XKZ3T5V9W2Y4A6C8EG").unwrap(), mode: Mode::Live },
            data: data.clone(),
            previous: None,
        };
        let waits = "A customer is still waiting for a person.";
        for desk in ["https://desk.example/desk/", "https://desk.example/desk"] {
            assert_eq!(line(&event, Some(desk)), format!("{waits} https://desk.example/desk/inbox/esc_1"));
        }
        assert_eq!(line(&event, None), waits);
        let scope = Scope { mode: Mode::Test, ..event.scope.clone() };
        assert_eq!(line(&Event { scope, ..event }, Some("https://desk.example/desk/")), waits);
        assert!(lines.contains(&"A customer rated the help: 4 of 5.".to_owned()), "{lines:?}");
    }

    #[test]
    fn query_fragment_and_user_are_left_out_and_the_rest_stays() {
        for (given, draft) in [
            ("https://a.example/hook", "https://a.example/hook"),
            ("https://a.example", "https://a.example"),
            ("https://a.example/hook?token=s3cret", "https://a.example/hook"),
            ("https://u:p@a.example:8443/x?y#z", "https://a.example:8443/x"),
            ("https://a.example/@u/x", "https://a.example/@u/x"),
            ("no address?s3cret", ""),
        ] {
            let fields = json!({"url": given, "source": {"type": "ingest", "url": given}, "secretHint": "cret"});
            let Value::Object(fields) = fields else { unreachable!() };
            let expected = json!({"url": draft, "source": {"type": "ingest", "url": draft}});
            assert_eq!(Value::Object(for_events(fields)), expected);
        }
    }
}
