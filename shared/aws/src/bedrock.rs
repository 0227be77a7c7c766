//! Amazon Bedrock: how a model is asked once, and why there is no response to read.

use aws_sdk_bedrockruntime::config;
use aws_sdk_bedrockruntime::config::retry::RetryConfig;
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
        /// The error's code.
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

/// How a call is sent once: a second attempt would take the time that answering without the model needs.
pub(crate) fn call_once() -> config::Builder {
    config::Builder::new().retry_config(RetryConfig::disabled())
}

/// A client of the stub at `url`.
#[cfg(test)]
pub(crate) fn client(url: &str) -> aws_sdk_bedrockruntime::Client {
    use config::{BehaviorVersion, Credentials, Region};

    let config = config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .endpoint_url(url)
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .build();
    aws_sdk_bedrockruntime::Client::from_conf(config)
}
