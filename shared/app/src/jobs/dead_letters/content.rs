//! The content of a dead letter, in each of its forms:
//!
//! | who wrote it | where | form |
//! |---|---|---|
//! | `changes`, or the sweeper at last | `changes/` | `{"record": …, "failures": […]}` |
//! | Lambda, for a batch that it gave up on | `aws/` | `{"payload": "{\"Records\": […]}", …}` |
//! | the sweeper, for what waits for another try | `replay/` | `{"records": […]}` |
//! | the sweeper, for a record that does not parse | `unreadable/` | a record of Lambda's, or anything |
//! | the sweeper, for a due item that ends its process | `due/` | `{"item": "pk sk", …}` |
//!
//! The form alone says what it is, because a newer version may write elsewhere.

use aws::stream::Record;
use domain::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

/// The content of a dead letter.
#[derive(Debug, Clone, PartialEq)]
pub enum DeadLetter {
    Change(Box<Record>),
    /// Changes as Lambda passes them; at least one.
    Batch(Vec<Value>),
    /// The name of a due item.
    DueItem(String),
}

impl DeadLetter {
    /// Reads a dead letter.
    ///
    /// # Errors
    /// It holds nothing that can be handled; the message says so without repeating it.
    pub fn parse(content: &[u8]) -> Result<Self> {
        let content: Value = serde_json::from_slice(content).map_err(|_| Error::internal("it is not JSON"))?;
        if let Some(item) = content.get("item").and_then(Value::as_str) {
            return Ok(Self::DueItem(item.to_owned()));
        }
        if let Some(record) = content.get("record") {
            return Record::deserialize(record)
                .map(|record| Self::Change(Box::new(record)))
                .map_err(|e| unreadable(&e));
        }
        let records = records(&content)?;
        if records.is_empty() {
            return Err(Error::internal("it holds no change; discard it"));
        }
        Ok(Self::Batch(records))
    }

    /// Its changes.
    ///
    /// # Errors
    /// One of them does not parse, or it holds no change.
    pub fn changes(self) -> Result<Vec<Record>> {
        match self {
            Self::Change(record) => Ok(vec![*record]),
            Self::Batch(records) => {
                records.into_iter().map(|raw| Record::of_lambda(raw).map_err(|e| unreadable(&e))).collect()
            }
            Self::DueItem(_) => Err(Error::internal("it holds no change; discard it")),
        }
    }
}

/// The records of a batch, or the one record that the content is.
fn records(content: &Value) -> Result<Vec<Value>> {
    if content.get("dynamodb").is_some() {
        return Ok(vec![content.clone()]);
    }
    let event = match content.get("payload") {
        Some(Value::String(text)) => serde_json::from_str(text).map_err(|e| unreadable(&e))?,
        Some(payload) => payload.clone(),
        None => Value::Null,
    };
    let records = content.get("records").or_else(|| event.get("Records")).and_then(Value::as_array);
    Ok(records.cloned().unwrap_or_default())
}

fn unreadable(error: &dyn std::fmt::Display) -> Error {
    Error::internal(format!("it holds no change that can be read: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(content: &Value) -> Result<DeadLetter> {
        DeadLetter::parse(content.to_string().as_bytes())
    }

    #[test]
    fn a_dead_letter_without_a_record_is_an_error_in_every_form() {
        let empty = [
            json!({}),
            json!("text"),
            json!({"records": []}),
            json!({"records": "x"}),
            json!({"records": [7]}),
            json!({"payload": []}),
            json!({"payload": "7"}),
            json!({"payload": "{"}),
            json!({"payload": {}}),
            json!({"payload": {"Records": []}}),
            json!({"payload": "{\"Records\": [{}]}"}),
            json!({"record": {}}),
            json!({"dynamodb": {}}),
            json!({"item": "pk sk"}),
        ];
        for content in empty {
            assert!(parsed(&content).and_then(DeadLetter::changes).is_err(), "{content}");
        }
        assert!(DeadLetter::parse(b"{").is_err());
    }

    #[test]
    fn a_batch_is_read_in_every_form() {
        let records = vec![json!({"eventID": "a", "dynamodb": {"SequenceNumber": "7"}}), json!({"eventID": "b"})];
        for content in [
            json!({"version": "1.0", "payload": json!({"Records": records}).to_string()}),
            json!({"version": "1.0", "payload": {"Records": records}}),
            json!({"records": records}),
        ] {
            assert_eq!(parsed(&content).unwrap(), DeadLetter::Batch(records.clone()), "{content}");
        }
        assert_eq!(parsed(&records[0]).unwrap(), DeadLetter::Batch(records[..1].to_vec()));
    }
}
