//! Tells the reader of the stream that this process has written to the table.

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use tokio::sync::Notify;

/// The operations after which the stream may have a new record.
const WRITES: [&str; 5] = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"];

/// Wakes the reader; a wake while it is awake is remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waker(Arc<Notify>);

impl Waker {
    /// Wakes it.
    pub(crate) fn wake(&self) {
        self.0.notify_one();
    }

    /// Waits to be woken.
    pub(super) async fn woken(&self) {
        self.0.notified().await;
    }

    /// The same client, whose writes wake the reader once they are carried out.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(Waking { inner, waker: self.clone() })
    }
}

#[derive(Debug)]
struct Waking<T> {
    inner: T,
    waker: Waker,
}

impl HttpClient for Waking<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, parts: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, parts);
        SharedHttpConnector::new(Waking { inner, waker: self.waker.clone() })
    }
}

impl HttpConnector for Waking<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request.headers().get("x-amz-target").and_then(|target| target.rsplit('.').next());
        let writes = operation.is_some_and(|operation| WRITES.contains(&operation));
        let call = self.inner.call(request);
        if !writes {
            return call;
        }
        let waker = self.waker.clone();
        HttpConnectorFuture::new(async move {
            let answer = call.await;
            waker.wake();
            answer
        })
    }
}
