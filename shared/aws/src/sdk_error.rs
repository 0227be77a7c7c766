//! Why a call of an AWS SDK failed, for the log.

use std::error::Error;
use std::fmt::Debug;

use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;

/// The code and the message of a service that refused, or the causes why there is no answer. The response itself is left
/// out, because it may hold what people wrote. `DisplayErrorContext` of the SDK would print it.
pub fn describe<E, R>(error: &SdkError<E, R>) -> String
where
    E: ProvideErrorMetadata + Error + 'static,
    R: Debug,
{
    match error.as_service_error().map(|refusal| (refusal.code(), refusal.message())) {
        Some((Some(code), message)) => format!("{code}: {}", message.unwrap_or("no message")),
        _ => error_chain(error),
    }
}

/// An error and its causes, outermost first.
pub(crate) fn error_chain(error: &dyn Error) -> String {
    let mut causes = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        causes.push_str(": ");
        causes.push_str(&inner.to_string());
        cause = inner.source();
    }
    causes
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::Client;
    use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};

    use super::*;
    use crate::http_stub::{Stub, StubResponse};

    #[tokio::test]
    async fn the_response_of_a_service_is_not_in_the_text_of_its_error() {
        let body =
            r#"{"__type": "x#ValidationException", "message": "too large", "Item": {"content": "said in private"}}"#;
        for response in [StubResponse::Json(400, body.into()), StubResponse::Json(200, "said in private".into())] {
            let stub = Stub::start(response).await;
            let config = Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new("eu-central-1"))
                .endpoint_url(&stub.url)
                .http_client(crate::sdk_http::plain_client())
                .credentials_provider(Credentials::new("test", "test", None, None, "test"))
                .build();
            let error = Client::from_conf(config).list_tables().send().await.unwrap_err();
            let told = describe(&error);
            assert!(!told.contains("private"), "{told}");
            assert!(told == "ValidationException: too large" || told.starts_with("service error: "), "{told}");
        }
    }
}
