//! Records requests to AWS servers.

use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

/// Text in the order in which it came. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Vec<u8>>>);

impl Recorder {
    /// Everything so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    /// Everything so far, which is then forgotten.
    pub(crate) fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *self.0.lock().unwrap())).into_owned()
    }

    /// Writes down an SDK's requests: the operation and the body, a line each.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(Wrapped { inner, recorder: self.clone() })
    }
}

#[derive(Debug)]
struct Wrapped<C> {
    inner: C,
    recorder: Recorder,
}

impl HttpClient for Wrapped<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, parts: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, parts);
        SharedHttpConnector::new(Wrapped { inner, recorder: self.recorder.clone() })
    }
}

impl HttpConnector for Wrapped<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request.headers().get("x-amz-target").unwrap_or_default().as_bytes();
        let body = request.body().bytes().unwrap_or_default();
        self.recorder.0.lock().unwrap().extend_from_slice(&[operation, b" ", body, b"\n"].concat());
        self.inner.call(request)
    }
}
