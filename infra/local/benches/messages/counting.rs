//! A connector between the SDK and the table that sets `ReturnConsumedCapacity` in every request and keeps what the
//! responses say.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use aws_sdk_dynamodb::config::{HttpClient, RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt;
use serde_json::{Value, json};

/// One call of the table.
#[derive(Debug, Clone)]
#[allow(dead_code, reason = "one of two benchmarks reads the units alone")]
pub(crate) struct Call {
    pub(crate) operation: String,
    pub(crate) start: Instant,
    pub(crate) end: Instant,
    pub(crate) units: f64,
}

/// The calls of a service, in the order in which they ended. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls(Arc<Mutex<Vec<Call>>>);

impl Calls {
    /// The calls so far, which are then forgotten.
    pub(crate) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// Puts the connector in front of `inner`.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(Counting { inner, calls: self.clone() })
    }
}

#[derive(Debug, Clone)]
struct Counting {
    inner: SharedHttpClient,
    calls: Calls,
}

impl HttpClient for Counting {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(CountingConnector { inner, calls: self.calls.clone() })
    }
}

#[derive(Debug)]
struct CountingConnector {
    inner: SharedHttpConnector,
    calls: Calls,
}

impl HttpConnector for CountingConnector {
    fn call(&self, mut request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let mut body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        body["ReturnConsumedCapacity"] = json!("TOTAL");
        let body = body.to_string();
        request.headers_mut().insert("content-length", body.len().to_string());
        *request.body_mut() = SdkBody::from(body);
        let (calls, start, answer) = (self.calls.clone(), Instant::now(), self.inner.call(request));
        HttpConnectorFuture::new(async move {
            let mut response = answer.await?;
            let body = std::mem::replace(response.body_mut(), SdkBody::taken());
            let bytes = body.collect().await.map_err(ConnectorError::io)?.to_bytes();
            let output: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let units = units(&output["ConsumedCapacity"]);
            calls.0.lock().unwrap().push(Call { operation, start, end: Instant::now(), units });
            *response.body_mut() = SdkBody::from(bytes);
            Ok(response)
        })
    }
}

fn units(consumed: &Value) -> f64 {
    match consumed {
        Value::Array(tables) => tables.iter().map(units).sum(),
        one => one["CapacityUnits"].as_f64().unwrap_or(0.0),
    }
}
