//! Objects: nested ones, their schema as it is put together, and the macro that makes a type of one.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{FieldPath, Fields, Format};
use crate::FromFields;

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

/// Makes the type of a body: a struct, how it is read, and its schema, from one line a field.
///
/// A field is its comment, its name and type here, its name on the wire, and its [`Member`](crate::input::Member).
/// Behind `rules` stand the [`Rule`](crate::input::Rule)s about several fields at once.
#[macro_export]
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

        impl $crate::FromFields for $name {
            $(const BODY_LIMIT_BYTES: usize = $limit;)?

            fn from_fields(fields: &$crate::input::Fields<'_>) -> Option<Self> {
                let is_present = |name: &str| -> bool {
                    match name {
                        $($field => $crate::input::Member::is_present(&$spec, fields, name),)*
                        _ => false,
                    }
                };
                let names: &[&'static str] = &[$($field),*];
                let _ = (&is_present, names, fields);
                $($($crate::input::Rule::validate(&$rule, names, &is_present, fields);)+)?
                $(let $member = $crate::input::Member::read(&$spec, fields, $field);)*
                Some(Self { $($member: $member?,)* })
            }
        }

        impl $crate::schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $wire.into()
            }

            fn json_schema(generator: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                let mut object = $crate::input::ObjectSchema::default();
                let _ = &generator;
                $($crate::input::Member::describe(&$spec, &mut object, $field, concat!($($fdoc, "\n"),*), generator);)*
                let _ = &mut object;
                $($($crate::input::Rule::describe(&$rule, &mut object, generator);)+)?
                object.finish(concat!($($doc, "\n"),+))
            }
        }
    };
}
