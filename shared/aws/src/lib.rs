//! The adapters: OpenSearch, SQS, KMS, S3, Secrets Manager and models.
//!
//! - [`search`] is the index of wiki entries; [`model`] and [`embedding`] are the models.
//! - [`queue`], [`cipher`], [`dead_letters`] and [`widget_keys`] are queues, encryption, dead letters and the signing keys
//!   of widget tokens; [`desk_keys`] is the key that signs desk tokens.
//! - [`changes_function`] calls the function that handles changes of the table.
//! - [`user_directory`] makes users in the stack's own identity provider.
//! - `sdk` is what all SDK clients share; [`signed_http`] signs requests to services without an SDK client.
//! - [`config`] reads the environment.

mod bedrock;
pub mod changes_function;
pub mod cipher;
pub mod config;
pub mod dead_letters;
pub mod desk_keys;
pub mod embedding;
mod http_client;
#[cfg(test)]
mod http_stub;
pub mod model;
mod openai;
pub mod queue;
mod sdk;
pub mod search;
pub mod user_directory;
pub mod widget_keys;

pub use sdk::retry;

/// What is logged of a failed SDK call.
pub mod sdk_error {
    pub use crate::sdk::describe;
}

/// The HTTP client of all SDK clients.
pub mod sdk_http {
    pub use crate::sdk::{https_client, over, plain_client};
}

/// Signatures of requests to services without an SDK client.
pub mod signed_http {
    pub use crate::http_client::Signature;
}
