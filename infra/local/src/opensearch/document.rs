//! A document, and its nested passages, as a query sees them.

use std::collections::HashMap;

use serde_json::Value;

/// The fields that are texts: their terms are separated by spaces.
const TEXTS: [&str; 4] = ["titleTerms", "allTerms", "passages.terms", "passages.bigrams"];

/// A document.
#[derive(Debug)]
pub(super) struct Document {
    /// The external version.
    pub(super) version: u64,
    /// As it was written.
    pub(super) source: Value,
    fields: Fields,
    /// The fields of each passage.
    pub(super) passages: Vec<Fields>,
}

/// Fields by their whole name, such as `passages.terms`.
#[derive(Debug, Default)]
pub(super) struct Fields {
    values: HashMap<String, Value>,
    terms: HashMap<String, Terms>,
}

/// The terms of a text.
#[derive(Debug, Default)]
pub(super) struct Terms {
    counts: HashMap<String, f64>,
    /// How many there are.
    pub(super) length: u64,
}

impl Document {
    pub(super) fn new(version: u64, source: Value) -> Self {
        let passages = source.get("passages").and_then(Value::as_array).into_iter().flatten();
        let passages = passages.map(|passage| Fields::of(passage, "passages.")).collect();
        Self { version, fields: Fields::of(&source, ""), passages, source }
    }

    /// Those of the document itself.
    pub(super) const fn fields(&self) -> &Fields {
        &self.fields
    }
}

impl Fields {
    fn of(object: &Value, prefix: &str) -> Self {
        let mut fields = Self::default();
        for (name, value) in object.as_object().into_iter().flatten().filter(|(name, _)| *name != "passages") {
            let name = format!("{prefix}{name}");
            match value.as_str().filter(|_| TEXTS.contains(&name.as_str())) {
                Some(text) => {
                    fields.terms.insert(name, Terms::of(text));
                }
                None => {
                    fields.values.insert(name, value.clone());
                }
            }
        }
        fields
    }

    /// The value of a field that is no text.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// The terms of a text.
    pub(super) fn terms(&self, name: &str) -> Option<&Terms> {
        self.terms.get(name)
    }

    /// The numbers of a vector.
    pub(super) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        self.values.get(name)?.as_array()?.iter().map(Value::as_f64).collect()
    }
}

impl Terms {
    fn of(text: &str) -> Self {
        let mut terms = Self::default();
        for term in text.split_whitespace() {
            *terms.counts.entry(term.to_owned()).or_default() += 1.0;
            terms.length += 1;
        }
        terms
    }

    /// How often `term` is among them.
    pub(super) fn count(&self, term: &str) -> f64 {
        self.counts.get(term).copied().unwrap_or(0.0)
    }
}
