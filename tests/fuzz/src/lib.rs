//! Fuzzing: properties of the code that reads what others wrote, on generated inputs and a kept corpus.
//!
//! [`texts!`] and [`mutations!`] make a test of a property. `cargo test` runs it on the files of
//! `__fuzz__/TEST/corpus` and `__fuzz__/TEST/crashes` beside the test, and for a second on random inputs.
//! `BOLERO_RANDOM_TEST_TIME_MS` makes that longer. `cargo bolero test` runs it with coverage feedback (CONTRIBUTING.md).

use serde_json::{Value, json};

pub use bolero;

/// Checks a property of texts, `|text: &str| …`. The texts are UTF-8 in which each other byte stands for one of
/// `words`: a file of the corpus reads as it is, and random bytes become sequences of what the code looks for.
#[macro_export]
macro_rules! texts {
    ($words:expr, $property:expr) => {
        $crate::bolero::check!().with_max_len(512).for_each(|bytes: &[u8]| {
            let property: fn(&str) = $property;
            property(&$crate::text_of(bytes, $words));
        })
    };
}

/// Checks a property of JSON, `|value: &Value| …`: the valid value `$valid` in which some values and fields are others.
#[macro_export]
macro_rules! mutations {
    ($valid:expr, $property:expr) => {{
        let valid: serde_json::Value = $valid;
        $crate::bolero::check!().with_max_len(12).for_each(|bytes: &[u8]| {
            let property: fn(&serde_json::Value) = $property;
            property(&$crate::mutated(&valid, bytes));
        })
    }};
}

/// The text of `bytes`: what is UTF-8 stands for itself, and every other byte for one of `words`.
#[must_use]
pub fn text_of(bytes: &[u8], words: &[&str]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(words.get(usize::from(*byte) % words.len().max(1)).unwrap_or(&"\u{FFFD}"));
        }
    }
    text
}

/// `valid` after one change for each two bytes: the first says where, the second what stands there instead.
#[must_use]
pub fn mutated(valid: &Value, bytes: &[u8]) -> Value {
    let mut value = valid.clone();
    for change in bytes.as_chunks::<2>().0 {
        let [place, new] = change.map(usize::from);
        let pointers = pointers(&value);
        let Some(pointer) = pointers.get(place % pointers.len().max(1)) else { break };
        change_at(&mut value, pointer, new);
    }
    value
}

/// The JSON pointers of every value within `value`.
fn pointers(value: &Value) -> Vec<String> {
    let (mut open, mut found) = (vec![(String::new(), value)], Vec::new());
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(fields) => open.extend(fields.iter().map(|(name, value)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                (format!("{pointer}/{name}"), value)
            })),
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(at, value)| (format!("{pointer}/{at}"), value)));
            }
            _ => {}
        }
        found.push(pointer);
    }
    found
}

fn change_at(value: &mut Value, pointer: &str, new: usize) {
    let others = others();
    if let Some(other) = others.get(new % (others.len() + 1)) {
        if let Some(place) = value.pointer_mut(pointer) {
            *place = other.clone();
        }
    } else if let Some((object, name)) = pointer.rsplit_once('/')
        && let Some(fields) = value.pointer_mut(object).and_then(Value::as_object_mut)
    {
        fields.remove(name);
    }
}

/// Values that take the place of another one.
fn others() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e308),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("x"),
        json!("\u{0}\u{202E}é😀"),
        json!("y".repeat(5_000)),
        json!("2026-01-02T00:00:00.000Z"),
        json!("live"),
        json!([]),
        json!([null, 1, "x", {}]),
        json!({}),
        json!({"S": "x"}),
        json!({"N": "1e400"}),
        json!({"answer": "x"}),
    ]
}
