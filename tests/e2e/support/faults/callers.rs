//! Callers that a fault drops while they wait, as the end of a process does: a worker's batch by its future, a request
//! with the runtime that it is answered in.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use local::Resources;
use tokio::runtime::Builder;
use tokio::sync::Notify;
use tower::ServiceExt as _;

use super::Faults;

/// How long the end of a runtime may take.
const END_TIMEOUT: Duration = Duration::from_secs(60);

tokio::task_local! {
    /// Tells the worker that makes a call that it is dropped.
    static WORKER: DropSignal;
}

/// Tells a caller that it is dropped. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct DropSignal(Arc<Notify>);

impl DropSignal {
    /// Has the caller dropped, which waits here until then.
    pub(super) async fn drop_it<T>(&self) -> T {
        self.0.notify_one();
        match std::future::pending::<Infallible>().await {}
    }

    async fn end_of<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = work => Some(done),
            () = self.0.notified() => None,
        }
    }
}

impl Faults {
    /// Whoever makes a call here and now.
    pub(super) fn caller(&self) -> DropSignal {
        WORKER.try_with(Clone::clone).unwrap_or_else(|_| self.plan.lock().unwrap().dropped.clone())
    }

    /// Carries out the work of a worker; `None` if a call of it had it dropped.
    pub(crate) async fn worker<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let signal = DropSignal::default();
        WORKER.scope(signal.clone(), signal.end_of(work)).await
    }

    /// Carries out `work`; `None` if a call that is not a worker's had it dropped.
    pub(crate) async fn until_dropped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let signal = self.plan.lock().unwrap().dropped.clone();
        signal.end_of(work).await
    }

    /// Sends a request to the functions, in a runtime of its own. If a call has its caller dropped, the runtime ends
    /// with everything that waits in it, and there is no response.
    pub(crate) async fn send(&self, resources: &Resources, request: reqwest::Request) -> Option<reqwest::Response> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let resources = resources.clone();
        let answer = runtime.spawn(async move {
            let functions = local::api(&resources).await.unwrap();
            let response = functions.oneshot(http_request(request)).await.unwrap();
            let (head, body) = response.into_parts();
            http::Response::from_parts(head, to_bytes(body, usize::MAX).await.unwrap())
        });
        let answered = self.until_dropped(answer).await;
        // A runtime may not be dropped where others run.
        tokio::task::spawn_blocking(move || runtime.shutdown_timeout(END_TIMEOUT)).await.unwrap();
        answered.map(|response| response.unwrap().into())
    }
}

fn http_request(request: reqwest::Request) -> axum::extract::Request {
    let body = request.body().and_then(reqwest::Body::as_bytes).unwrap_or_default().to_vec();
    let (method, url) = (request.method().clone(), request.url());
    let uri = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let mut sent = axum::extract::Request::new(Body::from(body));
    *sent.method_mut() = method;
    *sent.uri_mut() = uri.parse().unwrap();
    *sent.headers_mut() = request.headers().clone();
    sent
}
