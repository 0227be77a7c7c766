//! An answer as a function on Lambda hands it to the gateway: `lambda_http` writes it as JSON, with one value for each
//! header.

use std::convert::Infallible;

use http::HeaderMap;
use http::header::SET_COOKIE;
use lambda_http::lambda_runtime::{Context, LambdaEvent};
use lambda_http::request::LambdaRequest;
use lambda_http::tower::ServiceExt as _;
use lambda_http::{Adapter, Body, Response, service_fn};
use serde_json::{Value, json};

/// Asserts that an answer with these `headers` reaches its caller with all of them.
pub(super) async fn assert_whole_on_lambda(asked: &str, status: u16, headers: &HeaderMap) {
    let mut answer = Response::builder().status(status).body(Body::Empty).unwrap();
    answer.headers_mut().clone_from(headers);
    let event: LambdaRequest = serde_json::from_value(json!({
        "version": "2.0", "routeKey": "$default", "rawPath": "/", "rawQueryString": "", "headers": {},
        "isBase64Encoded": false,
        "requestContext": {
            "stage": "$default", "routeKey": "$default", "timeEpoch": 0, "apiId": "a1",
            "http": {"method": "GET", "path": "/", "protocol": "HTTP/1.1"},
        },
    }))
    .unwrap();
    let answered = move |_| std::future::ready(Ok::<_, Infallible>(answer.clone()));
    let sent = Adapter::from(service_fn(answered)).oneshot(LambdaEvent::new(event, Context::default())).await;
    let sent = serde_json::to_value(sent.unwrap()).unwrap_or_else(|error| panic!("{asked}: {error}"));
    for name in headers.keys() {
        let lines: Vec<_> = headers.get_all(name).iter().map(|line| line.to_str().unwrap()).collect();
        let (told, expected) = match name {
            &SET_COOKIE => (&sent["cookies"], json!(lines)),
            _ => (&sent["headers"][name.as_str()], Value::from(lines.join(", "))),
        };
        assert_eq!(*told, expected, "{asked}: lambda_http loses a line of `{name}`");
    }
}
