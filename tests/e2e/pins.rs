//! Pinned questions: every change of the wiki can be tried on them.

use domain::models::MAX_PINS;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{Actor, TestService};

const REFUND: &str = "How long does a refund take?";
const DAY_MS: i64 = 86_400_000;

async fn entry(service: &TestService, path: &str) {
    let text = "A refund takes five working days after approval.";
    service.trainer().wiki_entry(path, "Refunds", text).await;
}

async fn pin(caller: &Actor, path: &str, question: &str) -> String {
    let made = caller.post("/pins", json!({"path": path, "question": question})).await;
    made.expect(201);
    assert_eq!(made.header("location"), format!("/api/v1/pins/{}", made.text_at("pinId")));
    made.text_at("pinId").to_owned()
}

async fn questions(caller: &Actor, query: &str) -> Vec<Value> {
    caller.get(&format!("/pins{query}")).await.items().iter().map(|pin| pin["question"].clone()).collect()
}

#[tokio::test]
async fn a_question_is_pinned_masked_listed_asked_by_dry_runs_and_deleted() {
    let service = TestService::start().await;
    entry(&service, "help/refunds").await;
    entry(&service, "help/other").await;
    let trainer = service.trainer();
    pin(&trainer, "help/refunds", REFUND).await;
    let second = pin(&trainer, "help/other", "I am ann@mail.example.\nHow long does a refund take?").await;
    let masked = "I am [email]. How long does a refund take?";
    assert_eq!(questions(&service.agent(), "").await, [json!(REFUND), json!(masked)]);
    assert_eq!(questions(&service.agent(), "?path=help/other").await, [json!(masked)]);
    let shown = service.agent().get("/pins?limit=1").await;
    let (first, cursor) = (shown.items()[0].clone(), shown.text_at("nextCursor").to_owned());
    let fields: Vec<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["createdAt", "createdBy", "path", "pinId", "question"]);
    assert_eq!(questions(&service.agent(), &format!("?limit=1&cursor={cursor}")).await, [json!(masked)]);

    let run = json!({"changes": [{"path": "help/refunds", "action": "delete"}, {"path": "help/other", "action": "delete"}],
        "questions": {"pins": true}});
    let tried = service.agent().post("/dry-runs", run.clone()).await;
    let asked: Vec<&Value> = tried.expect(200)["items"].as_array().unwrap().iter().map(|it| &it["question"]).collect();
    assert_eq!((asked, &tried.items()[0]["change"]), (vec![&json!(REFUND), &json!(masked)], &json!("lost")));
    let none = service.test_admin().post("/dry-runs", json!({"changes": [{"path": "a/b", "action": "create", "title": "T", "content": "C"}], "questions": {"pins": true}})).await;
    assert_eq!(none.expect(200)["items"], json!([]), "the other mode has pins of its own");
    let both = json!({"changes": run["changes"], "questions": {"pins": true, "days": 1}});
    assert_eq!(service.agent().post("/dry-runs", both).await.details(), ["questions EXACTLY_ONE"]);

    for stranger in [service.other_admin(), service.test_admin()] {
        stranger.delete(&format!("/pins/{second}")).await.expect_error(404, "NOT_FOUND");
        assert_eq!(questions(&stranger, "").await, [Value::Null; 0]);
    }
    service.agent().delete(&format!("/pins/{second}")).await.expect_error(403, "FORBIDDEN");
    service.agent().post("/pins", json!({"path": "help/other", "question": "?"})).await.expect_error(403, "FORBIDDEN");
    trainer.delete(&format!("/pins/{second}")).await.expect(204);
    trainer.delete(&format!("/pins/{second}")).await.expect_error(404, "NOT_FOUND");
    assert_eq!(questions(&service.agent(), "").await, [json!(REFUND)]);
}

#[tokio::test]
async fn an_invalid_pin_is_refused_and_there_are_at_most_two_hundred() {
    let service = TestService::start().await;
    entry(&service, "help/refunds").await;
    let trainer = service.trainer();
    for (body, problem) in [
        (json!({}), "path REQUIRED question REQUIRED"),
        (json!({"path": "one", "question": "?"}), "path INVALID_FORMAT"),
        (json!({"path": "a/b", "question": " \u{200b} "}), "question BLANK"),
        (json!({"path": "a/b", "question": "x".repeat(501)}), "question TOO_LONG"),
    ] {
        let refused = trainer.post("/pins", body.clone()).await;
        assert_eq!((refused.status, refused.details().join(" ")), (400, problem.to_owned()), "{body}");
    }
    trainer.post("/pins", json!({"path": "help/none", "question": REFUND})).await.expect_error(404, "NOT_FOUND");
    let most = usize::try_from(MAX_PINS).unwrap();
    let made: Vec<u16> = join_all((0..most + 3).map(async |number| {
        trainer.post("/pins", json!({"path": "help/refunds", "question": format!("Question {number}?")})).await.status
    }))
    .await;
    let count = |status: u16| made.iter().filter(|it| **it == status).count();
    assert_eq!((count(201), count(409)), (most, 3), "{made:?}");
    let more = trainer.post("/pins", json!({"path": "help/refunds", "question": "One more?"})).await;
    more.expect_error(409, "CONFLICT");
    assert_eq!(more.json["details"][0]["code"], "TOO_MANY_PINS");
    let first = trainer.get("/pins?limit=1").await.items()[0]["pinId"].as_str().unwrap().to_owned();
    trainer.delete(&format!("/pins/{first}")).await.expect(204);
    pin(&trainer, "help/refunds", "One more?").await;
}

#[tokio::test]
async fn pins_go_with_the_revisions_of_a_deleted_entry_and_stay_where_it_is_written_again() {
    let service = TestService::start().await;
    for path in ["help/gone", "help/again"] {
        entry(&service, path).await;
        pin(&service.trainer(), path, REFUND).await;
        service.trainer().delete(&format!("/wiki/{path}")).await.expect(204);
    }
    service.drain().await;
    entry(&service, "help/again").await;
    assert_eq!(service.trainer().get("/pins").await.items().len(), 2, "both can come back");
    let days = service.admin().get("/settings").await.at("retentionDays").as_i64().unwrap();
    // Deleted again half a retention later: its last revisions are kept as long.
    service.clock.advance(days / 2 * DAY_MS);
    entry(&service, "help/twice").await;
    pin(&service.trainer(), "help/twice", REFUND).await;
    service.trainer().delete("/wiki/help/twice").await.expect(204);
    entry(&service, "help/twice").await;
    service.drain().await;
    service.clock.advance(2 * DAY_MS);
    service.trainer().delete("/wiki/help/twice").await.expect(204);
    service.drain().await;
    service.clock.advance((days - days / 2) * DAY_MS);
    service.sweep_without_failure().await;
    let twice = async || service.trainer().get("/pins?path=help/twice").await.items().len();
    // The revisions up to the first deletion go, and those up to the second can still come back.
    service.clock.advance((days / 2 - 1) * DAY_MS);
    service.sweep_without_failure().await;
    assert_eq!(twice().await, 1);
    service.clock.advance(2 * DAY_MS);
    service.sweep_without_failure().await;
    assert_eq!(twice().await, 0);
    let left = service.trainer().get("/pins").await;
    assert_eq!((left.items().len(), &left.items()[0]["path"]), (1, &json!("help/again")));
    let count = service.raw_items().await.into_iter().find(|item| item.contains("\"pin_count\"")).unwrap();
    assert!(count.contains("N(\"1\")"), "{count}");
}
