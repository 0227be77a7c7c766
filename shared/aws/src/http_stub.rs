//! For tests: servers on loopback that give every request the same response. [`Stub`] records the requests;
//! [`KeptAliveOnce`] breaks connections.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use futures::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use answer::model::ModelRequest;

/// How the stub answers.
#[derive(Debug, Clone)]
pub(crate) enum StubResponse {
    /// A status and a body that claims to be JSON.
    Json(u16, String),
    /// 307 to another path of the stub.
    Redirect,
    /// Never.
    Hang,
    /// A first piece of the body, then never more.
    HangInBody,
    /// A first piece of the body, then the connection breaks.
    Half,
}

/// The requests to the stub.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: serde_json::Value,
}

/// The server; ends with the test's runtime.
#[derive(Debug)]
pub(crate) struct Stub {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Stub {
    pub(crate) async fn start(reply: StubResponse) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let remembered = Arc::clone(&seen);
        let app = axum::Router::new().fallback(move |_: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            remembered.lock().unwrap().push(ReceivedRequest {
                path: uri.path().to_owned(),
                authorization: headers.get(header::AUTHORIZATION).map(|v| v.to_str().unwrap().to_owned()),
                body: serde_json::from_slice(&body).unwrap_or_default(),
            });
            answer(reply.clone())
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, seen }
    }

    /// The request, when there was one and no second.
    pub(crate) fn only_request(&self) -> ReceivedRequest {
        let seen = self.seen.lock().unwrap();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }
}

async fn answer(reply: StubResponse) -> Response {
    let json = [(header::CONTENT_TYPE, "application/json")];
    let first = stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"{\"choices\":["))]);
    match reply {
        StubResponse::Json(status, body) => {
            (axum::http::StatusCode::from_u16(status).unwrap(), json, body).into_response()
        }
        StubResponse::Redirect => axum::response::Redirect::temporary("/elsewhere").into_response(),
        StubResponse::Hang => std::future::pending::<Result<Response, Infallible>>().await.unwrap(),
        StubResponse::HangInBody => (json, Body::from_stream(first.chain(stream::pending()))).into_response(),
        StubResponse::Half => {
            let broken = stream::iter([Err(io::Error::other("broken"))]);
            (json, Body::from_stream(first.chain(broken))).into_response()
        }
    }
}

/// A small request that may take `timeout`.
pub(crate) fn request(timeout: Duration) -> ModelRequest {
    ModelRequest { system: "be brief".into(), user: "how?".into(), max_tokens: 77, timeout }
}

/// A server that answers one request of each connection, keeps the connection open, and resets it when it receives the
/// next one.
#[derive(Debug)]
pub(crate) struct KeptAliveOnce {
    pub(crate) url: String,
    broken: Arc<AtomicUsize>,
}

impl KeptAliveOnce {
    /// Starts one that answers `body`, which is JSON.
    pub(crate) async fn start(body: &'static str) -> Self {
        Self::serve(1, body).await
    }

    /// Starts one that resets every connection at its first request.
    pub(crate) async fn refusing() -> Self {
        Self::serve(0, "").await
    }

    /// The number of connections that it reset.
    pub(crate) fn broken(&self) -> usize {
        self.broken.load(Ordering::SeqCst)
    }

    async fn serve(answers: usize, body: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let broken = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&broken);
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let counter = Arc::clone(&counter);
                tokio::spawn(async move {
                    for _ in 0..answers {
                        read_request(&mut connection).await;
                        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ";
                        let response = format!("{head}{}\r\n\r\n{body}", body.len());
                        connection.write_all(response.as_bytes()).await.unwrap();
                    }
                    if read_request(&mut connection).await {
                        counter.fetch_add(1, Ordering::SeqCst);
                        connection.set_zero_linger().unwrap();
                    }
                });
            }
        });
        Self { url, broken }
    }
}

/// Reads a request with the length of its body; whether there was one.
async fn read_request(connection: &mut TcpStream) -> bool {
    let mut text = Vec::new();
    loop {
        if connection.read_buf(&mut text).await.unwrap_or(0) == 0 {
            return false;
        }
        let Some(head) = text.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let headers = String::from_utf8_lossy(&text[..head]).to_lowercase();
        let length = headers.lines().find_map(|line| line.strip_prefix("content-length: "));
        if text.len() >= head + 4 + length.map_or(0, |length| length.parse().unwrap()) {
            return true;
        }
    }
}
