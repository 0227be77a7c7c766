//! Rules about several fields of an object at once.

use domain::error::DetailCode;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::{FieldPath, Fields, ObjectSchema};

/// A rule about several fields of an object.
pub trait Rule {
    /// Reports what is wrong with `fields`. `names` are the object's fields, `is_present` tells whether the body says
    /// something of one.
    fn validate(&self, names: &[&'static str], is_present: &dyn Fn(&str) -> bool, fields: &Fields<'_>);

    /// Says the rule in `object`, whose fields are all described by now.
    fn describe(&self, object: &mut ObjectSchema, generator: &mut SchemaGenerator);
}

/// A change must change something: at least one of the object's fields is there. They are all [`super::clearable`] or
/// [`super::replaceable`].
#[derive(Debug, Clone, Copy)]
pub struct AtLeastOne;

impl Rule for AtLeastOne {
    fn validate(&self, names: &[&'static str], is_present: &dyn Fn(&str) -> bool, fields: &Fields<'_>) {
        at_least_one(names, is_present, fields.place());
    }

    fn describe(&self, object: &mut ObjectSchema, _: &mut SchemaGenerator) {
        let names: Vec<_> = object.properties.keys().cloned().collect();
        describe_at_least_one(names, object);
    }
}

/// The same of some of the fields: the others say who changes it.
#[derive(Debug, Clone, Copy)]
pub struct AtLeastOneOf(pub &'static [&'static str]);

impl Rule for AtLeastOneOf {
    fn validate(&self, _: &[&'static str], is_present: &dyn Fn(&str) -> bool, fields: &Fields<'_>) {
        at_least_one(self.0, is_present, fields.place());
    }

    fn describe(&self, object: &mut ObjectSchema, _: &mut SchemaGenerator) {
        describe_at_least_one(self.0.iter().copied().map(str::to_owned), object);
    }
}

fn at_least_one(names: &[&'static str], is_present: &dyn Fn(&str) -> bool, at: &FieldPath<'_>) {
    if !names.iter().any(|name| is_present(name)) {
        at.problem(DetailCode::NothingToChange, format!("name at least one of {}", names.join(", ")));
    }
}

fn describe_at_least_one(names: impl IntoIterator<Item = String>, object: &mut ObjectSchema) {
    let alternatives: Vec<_> = names.into_iter().map(|name| json!({"required": [name]})).collect();
    // Not at the top: generators of clients take an object with `anyOf` for a union.
    object.rules.insert("allOf".into(), json!([{"anyOf": alternatives}]));
}

/// How many unknown names of an object are reported, and how much of each.
const MAX_UNKNOWN: usize = 20;
const MAX_UNKNOWN_CHARS: usize = 100;

/// The names of the object are a closed list, like the days of a week: a name that is none of them is a mistake that
/// would say nothing.
#[derive(Debug, Clone, Copy)]
pub struct Closed;

impl Rule for Closed {
    fn validate(&self, names: &[&'static str], _: &dyn Fn(&str) -> bool, fields: &Fields<'_>) {
        for name in fields.names().filter(|name| !names.contains(name)).take(MAX_UNKNOWN) {
            let shown: String = name.chars().take(MAX_UNKNOWN_CHARS).collect();
            let message = format!("is none of {}", names.join(", "));
            fields.place().field(&shown).problem(DetailCode::UnknownField, message);
        }
    }

    fn describe(&self, object: &mut ObjectSchema, _: &mut SchemaGenerator) {
        object.rules.insert("additionalProperties".into(), json!(false));
    }
}

/// A field that is required if another one, which has a default, is left out.
#[derive(Debug, Clone, Copy)]
pub struct RequiredUnless {
    pub field: &'static str,
    /// The other field.
    pub unless: &'static str,
}

impl Rule for RequiredUnless {
    fn validate(&self, _: &[&'static str], is_present: &dyn Fn(&str) -> bool, fields: &Fields<'_>) {
        if ![self.field, self.unless].into_iter().any(is_present) {
            fields.place().field(self.field).problem(DetailCode::Required, "is required");
        }
    }

    fn describe(&self, object: &mut ObjectSchema, _: &mut SchemaGenerator) {
        describe_at_least_one([self.field, self.unless].map(str::to_owned), object);
    }
}

/// One of the fields of [`ExactlyOne`].
#[derive(Debug, Clone, Copy)]
pub struct Alternative {
    pub field: &'static str,
    /// The name of the schema of an object that has it.
    pub schema: &'static str,
    /// The fields that it needs beside it.
    pub needs: &'static [&'static str],
    /// The fields that go with it alone.
    pub owns: &'static [&'static str],
}

/// Exactly one of a few fields is there.
#[derive(Debug, Clone, Copy)]
pub struct ExactlyOne {
    /// The fields.
    pub of: &'static [Alternative],
    /// The problem's code.
    pub code: DetailCode,
    /// The field of the problem; empty for the whole object.
    pub at: &'static str,
    /// The message if none of them is there; `None` if that is not a problem here.
    pub none: Option<&'static str>,
    /// The message if several of them are there.
    pub several: &'static str,
}

impl Rule for ExactlyOne {
    fn validate(&self, _: &[&'static str], is_present: &dyn Fn(&str) -> bool, fields: &Fields<'_>) {
        let at = fields.place();
        let there: Vec<_> = self.of.iter().filter(|alternative| is_present(alternative.field)).collect();
        let place = if self.at.is_empty() { at.clone() } else { at.field(self.at) };
        match there.as_slice() {
            [] => self.none.into_iter().for_each(|message| place.problem(self.code, message)),
            [one] => {
                for name in one.needs.iter().filter(|name| !is_present(name)) {
                    at.field(name).problem(DetailCode::Required, "is required");
                }
                for (other, name) in self.owned_by_others(one).filter(|(_, name)| is_present(name)) {
                    at.field(name).problem(DetailCode::Conflict, format!("goes with {other} only"));
                }
            }
            _ => place.problem(self.code, self.several),
        }
    }

    fn describe(&self, object: &mut ObjectSchema, generator: &mut SchemaGenerator) {
        let references = self.of.iter().map(|alternative| {
            generator.definitions_mut().insert(alternative.schema.into(), self.alternative(alternative, object));
            json!({"$ref": format!("#/components/schemas/{}", alternative.schema)})
        });
        let references: Vec<_> = references.collect();
        object.properties.clear();
        object.required.clear();
        object.rules.insert("oneOf".into(), Value::Array(references));
    }
}

impl ExactlyOne {
    /// The fields that go with another one, each with that one.
    fn owned_by_others(&self, one: &Alternative) -> impl Iterator<Item = (&'static str, &'static str)> {
        let others = self.of.iter().filter(move |other| other.field != one.field);
        others.flat_map(|other| other.owns.iter().map(|name| (other.field, *name)))
    }

    /// The schema of an object with one of the fields and none of the others.
    fn alternative(&self, one: &Alternative, object: &ObjectSchema) -> Value {
        let mut properties = object.properties.clone();
        for name in std::iter::once(one.field).chain(one.needs.iter().copied()) {
            properties.get_mut(name).into_iter().for_each(never_null);
        }
        let others = self.of.iter().map(|other| other.field).filter(|other| *other != one.field);
        for name in others.chain(self.owned_by_others(one).map(|(_, name)| name)) {
            properties
                .insert(name.into(), json!({"type": "null", "description": format!("Not beside `{}`.", one.field)}));
        }
        let mut required = object.required.clone();
        required.extend(std::iter::once(one.field).chain(one.needs.iter().copied()).map(str::to_owned));
        json!({
            "type": "object", "description": format!("With `{}`.", one.field), "required": required,
            "properties": properties,
        })
    }
}

/// Takes `null` out of a schema that [`super::nullable`] put it into.
fn never_null(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    if let Some([kind, _]) = fields.get("type").and_then(Value::as_array).map(Vec::as_slice) {
        let kind = kind.clone();
        fields.insert("type".into(), kind);
    }
    if let Some([inner, _]) = fields.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) {
        let inner = inner.clone();
        fields.remove("anyOf");
        fields.extend(inner.as_object().cloned().into_iter().flatten());
    }
}
