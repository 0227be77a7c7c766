//! The wiki during failures: an index that is down, a database whose replies are lost.

use serde_json::json;

use crate::support::{Fault, Faults, IndexSwitch, Recorder, Target, TestService};

#[tokio::test]
async fn while_the_index_is_down_only_searches_fail() {
    let index = IndexSwitch::default();
    let database = Recorder::default();
    let recorder = database.clone();
    let world = TestService::with(|options| {
        options.wrap_index = Some(index.wrap());
        options.wrap_database = Some(Box::new(move |inner| recorder.wrap(inner)));
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
    assert_eq!(made_due(&database), 3, "each change that was not indexed is due to be tried again");
    let search = admin.get("/wiki?q=walrus").await;
    assert_eq!((search.status, search.text_at("error")), (503, "SERVICE_UNAVAILABLE"));
    assert!(!search.header("retry-after").is_empty());

    index.on();
    let changed = admin.patch("/wiki/a/during", json!({"content": "Changed"})).await;
    assert_eq!(changed.json["version"], 2, "an pending index leaves the version alone");
    let found = admin.get("/wiki?q=changed").await;
    assert_eq!(found.json["items"][0]["path"], "a/during", "the next write of a path brings the index up to date");
    assert_eq!(made_due(&database), 3);
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

/// How many transactions put something into the due index.
fn made_due(database: &Recorder) -> usize {
    let transactions = database.text();
    transactions.lines().filter(|call| call.contains("TransactWriteItems") && call.contains("DUE#")).count()
}

#[tokio::test]
async fn a_write_whose_reply_was_lost_is_done_once_and_succeeds() {
    let faults = Faults::default();
    let world = TestService::with(|options| options.wrap_database = Some(faults.wrapper(Target::Table))).await;
    let lose = |replies| faults.arm_saying(&["TransactWriteItems"], replies, Fault::LoseReply);
    let admin = world.admin();
    for lost in [1, 2] {
        let path = format!("lost/n{lost}");
        lose(lost);
        let created = admin.post("/wiki", json!({"path": path, "title": "T", "content": "C"})).await;
        assert_eq!((created.status, faults.failed()), (201, lost), "{created:?}");
        assert_eq!(created.json["version"], 1);
        lose(lost);
        let changed = admin.patch(&format!("/wiki/{path}"), json!({"title": "Changed"})).await;
        assert_eq!((changed.status, faults.failed()), (200, lost), "{changed:?}");
        assert_eq!(changed.json["version"], 2);
        assert_eq!(admin.get(&format!("/wiki/{path}")).await.json, changed.json);
        lose(lost);
        assert_eq!(admin.delete(&format!("/wiki/{path}")).await.status, 204);
        assert_eq!(faults.failed(), lost);
        assert_eq!(admin.get(&format!("/wiki/{path}")).await.status, 404);
    }
}
