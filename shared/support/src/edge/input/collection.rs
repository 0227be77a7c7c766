//! Objects, lists, and flat maps of plain values.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use domain::error::DetailCode;
use domain::limits::metadata;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::value::storable_number;
use super::{FieldPath, Fields, Format, Text, text, within};
use crate::edge::FromFields;

/// See [`object`].
#[derive(Debug, Clone, Copy)]
pub struct Object<T>(PhantomData<T>);

/// A nested object; its fields are reported as `name.field`.
#[must_use]
pub const fn object<T: FromFields + JsonSchema>() -> Object<T> {
    Object(PhantomData)
}

impl<T: FromFields + JsonSchema> Format for Object<T> {
    type Value = T;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<T> {
        match value {
            Value::Object(map) => T::from_fields(&Fields::new(map, at.clone())),
            _ => at.wrong_type("an object"),
        }
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// A list of things of one format.
#[derive(Debug, Clone, Copy)]
pub struct List<F> {
    min_items: usize,
    max_items: usize,
    item: F,
}

/// A list of at most `max_items` of `item`.
#[must_use]
pub const fn list<F: Format>(max_items: usize, item: F) -> List<F> {
    List { min_items: 0, max_items, item }
}

/// A list of `min_items` to `max_items` of `item`.
#[must_use]
pub const fn list_between<F: Format>(min_items: usize, max_items: usize, item: F) -> List<F> {
    List { min_items, max_items, item }
}

impl<F: Format> Format for List<F> {
    type Value = Vec<F::Value>;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Self::Value> {
        let Value::Array(items) = value else { return at.wrong_type("a list") };
        if items.len() > self.max_items {
            return at.refuse(DetailCode::TooMany, format!("must have at most {} items", self.max_items));
        }
        if items.len() < self.min_items {
            return at.refuse(DetailCode::TooFew, format!("must have at least {} items", self.min_items));
        }
        let read = items.iter().enumerate().filter_map(|(i, item)| self.item.read(item, &at.item(i)));
        let read: Vec<_> = read.collect();
        (read.len() == items.len()).then_some(read)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema =
            json_schema!({"type": "array", "maxItems": self.max_items, "items": self.item.schema(generator)});
        if self.min_items > 0 {
            schema.insert("minItems".into(), self.min_items.into());
        }
        schema
    }
}

/// Values of a format, each turned into another value.
#[derive(Debug, Clone, Copy)]
pub struct Mapped<F, T, V> {
    pub(super) format: F,
    pub(super) map: fn(T) -> V,
}

impl<F: Format<Value = T>, T, V> Format for Mapped<F, T, V> {
    type Value = V;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<V> {
        self.format.read(value, at).map(self.map)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        self.format.schema(generator)
    }
}

/// See [`distinct`].
pub type Distinct<F> = Mapped<List<F>, Vec<<F as Format>::Value>, Vec<<F as Format>::Value>>;

/// A list that keeps each of its items once, where it stands first.
#[must_use]
pub const fn distinct<F: Format<Value: PartialEq>>(list: List<F>) -> Distinct<F> {
    Mapped { format: list, map: each_once }
}

/// The items, each where it stands first.
fn each_once<T: PartialEq>(items: Vec<T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

/// A flat object of strings, numbers and flags.
#[derive(Debug, Clone, Copy)]
pub struct FlatMap {
    max_keys: usize,
    max_bytes: usize,
}

/// The format of a key of a flat object.
const KEY: Text = within(metadata::KEY);

/// A flat object: at most `max_keys` keys of 1-100 characters, and `max_bytes` of JSON in all.
#[must_use]
pub const fn flat_map(max_keys: usize, max_bytes: usize) -> FlatMap {
    FlatMap { max_keys, max_bytes }
}

impl Format for FlatMap {
    type Value = BTreeMap<String, Value>;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<Self::Value> {
        let Value::Object(map) = value else { return at.wrong_type("an object") };
        let bounded = self.validate_size(map, at);
        // Every key is looked at, up to the bound, whatever was wrong before it.
        let sound =
            map.iter().take(self.max_keys).fold(bounded, |sound, (key, value)| validate(key, value, at) && sound);
        sound.then(|| map.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        let Self { max_keys, max_bytes } = self;
        json_schema!({
            "type": "object",
            "description": format!("Flat: at most {max_keys} keys, and {max_bytes} bytes of JSON in all."),
            "maxProperties": max_keys,
            "propertyNames": KEY.describe(),
            "additionalProperties": {"anyOf": [
                {"type": "string", "maxLength": max_bytes, "pattern": text(0, 0).pattern()},
                storable_number(),
                {"type": "boolean"},
            ]},
        })
    }
}

impl FlatMap {
    fn validate_size(&self, map: &Map<String, Value>, at: &FieldPath<'_>) -> bool {
        let Self { max_keys, max_bytes } = self;
        if map.len() > *max_keys {
            at.problem(DetailCode::TooMany, format!("must have at most {max_keys} keys"));
        }
        let bytes = serde_json::to_vec(map).map_or(usize::MAX, |json| json.len());
        if bytes > *max_bytes {
            at.problem(DetailCode::TooLarge, format!("must be at most {max_bytes} bytes of JSON"));
        }
        map.len() <= *max_keys && bytes <= *max_bytes
    }
}

/// Whether an entry of a flat object is sound.
fn validate(key: &str, value: &Value, at: &FieldPath<'_>) -> bool {
    let known = metadata::KEY.validate(key).is_ok();
    if !known {
        at.problem(DetailCode::InvalidKey, "keys must have 1 to 100 characters, none of them a control character");
    }
    let wrong = metadata::value_problem(value);
    if let Some((code, message)) = wrong {
        at.problem(code, message);
    }
    known && wrong.is_none()
}
