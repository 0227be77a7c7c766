//! Faults between an SDK and the wire.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use serde_json::{Value, json};

use super::{Fault, Faults, NextCall, Target};

impl Faults {
    /// Puts the faults between the SDK of DynamoDB and the wire.
    pub(crate) fn wrap(&self, inner: SharedHttpClient) -> SharedHttpClient {
        self.wrap_as(Target::Table, inner)
    }

    /// Puts the faults between an SDK and the wire.
    pub(crate) fn wrap_as(&self, target: Target, inner: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(FaultyClient { inner, target, faults: self.clone() })
    }

    /// For an option that wraps an SDK's client.
    pub(crate) fn wrapper(&self, target: Target) -> local::WrapHttpClient {
        let faults = self.clone();
        Box::new(move |inner| faults.wrap_as(target, inner))
    }
}

#[derive(Debug)]
struct FaultyClient {
    inner: SharedHttpClient,
    target: Target,
    faults: Faults,
}

impl HttpClient for FaultyClient {
    fn http_connector(&self, settings: &HttpConnectorSettings, parts: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, parts);
        SharedHttpConnector::new(FaultyConnector { inner, target: self.target, faults: self.faults.clone() })
    }
}

#[derive(Debug)]
struct FaultyConnector {
    inner: SharedHttpConnector,
    target: Target,
    faults: Faults,
}

impl HttpConnector for FaultyConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let lost = |what: &'static str| ConnectorError::io(what.into());
        let operation = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        let body = request.body().bytes().unwrap_or_default();
        match self.faults.next(self.target, &operation, body) {
            NextCall::Goes => self.inner.call(request),
            NextCall::Waits(paused) => {
                let inner = self.inner.clone();
                HttpConnectorFuture::new(async move {
                    paused.wait_for_release().await;
                    inner.call(request).await
                })
            }
            NextCall::Fails(Fault::BeforeSend) => HttpConnectorFuture::ready(Err(lost("never sent"))),
            NextCall::Fails(Fault::LoseReply) => {
                let carried_out = self.inner.call(request);
                HttpConnectorFuture::new(async move {
                    let _reply = carried_out.await;
                    Err(lost("reply lost"))
                })
            }
            NextCall::Fails(Fault::DropCallerBefore) => {
                let caller = self.faults.caller();
                HttpConnectorFuture::new(async move { caller.drop_it().await })
            }
            NextCall::Fails(Fault::DropCallerAfter) => {
                let (caller, carried_out) = (self.faults.caller(), self.inner.call(request));
                HttpConnectorFuture::new(async move {
                    let _reply = carried_out.await;
                    caller.drop_it().await
                })
            }
            NextCall::Fails(Fault::Throttled) => refusal(&json!({"__type": "ThrottlingException"})),
            NextCall::Fails(Fault::Cancelled) => match cancellation(&operation, body) {
                Some(cancelled) => refusal(&cancelled),
                None => self.inner.call(request),
            },
            NextCall::Fails(Fault::Slow) => {
                self.faults.pass_time();
                self.inner.call(request)
            }
        }
    }
}

/// How DynamoDB cancels a transaction that another one is in conflict with; `None` for any other call.
fn cancellation(operation: &str, body: &[u8]) -> Option<Value> {
    let writes = operation.ends_with(".TransactWriteItems").then(|| serde_json::from_slice::<Value>(body).unwrap())?;
    let count = writes["TransactItems"].as_array().unwrap().len();
    let reason = |number| json!({"Code": if number == 0 { "TransactionConflict" } else { "None" }});
    let reasons: Vec<Value> = (0..count).map(reason).collect();
    Some(json!({"__type": "TransactionCanceledException", "CancellationReasons": reasons}))
}

fn refusal(body: &Value) -> HttpConnectorFuture {
    let response = http::Response::builder().status(400).header("content-type", "application/x-amz-json-1.0");
    let response = HttpResponse::try_from(response.body(body.to_string().into()).unwrap()).unwrap();
    HttpConnectorFuture::ready(Ok(response))
}
