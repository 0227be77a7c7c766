//! The embedded DynamoDB: dynoxide over one SQLite file, served on loopback by a thread of its own.
//!
//! Its own thread, because SQLite blocks whoever calls it and serves one caller at a time anyway: so a write that
//! waits for the disk never holds up a request that does not.

use std::path::Path;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::StartError;

/// The running twin.
#[derive(Debug)]
pub(crate) struct Twin {
    url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Twin {
    /// Opens the file, makes it where it is missing, and listens on a free port of 127.0.0.1.
    pub(crate) fn start(file: &Path) -> Result<Self, StartError> {
        let broken = |reason: String| StartError::Database { path: file.to_owned(), reason };
        let path = file.to_str().ok_or_else(|| broken("its path is not UTF-8".into()))?;
        let database = dynoxide::Database::new(path).map_err(|e| broken(e.to_string()))?;
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).map_err(|e| broken(e.to_string()))?;
        listener.set_nonblocking(true).map_err(|e| broken(e.to_string()))?;
        let address = listener.local_addr().map_err(|e| broken(e.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| broken(e.to_string()))?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = move || runtime.block_on(serve(listener, database, stopped));
        let thread = std::thread::Builder::new().name("dynamodb".into()).spawn(serve);
        let thread = thread.map_err(|e| broken(e.to_string()))?;
        Ok(Self { url: format!("http://{address}"), stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Twin {
    /// Stops it: running calls end first, and the file is closed.
    fn drop(&mut self) {
        drop(self.stop.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the embedded database's thread had panicked");
        }
    }
}

async fn serve(listener: std::net::TcpListener, database: dynoxide::Database, stopped: oneshot::Receiver<()>) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the embedded database does not listen"),
    };
    let (ending, ended) = oneshot::channel::<()>();
    let shutdown = async move {
        stopped.await.ok();
        drop(ending);
    };
    let serving = dynoxide::server::serve_with_shutdown(listener, database, shutdown);
    // A client that keeps a half-sent request open must not keep the process alive.
    let patience = async move {
        ended.await.ok();
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    tokio::select! {
        result = serving => if let Err(error) = result {
            tracing::error!(error, "the embedded database stopped");
        },
        () = patience => {}
    }
}
