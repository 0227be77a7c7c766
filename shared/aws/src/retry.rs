//! How the SDK's clients retry.

use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;

/// The retries of a request whose connection broke, or that was refused for a moment: two, as in the SDK's default. The
/// services answer in milliseconds, so the first delay is at most 25 ms; the SDK's default is a second.
#[must_use]
pub fn retry() -> RetryConfig {
    RetryConfig::standard().with_initial_backoff(Duration::from_millis(25))
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
    use domain::clock::Runtime;
    use domain::models::{IngestId, Mode, Scope, TenantId};

    use super::*;
    use crate::http_stub::KeptAliveOnce;
    use crate::queue::{Queue, Task, TaskQueue};
    use crate::sdk_http::plain_client;
    use crate::store::Store;

    fn credentials() -> Credentials {
        Credentials::new("test", "test", None, None, "test")
    }

    #[tokio::test]
    async fn a_read_of_the_table_survives_a_connection_that_breaks() {
        let server = KeptAliveOnce::start("{}").await;
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(credentials())
            .retry_config(retry())
            .http_client(plain_client())
            .endpoint_url(&server.url);
        let store = Store::new(aws_sdk_dynamodb::Client::from_conf(config.build()), "table", Runtime::system());
        for _ in 0..4 {
            store.ping().await.unwrap();
        }
        assert!(server.broken() > 0, "no request met a closed connection");
    }

    #[tokio::test]
    async fn a_task_is_queued_although_a_connection_breaks() {
        let server = KeptAliveOnce::start(r#"{"MessageId": "m1"}"#).await;
        let config = aws_sdk_sqs::Config::builder()
            .behavior_version(aws_sdk_sqs::config::BehaviorVersion::latest())
            .region(Region::new("eu-central-1"))
            .credentials_provider(credentials())
            .retry_config(retry())
            .http_client(plain_client())
            .endpoint_url(&server.url);
        let queue = TaskQueue::new(aws_sdk_sqs::Client::from_conf(config.build()), Queue::Ingest, &server.url);
        let runtime = Runtime::system();
        let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Live };
        let task = Task::Ingest { scope, ingest_id: IngestId::generate(&runtime).unwrap() };
        for _ in 0..4 {
            queue.send(&task, Duration::ZERO).await.unwrap();
        }
        assert!(server.broken() > 0, "no request met a closed connection");
    }
}
