//! A stand-in of the Lambda runtime API: it sends events, of an HTTP API or any other, to a built function binary and
//! reads its responses, by the protocol of AWS. Each function's tests include this file.

use std::collections::HashMap;
use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use log_check::Confidential;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// How long a function may take for anything.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The answer of a function, or the error that it reported.
pub(crate) type Answer = Result<Value, String>;

struct Invocation {
    id: String,
    event: Value,
}

#[derive(Clone)]
struct RuntimeState {
    first_poll: Arc<OnceLock<Instant>>,
    events: Arc<tokio::sync::Mutex<mpsc::Receiver<Invocation>>>,
    waiting: Arc<Mutex<HashMap<String, oneshot::Sender<Answer>>>>,
}

/// A running function binary. Dropping it fails the test if its log holds anything confidential.
pub(crate) struct Lambda {
    process: Child,
    logs: tempfile::NamedTempFile,
    events: mpsc::Sender<Invocation>,
    state: RuntimeState,
    sent: AtomicU64,
    /// The texts that it must not log.
    confidential: Confidential,
}

/// The answer that API Gateway would send to the caller.
#[allow(dead_code, reason = "workers take no requests")]
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u64,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Value,
}

/// A request as API Gateway has it.
#[allow(dead_code, reason = "workers take no requests")]
#[derive(Debug, Clone, Default)]
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    /// Percent-decoded, as a real HTTP API delivers it.
    pub(crate) raw_path: &'a str,
    pub(crate) raw_query: &'a str,
    pub(crate) headers: Vec<(&'a str, &'a str)>,
    pub(crate) body: Option<&'a str>,
    pub(crate) base64: bool,
}

impl Lambda {
    /// Starts `binary` with `environment` and nothing else.
    pub(crate) async fn start(binary: &str, environment: &[(&str, &str)]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (events, receiver) = mpsc::channel(8);
        let state = RuntimeState {
            first_poll: Arc::default(),
            events: Arc::new(tokio::sync::Mutex::new(receiver)),
            waiting: Arc::default(),
        };
        let router = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(answered))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(failed))
            .with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let logs = tempfile::NamedTempFile::new().unwrap();
        let file =
            |logs: &tempfile::NamedTempFile| Stdio::from(File::options().append(true).open(logs.path()).unwrap());
        let process = Command::new(binary)
            .env_clear()
            .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
            .env("AWS_LAMBDA_FUNCTION_NAME", "under-test")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512")
            .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
            .env("AWS_LAMBDA_LOG_STREAM_NAME", "stream")
            .env("AWS_LAMBDA_LOG_GROUP_NAME", "group")
            .env("AWS_REGION", "eu-central-1")
            .env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
            .env("AWS_SECRET_ACCESS_KEY", "local")
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .env("LOG_LEVEL", "trace")
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(file(&logs))
            .stderr(file(&logs))
            .spawn()
            .unwrap();
        Self { process, logs, events, state, sent: AtomicU64::new(0), confidential: Confidential::default() }
    }

    /// Sends one request and waits for the answer.
    #[allow(dead_code, reason = "each function's tests include this file, and workers take no requests")]
    pub(crate) async fn call(&self, call: Call<'_>) -> Reply {
        for (_, credential) in call.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            self.confidential.add_credential(credential.trim_start_matches("Bearer "));
        }
        let body = call.body.and_then(|body| serde_json::from_str(body).ok());
        self.confidential.add_body(&body.unwrap_or_default());
        let answer = self.invoke(|id| event(&call, id)).await;
        let reply = reply(&answer.unwrap_or_else(|error| panic!("{call:?} failed: {error}\n{}", self.logs())));
        self.confidential.add_body(&reply.body);
        reply
    }

    /// Sends one event, made for the id of its invocation, and waits for the answer or the error.
    pub(crate) async fn invoke(&self, event: impl FnOnce(&str) -> Value) -> Answer {
        let id = format!("invocation-{}", self.sent.fetch_add(1, Ordering::SeqCst));
        let (sender, answer) = oneshot::channel();
        self.state.waiting.lock().unwrap().insert(id.clone(), sender);
        let event = event(&id);
        self.confidential.add_body(&event);
        self.events.send(Invocation { id, event }).await.unwrap();
        let answer = tokio::time::timeout(TIMEOUT, answer).await;
        answer.unwrap_or_else(|_| panic!("no answer\n{}", self.logs())).unwrap()
    }

    /// When the function first asked for an event, once it has.
    #[allow(dead_code, reason = "for the measurement of startup alone")]
    pub(crate) fn first_poll(&self) -> Option<Instant> {
        self.state.first_poll.get().copied()
    }

    /// The process id.
    #[allow(dead_code, reason = "for the measurement of startup alone")]
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Everything that the function wrote to its log.
    pub(crate) fn logs(&self) -> String {
        std::fs::read_to_string(self.logs.path()).unwrap()
    }
}

impl Lambda {
    /// Waits for a start that fails; whether the process called that a success.
    #[allow(dead_code, reason = "each function's tests include this file, and not all start one that fails")]
    pub(crate) async fn refused(&mut self) -> bool {
        let ended = async {
            loop {
                if let Some(status) = self.process.try_wait().unwrap() {
                    return status.success();
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let ended = tokio::time::timeout(TIMEOUT, ended).await;
        ended.unwrap_or_else(|_| panic!("it has not ended\n{}", self.logs()))
    }
}

impl Drop for Lambda {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
        self.confidential.assert_not_in(self.logs().lines());
    }
}

#[allow(dead_code, reason = "workers take no requests")]
pub(crate) fn event(call: &Call<'_>, id: &str) -> Value {
    let mut headers: HashMap<_, _> = call.headers.iter().map(|(name, value)| (name.to_lowercase(), *value)).collect();
    headers.insert("host".into(), "abc.execute-api.eu-central-1.amazonaws.com");
    headers.insert("x-forwarded-proto".into(), "https");
    json!({
        "version": "2.0", "routeKey": "$default", "rawPath": call.raw_path, "rawQueryString": call.raw_query,
        "headers": headers, "body": call.body, "isBase64Encoded": call.base64,
        "requestContext": {
            "accountId": "123456789012", "apiId": "abc", "stage": "$default", "routeKey": "$default",
            "requestId": id, "domainName": "abc.execute-api.eu-central-1.amazonaws.com", "domainPrefix": "abc",
            "time": "01/Jan/2026:00:00:00 +0000", "timeEpoch": 1_767_225_600_000_u64,
            "http": {
                "method": call.method, "path": call.raw_path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1",
                "userAgent": "test",
            },
        },
    })
}

#[allow(dead_code, reason = "workers take no requests")]
fn reply(answer: &Value) -> Reply {
    let headers = answer["headers"].as_object().unwrap().iter();
    let text = answer["body"].as_str().unwrap_or_default();
    Reply {
        status: answer["statusCode"].as_u64().unwrap(),
        headers: headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect(),
        body: if text.is_empty() { Value::Null } else { serde_json::from_str(text).unwrap() },
    }
}

#[allow(clippy::disallowed_methods, reason = "the runtime API gives a deadline in real time")]
async fn next(State(state): State<RuntimeState>) -> Response {
    state.first_poll.get_or_init(Instant::now);
    let Some(invocation) = state.events.lock().await.recv().await else {
        return StatusCode::GONE.into_response();
    };
    let deadline = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + TIMEOUT;
    let headers = [
        ("lambda-runtime-aws-request-id", invocation.id),
        ("lambda-runtime-deadline-ms", deadline.as_millis().to_string()),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-central-1:123456789012:function:under-test".into()),
        ("lambda-runtime-trace-id", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1".into()),
    ];
    (headers, invocation.event.to_string()).into_response()
}

async fn answered(State(state): State<RuntimeState>, Path(id): Path<String>, body: String) -> StatusCode {
    deliver_result(&state, &id, Ok(serde_json::from_str(&body).unwrap()))
}

async fn failed(State(state): State<RuntimeState>, Path(id): Path<String>, body: String) -> StatusCode {
    deliver_result(&state, &id, Err(body))
}

fn deliver_result(state: &RuntimeState, id: &str, answer: Answer) -> StatusCode {
    match state.waiting.lock().unwrap().remove(id).map(|caller| caller.send(answer)) {
        Some(Ok(())) => StatusCode::ACCEPTED,
        _ => StatusCode::BAD_REQUEST,
    }
}
