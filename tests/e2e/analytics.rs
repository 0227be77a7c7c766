//! Analytics over HTTP: every figure, the plan rules, and counters that equal a recount after repeated delivery.

use domain::models::{Day, Mode};
use domain::statistics::{Counter, Increment};
use serde_json::{Value, json};
use support::analytics::table::CountedRecord;

use crate::support::{Actor, TestService};

#[tokio::test]
async fn days_are_a_whole_number_from_1_to_90() {
    let service = TestService::start().await;
    let manager = service.agent();
    for (query, days) in [("", 30), ("?days=1", 1), ("?days=90", 90)] {
        let reply = manager.get(&format!("/analytics{query}")).await;
        let body = reply.expect(200);
        let (from, to) = (Day::parse(reply.text_at("from")).unwrap(), Day::parse(reply.text_at("to")).unwrap());
        assert_eq!((body["days"].as_i64(), from.plus(days - 1)), (Some(days), to), "{query}");
        assert_eq!(to, Day::of(service.resources().runtime.now()));
        assert_eq!(body["daily"].as_array().unwrap().len(), usize::try_from(days).unwrap(), "{query}");
        assert_eq!((&body["daily"][0]["date"], &body["totalSessions"]), (&body["from"], &json!(0)));
    }
    for bad in ["0", "91", "-1", "1.5", "30d", "", "1e1", "99999999999999999999"] {
        let reply = manager.get(&format!("/analytics?days={bad}")).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert!(reply.details()[0].starts_with("days "), "{bad}: {:?}", reply.details());
    }
}

#[tokio::test]
async fn the_increments_of_a_record_are_added_once() {
    let service = TestService::start().await;
    let scope = service.tenant.scope(Mode::Live);
    let statistics = service.resources().store.statistics();
    let today = Day::of(service.resources().runtime.now());
    let one = |day| Increment { day, cell: Counter::Sessions.into(), amount: 1 };
    for round in 0..3 {
        for record in 0..40 {
            let increments = vec![one(today), one(today.plus(-1))];
            let record = CountedRecord { id: format!("record {record}"), at: today.start(), increments };
            let added = statistics.add(&scope, &[record]).await;
            assert_eq!(added.unwrap(), round == 0);
        }
    }
    let counted = service.agent().get("/analytics?days=2").await;
    let daily: Vec<_> =
        counted.json["daily"].as_array().unwrap().iter().map(|day| day["totalSessions"].clone()).collect();
    assert_eq!((&counted.json["totalSessions"], daily), (&json!(80), vec![json!(40), json!(40)]));
    let other = service.other_admin().get("/analytics?days=2").await;
    assert_eq!(other.expect(200)["totalSessions"], 0, "another tenant's counters moved");
    let test_mode = service.test_admin().get("/analytics?days=2").await;
    assert_eq!(test_mode.expect(200)["totalSessions"], 0, "the other mode's counters moved");
}

const QUESTION: &str = "How long does a refund take?";
const UNKNOWN: &str = "Where does the zebra sleep?";
const DAY_MS: i64 = 86_400_000;

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

/// The figures of the last `days` days, once everything is counted.
async fn figures(service: &TestService, days: u32) -> Value {
    service.drain().await;
    service.agent().get(&format!("/analytics?days={days}")).await.expect(200).clone()
}

async fn react(caller: &Actor, session: &str, reaction: &str) {
    caller.post(&format!("/sessions/{session}/reaction"), json!({"reaction": reaction})).await.expect(200);
}

async fn escalate(caller: &Actor, session: &str) {
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "please"})).await.expect(200);
}

#[tokio::test]
async fn every_figure_follows_what_happened() {
    let service = with_refunds().await;
    let (caller, agent) = (service.integration(), service.agent());
    let [contained, unanswered, resolved, handed_back] =
        [caller.session().await, caller.session().await, caller.session().await, caller.session().await];
    caller.ask(&contained, QUESTION).await.expect(200);
    caller.ask(&contained, QUESTION).await.expect(200);
    react(&caller, &contained, "thumbs_up").await;
    caller.ask(&unanswered, UNKNOWN).await.expect(200);
    for reaction in ["thumbs_down", "flag", "flag", "copy"] {
        react(&caller, &unanswered, reaction).await;
    }
    for (session, action) in [(&resolved, "resolve"), (&handed_back, "handback")] {
        caller.ask(session, QUESTION).await.expect(200);
        escalate(&caller, session).await;
        caller.ask(session, "not for the AI").await.expect(200);
        let taken = agent.post_empty("/inbox/takeover").await;
        agent
            .post(&format!("/inbox/{}/message", taken.text_at("escalationId")), json!({"content": "here"}))
            .await
            .expect(200);
        service.clock.advance(90_000);
        agent.post(&format!("/inbox/{}/{action}", taken.text_at("escalationId")), json!({})).await.expect(200);
    }
    // Neither a session without a message nor a human asked for in one is in any share.
    escalate(&caller, &caller.session().await).await;

    // Two days, because the service may have been started just before midnight.
    let body = figures(&service, 2).await;
    let shares = [("containmentRate", 0.5), ("escalationRate", 0.5), ("kbCoverageScore", 0.8)];
    for (field, share) in shares {
        assert_eq!(body[field], json!(share), "{field}: {body}");
    }
    assert_eq!((&body["totalSessions"], &body["totalQueries"]), (&json!(5), &json!(5)), "{body}");
    assert_eq!(body["reactions"], json!({"helpfulRate": 0.5}));
    assert_eq!(body["flaggedForReviewRate"], json!(0.2));
    let counts = &body["counts"];
    let handled = counts["handleMsSum"].as_i64().unwrap();
    assert!(handled >= 180_000, "{handled}");
    assert_eq!(body["avgHumanHandleTimeMs"], json!((handled + 1) / 2));
    let latency = counts["latencyMsSum"].as_i64().unwrap();
    assert_eq!(body["avgLatencyMs"], json!((latency + 2) / 5), "{body}");
    let expected = json!({
        "sessions": 5, "sessionsWithMessage": 4, "sessionsContained": 2, "sessionsEscalated": 2,
        "queries": 5, "queriesCovered": 4, "queriesUnanswered": 1, "answers": 5, "answersTimed": 5,
        "latencyMsSum": latency, "ratings": 0, "ratingSum": 0, "firstResponses": 2,
        "firstResponseMsSum": counts["firstResponseMsSum"], "thumbsUp": 1, "thumbsDown": 1, "answersFlagged": 1,
        "escalationsHandled": 2, "handleMsSum": handled,
    });
    assert_eq!(*counts, expected);
    assert_eq!((&body["plan"], &body["lockedFields"]), (&json!("pro"), &json!([])));
}

#[tokio::test]
async fn sessions_count_on_the_day_they_were_created_and_answers_on_their_own() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    service.clock.advance(DAY_MS);
    caller.ask(&session, QUESTION).await.expect(200);
    service.clock.advance(DAY_MS);
    react(&caller, &session, "thumbs_down").await;
    react(&caller, &session, "thumbs_up").await;
    escalate(&caller, &session).await;
    let body = figures(&service, 3).await;
    let of = |day: usize, field: &str| body["daily"][day]["counts"][field].as_i64().unwrap();
    for (field, days) in [
        ("sessions", [1, 0, 0]),
        ("sessionsWithMessage", [1, 0, 0]),
        ("sessionsEscalated", [1, 0, 0]),
        ("queries", [0, 1, 0]),
        ("answers", [0, 1, 0]),
        ("thumbsUp", [0, 1, 0]),
        ("thumbsDown", [0, 0, 0]),
    ] {
        assert_eq!([of(0, field), of(1, field), of(2, field)], days, "{field}");
    }
    assert_eq!(body["daily"][1]["reactions"], json!({"helpfulRate": 1.0}));
    service.clock.advance(DAY_MS);
    let later = figures(&service, 3).await;
    assert_eq!((&later["totalSessions"], &later["totalQueries"]), (&json!(0), &json!(1)), "days before `from` count");
}

#[tokio::test]
async fn several_messages_that_one_answer_deals_with_are_as_many_queries() {
    let service = with_refunds().await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    escalate(&caller, &session).await;
    for message in [QUESTION, "And for a gift card?", "Hello?"] {
        caller.ask(&session, message).await.expect(200);
    }
    let before = figures(&service, 1).await;
    assert_eq!(before["totalQueries"], 0, "what waits for a human is no query");
    caller.post(&format!("/sessions/{session}/cancel-escalation"), json!({})).await.expect(200);
    let after = figures(&service, 1).await;
    let counted = (&after["totalQueries"], &after["counts"]["answers"]);
    assert_eq!(counted, (&json!(2), &json!(1)), "a greeting is none: {after}");
}

#[tokio::test]
async fn a_free_plan_is_told_what_it_does_not_see() {
    let service = TestService::start().await;
    let other = service.other_admin();
    let session = other.session().await;
    other.ask(&session, UNKNOWN).await.expect(200);
    react(&other, &session, "flag").await;
    service.drain().await;
    let reply = other.get("/analytics").await;
    let body = reply.expect(200);
    let locked = json!(["reactions.helpfulRate", "flaggedForReviewRate", "avgHumanHandleTimeMs"]);
    assert_eq!((&body["plan"], &body["lockedFields"], &body["totalQueries"]), (&json!("free"), &locked, &json!(1)));
    let hidden = ["reactions", "flaggedForReviewRate", "avgHumanHandleTimeMs", "thumbs", "Flagged", "handle"];
    let shown =
        reply.text.split("\"lockedFields\"").map(|part| part.split(']').next_back().unwrap()).collect::<String>();
    for field in hidden {
        assert!(!shown.contains(field), "{field} in {shown}");
    }
}

#[tokio::test]
async fn other_tenants_change_no_figure() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.ask(&session, QUESTION).await.expect(200);
    let before = figures(&service, 90).await;
    for other in [service.other_admin(), service.test_admin()] {
        let session = other.session().await;
        other.ask(&session, UNKNOWN).await.expect(200);
        react(&other, &session, "thumbs_down").await;
        escalate(&other, &session).await;
    }
    assert_eq!(figures(&service, 90).await, before);
}

#[tokio::test]
async fn answers_fare_by_their_confidence_and_a_reaction_moves_its_bin() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let answered = caller.ask(&session, QUESTION).await;
    let confidence = answered.at("confidence").as_f64().unwrap();
    caller.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    caller.ask(&caller.session().await, "hello").await.expect(200);
    let bins = async |service: &TestService, days: u32| {
        service.drain().await;
        let read = service.agent().get(&format!("/analytics/confidence?days={days}")).await;
        read.expect(200)["bins"].as_array().unwrap().clone()
    };
    caller
        .post(
            &format!("/sessions/{session}/reaction"),
            json!({"reaction": "thumbs_down", "messageId": answered.at("messageId")}),
        )
        .await
        .expect(200);
    let counted = bins(&service, 1).await;
    assert_eq!(counted.len(), 20);
    assert_eq!((counted[0]["from"].as_f64(), counted[19]["to"].as_f64()), (Some(0.0), Some(1.0)));
    let of = |bins: &[Value], field: &str| bins.iter().map(|bin| bin[field].as_i64().unwrap()).sum::<i64>();
    assert_eq!((of(&counted, "answered"), of(&counted, "unanswered")), (1, 1), "small talk is in none");
    let at = counted.iter().find(|bin| bin["answered"] == 1).unwrap();
    let (from, to) = (at["from"].as_f64().unwrap(), at["to"].as_f64().unwrap());
    assert!(from <= confidence && (confidence < to || to >= 1.0), "{confidence} is not from {from} to {to}");
    assert_eq!((&at["thumbsUp"], &at["thumbsDown"]), (&json!(0), &json!(1)));
    caller
        .delete(&format!(
            "/sessions/{session}/reaction?reaction=thumbs_down&messageId={}",
            answered.text_at("messageId")
        ))
        .await
        .expect(204);
    assert_eq!(of(&bins(&service, 1).await, "thumbsDown"), 0);
    // Seven days by default, and at most 90.
    service.clock.advance(7 * DAY_MS);
    assert_eq!(of(&bins(&service, 8).await, "answered"), 1);
    let week = service.admin().get("/analytics/confidence").await.json["bins"].as_array().unwrap().clone();
    assert_eq!(of(&week, "answered"), 0);
    for bad in ["0", "91", "x", ""] {
        service.admin().get(&format!("/analytics/confidence?days={bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
    service.integration().get("/analytics/confidence").await.expect_error(403, "FORBIDDEN");
}
