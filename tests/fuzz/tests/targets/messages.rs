//! Queued messages and records of the table's stream.

use aws::queue::Task;
use serde_json::{Value, json};
use support::changes::table::read_change;
use support::table::stream::Record;

/// A text that people wrote: no error repeats it.
const PRIVATE: &str = "the parcel of Mrs Abernathy";

#[test]
fn queued_tasks() {
    let task = json!({"v": 1, "task": "deliver", "tenantId": "ten_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "mode": "live",
        "webhookId": "whk_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "eventId": "evt_01JDB8Q7XKZ3T5V9W2Y4A6C8EG",
        "ingestId": "ing_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "path": "billing/refunds", "more": PRIVATE});
    assert!(Task::parse(&task.to_string()).is_ok());
    fuzz::mutations!(task, |value: &Value| {
        for name in ["deliver", "ingest", "embed", "other"] {
            let mut value = value.clone();
            if let Some(fields) = value.as_object_mut() {
                fields.insert("task".into(), name.into());
            }
            match Task::parse(&value.to_string()) {
                Ok(task) => assert_eq!(Task::parse(&task.to_body()).unwrap(), task),
                Err(error) => assert!(!error.to_string().contains(PRIVATE), "{error}"),
            }
        }
    });
}

#[test]
fn queued_text() {
    fuzz::texts!(&["{", "}", "\"v\":1", "\"task\":\"embed\"", ",", "[", "1e999", "\\u0000"], |text| {
        assert!(Task::parse(text).is_err());
    });
}

#[test]
fn stream_records() {
    let key = json!({"pk": {"S": "ten_01JDB8Q7XKZ3T5V9W2Y4A6C8EG#live#WIKI"}, "sk": {"S": "billing/refunds"}});
    let entry = json!({"pk": key["pk"], "sk": key["sk"], "kind": {"S": "entry"}, "path": {"S": "billing/refunds"},
        "version": {"N": "3"}, "title": {"S": PRIVATE}, "content": {"S": PRIVATE}, "visibility": {"S": "public"},
        "tags": {"L": [{"S": "a"}]}, "createdAt": {"S": "2026-01-02T00:00:00.000Z"}, "deleted": {"BOOL": false},
        "updatedAt": {"S": "2026-01-02T00:00:00.000Z"}, "createdBy": {"S": "k"}, "updatedBy": {"S": "k"},
        "source": {"M": {"type": {"S": "manual"}}}, "createToken": {"S": "c"}, "writeToken": {"S": "w"}});
    let record = json!({"eventID": "e1", "eventName": "MODIFY", "dynamodb": {
        "ApproximateCreationDateTime": 1_780_000_000.5, "Keys": key, "OldImage": entry, "NewImage": entry,
        "SequenceNumber": "7"}});
    fuzz::mutations!(record, |value: &Value| {
        for kind in ["entry", "session", "turn", "escalation", "gap", "webhook", "delivery"] {
            let mut value = value.clone();
            for image in ["/dynamodb/NewImage/kind/S", "/dynamodb/OldImage/kind/S"] {
                if let Some(place) = value.pointer_mut(image) {
                    *place = kind.into();
                }
            }
            let read = Record::of_lambda(value).and_then(|record| {
                assert!(record.item_key().len() < 20_000 && record.kind().len() < 10_000);
                read_change(&record)
            });
            if let Err(error) = read {
                assert!(!error.to_string().contains(PRIVATE), "{error}");
            }
        }
    });
}
