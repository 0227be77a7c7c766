//! The table requests of one message: number, sequential ones, read and write units.
//!
//! A connector between the SDK and the server sets `ReturnConsumedCapacity` in every request and adds up the responses.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use aws_sdk_dynamodb::config::{HttpClient, RuntimeComponents, SharedHttpClient};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use domain::models::{Mode, Plan, Role};
use http_body_util::BodyExt;
use local::{Options, Service};
use serde_json::{Value, json};

/// One call of the table.
#[derive(Debug, Clone)]
struct Call {
    operation: String,
    start: Instant,
    end: Instant,
    units: f64,
}

#[derive(Debug, Clone)]
struct Counting {
    inner: SharedHttpClient,
    calls: Arc<Mutex<Vec<Call>>>,
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
    calls: Arc<Mutex<Vec<Call>>>,
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
            calls.lock().unwrap().push(Call { operation, start, end: Instant::now(), units });
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

/// How many calls had to wait for another: the longest chain in which each starts after the one before has ended.
fn one_after_the_other(calls: &[Call]) -> usize {
    let mut calls = calls.to_vec();
    calls.sort_by_key(|call| call.end);
    let mut last_end = None;
    calls
        .iter()
        .filter(|call| {
            last_end.is_none_or(|end| call.start >= end) && {
                last_end = Some(call.end);
                true
            }
        })
        .count()
}

/// Asks a few questions and prints what the last one, an ordinary one, cost.
pub(crate) async fn measure() {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(folder.path().join("data"), 0);
    let seen = calls.clone();
    options.wrap_database = Some(Box::new(|inner| SharedHttpClient::new(Counting { inner, calls: seen })));
    let service = Service::start(options).await.unwrap();
    let tenant = service.create_tenant("bench", Plan::Pro).await.unwrap();
    let http = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let key = tenant.key(Mode::Live, Role::Admin);
        let request = http.post(format!("{}{path}", service.url())).bearer_auth(key).json(&body);
        request.send().await.unwrap().json().await.unwrap()
    };
    let content = "Open your account and choose Change plan. The new plan counts from the next month on.";
    post("/wiki", json!({"path": "bench/plan", "title": "Changing your plan", "content": content})).await;
    let session = post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    println!("\none message of a session: operations with their units, in the order in which they ended");
    for number in 1..=6 {
        calls.lock().unwrap().clear();
        let body = json!({"content": "How do I change my plan?"});
        let answer = post(&format!("/sessions/{session}/messages"), body).await;
        let calls = calls.lock().unwrap().clone();
        if [1, 6].contains(&number) {
            print(number, &answer, &calls);
        }
    }
    service.stop().await;
}

fn print(number: u32, answer: &Value, calls: &[Call]) {
    let list: Vec<String> = calls.iter().map(|call| format!("{} {}", call.operation, call.units)).collect();
    let sum = |writes: bool| -> f64 {
        let wanted = calls.iter().filter(|call| (call.operation == "TransactWriteItems") == writes);
        wanted.map(|call| call.units).sum()
    };
    println!("  message {number} ({}): {}", answer["disposition"], list.join(", "));
    println!(
        "    {} calls, {} of them one after the other (authentication is the first); {} read and {} write units",
        calls.len(),
        one_after_the_other(calls),
        sum(false),
        sum(true)
    );
}
