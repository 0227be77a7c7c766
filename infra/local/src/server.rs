//! The HTTP server on loopback. At shutdown, running requests get a short grace period.
//!
//! It answers requests that name a host of this machine, or one that an option adds. A web page can let the name of its own
//! site lead to this machine (DNS rebinding). For a browser its requests are then requests to the page's own site, whose
//! answers it may read. They still name that site.
//!
//! It reads what a handler leaves of a request's body before the response is sent: a client that sends all of a body before it
//! reads gets no response from a server that closes the connection over unread bytes.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::serve::{Listener, ListenerExt};
use domain::clock::Runtime;
use domain::error::Code;
use domain::{Error, Result};
use futures::stream;
use http::{HeaderValue, header};
use http_body_util::BodyExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::StartError;

/// How long running requests may take after a stop.
const GRACE: Duration = Duration::from_millis(600);

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Listens on `port` of 127.0.0.1, which the command-line `option` sets; 0 takes any free port.
pub(crate) async fn listen(port: u16, option: &'static str) -> Result<TcpListener, StartError> {
    TcpListener::bind(("127.0.0.1", port)).await.map_err(|source| match source.kind() {
        std::io::ErrorKind::AddrInUse => StartError::PortInUse { port, option },
        _ => StartError::Listen { port, source },
    })
}

impl Server {
    /// Serves `router` over TCP until stopped, to requests that name one of `hosts`.
    pub(crate) fn start(listener: TcpListener, router: Router, hosts: OwnHosts) -> Self {
        // TCP_NODELAY: a small response must not wait for the acknowledgement of the previous one.
        let listener = listener.tap_io(|stream| {
            stream.set_nodelay(true).ok();
        });
        let router = router
            .layer(middleware::from_fn(move |request, next| hosts.clone().require(request, next)))
            .layer(middleware::from_fn(drain_body));
        Self::serve(listener, router)
    }

    /// Serves `router` until stopped.
    pub(crate) fn serve<L: Listener<Addr: std::fmt::Debug>>(listener: L, router: Router) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
            stopped.await.ok();
        });
        let task = tokio::spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(error = %error, "the HTTP server stopped; restart the service");
            }
        });
        Self { stop, task }
    }

    /// Takes no more requests, and gives running ones their grace.
    pub(crate) async fn stop(self) {
        drop(self.stop);
        let abort = self.task.abort_handle();
        if tokio::time::timeout(GRACE, self.task).await.is_err() {
            abort.abort();
        }
    }
}

/// The port of a request that names none.
const HTTP_PORT: u16 = 80;

/// The hosts that requests may name. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct OwnHosts {
    port: u16,
    /// In lower case, with a port or without.
    more: Arc<[String]>,
    runtime: Runtime,
}

impl OwnHosts {
    /// The names of loopback with `port`, and `more`: a host with a port is that alone, one without is allowed with `port`
    /// and without any.
    pub(crate) fn new(port: u16, more: &[String], runtime: &Runtime) -> Self {
        let more = more.iter().map(|host| host.to_ascii_lowercase()).collect();
        Self { port, more, runtime: runtime.clone() }
    }

    /// The middleware: refuses a request that names another host.
    pub(crate) async fn require(self, request: Request, next: Next) -> Response {
        match self.check(&request) {
            Ok(()) => next.run(request).await,
            Err(error) => support::edge::refuse(request.headers(), &self.runtime, error),
        }
    }

    fn check(&self, request: &Request) -> Result<()> {
        let named: Vec<&HeaderValue> = request.headers().get_all(header::HOST).iter().collect();
        let target = request.uri().authority();
        let [host] = named.as_slice() else {
            return Err(Error::new(Code::ValidationError, "Send exactly one Host header."));
        };
        // A target may name a host, too.
        let are_own = host.to_str().is_ok_and(|host| self.is_own(host))
            && target.is_none_or(|target| self.is_own(target.as_str()));
        if are_own { Ok(()) } else { Err(Error::new(Code::Forbidden, REFUSED)) }
    }

    fn is_own(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = match authority.rsplit_once(':') {
            // A colon inside of brackets belongs to an address.
            Some((host, digits)) if !digits.ends_with(']') => match digits.parse() {
                Ok(port) if digits.bytes().all(|b| b.is_ascii_digit()) => (host, port),
                _ => return false,
            },
            _ => (authority.as_str(), HTTP_PORT),
        };
        (port == self.port && (is_loopback(host) || self.is_allowed(host))) || self.is_allowed(&authority)
    }

    fn is_allowed(&self, authority: &str) -> bool {
        self.more.iter().any(|allowed| allowed == authority)
    }
}

const REFUSED: &str = "The Host of this request is no name of this machine. The service answers to 127.0.0.1, [::1] and \
                       localhost with its port; the option --allow-host names others.";

fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "[::1]") || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// How much is read and discarded at most, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// How long that may take.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// The body of a request, given back when its reader drops it.
struct LentBody(Option<(Body, oneshot::Sender<Body>)>);

impl Drop for LentBody {
    fn drop(&mut self) {
        if let Some((body, owner)) = self.0.take() {
            owner.send(body).ok();
        }
    }
}

/// The middleware: runs the handler, then reads on.
async fn drain_body(request: Request, next: Next) -> Response {
    // A client that expects `100 Continue` sends nothing before somebody reads.
    if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let (owner, given_back) = oneshot::channel();
    let lent = stream::unfold(LentBody(Some((body, owner))), |mut lent| async move {
        let frame = lent.0.as_mut()?.0.frame().await?;
        Some((frame.map(|frame| frame.into_data().unwrap_or_default()), lent))
    });
    let response = next.run(Request::from_parts(parts, Body::from_stream(lent))).await;
    let discarding = async {
        if let Ok(body) = given_back.await {
            discard(body).await;
        }
    };
    tokio::time::timeout(MAX_WAIT, discarding).await.ok();
    response
}

async fn discard(mut body: Body) {
    let mut received = 0_usize;
    while let Some(Ok(frame)) = body.frame().await {
        received = received.saturating_add(frame.data_ref().map_or(0, |data| data.len()));
        if received > MAX_BYTES {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_hosts_are_those_of_loopback_with_the_port_and_those_that_were_named() {
        let more = ["Shop.test".to_owned(), "other.test:8080".to_owned()];
        let hosts = OwnHosts::new(9000, &more, &Runtime::system());
        let own = ["127.0.0.1:9000", "127.9.9.9:9000", "localhost:9000", "LOCALHOST:9000", "[::1]:9000"];
        for host in own.into_iter().chain(["shop.test", "SHOP.test:9000", "other.test:8080"]) {
            assert!(hosts.is_own(host), "{host}");
        }
        let foreign = [
            "",
            ":9000",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:9001",
            "127.0.0.1:+9000",
            "localhost",
            "localhost.:9000",
            "evil.test",
            "evil.test:9000",
            "localhost.evil.test:9000",
            "evil@127.0.0.1:9000",
            "[::1]",
            "::1:9000",
            "[::2]:9000",
            "0.0.0.0:9000",
            "2130706433:9000",
            "shop.test:8080",
            "other.test",
            "other.test:9000",
            "127.0.0.1:9000:9000",
            "127.0.0.1 :9000",
            "localhost:9000/",
            "127.1:9000",
        ];
        for host in foreign {
            assert!(!hosts.is_own(host), "{host}");
        }
    }

    #[test]
    fn the_default_port_needs_not_be_named() {
        let hosts = OwnHosts::new(80, &[], &Runtime::system());
        assert!(hosts.is_own("localhost") && hosts.is_own("[::1]") && hosts.is_own("127.0.0.1:80"));
        assert!(!hosts.is_own("evil.test"));
    }
}
