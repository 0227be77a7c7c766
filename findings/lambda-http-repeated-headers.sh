#!/usr/bin/env bash
# lambda_http 1.3.2 (with aws_lambda_events 1.2.1): which lines of a repeated header an HTTP API (payload 2.0) is given.
#
# Guess: both lines of `vary`, joined by a comma. The comment beside the code says so ("Duplicate headers are combined with
# commas and included in the headers field").
# Behaviour: the first line alone. The others are in no field of the response. Cookies are all in `cookies`.
# Output seen on 2026-11-29:
#   {"body":"","cookies":["a=1","b=2"],"headers":{"vary":"Accept-Encoding"},"isBase64Encoded":false,"multiValueHeaders":{},"statusCode":204}
#
# Needs cargo. Exits with 1 if the output is another one.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
cat >"$work/Cargo.toml" <<'TOML'
[package]
name = "repeated-headers"
version = "0.0.0"
edition = "2024"

[dependencies]
aws_lambda_events = { version = "=1.2.1", default-features = false }
lambda_http = { version = "=1.3.2", default-features = false, features = ["apigw_http"] }
serde_json = "=1.0.154"
tokio = { version = "=1.54.1", features = ["macros", "rt"] }
TOML
cat >"$work/src/main.rs" <<'RUST'
use std::convert::Infallible;

use lambda_http::lambda_runtime::{Context, LambdaEvent};
use lambda_http::request::LambdaRequest;
use lambda_http::tower::ServiceExt;
use lambda_http::{Adapter, Body, Request, Response, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let answer = async |_: Request| {
        let answer = Response::builder().status(204).header("vary", "Accept-Encoding").header("vary", "Origin");
        let answer = answer.header("set-cookie", "a=1").header("set-cookie", "b=2");
        Ok::<_, Infallible>(answer.body(Body::Empty).unwrap())
    };
    let event: LambdaRequest = serde_json::from_value(serde_json::json!({
        "version": "2.0", "routeKey": "$default", "rawPath": "/", "rawQueryString": "", "isBase64Encoded": false,
        "headers": {"host": "api.example.com"},
        "requestContext": {
            "apiId": "a1", "stage": "$default", "routeKey": "$default", "timeEpoch": 0,
            "http": {"method": "GET", "path": "/", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"},
        },
    }))
    .unwrap();
    let sent = Adapter::from(service_fn(answer)).oneshot(LambdaEvent::new(event, Context::default())).await.unwrap();
    println!("{}", serde_json::to_value(sent).unwrap());
}
RUST
seen=$(cargo run --quiet --manifest-path "$work/Cargo.toml" --target-dir "$work/target")
expected='{"body":"","cookies":["a=1","b=2"],"headers":{"vary":"Accept-Encoding"},"isBase64Encoded":false,"multiValueHeaders":{},"statusCode":204}'
echo "$seen"
[ "$seen" = "$expected" ] || { echo "it has changed; expected: $expected" >&2; exit 1; }
