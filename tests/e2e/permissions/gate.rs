//! The gate between the functions and AWS: every request passes with the role of the function that signed it, is
//! recorded, and reaches a stand-in only if the role allows it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::policy::{Call, Role};
use super::request::Signed;
use super::stand_ins::StandIns;
use crate::template::document::functions;
use crate::template::stack::Stack;

/// No function sends more at once.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// A running gate. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Gate {
    /// Its address.
    pub(crate) url: String,
    /// The stack whose roles it enforces.
    pub(crate) stack: Arc<Stack<'static>>,
    passed: Arc<Mutex<Passed>>,
}

/// The calls that passed a gate, and those that it refused.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    /// Each call that a function made.
    pub(crate) calls: BTreeSet<(String, Call)>,
    /// The requests that no role allowed, or that had no signature.
    pub(crate) denied: BTreeSet<String>,
    /// The requests to the search domain, as they came.
    pub(crate) searches: Vec<Signed>,
}

impl Gate {
    /// Opens a gate to `stand_ins` with the roles of `stack`.
    pub(crate) async fn open(stack: Arc<Stack<'static>>, stand_ins: StandIns) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let gate = Self { url, stack, passed: Arc::default() };
        let roles =
            functions().into_iter().map(|(name, function)| (name, Role::of_function(&gate.stack, &function.id)));
        let roles: Arc<BTreeMap<String, Role>> = Arc::new(roles.collect());
        let judge = gate.clone();
        let answer = move |request: Request| {
            let (judge, roles, stand_ins) = (judge.clone(), roles.clone(), stand_ins.clone());
            async move {
                let (head, body) = request.into_parts();
                let body = to_bytes(body, MAX_BODY).await.unwrap();
                match Signed::read(head.method, head.uri, head.headers, body) {
                    Ok(request) if judge.allows(&roles, &request) => stand_ins.answer(request).await,
                    Ok(request) => denial(&request),
                    Err(reason) => {
                        judge.passed.lock().unwrap().denied.insert(reason);
                        StatusCode::FORBIDDEN.into_response()
                    }
                }
            }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        gate
    }

    /// The calls that have passed.
    pub(crate) fn passed(&self) -> MutexGuard<'_, Passed> {
        self.passed.lock().unwrap()
    }

    fn allows(&self, roles: &BTreeMap<String, Role>, request: &Signed) -> bool {
        let calls = request.calls(&self.stack);
        let role = roles.get(&request.function).unwrap_or_else(|| panic!("no function {}", request.function));
        let mut passed = self.passed.lock().unwrap();
        let refused: Vec<&Call> = calls.iter().filter(|call| !role.allows(call)).collect();
        for call in &refused {
            passed.denied.insert(format!("{} may not {call:?}", request.function));
        }
        let is_allowed = refused.is_empty();
        passed.calls.extend(calls.into_iter().map(|call| (request.function.clone(), call)));
        if request.service == "es" {
            passed.searches.push(request.clone());
        }
        is_allowed
    }
}

/// AWS's answer to who may not.
fn denial(request: &Signed) -> Response {
    let kind = if request.service == "kms" || request.service == "dynamodb" {
        "AccessDeniedException"
    } else {
        "AccessDenied"
    };
    let status = if request.service == "dynamodb" { StatusCode::BAD_REQUEST } else { StatusCode::FORBIDDEN };
    (status, axum::Json(json!({"__type": kind, "message": "not authorized"}))).into_response()
}
