//! The bytes that receivers get: one envelope for every kind, at most [`MAX_BYTES`].
//!
//! A larger payload is cut, not refused: the longest texts first, then lists from their ends. Then `truncated` stands
//! beside `data`; the resource has the rest.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Event, disclosure};
use crate::models::{EventId, EventKind, Mode, TenantId, Timestamp};

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
    data: &'a Map<String, Value>,
    /// The fields that changed, as they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<&'a Map<String, Value>>,
    /// Longer text was cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl Event {
    /// The exact bytes that are signed and sent, at most [`MAX_BYTES`].
    #[must_use]
    pub fn payload(&self) -> Bytes {
        let draft = Self {
            data: disclosure::for_events(self.data.clone()),
            previous: self.previous.clone().map(disclosure::for_events),
            ..self.clone()
        };
        draft.bytes()
    }

    fn bytes(&self) -> Bytes {
        let whole = self.envelope(&self.data, self.previous.as_ref(), false);
        if whole.len() <= MAX_BYTES {
            return whole;
        }
        LIST_LENGTHS.iter().find_map(|length| self.cut(*length)).unwrap_or_else(|| self.minimal_envelope())
    }

    fn envelope(&self, data: &Map<String, Value>, previous: Option<&Map<String, Value>>, truncated: bool) -> Bytes {
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
        serde_json::to_vec(&envelope).unwrap_or_default().into()
    }

    /// The payload with lists of at most `list` elements and the longest texts that fit; none if none do.
    fn cut(&self, list: usize) -> Option<Bytes> {
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

    fn cut_to(&self, list: usize, text: usize) -> Bytes {
        let shorter = |fields: &Map<String, Value>| shorter_fields(fields, list, text);
        self.envelope(&shorter(&self.data), self.previous.as_ref().map(shorter).as_ref(), true)
    }

    /// The plain fields, without maps and lists, if no other cut helps.
    fn minimal_envelope(&self) -> Bytes {
        let plain = self.data.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
        let plain: Map<String, Value> = plain.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.envelope(&shorter_fields(&plain, 0, TEXT_FLOOR), None, true)
    }
}

fn shorter_fields(fields: &Map<String, Value>, list: usize, text: usize) -> Map<String, Value> {
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
