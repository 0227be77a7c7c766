//! The HTTP server on loopback. At shutdown, running requests get a short grace period.

use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::serve::{Listener, ListenerExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::own_hosts::OwnHosts;
use crate::{StartError, unread_body};

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
            .layer(middleware::from_fn(unread_body::drain));
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
