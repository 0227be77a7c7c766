//! A webhook receiver on this machine: records deliveries and responds as a test decides.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use futures::stream;
use http::HeaderMap;
use serde_json::Value;
use standardwebhooks::Webhook;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How long a test waits for something to arrive that must.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The answers of a receiver.
#[derive(Debug, Clone)]
pub(crate) enum Answers {
    /// A status and headers.
    Status(u16, Vec<(&'static str, String)>),
    /// The first one that many times, then the second.
    Then(Box<Answers>, usize, Box<Answers>),
    /// Nothing, for as long as anybody waits.
    Hang,
    /// 200, and then a byte now and then.
    Drip,
    /// 200, and then ten gigabytes.
    Flood,
}

impl Answers {
    pub(crate) fn status(status: u16) -> Self {
        Self::Status(status, Vec::new())
    }
}

/// One request that came.
#[derive(Debug, Clone)]
pub(crate) struct Caught {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) at: std::time::Instant,
}

impl Caught {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// `webhook-id`.
    pub(crate) fn id(&self) -> &str {
        self.header("webhook-id")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The event's kind.
    pub(crate) fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// Verifies as a receiver would: by the library of Standard Webhooks itself, which compares the request's time with
    /// the machine's clock.
    #[track_caller]
    pub(crate) fn verify(&self, secret: &str) {
        let verifier = verifier(secret);
        verifier.verify(&self.body, &self.headers).unwrap();
    }

    /// Whether one of the signatures is of `secret`, at the time that the request names.
    pub(crate) fn is_signed_by(&self, secret: &str) -> bool {
        let seconds = self.header("webhook-timestamp").parse().unwrap();
        let expected = verifier(secret).sign(self.id(), seconds, &self.body).unwrap();
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }
}

fn verifier(secret: &str) -> Webhook {
    match secret.strip_prefix("whsec_") {
        Some(_) => Webhook::new(secret).unwrap(),
        None => Webhook::from_bytes(secret.as_bytes().to_vec()).unwrap(),
    }
}

#[derive(Debug)]
struct Shared {
    caught: Mutex<Vec<Caught>>,
    answers: Mutex<Answers>,
    arrived: Notify,
    /// How many requests are open now, and how many were at once at the most.
    open: Mutex<(usize, usize)>,
}

/// A request that is open: until it is answered, or its sender goes.
struct Open(Arc<Shared>);

impl Open {
    fn new(shared: Arc<Shared>) -> Self {
        let mut open = shared.open.lock().unwrap();
        open.0 += 1;
        open.1 = open.1.max(open.0);
        drop(open);
        Self(shared)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.lock().unwrap().0 -= 1;
    }
}

/// A receiver; it stops when it is dropped.
pub(crate) struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: Option<JoinHandle<()>>,
}

impl Receiver {
    /// Starts one that answers 204.
    pub(crate) async fn start() -> Self {
        Self::answering(Answers::status(204)).await
    }

    pub(crate) async fn answering(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (caught, answers, open) = (Mutex::default(), Mutex::new(answers), Mutex::default());
        let shared = Arc::new(Shared { caught, answers, arrived: Notify::new(), open });
        let server = Some(serve(listener, Arc::clone(&shared)));
        Self { address, shared, server }
    }

    pub(crate) fn url(&self) -> String {
        self.at("/hook")
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers so from now on.
    pub(crate) fn answer(&self, answers: Answers) {
        *self.shared.answers.lock().unwrap() = answers;
    }

    /// The requests so far.
    pub(crate) fn caught(&self) -> Vec<Caught> {
        self.shared.caught.lock().unwrap().clone()
    }

    /// How many requests were open at once at the most.
    pub(crate) fn most_open(&self) -> usize {
        self.shared.open.lock().unwrap().1
    }

    /// The requests so far, once there are at least `count`.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Caught> {
        let enough = async {
            loop {
                let arrived = self.shared.arrived.notified();
                let caught = self.caught();
                if caught.len() >= count {
                    return caught;
                }
                arrived.await;
            }
        };
        let waited = tokio::time::timeout(TIMEOUT, enough).await;
        waited.unwrap_or_else(|_| panic!("{} of {count} requests came", self.caught().len()))
    }

    /// Stops listening; connections are refused.
    pub(crate) async fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.abort();
            server.await.ok();
        }
    }

    /// Listens again at the same address.
    pub(crate) async fn start_again(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.server = Some(serve(listener, Arc::clone(&self.shared)));
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

fn serve(listener: TcpListener, shared: Arc<Shared>) -> JoinHandle<()> {
    let router = Router::new().fallback(receive).with_state(shared);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() })
}

async fn receive(State(shared): State<Arc<Shared>>, request: axum::extract::Request) -> Response {
    let _open = Open::new(Arc::clone(&shared));
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let (method, path) = (parts.method.to_string(), parts.uri.path().to_owned());
    let answers = {
        let mut caught = shared.caught.lock().unwrap();
        caught.push(Caught { method, path, headers: parts.headers, body, at: std::time::Instant::now() });
        shared.answers.lock().unwrap().clone()
    };
    let number = shared.caught.lock().unwrap().len();
    shared.arrived.notify_waiters();
    answer(answers, number).await
}

async fn answer(answers: Answers, number: usize) -> Response {
    match answers {
        Answers::Then(first, times, _) if number <= times => Box::pin(answer(*first, number)).await,
        Answers::Then(_, _, then) => Box::pin(answer(*then, number)).await,
        Answers::Hang => std::future::pending().await,
        Answers::Drip => Response::new(Body::from_stream(stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Some((Ok::<_, Infallible>(Bytes::from_static(b".")), ()))
        }))),
        Answers::Flood => {
            let megabyte = Bytes::from(vec![b'x'; 1 << 20]);
            let chunks = std::iter::repeat_n(megabyte, 10 * 1_024).map(Ok::<_, Infallible>);
            Response::new(Body::from_stream(stream::iter(chunks)))
        }
        Answers::Status(status, headers) => {
            let response = headers
                .into_iter()
                .fold(Response::builder().status(status), |response, (name, value)| response.header(name, value));
            response.body(Body::empty()).unwrap()
        }
    }
}
