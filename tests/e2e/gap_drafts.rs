//! People's answers to a question that the wiki does not answer, and the draft that is made of them.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

const QUESTION: &str = "Which bank pays the refund of a stolen parcel abroad?";
const ANSWER: &str = "The striped one pays.\nAsk anna@example.com about it.";
const QUOTED: &str = "> The striped one pays.\n> Ask [email] about it.";

/// A session that asked in vain, and got an answer and a note from a person.
async fn answered_by_hand(service: &TestService, answer: &str) -> String {
    let (customer, agent) = (service.integration(), service.agent());
    let session = customer.session().await;
    customer.ask(&session, QUESTION).await.expect(200);
    let reason = json!({"reason": "help"});
    let asked =
        customer.post(&format!("/sessions/{session}/escalate"), reason).await.text_at("escalationId").to_owned();
    agent.post("/inbox/takeover", json!({"escalationId": asked})).await.expect(200);
    let write = format!("/inbox/{asked}/message");
    agent.post(&write, json!({"content": "A note: xyzzy.", "internal": true})).await.expect(200);
    agent.post(&write, json!({"content": answer})).await.expect(200);
    service.drain().await;
    session
}

async fn gap(actor: &Actor) -> String {
    format!("/analytics/kb-gaps/{}", actor.get("/analytics/kb-gaps").await.text_at("/items/0/gapId"))
}

async fn drafted(actor: &Actor) -> (String, Value) {
    let made = actor.post_empty(&format!("{}/draft", gap(actor).await)).await;
    made.expect(201);
    (format!("/drafts/{}", made.text_at("draftId")), made.json)
}

#[tokio::test]
async fn a_gap_shows_what_people_wrote_to_who_asked_and_never_notes() {
    let service = TestService::start().await;
    let session = answered_by_hand(&service, ANSWER).await;
    let unanswered = service.integration().session().await;
    service.integration().ask(&unanswered, QUESTION).await.expect(200);
    service.drain().await;
    let listed = service.agent().get("/analytics/kb-gaps").await.items()[0].clone();
    let shown = service.agent().get(&gap(&service.agent()).await).await;
    for (field, value) in listed.as_object().unwrap() {
        assert_eq!(shown.expect(200)[field], *value, "{field}");
    }
    assert_eq!(shown.at("questions"), &json!([QUESTION]));
    let resolutions = shown.at("resolutions").as_array().unwrap();
    let expected = json!("The striped one pays.\nAsk [email] about it.");
    assert_eq!((resolutions.len(), &resolutions[0]["content"]), (1, &expected));
    assert_eq!(resolutions[0]["sessionId"], json!(session));
    let turns = service.agent().turns(&session).await;
    assert_eq!(resolutions[0]["messageId"], turns.last().unwrap()["messageId"]);
    for stranger in [service.other_admin(), service.test_admin()] {
        stranger.get(&gap(&service.agent()).await).await.expect_error(404, "NOT_FOUND");
        stranger.post_empty(&format!("{}/draft", gap(&service.agent()).await)).await.expect_error(404, "NOT_FOUND");
    }
    for refused in [service.integration(), service.widget("ann").await] {
        refused.get(&gap(&service.agent()).await).await.expect_error(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn a_draft_of_a_gap_quotes_people_and_customers_beside_the_nearest_entry() {
    let service = TestService::start().await;
    let text = "A refund takes five working days after approval.";
    service.trainer().wiki_entry("help/refunds", "Refunds", text).await;
    answered_by_hand(&service, ANSWER).await;
    let (path, draft) = drafted(&service.agent()).await;
    let said = ["action", "title", "visibility", "status"].map(|name| draft[name].clone());
    assert_eq!(json!(said), json!(["create", QUESTION, "internal", "open"]));
    assert_eq!(draft["content"], json!(format!("{QUOTED}\n\n- {QUESTION}")));
    let gap = gap(&service.agent()).await;
    assert!(gap.ends_with(draft["gapId"].as_str().unwrap()));
    let name = &draft["gapId"].as_str().unwrap()[4..12];
    assert_eq!(draft["path"], json!(format!("help/answer-{name}")));
    // Its writer completes it, and the gap closes once it is published.
    let text = json!({"title": QUESTION, "content": "The bank that took the payment pays the refund of a stolen parcel abroad."});
    for unread in [service.trainer(), service.trainer().with_header("if-match", "*")] {
        assert_eq!(unread.patch(&path, text.clone()).await.details(), ["If-Match REQUIRED"]);
    }
    service.trainer().with_header("if-match", "\"1\"").patch(&path, text).await.expect(200);
    service.trainer().post(&format!("{path}/publish"), json!({"version": 2})).await.expect(200);
    service.drain().await;
    service.clock.advance(5_000);
    service.sweep().await;
    service.drain().await;
    assert_eq!(service.agent().get(&gap).await.at("status"), &json!("resolved"));
    let (_, second) = drafted_of(&service.agent(), &gap).await;
    assert_eq!(second["path"], json!(format!("help/answer-{name}-2")));
}

async fn drafted_of(actor: &Actor, gap: &str) -> (String, Value) {
    let made = actor.post_empty(&format!("{gap}/draft")).await;
    made.expect(201);
    (format!("/drafts/{}", made.text_at("draftId")), made.json)
}

#[tokio::test]
async fn the_quotations_of_an_erased_session_leave_the_draft() {
    let service = TestService::start().await;
    let session = answered_by_hand(&service, "The striped one pays.").await;
    let other = answered_by_hand(&service, "None does, I think.").await;
    let agent = service.agent();
    let once = agent.with_header("idempotency-key", "once");
    let gap = gap(&agent).await;
    let (path, draft) = drafted_of(&once, &gap).await;
    assert!(draft["content"].as_str().unwrap().contains("striped"), "{draft}");
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    let at_once = drafted_of(&agent, &gap).await.1;
    assert!(!at_once["content"].as_str().unwrap().contains("striped"), "{at_once}");
    service.sweep_without_failure().await;
    let left = agent.get(&path).await;
    let content = left.expect(200)["content"].as_str().unwrap();
    assert!(!content.contains("striped") && content.contains("> None does, I think."), "{content}");
    assert_eq!(drafted_of(&once, &gap).await.1, left.json, "a repeated request says no more");
    service.admin().delete(&format!("/sessions/{other}")).await.expect(204);
    service.sweep_without_failure().await;
    let empty = agent.get(&path).await;
    assert_eq!((empty.at("title"), empty.text_at("content").contains("think")), (&json!(""), false));
    let version = empty.at("version").as_u64().unwrap();
    let publish = json!({"version": version});
    service.trainer().post(&format!("{path}/publish"), publish).await.expect_error(409, "INVALID_STATE");
    let items = service.raw_items().await;
    assert!(items.iter().all(|item| !item.contains("striped") && !item.contains("None does")), "{items:#?}");
}

#[tokio::test]
async fn a_draft_of_a_gap_of_many_customers_quotes_forty_sessions_and_no_deleted_one_is_shown() {
    let service = TestService::start().await;
    let customer = service.integration();
    let mut sessions = Vec::new();
    for number in 0..60 {
        let session = customer.session().await;
        customer.ask(&session, &format!("{QUESTION}{}", "?".repeat(number))).await.expect(200);
        service.clock.advance(1_000);
        sessions.push(session);
    }
    service.drain().await;
    let shown = service.agent().get(&gap(&service.agent()).await).await;
    assert_eq!(shown.at("questions").as_array().unwrap().len(), 60);
    let (path, draft) = drafted(&service.agent()).await;
    assert_eq!(draft["content"].as_str().unwrap().lines().filter(|line| line.starts_with("- ")).count(), 40);
    for session in sessions.iter().take(20) {
        service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    }
    let shown = service.agent().get(&gap(&service.agent()).await).await;
    assert_eq!(shown.at("questions").as_array().unwrap().len(), 40, "also before they are erased");
    service.drain().await;
    service.sweep_without_failure().await;
    service.agent().get(&path).await.expect(200);
}
