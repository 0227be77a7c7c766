//! Values of the table under another id.

use aws_sdk_dynamodb::types::AttributeValue;

/// The value with another id in the place of `id`.
pub(super) fn renamed(value: &AttributeValue, id: &str, other: &str) -> AttributeValue {
    match value {
        AttributeValue::S(text) => AttributeValue::S(text.replace(id, other)),
        AttributeValue::L(values) => AttributeValue::L(values.iter().map(|value| renamed(value, id, other)).collect()),
        AttributeValue::M(map) => {
            AttributeValue::M(map.iter().map(|(name, value)| (name.clone(), renamed(value, id, other))).collect())
        }
        other => other.clone(),
    }
}
