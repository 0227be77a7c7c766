//! Ratings of the people who helped, and how soon people answer.

use serde_json::json;

use crate::support::{Actor, Receiver, TestService};

const DAY_MS: i64 = 86_400_000;

/// A widget session that an agent took; its id and that of the request for a human.
async fn taken(service: &TestService, widget: &Actor) -> (String, String) {
    let session = widget.session().await;
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let taken = service.agent().post_empty("/inbox/takeover").await;
    (session, taken.text_at("escalationId").to_owned())
}

async fn today(service: &TestService, field: &str) -> serde_json::Value {
    service.drain().await;
    service.admin().get("/analytics?days=1").await.expect(200)[field].clone()
}

#[tokio::test]
async fn a_customer_rates_the_person_who_helped_and_may_think_again() {
    let service = TestService::start().await;
    let receiver = Receiver::start().await;
    service.admin().webhook(&receiver.url(), &["rating.created"]).await;
    let widget = service.widget("ann").await;
    let (session, escalation) = taken(&service, &widget).await;
    let path = format!("/sessions/{session}/rating");
    let first = widget.post(&path, json!({"score": 2, "comment": "Slow."})).await;
    let body = first.expect(200);
    assert_eq!((&body["sessionId"], &body["escalationId"]), (&json!(session), &json!(escalation)));
    assert_eq!((&body["score"], &body["comment"]), (&json!(2), &json!("Slow.")));
    assert_eq!(today(&service, "satisfaction").await, json!({"mean": 2.0, "count": 1}));
    service.agent().post(&format!("/inbox/{escalation}/resolve"), json!({})).await.expect(200);
    let second = widget.post(&path, json!({"score": 5})).await;
    assert_eq!((second.expect(200)["score"].clone(), second.at("comment")), (json!(5), &json!(null)));
    assert_eq!(today(&service, "satisfaction").await, json!({"mean": 5.0, "count": 1}));
    let shown = service.agent().get(&format!("/inbox/{escalation}")).await;
    assert_eq!(shown.at("rating"), &json!({"score": 5, "comment": null, "at": second.at("at")}));
    let told: Vec<_> = receiver.caught().iter().map(|caught| caught.json()).collect();
    assert_eq!(told.iter().map(|event| event["data"]["rating"]["score"].clone()).collect::<Vec<_>>(), [2, 5]);
    assert_eq!(told[1]["previous"]["rating"]["score"], 2);
    assert_eq!((&told[1]["type"], &told[1]["data"]["sessionId"]), (&json!("rating.created"), &json!(session)));
}

#[tokio::test]
async fn only_a_human_part_is_rated_until_fourteen_days_after_its_end() {
    let service = TestService::start().await;
    let widget = service.integration();
    let session = widget.session().await;
    let path = format!("/sessions/{session}/rating");
    let rating = json!({"score": 4});
    widget.post(&path, rating.clone()).await.expect_error(409, "INVALID_STATE");
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    widget.post(&path, rating.clone()).await.expect_error(409, "INVALID_STATE");
    let taken = service.agent().post_empty("/inbox/takeover").await.text_at("escalationId").to_owned();
    widget.post(&path, rating.clone()).await.expect(200);
    service.agent().post(&format!("/inbox/{taken}/handback"), json!({})).await.expect(200);
    // Requests that nobody took are no human parts.
    for _ in 0..7 {
        widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
        widget.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    }
    // Neither is one whose agent left without a word; one whose agent wrote is.
    for (writes, rated) in [(false, false), (true, true)] {
        let other = widget.session().await;
        widget.post(&format!("/sessions/{other}/escalate"), json!({"reason": "help"})).await.expect(200);
        let case = service.agent().post_empty("/inbox/takeover").await.text_at("escalationId").to_owned();
        if writes {
            let written = json!({"content": "One moment."});
            service.agent().post(&format!("/inbox/{case}/message"), written).await.expect(200);
        }
        service.agent().post(&format!("/inbox/{case}/release"), json!({})).await.expect(200);
        let reply = widget.post(&format!("/sessions/{other}/rating"), rating.clone()).await;
        assert_eq!(reply.status == 200, rated, "{}", reply.text);
        widget.post_empty(&format!("/sessions/{other}/cancel-escalation")).await.expect(200);
    }
    service.clock.advance(14 * DAY_MS - 60_000);
    assert_eq!(widget.post(&path, rating.clone()).await.text_at("escalationId"), taken);
    service.clock.advance(120_000);
    let late = widget.post(&path, json!({"score": 1})).await;
    late.expect_error(409, "INVALID_STATE");
    assert_eq!(service.agent().get(&format!("/inbox/{taken}")).await.json["rating"]["score"], 4);
}

#[tokio::test]
async fn a_rating_has_limits_and_what_is_refused_changes_nothing() {
    let service = TestService::start().await;
    let widget = service.widget("ann").await;
    let (session, escalation) = taken(&service, &widget).await;
    let path = format!("/sessions/{session}/rating");
    for (bad, detail) in [
        (json!({}), "score REQUIRED"),
        (json!({"score": 0}), "score OUT_OF_RANGE"),
        (json!({"score": 6}), "score OUT_OF_RANGE"),
        (json!({"score": 4.5}), "score WRONG_TYPE"),
        (json!({"score": "5"}), "score WRONG_TYPE"),
        (json!({"score": 5, "comment": ""}), "comment TOO_SHORT"),
        (json!({"score": 5, "comment": "c".repeat(1_001)}), "comment TOO_LONG"),
    ] {
        let refused = widget.post(&path, bad).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [detail]);
    }
    // A stranger, another tenant and the other mode learn nothing; agents do not rate themselves.
    let rating = json!({"score": 1});
    for stranger in [service.widget("bob").await, service.other_admin(), service.test_admin()] {
        stranger.post(&path, rating.clone()).await.expect_error(404, "NOT_FOUND");
    }
    for role in [service.agent(), service.trainer()] {
        role.post(&path, rating.clone()).await.expect_error(403, "FORBIDDEN");
    }
    assert_eq!(service.agent().get(&format!("/inbox/{escalation}")).await.at("rating"), &json!(null));
    widget.post(&path, json!({"score": 5, "comment": "c".repeat(1_000)})).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_ratings_at_once_count_as_one_and_a_repeated_one_is_the_first() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let taken = service.agent().post_empty("/inbox/takeover").await.text_at("escalationId").to_owned();
    let path = format!("/sessions/{session}/rating");
    let sends = (0..16).map(|n| {
        let (caller, path) = (caller.clone(), path.clone());
        tokio::spawn(async move { caller.post(&path, json!({"score": 1 + n % 5})).await })
    });
    for sent in sends.collect::<Vec<_>>() {
        sent.await.unwrap().expect(200);
    }
    assert_eq!(today(&service, "satisfaction").await["count"], 1);
    let once = caller.with_header("idempotency-key", "rate");
    let first = once.post(&path, json!({"score": 3})).await;
    caller.post(&path, json!({"score": 4})).await.expect(200);
    let again = once.post(&path, json!({"score": 3})).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (first.expect(200), "true"));
    assert_eq!(service.agent().get(&format!("/inbox/{taken}")).await.json["rating"]["score"], 4);
    assert_eq!(today(&service, "satisfaction").await, json!({"mean": 4.0, "count": 1}));
}

#[tokio::test]
async fn the_first_answer_of_a_person_is_timed_once_on_its_own_day() {
    let service = TestService::start().await;
    let widget = service.widget("ann").await;
    let (session, escalation) = taken(&service, &widget).await;
    let path = format!("/inbox/{escalation}/message");
    service.agent().post(&path, json!({"content": "For us.", "internal": true})).await.expect(200);
    assert_eq!(today(&service, "firstResponseMs").await, json!({"mean": 0, "count": 0}));
    service.clock.advance(60_000);
    for _ in 0..2 {
        service.agent().post(&path, json!({"content": "Here I am."})).await.expect(200);
    }
    let timed = today(&service, "firstResponseMs").await;
    let mean = timed["mean"].as_i64().unwrap();
    assert!((60_000..90_000).contains(&mean) && timed["count"] == 1, "{timed}");
    let shown = service.agent().get(&format!("/inbox/{escalation}")).await;
    assert!(shown.at("firstResponseAt").is_string());
    // The next day has none, and a rating of that day is counted there.
    service.agent().post(&format!("/inbox/{escalation}/resolve"), json!({})).await.expect(200);
    service.clock.advance(DAY_MS);
    let widget = service.widget("ann").await;
    widget.post(&format!("/sessions/{session}/rating"), json!({"score": 5})).await.expect(200);
    assert_eq!(today(&service, "firstResponseMs").await, json!({"mean": 0, "count": 0}));
    assert_eq!(today(&service, "satisfaction").await, json!({"mean": 5.0, "count": 1}));
}

#[tokio::test]
async fn a_rating_goes_with_its_session_and_its_counts_stay() {
    let service = TestService::start().await;
    let widget = service.widget("ann").await;
    let (session, _) = taken(&service, &widget).await;
    let rated = widget.with_header("idempotency-key", "once");
    let comment = json!({"score": 5, "comment": "Marmalade was a great help."});
    rated.post(&format!("/sessions/{session}/rating"), comment).await.expect(200);
    service.drain().await;
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.drain().await;
    service.sweep_without_failure().await;
    service.later(15 * 60_000).await;
    assert!(service.raw_items().await.iter().all(|item| !item.contains("Marmalade")));
    assert_eq!(today(&service, "satisfaction").await, json!({"mean": 5.0, "count": 1}));
}

#[tokio::test]
async fn who_has_the_customer_now_is_rated_also_where_an_older_case_was_reopened() {
    let service = TestService::start().await;
    let widget = service.integration();
    let (session, first) = taken(&service, &widget).await;
    let (agent, rating) = (service.agent(), format!("/sessions/{session}/rating"));
    agent.post_empty(&format!("/inbox/{first}/resolve")).await.expect(200);
    service.clock.advance(60_000);
    widget.post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "again"})).await.expect(200);
    let second = agent.post_empty("/inbox/takeover").await.text_at("escalationId").to_owned();
    agent.post_empty(&format!("/inbox/{second}/resolve")).await.expect(200);
    assert_eq!(widget.post(&rating, json!({"score": 1})).await.text_at("escalationId"), second);
    service.clock.advance(60_000);
    agent.post_empty(&format!("/inbox/{first}/reopen")).await.expect(200);
    assert_eq!(widget.post(&rating, json!({"score": 5})).await.text_at("escalationId"), first);
    agent.post_empty(&format!("/inbox/{first}/resolve")).await.expect(200);
    assert_eq!(widget.post(&rating, json!({"score": 4})).await.text_at("escalationId"), first);
}
