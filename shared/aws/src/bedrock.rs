//! Amazon Bedrock: how a model is asked, and why there is no response to read.

use std::time::Duration;

use aws_sdk_bedrockruntime::config;
use aws_sdk_bedrockruntime::config::interceptors::InterceptorContext;
use aws_sdk_bedrockruntime::config::retry::{ClassifyRetry, RetryAction, RetryConfig};
use aws_sdk_bedrockruntime::error::{ProvideErrorMetadata, SdkError};

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallError {
    /// It took longer than it was given.
    Timeout,
    /// The service answered with a status and a code. Its message may repeat what was sent and is left out.
    Service {
        /// The HTTP status.
        status: u16,
        code: String,
    },
    /// The way to it failed.
    Failed(&'static str),
}

impl<E: ProvideErrorMetadata> From<&SdkError<E>> for CallError {
    fn from(error: &SdkError<E>) -> Self {
        match error {
            SdkError::TimeoutError(_) => Self::Timeout,
            SdkError::DispatchFailure(failure) if failure.is_timeout() => Self::Timeout,
            SdkError::DispatchFailure(_) => Self::Failed("no connection"),
            SdkError::ResponseError(_) => Self::Failed("a response that cannot be read"),
            SdkError::ServiceError(answer) => Self::Service {
                status: answer.raw().status().as_u16(),
                code: answer.err().code().unwrap_or("no code").to_owned(),
            },
            _ => Self::Failed("the request could not be made"),
        }
    }
}

/// How a call is sent: once, and a second time only when the connection broke before a response. Any other second attempt
/// would take the time that answering without the model needs.
pub(crate) fn retry_broken_connections() -> config::Builder {
    let twice = RetryConfig::standard().with_max_attempts(2).with_initial_backoff(Duration::from_millis(25));
    config::Builder::new().retry_config(twice).retry_classifier(BrokenConnections)
}

/// Overrules the SDK's classifiers, which run before it.
#[derive(Debug)]
struct BrokenConnections;

impl ClassifyRetry for BrokenConnections {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let failure = context.output_or_error().and_then(Result::err);
        match failure.map(|error| error.as_connector_error()) {
            Some(Some(connector)) if !connector.is_timeout() => RetryAction::transient_error(),
            _ => RetryAction::RetryForbidden,
        }
    }

    fn name(&self) -> &'static str {
        "broken connections"
    }
}

/// Families of embedding models, by their request formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmbeddingFamily {
    Titan,
    Cohere,
}

impl EmbeddingFamily {
    /// By the model's id, an inference profile of a region included (`eu.cohere.embed-…`).
    pub(crate) fn of(model_id: &str) -> Option<Self> {
        match () {
            () if model_id.contains("amazon.titan-embed-text-") => Some(Self::Titan),
            () if model_id.contains("cohere.embed-") => Some(Self::Cohere),
            () => None,
        }
    }
}

/// A client of the stub at `url`.
#[cfg(test)]
pub(crate) fn client(url: &str) -> aws_sdk_bedrockruntime::Client {
    use config::{BehaviorVersion, Credentials, Region};

    let config = config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .endpoint_url(url)
        .http_client(crate::sdk::plain_client())
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .build();
    aws_sdk_bedrockruntime::Client::from_conf(config)
}

#[cfg(test)]
mod tests {
    use answer::embedding::{EmbeddingError, EmbeddingModel, TextKind};

    use super::*;
    use crate::embedding::BedrockEmbeddings;
    use crate::http_stub::KeptAliveOnce;

    #[tokio::test]
    async fn a_model_is_asked_again_where_a_connection_broke_and_only_then() {
        let server = KeptAliveOnce::start(r#"{"embedding": [0.6, 0.8]}"#).await;
        let model = BedrockEmbeddings::new(client(&server.url), "amazon.titan-embed-text-v2:0", None);
        let ask = async || model.embed(TextKind::Query, &["a".to_owned()], Duration::from_secs(60)).await;
        for _ in 0..4 {
            ask().await.unwrap();
        }
        assert!(server.broken() > 0, "no request met a closed connection");
        let server = KeptAliveOnce::refusing().await;
        let model = BedrockEmbeddings::new(client(&server.url), "amazon.titan-embed-text-v2:0", None);
        let failed = model.embed(TextKind::Query, &["a".to_owned()], Duration::from_secs(60)).await;
        assert_eq!(failed.unwrap_err(), EmbeddingError::Failed("no connection".into()));
        assert_eq!(server.broken(), 2, "one retry");
    }
}
