//! DynamoDB: every key format in one file, one repository per thing, and the retry of transactions.
//!
//! [`Store`] is the way in; each of its methods hands out one repository.

/// The database, cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    client: aws_sdk_dynamodb::Client,
    table: std::sync::Arc<str>,
    ambient: crate::clock::Ambient,
}

impl Store {
    /// The table `table` behind `client`.
    #[must_use]
    pub fn new(client: aws_sdk_dynamodb::Client, table: &str, ambient: crate::clock::Ambient) -> Self {
        Self { client, table: table.into(), ambient }
    }
}
