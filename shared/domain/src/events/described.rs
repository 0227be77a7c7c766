//! The schema of events: one for each kind, with the type of its `data`. Only tests ask for it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::data::{DeletedEntryData, ReactionData, TurnData, UnansweredData};
use super::payload::Envelope;
use crate::models::{EventId, EventKind, Mode, TenantId, Timestamp};
use crate::wire::{EntryOut, EscalationOut, IngestOut, ReceiverOut, SessionOut};

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
