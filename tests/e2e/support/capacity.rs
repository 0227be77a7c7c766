//! Counts what the table consumes: each request is made to ask for it, and each answer tells.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use serde_json::Value;

/// Units of the table and its indexes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Units {
    pub(crate) reads: f64,
    pub(crate) writes: f64,
}

/// Adds up the units of a service's requests. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct CapacityMeter(Arc<Mutex<Units>>, Arc<AtomicUsize>);

impl CapacityMeter {
    /// The units consumed since the last call.
    pub(crate) fn take(&self) -> Units {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// The requests since the last call.
    pub(crate) fn requests(&self) -> usize {
        self.1.swap(0, Ordering::Relaxed)
    }

    /// Puts the meter between the SDK and the wire.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(Metered { inner, meter: self.clone() })
    }

    fn add(&self, operation: &str, answer: &[u8]) {
        self.1.fetch_add(1, Ordering::Relaxed);
        let Ok(answer) = serde_json::from_slice::<Value>(answer) else { return };
        let consumed = match &answer["ConsumedCapacity"] {
            Value::Array(tables) => tables.iter().map(|table| table["CapacityUnits"].as_f64().unwrap()).sum(),
            table => table["CapacityUnits"].as_f64().unwrap_or(0.0),
        };
        let mut units = self.0.lock().unwrap();
        let is_read = ["GetItem", "Query", "BatchGetItem", "Scan"].contains(&operation);
        *(if is_read { &mut units.reads } else { &mut units.writes }) += consumed;
    }
}

#[derive(Debug)]
struct Metered<C> {
    inner: C,
    meter: CapacityMeter,
}

impl HttpClient for Metered<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, parts: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, parts);
        SharedHttpConnector::new(Metered { inner, meter: self.meter.clone() })
    }
}

impl HttpConnector for Metered<SharedHttpConnector> {
    fn call(&self, mut request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let mut body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        if let Some(fields) = body.as_object_mut() {
            fields.insert("ReturnConsumedCapacity".into(), "TOTAL".into());
            let body = body.to_string();
            request.headers_mut().insert("content-length", body.len().to_string());
            *request.body_mut() = body.into();
        }
        let (answer, meter) = (self.inner.call(request), self.meter.clone());
        HttpConnectorFuture::new(async move {
            let response = answer.await?;
            meter.add(&operation, response.body().bytes().unwrap_or_default());
            Ok(response)
        })
    }
}
