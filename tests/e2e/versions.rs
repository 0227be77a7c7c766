//! The versions of settings and receivers: `ETag` and `If-Match`, as those of wiki entries; and one delivery with what
//! it says.

use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn settings_are_changed_only_in_the_version_that_if_match_names() {
    let service = TestService::start().await;
    let admin = service.admin();
    let first = admin.get("/settings").await.header("etag").to_owned();
    assert_eq!(first, "\"0\"");
    let changed = admin.with_header("if-match", &first).patch("/settings", json!({"name": "One"})).await;
    let second = changed.header("etag").to_owned();
    assert!(changed.status == 200 && second != first, "{second}");
    let late = admin.with_header("if-match", &first).patch("/settings", json!({"name": "Two"})).await;
    late.expect_error(412, "PRECONDITION_FAILED");
    assert_eq!(admin.get("/settings").await.text_at("name"), "One");
    // A change to the current values makes no new version, and without the header any version will do.
    let same = admin.with_header("if-match", &second).patch("/settings", json!({"name": "One"})).await;
    assert_eq!((same.expect(200)["name"].clone(), same.header("etag")), (json!("One"), second.as_str()));
    admin.patch("/settings", json!({"name": "Three"})).await.expect(200);
    admin.with_header("if-match", "*").patch("/settings", json!({"name": "Four"})).await.expect(200);
    for bad in ["W/\"1\"", "1", "\"x\""] {
        let refused = admin.with_header("if-match", bad).patch("/settings", json!({"name": "Five"})).await;
        refused.expect_error(412, "PRECONDITION_FAILED");
    }
    // The other mode has versions of its own.
    assert_eq!(service.test_admin().get("/settings").await.header("etag"), "\"0\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_changes_of_one_version_exactly_one_is_made() {
    let service = TestService::start().await;
    let tag = service.admin().get("/settings").await.header("etag").to_owned();
    let sends = (0..16).map(|n| {
        let admin = service.admin().with_header("if-match", &tag);
        tokio::spawn(async move { admin.patch("/settings", json!({"maxAiTurns": 30 + n})).await.status })
    });
    let mut statuses = Vec::new();
    for sent in sends.collect::<Vec<_>>() {
        statuses.push(sent.await.unwrap());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 412].contains(status)), "{statuses:?}");
}

#[tokio::test]
async fn a_receiver_is_changed_only_in_the_version_that_if_match_names() {
    let (service, _, hook) = TestService::start().await.and_receiver().await;
    let (admin, path) = (service.admin(), format!("/webhooks/{hook}"));
    let first = admin.get(&path).await.header("etag").to_owned();
    admin.post_empty(&format!("{path}/test")).await.expect(200);
    service.drain().await;
    assert_eq!(admin.get(&path).await.header("etag"), first, "deliveries are no change");
    let changed = admin.with_header("if-match", &first).patch(&path, json!({"description": "One"})).await;
    assert!(changed.status == 200 && changed.header("etag") != first, "{}", changed.text);
    let late = admin.with_header("if-match", &first).patch(&path, json!({"status": "disabled"})).await;
    late.expect_error(412, "PRECONDITION_FAILED");
    let now = admin.get(&path).await;
    assert_eq!((now.text_at("description"), now.text_at("status")), ("One", "active"));
    assert_eq!(now.header("etag"), changed.header("etag"));
    admin.with_header("if-match", &first).delete(&path).await.expect_error(412, "PRECONDITION_FAILED");
    admin.with_header("if-match", now.header("etag")).delete(&path).await.expect(204);
    admin.with_header("if-match", "*").delete(&path).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_delivery_shows_what_it_says_until_that_is_erased() {
    let (service, receiver, hook) = TestService::start().await.and_receiver().await;
    let admin = service.admin();
    let session = admin.session().await;
    service.drain().await;
    let id = admin.delivery(&hook).await["deliveryId"].as_str().unwrap().to_owned();
    let path = format!("/webhooks/{hook}/deliveries/{id}");
    let shown = admin.get(&path).await;
    assert_eq!((shown.expect(200)["type"].clone(), shown.text_at("status")), (json!("session.created"), "succeeded"));
    assert_eq!(shown.at("payload"), &receiver.caught()[0].json());
    for (stranger, path) in [
        (service.other_admin(), path.clone()),
        (service.test_admin(), path.clone()),
        (admin.clone(), format!("/webhooks/{hook}/deliveries/dlv_00000000000000000000000000")),
    ] {
        stranger.get(&path).await.expect_error(404, "NOT_FOUND");
    }
    service.agent().get(&path).await.expect_error(403, "FORBIDDEN");
    admin.delete(&format!("/sessions/{session}")).await.expect(204);
    service.drain().await;
    service.sweep().await;
    let erased = admin.get(&path).await;
    assert_eq!((erased.expect(200)["payload"].clone(), erased.text_at("status")), (json!(null), "erased"));
}
