//! Notifies the reader of the stream that this process wrote to the table.

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use tokio::sync::Notify;

/// The operations after which the stream may have a new record.
const WRITES: [&str; 5] = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"];

/// Wakes the reader; a notification while it runs is kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriteNotifier(Arc<Notify>);

impl WriteNotifier {
    /// Notifies the reader.
    pub(crate) fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for a notification.
    pub(super) async fn notified(&self) {
        self.0.notified().await;
    }

    /// Wraps an HTTP client so that a completed write notifies the reader.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(NotifyingClient { inner, notifier: self.clone() })
    }
}

#[derive(Debug)]
struct NotifyingClient<T> {
    inner: T,
    notifier: WriteNotifier,
}

impl HttpClient for NotifyingClient<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, parts: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, parts);
        SharedHttpConnector::new(NotifyingClient { inner, notifier: self.notifier.clone() })
    }
}

impl HttpConnector for NotifyingClient<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request.headers().get("x-amz-target").and_then(|target| target.rsplit('.').next());
        let writes = operation.is_some_and(|operation| WRITES.contains(&operation));
        let call = self.inner.call(request);
        if !writes {
            return call;
        }
        let notifier = self.notifier.clone();
        HttpConnectorFuture::new(async move {
            let answer = call.await;
            notifier.notify();
            answer
        })
    }
}
