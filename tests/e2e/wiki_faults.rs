//! The wiki during failures: an index that is down, a database whose replies are lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use serde_json::json;

use crate::support::{IndexSwitch, TestService};

#[tokio::test]
async fn while_the_index_is_down_only_searches_fail() {
    let index = IndexSwitch::default();
    let database = Faults::default();
    let faults = database.clone();
    let world = TestService::with(|options| {
        options.wrap_index = Some(index.wrap());
        options.wrap_database = Some(faults.wrap());
    })
    .await;
    let admin = world.admin();
    let entry = |path: &str| json!({"path": path, "title": "Walrus", "content": "C"});
    assert_eq!(admin.post("/wiki", entry("a/before")).await.status, 201);
    assert_eq!(admin.post("/wiki", entry("a/gone")).await.status, 201);

    index.off();
    assert_eq!(admin.post("/wiki", entry("a/during")).await.status, 201);
    assert_eq!(admin.patch("/wiki/a/before", json!({"title": "Tusk"})).await.json["version"], 2);
    assert_eq!(admin.delete("/wiki/a/gone").await.status, 204);
    assert_eq!(admin.get("/wiki/a/during").await.status, 200);
    assert_eq!(admin.get("/wiki").await.json["total"], 2);
    assert_eq!(database.due.load(Ordering::SeqCst), 3, "each change that was not indexed is due to be tried again");
    let search = admin.get("/wiki?q=walrus").await;
    assert_eq!((search.status, search.text_at("error")), (503, "SERVICE_UNAVAILABLE"));
    assert!(!search.header("retry-after").is_empty());

    index.on();
    let changed = admin.patch("/wiki/a/during", json!({"content": "Changed"})).await;
    assert_eq!(changed.json["version"], 2, "an pending index leaves the version alone");
    let found = admin.get("/wiki?q=changed").await;
    assert_eq!(found.json["items"][0]["path"], "a/during", "the next write of a path brings the index up to date");
    assert_eq!(database.due.load(Ordering::SeqCst), 3);
    let world = world.restart().await;
    let admin = world.admin();
    for (q, total) in [("walrus", 1), ("tusk", 1)] {
        assert_eq!(
            admin.get(&format!("/wiki?q={q}")).await.json["total"],
            total,
            "{q}: a start brings all of it up to date"
        );
    }
}

/// Stands between the SDK and the database.
#[derive(Debug, Clone, Default)]
struct Faults {
    /// The replies to so many transactions are lost, after they were applied.
    losing: Arc<AtomicUsize>,
    /// How many transactions put something into the due index.
    due: Arc<AtomicUsize>,
}

impl Faults {
    fn wrap(&self) -> local::WrapHttpClient {
        let faults = self.clone();
        Box::new(|inner| SharedHttpClient::new(Faulty { inner, faults }))
    }
}

#[derive(Debug, Clone)]
struct Faulty<T> {
    inner: T,
    faults: Faults,
}

impl HttpClient for Faulty<SharedHttpClient> {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(Faulty { inner, faults: self.faults.clone() })
    }
}

impl HttpConnector for Faulty<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        if !request.headers().get("x-amz-target").is_some_and(|target| target.ends_with("TransactWriteItems")) {
            return self.inner.call(request);
        }
        if request.body().bytes().is_some_and(|body| String::from_utf8_lossy(body).contains("DUE#")) {
            self.faults.due.fetch_add(1, Ordering::SeqCst);
        }
        let taken = self.faults.losing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        let answer = self.inner.call(request);
        if taken.is_err() {
            return answer;
        }
        HttpConnectorFuture::new(async move {
            drop(answer.await);
            Err(ConnectorError::io("the reply was lost".into()))
        })
    }
}

#[tokio::test]
async fn a_write_whose_reply_was_lost_is_done_once_and_succeeds() {
    let faults = Faults::default();
    let left = Arc::clone(&faults.losing);
    let world = TestService::with(|options| options.wrap_database = Some(faults.wrap())).await;
    let admin = world.admin();
    for lost in [1, 2] {
        let path = format!("lost/n{lost}");
        left.store(lost, Ordering::SeqCst);
        let created = admin.post("/wiki", json!({"path": path, "title": "T", "content": "C"})).await;
        assert_eq!((created.status, left.load(Ordering::SeqCst)), (201, 0), "{created:?}");
        assert_eq!(created.json["version"], 1);
        left.store(lost, Ordering::SeqCst);
        let changed = admin.patch(&format!("/wiki/{path}"), json!({"title": "Changed"})).await;
        assert_eq!((changed.status, left.load(Ordering::SeqCst)), (200, 0), "{changed:?}");
        assert_eq!(changed.json["version"], 2);
        assert_eq!(admin.get(&format!("/wiki/{path}")).await.json, changed.json);
        left.store(lost, Ordering::SeqCst);
        assert_eq!(admin.delete(&format!("/wiki/{path}")).await.status, 204);
        assert_eq!(left.load(Ordering::SeqCst), 0);
        assert_eq!(admin.get(&format!("/wiki/{path}")).await.status, 404);
    }
}
