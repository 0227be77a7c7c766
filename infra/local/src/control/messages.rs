//! The messages between client and server of the control socket, besides AWS requests.

use outbound::OutboundPolicy;
use serde::{Deserialize, Serialize};

/// The description of a running service.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceInfo {
    /// The base URL of its API.
    pub url: String,
    pub version: String,
    pub table_name: String,
    /// The DynamoDB that it uses; none for the embedded one, which the socket answers for.
    pub dynamodb_url: Option<String>,
    /// The SQS that it uses; none for the embedded one.
    pub sqs_url: Option<String>,
    /// The OpenSearch that it uses, and the alias there; none for the embedded one.
    pub opensearch: Option<(String, String)>,
    /// The queue of deliveries.
    pub webhook_queue_url: Option<String>,
    /// The queue of ingest jobs.
    pub ingest_queue_url: Option<String>,
    /// The queue of entries to embed.
    pub embedding_queue_url: Option<String>,
    /// Which addresses it may call.
    pub outbound: OutboundPolicy,
    /// The address of the desk; none if nobody can sign in.
    pub desk_url: Option<String>,
    /// Where people sign in, and the id of the desk there.
    pub desk_issuer: Option<(String, String)>,
}
