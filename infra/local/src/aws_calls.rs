//! Answers requests of an AWS SDK in another process from the embedded services, by the header that names service and
//! operation.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};

use crate::database::{CONTENT_TYPE, EmbeddedClient};
use crate::queues::EmbeddedSqs;

/// The embedded services; none if another server is used.
#[derive(Debug, Clone)]
pub(crate) struct AwsCalls {
    /// DynamoDB and its streams.
    pub(crate) database: Option<EmbeddedClient>,
    pub(crate) queues: Option<EmbeddedSqs>,
}

impl AwsCalls {
    /// The response; none if no embedded service is asked.
    pub(crate) async fn answer(&self, headers: &HeaderMap, body: Bytes) -> Option<Response> {
        let target = headers.get("x-amz-target")?.to_str().ok()?;
        match (target.split_once('.')?, &self.database, &self.queues) {
            ((service, operation), Some(database), _) if service.starts_with("DynamoDB") => {
                Some(match database.call(operation, body).await {
                    Some(output) => {
                        let status = StatusCode::from_u16(output.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                        (status, [(header::CONTENT_TYPE, CONTENT_TYPE)], output.body).into_response()
                    }
                    None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
                })
            }
            (("AmazonSQS", _), _, Some(queues)) => Some(match queues.call(headers, body).await {
                Ok(answer) => answer.map(Body::from),
                Err(reason) => (StatusCode::INTERNAL_SERVER_ERROR, reason).into_response(),
            }),
            _ => None,
        }
    }
}
