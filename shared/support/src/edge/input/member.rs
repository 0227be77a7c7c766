//! The fields of an object: whether one must be there, what its absence means, the schema as they describe it, and the macro
//! that makes a type of them.

use std::marker::PhantomData;

use domain::error::DetailCode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Fields, Format};
use crate::edge::FromFields;

/// Makes the type of a body: a struct, how it is read, and its schema, from one line a field.
///
/// A field is its comment, its name and type here, its name on the wire, and its [`Member`](crate::edge::input::Member).
/// Behind `rules` stand the [`Rule`](crate::edge::input::Rule)s about several fields at once.
macro_rules! body {
    (
        $(#[doc = $doc:literal])+
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $name:ident as $wire:literal {
            $($(#[doc = $fdoc:literal])* $fvis:vis $member:ident: $type:ty = $field:literal => $spec:expr),* $(,)?
        }
        $(rules: [$($rule:expr),+ $(,)?])?
        $(limit_bytes: $limit:expr)?
    ) => {
        $(#[doc = $doc])+
        $(#[derive($($derive),+)])?
        $vis struct $name {
            $($(#[doc = $fdoc])* $fvis $member: $type,)*
        }

        impl $crate::edge::FromFields for $name {
            $(const BODY_LIMIT_BYTES: usize = $limit;)?

            fn from_fields(fields: &$crate::edge::input::Fields<'_>) -> Option<Self> {
                let is_present = |name: &str| -> bool {
                    match name {
                        $($field => $crate::edge::input::Member::is_present(&$spec, fields, name),)*
                        _ => false,
                    }
                };
                let names: &[&'static str] = &[$($field),*];
                let _ = (&is_present, names, fields);
                $($($crate::edge::input::Rule::validate(&$rule, names, &is_present, fields);)+)?
                $(let $member = $crate::edge::input::Member::read(&$spec, fields, $field);)*
                Some(Self { $($member: $member?,)* })
            }
        }

        impl $crate::edge::schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $wire.into()
            }

            fn json_schema(generator: &mut $crate::edge::schemars::SchemaGenerator) -> $crate::edge::schemars::Schema {
                let mut object = $crate::edge::input::ObjectSchema::default();
                let _ = &generator;
                $($crate::edge::input::Member::describe(&$spec, &mut object, $field, concat!($($fdoc, "\n"),*), generator);)*
                let _ = &mut object;
                $($($crate::edge::input::Rule::describe(&$rule, &mut object, generator);)+)?
                object.finish(concat!($($doc, "\n"),+))
            }
        }
    };
}

pub(crate) use body;

/// A field of an object: its format, and whether it must be there.
pub trait Member {
    /// The parsed value.
    type Value;

    /// Reads the field `name`; `None` goes with a problem.
    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Self::Value>;

    /// Adds the field `name` to `object`.
    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator);

    /// Whether `fields` say something of the field `name`.
    fn is_present(&self, fields: &Fields<'_>, name: &str) -> bool {
        fields.value(name).is_some()
    }
}

/// See [`required`].
#[derive(Debug, Clone, Copy)]
pub struct Required<F>(F);

/// A field that must be there, and not `null`.
#[must_use]
pub const fn required<F: Format>(format: F) -> Required<F> {
    Required(format)
}

impl<F: Format> Member for Required<F> {
    type Value = F::Value;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<F::Value> {
        let place = fields.place().field(name);
        let Some(value) = fields.value(name) else { return place.refuse(DetailCode::Required, "is required") };
        self.0.read(value, &place)
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, self.0.schema(generator));
        object.require(name);
    }
}

/// See [`optional`].
#[derive(Debug, Clone, Copy)]
pub struct Optional<F>(F);

/// A field that may be absent or `null`.
#[must_use]
pub const fn optional<F: Format>(format: F) -> Optional<F> {
    Optional(format)
}

impl<F: Format> Member for Optional<F> {
    type Value = Option<F::Value>;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Option<F::Value>> {
        Some(fields.value(name).and_then(|value| self.0.read(value, &fields.place().field(name))))
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, nullable(self.0.schema(generator)));
    }
}

/// See [`or`].
#[derive(Debug, Clone, Copy)]
pub struct Or<F, V>(pub(crate) F, pub(crate) V);

/// A field that has a value of its own if it is absent or `null`.
#[must_use]
pub const fn or<F: Format>(format: F, value: F::Value) -> Or<F, F::Value> {
    Or(format, value)
}

impl<F: Format<Value = V>, V: Clone + Serialize> Member for Or<F, V> {
    type Value = V;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<V> {
        let Some(value) = fields.value(name) else { return Some(self.1.clone()) };
        self.0.read(value, &fields.place().field(name))
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        // In words: generators of clients take a field with a `default` for one that must be sent.
        let about = format!("{} By default `{}`.", about.trim_end(), plain(&serde_json::json!(self.1)));
        object.add(name, &about, nullable(self.0.schema(generator)));
    }
}

/// A value as people write it: a text without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A change of a value that may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// The field was absent.
    #[default]
    Keep,
    /// The field was `null`.
    Clear,
    /// The field had a value.
    Set(T),
}

impl<T> Change<T> {
    /// The value that replaces `old`.
    #[must_use]
    pub fn of(self, old: Option<T>) -> Option<T> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(new) => Some(new),
        }
    }

    /// The new value, if the old one is to change.
    #[must_use]
    pub fn replacement(self) -> Option<Option<T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(new) => Some(Some(new)),
        }
    }
}

/// See [`clearable`].
#[derive(Debug, Clone, Copy)]
pub struct Clearable<F>(F);

/// A field of a change: absent keeps the old value, `null` clears it.
#[must_use]
pub const fn clearable<F: Format>(format: F) -> Clearable<F> {
    Clearable(format)
}

impl<F: Format> Member for Clearable<F> {
    type Value = Change<F::Value>;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Self::Value> {
        if fields.is_null(name) {
            return Some(Change::Clear);
        }
        let Some(value) = fields.value(name) else { return Some(Change::Keep) };
        self.0.read(value, &fields.place().field(name)).map(Change::Set)
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, nullable(self.0.schema(generator)));
    }

    fn is_present(&self, fields: &Fields<'_>, name: &str) -> bool {
        fields.contains(name)
    }
}

/// See [`replaceable`].
#[derive(Debug, Clone, Copy)]
pub struct Replaceable<F>(F);

/// A field of a change that is never empty: absent keeps the old value, `null` is refused.
#[must_use]
pub const fn replaceable<F: Format>(format: F) -> Replaceable<F> {
    Replaceable(format)
}

impl<F: Format> Member for Replaceable<F> {
    type Value = Option<F::Value>;

    fn read(&self, fields: &Fields<'_>, name: &'static str) -> Option<Self::Value> {
        let place = fields.place().field(name);
        if fields.is_null(name) {
            return place.refuse(DetailCode::Required, "must not be null; leave the field out to keep its value");
        }
        Some(fields.value(name).and_then(|value| self.0.read(value, &place)))
    }

    fn describe(&self, object: &mut ObjectSchema, name: &'static str, about: &str, generator: &mut SchemaGenerator) {
        object.add(name, about, self.0.schema(generator));
    }

    fn is_present(&self, fields: &Fields<'_>, name: &str) -> bool {
        fields.contains(name)
    }
}

/// See [`flattened`].
#[derive(Debug, Clone, Copy)]
pub struct Flattened<T>(PhantomData<T>);

/// The fields of another type, beside those of this one; the name is that of none of them.
#[must_use]
pub const fn flattened<T: FromFields + JsonSchema>() -> Flattened<T> {
    Flattened(PhantomData)
}

impl<T: FromFields + JsonSchema> Member for Flattened<T> {
    type Value = T;

    fn read(&self, fields: &Fields<'_>, _: &'static str) -> Option<T> {
        T::from_fields(fields)
    }

    fn describe(&self, object: &mut ObjectSchema, _: &'static str, _: &str, generator: &mut SchemaGenerator) {
        object.add_all(&T::json_schema(generator));
    }
}

/// The schema of an object, as its members describe it.
#[derive(Debug, Default)]
pub struct ObjectSchema {
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
    /// The other keywords of the schema.
    pub(super) rules: Map<String, Value>,
}

impl ObjectSchema {
    /// Adds a field; what `about` says comes before what its format says.
    pub fn add(&mut self, name: &str, about: &str, mut schema: Schema) {
        let of_format = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = format!("{} {of_format}", about.trim());
        schema.insert("description".into(), description.trim().into());
        self.properties.insert(name.to_owned(), schema.to_value());
    }

    /// Adds all fields of another object.
    pub fn add_all(&mut self, other: &Schema) {
        let properties = other.get("properties").and_then(Value::as_object).into_iter().flatten();
        self.properties.extend(properties.map(|(name, schema)| (name.clone(), schema.clone())));
        let required = other.get("required").and_then(Value::as_array).into_iter().flatten();
        self.required.extend(required.filter_map(Value::as_str).map(str::to_owned));
    }

    /// Says that a field must be there.
    pub fn require(&mut self, name: &str) {
        self.required.push(name.to_owned());
    }

    /// The schema as a whole.
    #[must_use]
    pub fn finish(self, about: &str) -> Schema {
        let mut schema = json_schema!({"description": about.trim()});
        // One of several types of objects has no fields of its own.
        if !self.rules.contains_key("oneOf") {
            schema.insert("type".into(), "object".into());
            schema.insert("properties".into(), self.properties.into());
        }
        if !self.required.is_empty() {
            schema.insert("required".into(), json!(self.required));
        }
        self.rules.into_iter().for_each(|(keyword, rule)| drop(schema.insert(keyword, rule)));
        schema
    }
}

/// The schema of what may be `null`, too.
#[must_use]
pub fn nullable(mut schema: Schema) -> Schema {
    let plain = schema.get("type").and_then(Value::as_str).map(str::to_owned);
    match plain.filter(|_| schema.get("enum").is_none()) {
        Some(kind) => {
            schema.insert("type".into(), json!([kind, "null"]));
            schema
        }
        None => json_schema!({"anyOf": [schema, {"type": "null"}]}),
    }
}
