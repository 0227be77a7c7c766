//! The signatures of requests to the search domain, checked by the signer of AWS's own Python SDK.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::request::Signed;
use crate::services;
use crate::template::document::root;

/// Fails unless each request carries the signature that botocore computes for it.
pub(crate) fn assert_valid(requests: &[Signed]) {
    assert!(!requests.is_empty());
    let Some(python) = services::python("sam") else { return };
    let requests: Vec<Value> = requests.iter().map(line).collect();
    let script = root().join("tests/e2e/permissions/signatures.py");
    let mut process = Command::new(python).arg(script).stdin(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(json!(requests).to_string().as_bytes()).unwrap();
    assert!(process.wait().unwrap().success(), "a request to the search domain is signed wrongly");
}

fn line(request: &Signed) -> Value {
    let headers = request.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap()));
    let headers: Vec<(&str, &str)> = headers.collect();
    let body = String::from_utf8(request.body.to_vec()).unwrap();
    json!({"method": request.method.as_str(), "target": request.uri.to_string(), "headers": headers, "body": body})
}
