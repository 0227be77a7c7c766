//! Spelling suggestions: the words of the vocabulary that differ little from a word.

use serde_json::{Map, Value, json};

use super::shard::Shard;

/// The suggestions for each of `wanted`, by its name.
pub(super) fn suggest<'a>(shards: impl Iterator<Item = &'a Shard> + Clone, wanted: &Value) -> Value {
    let wanted = wanted.as_object().into_iter().flatten();
    Value::Object(wanted.map(|(name, one)| (name.clone(), suggestion(shards.clone(), one))).collect::<Map<_, _>>())
}

fn suggestion<'a>(shards: impl Iterator<Item = &'a Shard>, wanted: &Value) -> Value {
    let number = |name: &str| {
        let number = wanted.pointer(&format!("/term/{name}")).and_then(Value::as_u64);
        usize::try_from(number.unwrap_or_default()).unwrap_or_default()
    };
    let text = wanted.get("text").and_then(Value::as_str).unwrap_or_default();
    let (edits, kept) = (number("max_edits"), number("prefix_length"));
    let kept: String = text.chars().take(kept).collect();
    let rest = text.strip_prefix(&kept).unwrap_or_default();
    let length = rest.chars().count();
    let mut near: Vec<(usize, &str, u64)> = Vec::new();
    for shard in shards {
        let known = shard.vocabulary(&kept).filter(|(word, _)| *word != text);
        near.extend(known.filter_map(|(word, freq)| {
            // The beginning that both share makes no difference.
            let other = word.strip_prefix(&kept)?;
            let may_be_near = other.chars().count().abs_diff(length) <= edits;
            let distance = may_be_near.then(|| strsim::osa_distance(other, rest))?;
            (distance <= edits).then_some((distance, word, freq))
        }));
    }
    near.sort_by_key(|(edits, _, freq)| (*edits, std::cmp::Reverse(*freq)));
    let options = near.into_iter().take(number("size")).map(|(_, word, freq)| json!({"text": word, "freq": freq}));
    json!([{"text": text, "options": options.collect::<Vec<_>>()}])
}
