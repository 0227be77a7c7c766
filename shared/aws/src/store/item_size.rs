//! How large an item is, about as DynamoDB counts it.

use aws_sdk_dynamodb::types::AttributeValue;

use super::table::Item;

/// The bytes of an item's names and values.
pub(crate) fn item_bytes(item: &Item) -> usize {
    let mut bytes = lengths(item.keys());
    let mut left: Vec<&AttributeValue> = item.values().collect();
    while let Some(value) = left.pop() {
        bytes += match value {
            AttributeValue::S(text) | AttributeValue::N(text) => text.len(),
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            AttributeValue::Ss(texts) | AttributeValue::Ns(texts) => lengths(texts.iter()),
            AttributeValue::L(values) => {
                left.extend(values);
                values.len()
            }
            AttributeValue::M(map) => {
                left.extend(map.values());
                map.len() + lengths(map.keys())
            }
            _ => 1,
        };
    }
    bytes
}

fn lengths<'a>(texts: impl Iterator<Item = &'a String>) -> usize {
    texts.map(String::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_count_however_deep() {
        let text = |text: &str| AttributeValue::S(text.into());
        let mut value = text("12345");
        for _ in 0..1_000 {
            value = AttributeValue::L(vec![value]);
        }
        assert_eq!(item_bytes(&Item::from([("pk".into(), text("abc")), ("list".into(), value)])), 1_014);
        let map = AttributeValue::M([("name".to_owned(), AttributeValue::N("12".into()))].into());
        assert_eq!(
            item_bytes(&Item::from([("m".into(), map), ("b".into(), AttributeValue::Bool(true))])),
            1 + 7 + 1 + 1
        );
    }
}
