//! `null` in a PATCH clears what may be empty. Anywhere else it is refused, and nothing changes.

use serde_json::{Value, json};

use crate::support::TestService;

#[tokio::test]
async fn null_clears_settings_that_may_be_empty_and_is_refused_elsewhere() {
    let service = TestService::start().await;
    let admin = service.admin();
    let fresh = admin.get("/settings").await.json;
    let origins = json!(["https://a.example", "https://b.example", "https://a.example"]);
    let set = json!({"widgetOrigins": origins, "texts": {"greeting": "Hello", "thanks": "Welcome"},
        "sourceUrlTemplate": "https://a.example/{path}", "modelCallsPerDay": 7,
        "synonyms": [["parcel", "consignment"]], "noticeAfterMinutes": 5,
        "hours": {"timezone": "UTC", "week": {}}, "suggestions": ["Why?", "How?", "Why?"],
        "appearance": {"color": "#1a7f5a", "name": "Fern", "position": "left"}});
    let reply = admin.patch("/settings", set).await;
    assert_eq!(reply.expect(200)["widgetOrigins"], json!(["https://a.example", "https://b.example"]));
    assert_eq!(reply.json["suggestions"], json!(["Why?", "How?"]));
    let cleared = json!({"widgetOrigins": null, "texts": null, "sourceUrlTemplate": null, "modelCallsPerDay": null,
        "synonyms": null, "noticeAfterMinutes": null, "hours": null, "suggestions": null, "appearance": null});
    // Without a number of calls there is no limit, which is not the default.
    let mut unlimited = fresh;
    unlimited["modelCallsPerDay"] = Value::Null;
    assert_eq!(admin.patch("/settings", cleared).await.expect(200), &unlimited);
    for field in [
        "name",
        "language",
        "resumeWindowHours",
        "noMatchThreshold",
        "maxAiTurns",
        "answerVisibility",
        "widgetAnswerVisibility",
        "retentionDays",
    ] {
        let refused = admin.patch("/settings", json!({field: null, "widgetOrigins": ["https://a.example"]})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [format!("{field} REQUIRED")]);
    }
    assert_eq!(admin.get("/settings").await.json, unlimited);
}

#[tokio::test]
async fn null_clears_the_tags_of_an_entry_and_is_refused_elsewhere() {
    let world = TestService::start().await;
    let admin = world.admin();
    let new = json!({"path": "a/b", "title": "T", "content": "C", "tags": ["x", "y", "x"]});
    assert_eq!(admin.post("/wiki", new).await.expect(201)["tags"], json!(["x", "y"]));
    for field in ["title", "content", "visibility"] {
        let refused = admin.patch("/wiki/a/b", json!({field: null, "tags": []})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [format!("{field} REQUIRED")]);
    }
    assert_eq!(admin.get("/wiki/a/b").await.json["tags"], json!(["x", "y"]));
    for body in [json!({"tags": null}), json!({"tags": null, "title": "New"})] {
        assert_eq!(admin.patch("/wiki/a/b", body).await.expect(200)["tags"], json!([]));
    }
    assert_eq!(admin.get("/wiki/a/b").await.json["version"], 3);
}
