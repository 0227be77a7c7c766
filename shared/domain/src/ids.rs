//! Prefixed, sortable ids (ULIDs), opaque to clients.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::clock::Runtime;
use crate::timestamp::{Timestamp, written_as_text};

/// An id that callers name.
pub trait NamedId: Sized {
    /// The id that `text` is. A text that is none becomes the id of nothing, which was never made: what names it is
    /// answered like any id that does not exist.
    fn named(text: &str) -> Self;
}

macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident => $prefix:literal),+ $(,)?) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(String);

            written_as_text!($name, concat!("must be ", $prefix, " and a ULID"));

            impl $name {
                /// The beginning of every id of this kind.
                pub const PREFIX: &'static str = $prefix;

                /// A new id of this moment.
                pub fn generate(runtime: &Runtime) -> crate::Result<Self> {
                    let random = runtime.random()?;
                    Ok(Self::from_parts(runtime.now(), random))
                }

                /// The id of a time and 80 random bits (the lowest of `random`).
                #[must_use]
                pub fn from_parts(at: Timestamp, random: u128) -> Self {
                    let ms = u64::try_from(at.as_millis()).unwrap_or(0);
                    Self(format!("{}{}", $prefix, ulid::Ulid::from_parts(ms, random)))
                }

                /// Reads an id: the prefix and 26 characters of a canonical ULID. Nothing else ever reaches a key.
                #[must_use]
                pub fn parse(text: &str) -> Option<Self> {
                    let rest = text.strip_prefix($prefix)?;
                    let ulid = ulid::Ulid::from_string(rest).ok()?;
                    (ulid.to_string() == rest).then(|| Self(text.to_owned()))
                }

                /// The id as text.
                #[must_use]
                pub fn as_str(&self) -> &str {
                    &self.0
                }

                /// When it was made, to the millisecond.
                #[must_use]
                pub fn created_at(&self) -> Timestamp {
                    Timestamp::from_millis(i64::try_from(self.ulid().timestamp_ms()).unwrap_or(i64::MAX))
                }

                /// The ULID behind the prefix.
                #[must_use]
                pub fn ulid(&self) -> ulid::Ulid {
                    self.0.strip_prefix($prefix).and_then(|rest| ulid::Ulid::from_string(rest).ok()).unwrap_or_default()
                }
            }

            impl NamedId for $name {
                fn named(text: &str) -> Self {
                    Self::parse(text).unwrap_or_else(|| Self::from_parts(Timestamp::from_millis(0), 0))
                }
            }

            impl JsonSchema for $name {
                fn schema_name() -> Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!({
                        "type": "string",
                        "description": concat!($($doc),+).trim(),
                        // A ULID has 128 bits: of the first character, which has five, two are none of them.
                        "pattern": concat!("^", $prefix, "[0-7][0-9A-HJKMNP-TV-Z]{25}$"),
                        "examples": [concat!($prefix, "01JDB8Q7XKZ3T5V9W2Y4A6C8EG")],
                    })
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.0)
                }
            }
        )+
    };
}

ids! {
    /// The id of a conversation.
    SessionId => "ses_",
    /// The id of one turn of a conversation.
    MessageId => "msg_",
    /// The id of a request for a human.
    EscalationId => "esc_",
    /// The id of an ingest job.
    IngestId => "ing_",
    /// The id of an API key, which is no secret.
    ApiKeyId => "key_",
    /// The id of a question that every change of the wiki is tried on.
    PinId => "pin_",
    /// The id of a request, if the caller named none.
    RequestId => "req_",
    /// The id of a tenant.
    TenantId => "ten_",
    /// A widget token (`jti`).
    TokenId => "tok_",
    /// The id of a person of a tenant.
    MemberId => "mem_",
    /// The id of one sign-in of a member.
    SignInId => "sin_",
    /// The id of a saved reply.
    SavedReplyId => "rep_",
    /// The id of a proposed change of the wiki.
    DraftId => "drf_",
    /// The id of a receiver of events.
    WebhookId => "whk_",
    /// The id of something that happened; the same on every retry and for every receiver.
    EventId => "evt_",
    /// The id of an event on its way to one receiver.
    DeliveryId => "dlv_",
}

impl EventId {
    /// The event that a delivery is of.
    #[must_use]
    pub fn of_delivery(delivery: &DeliveryId) -> Self {
        Self(format!("{}{}", Self::PREFIX, delivery.ulid()))
    }
}

impl DeliveryId {
    /// The delivery of an event; its path names the receiver.
    #[must_use]
    pub fn of_event(event: &EventId) -> Self {
        Self(format!("{}{}", Self::PREFIX, event.ulid()))
    }
}

impl MessageId {
    const RANDOM_BITS_BELOW_NUMBER: u32 = 80 - 24;

    /// The id of turn `number`: its first 24 random bits are the number, so that a reader finds the turn by key.
    pub fn for_turn(runtime: &Runtime, number: u32) -> crate::Result<Self> {
        let below = u128::from(u64::from_be_bytes(runtime.bytes::<8>()?)) & ((1 << Self::RANDOM_BITS_BELOW_NUMBER) - 1);
        let number = u128::from(number & 0x00FF_FFFF);
        Ok(Self::from_parts(runtime.now(), (number << Self::RANDOM_BITS_BELOW_NUMBER) | below))
    }

    /// The number of the turn this id belongs to.
    #[must_use]
    pub fn turn_number(&self) -> u32 {
        let bits = self.ulid().random() >> Self::RANDOM_BITS_BELOW_NUMBER;
        u32::try_from(bits & 0x00FF_FFFF).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_id_carries_its_turn_number() {
        let runtime = Runtime::system();
        for number in [1, 2, 77, 65_536, 0x00FF_FFFF] {
            let id = MessageId::for_turn(&runtime, number).unwrap();
            assert_eq!(id.turn_number(), number);
            assert_eq!(MessageId::parse(id.as_str()), Some(id));
        }
    }

    #[test]
    fn the_schema_of_an_id_is_how_it_is_read() {
        let schema = schemars::schema_for!(SessionId);
        let example = schema.get("examples").unwrap()[0].as_str().unwrap();
        assert!(SessionId::parse(example).is_some());
        // The largest ULID, and what a pattern of 26 characters of the alphabet would let through.
        assert!(SessionId::parse("ses_7ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_some());
        assert!(SessionId::parse("ses_8ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_none());
    }

    #[test]
    fn only_a_canonical_id_is_an_id() {
        let good = SessionId::generate(&Runtime::system()).unwrap();
        assert_eq!(SessionId::parse(good.as_str()), Some(good.clone()));
        for bad in [
            "",
            "ses_",
            "ses_01",
            "ses_T#x",
            &good.as_str().to_lowercase(),
            &format!("{good}0"),
            &good.as_str().replace("ses_", "msg_"),
        ] {
            assert_eq!(SessionId::parse(bad), None, "{bad}");
            assert!(serde_json::from_value::<SessionId>(bad.into()).is_err(), "{bad}");
            assert_eq!(SessionId::named(bad).as_str(), "ses_00000000000000000000000000", "{bad}");
        }
        assert_eq!(SessionId::named(good.as_str()), good);
    }
}
