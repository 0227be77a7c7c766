//! Conditions, updates and filters in DynamoDB's syntax.

use aws_sdk_dynamodb::types::AttributeValue;

/// An expression with its names and values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) values: Vec<(&'static str, AttributeValue)>,
}

impl Expression {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), values: Vec::new() }
    }

    /// Binds `:name`.
    pub(crate) fn with(mut self, name: &'static str, value: AttributeValue) -> Self {
        self.values.push((name, value));
        self
    }
}
