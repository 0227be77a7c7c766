//! A change of the table as its stream reports it, on AWS and locally.
//!
//! On AWS Lambda passes its own event ([`Record::of_lambda`]), locally the SDK reads the stream. Both become a
//! [`Record`], and `changes` knows nothing else. Images stay DynamoDB items: only the consumers of
//! changes read them, and a record that cannot be read becomes a dead letter, unchanged.

use domain::models::Timestamp;
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::ItemKind;

/// Attributes by name, as DynamoDB has them.
pub use serde_dynamo::Item;

/// Values of an item's `kind` that anything follows from. The event source's filter lets only those pass, the local
/// reader does the same, and a test holds the template to it.
pub const CONSUMED_KINDS: [ItemKind; 7] = [
    ItemKind::Entry,
    ItemKind::Escalation,
    ItemKind::IngestJob,
    ItemKind::Session,
    ItemKind::Settings,
    ItemKind::Turn,
    ItemKind::Webhook,
];

/// One change of one item.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The stream's own name of it, the same whenever it is read again.
    pub event_id: String,
    /// Its place in its shard.
    pub sequence: String,
    /// When, as the stream says: often to the second only.
    pub at: Timestamp,
    /// The item's key.
    pub keys: Item,
    /// The item before; none if it was made.
    pub old: Option<Item>,
    /// The item after; none if it was deleted.
    pub new: Option<Item>,
}

/// A record of a Lambda event, as far as anything follows from it.
#[derive(Deserialize)]
struct LambdaRecord {
    #[serde(rename = "eventID")]
    event_id: String,
    dynamodb: LambdaChange,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct LambdaChange {
    /// Seconds since 1970, with or without a fraction.
    approximate_creation_date_time: f64,
    keys: Item,
    old_image: Option<Item>,
    new_image: Option<Item>,
    sequence_number: String,
}

impl Record {
    /// Parses one of the `Records` of Lambda's event of a DynamoDB stream.
    ///
    /// # Errors
    /// An internal error if it is not such a record; it contains nothing that people wrote.
    pub fn of_lambda(record: serde_json::Value) -> Result<Self> {
        let LambdaRecord { event_id, dynamodb } = serde_json::from_value(record)
            .map_err(|e| Error::internal(format!("a stream record does not read: {:?}", e.classify())))?;
        Ok(Self {
            event_id,
            sequence: dynamodb.sequence_number,
            at: seconds(dynamodb.approximate_creation_date_time),
            keys: dynamodb.keys,
            old: dynamodb.old_image,
            new: dynamodb.new_image,
        })
    }

    /// The item's `kind`; empty if it has none.
    #[must_use]
    pub fn kind(&self) -> &str {
        let image = self.new.as_ref().or(self.old.as_ref());
        image.and_then(|image| text(image, "kind")).unwrap_or_default()
    }

    /// The kind of the item; none if this version knows no such kind.
    #[must_use]
    pub fn item_kind(&self) -> Option<ItemKind> {
        ItemKind::parse(self.kind())
    }

    /// Whether the event source's filter lets it pass: the image after the change is of a kind that is followed.
    #[must_use]
    pub fn is_consumed(&self) -> bool {
        let kind = self.new.as_ref().and_then(|image| text(image, "kind"));
        kind.and_then(ItemKind::parse).is_some_and(|kind| CONSUMED_KINDS.contains(&kind))
    }

    /// The item's key as one text: changes of one item are handled in order.
    #[must_use]
    pub fn item_key(&self) -> String {
        let part = |name| text(&self.keys, name).unwrap_or_default();
        format!("{}\n{}", part("pk"), part("sk"))
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a moment in milliseconds fits")]
fn seconds(at: f64) -> Timestamp {
    Timestamp::from_millis((at * 1_000.0) as i64)
}

/// A string attribute.
pub(crate) fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    match item.get(name) {
        Some(serde_dynamo::AttributeValue::S(text)) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_a_lambda_event_is_read_and_written_back_whole() {
        let event = serde_json::json!({
            "eventID": "c4ca4238a0b923820dcc509a6f75849b", "eventName": "MODIFY", "eventVersion": "1.1",
            "eventSource": "aws:dynamodb", "awsRegion": "eu-west-1",
            "dynamodb": {
                "ApproximateCreationDateTime": 1_767_323_045.0,
                "Keys": {"pk": {"S": "ten#live#WIKI"}, "sk": {"S": "a/b"}},
                "OldImage": {"kind": {"S": "entry"}, "version": {"N": "1"}},
                "NewImage": {"kind": {"S": "entry"}, "version": {"N": "2"}, "tags": {"L": [{"S": "x"}]}},
                "SequenceNumber": "4421584500000000017450439091", "SizeBytes": 26,
                "StreamViewType": "NEW_AND_OLD_IMAGES",
            },
            "eventSourceARN": "arn:aws:dynamodb:eu-west-1:1:table/t/stream/x",
        });
        let record = Record::of_lambda(event).unwrap();
        assert_eq!(record.sequence, "4421584500000000017450439091");
        assert_eq!(record.at.to_string(), "2026-01-02T03:04:05.000Z");
        assert_eq!((record.kind(), record.is_consumed()), ("entry", true));
        assert_eq!(record.item_key(), "ten#live#WIKI\na/b");
        let kept = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&kept).unwrap(), record);
    }

    #[test]
    fn an_unreadable_record_is_refused_without_repeating_it() {
        let error = Record::of_lambda(serde_json::json!({"eventID": 7, "said": "secret"})).unwrap_err();
        assert!(!error.to_string().contains("secret"));
    }

    #[test]
    fn a_deletion_and_an_unknown_kind_are_not_followed() {
        let item = |kind: &str| serde_json::from_value(serde_json::json!({"kind": {"S": kind}})).unwrap();
        let record = |old: Option<Item>, new: Option<Item>| Record {
            event_id: String::new(),
            sequence: String::new(),
            at: Timestamp::default(),
            keys: Item::default(),
            old,
            new,
        };
        assert!(!record(Some(item("turn")), None).is_consumed());
        assert!(!record(None, Some(item("marker"))).is_consumed());
        assert!(record(None, Some(item("turn"))).is_consumed());
    }
}
