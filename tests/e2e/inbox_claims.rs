//! A claim while the customer stays with people: it is transferred, renewed, put off.

use std::collections::BTreeSet;

use domain::models::EventKind;
use serde_json::{Value, json};

use crate::changes::{collector, kinds};
use crate::support::{Actor, Reply, TestService};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A session that Anna has claimed: its id and the escalation's.
pub(crate) async fn claimed_by_anna(service: &TestService) -> (String, String) {
    let caller = service.integration();
    let session = caller.session().await;
    let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let id = asked.text_at("escalationId").to_owned();
    let anna = json!({"escalationId": id, "agentId": "anna", "agentName": "Anna"});
    service.agent().post("/inbox/takeover", anna).await.expect(200);
    (session, id)
}

pub(crate) async fn act(agent: &Actor, id: &str, action: &str, body: Value) -> Reply {
    agent.post(&format!("/inbox/{id}/{action}"), body).await
}

/// The moment `after_ms` milliseconds from now.
fn moment(service: &TestService, after_ms: i64) -> Value {
    json!(service.resources().runtime.now().plus_millis(after_ms).to_string())
}

/// Whether a time is that of `after_ms` milliseconds from now, or of the minute before: the clock goes on.
pub(crate) fn is_in(service: &TestService, time: &Value, after_ms: i64) -> bool {
    let wanted = service.resources().runtime.now().plus_millis(after_ms);
    let time = time.as_str().and_then(domain::models::Timestamp::parse);
    time.is_some_and(|time| (0..MINUTE).contains(&wanted.millis_since(time)))
}

async fn snooze(agent: &Actor, id: &str, until: &Value) -> Reply {
    agent.patch(&format!("/inbox/{id}"), json!({"agentId": "anna", "snoozedUntil": until})).await
}

async fn case(service: &TestService, id: &str) -> Value {
    service.agent().get(&format!("/inbox/{id}")).await.expect(200).clone()
}

#[tokio::test]
async fn a_colleague_gets_the_customer_under_a_new_lease_and_reads_the_note() {
    let (service, receiver, _) = TestService::with_receiver().await;
    let (session, id) = claimed_by_anna(&service).await;
    let agent = service.agent();
    let before = case(&service, &id).await;
    service.clock.advance(10 * MINUTE);
    let body = json!({"agentId": "anna", "toAgentId": "bob", "toAgentName": "Bob", "note": "a secret note"});
    let given = act(&agent, &id, "transfer", body).await;
    let now = given.expect(200);
    assert_eq!((&now["status"], &now["session"]["ownership"]), (&json!("claimed"), &json!("human")));
    assert_eq!(now["claimedBy"], json!({"agentId": "bob", "name": "Bob"}));
    assert!(is_in(&service, &now["leaseExpiresAt"], 30 * MINUTE), "{now:#}");
    assert_eq!(now["claimedAt"], before["claimedAt"], "the customer was with people all the time");
    let turns = agent.turns(&session).await;
    let (note, joined) = (&turns[turns.len() - 2], &turns[turns.len() - 1]);
    assert_eq!((&note["content"], &note["internal"]), (&json!("a secret note"), &json!(true)));
    assert_eq!(note["agent"], json!({"id": "anna", "name": "Anna"}));
    assert_eq!((&joined["event"], &joined["agent"]), (&json!("agent_joined"), &json!({"id": "bob", "name": "Bob"})));
    let shown = service.integration().turns(&session).await;
    assert!(shown.iter().all(|turn| turn["content"] != "a secret note"), "{shown:#?}");
    act(&agent, &id, "message", json!({"content": "x", "agentId": "anna"})).await.expect_error(409, "CLAIMED_BY_OTHER");
    act(&agent, &id, "message", json!({"content": "x", "agentId": "bob"})).await.expect(200);
    service.drain().await;
    let told: Vec<_> = receiver.caught().into_iter().filter(|caught| caught.kind() == "handover.transferred").collect();
    let ids: BTreeSet<_> = told.iter().map(|caught| caught.id().to_owned()).collect();
    assert_eq!(ids.len(), 1);
    let event: Value = serde_json::from_slice(&told[0].body).unwrap();
    assert_eq!(event["data"]["claimedBy"]["agentId"], "bob");
    assert_eq!(event["previous"]["claimedBy"]["agentId"], "anna");
    assert!(!event.to_string().contains("secret"), "{event}");
}

#[tokio::test]
async fn a_customer_is_transferred_to_another_agent_by_who_has_them_or_an_admin_alone() {
    let service = TestService::start().await;
    let (_, id) = claimed_by_anna(&service).await;
    let (agent, admin) = (service.agent(), service.admin());
    for (actor, body, detail) in [
        (&agent, json!({"agentId": "anna", "toAgentId": "anna"}), "toAgentId NOT_ALLOWED"),
        (&admin, json!({"agentId": "boss", "toAgentId": "anna"}), "toAgentId NOT_ALLOWED"),
        (&admin, json!({"agentId": "boss", "toAgentId": "boss"}), "toAgentId NOT_ALLOWED"),
        (&agent, json!({"agentId": "anna"}), "toAgentId REQUIRED"),
        (&agent, json!({"agentId": "anna", "toAgentId": ""}), "toAgentId TOO_SHORT"),
        (&agent, json!({"agentId": "anna", "toAgentId": "b".repeat(201)}), "toAgentId TOO_LONG"),
        (&agent, json!({"agentId": "anna", "toAgentId": "bob", "note": "n".repeat(1_001)}), "note TOO_LONG"),
        (&agent, json!({"agentId": "anna", "toAgentId": "mem_nobody"}), "toAgentId NOT_ALLOWED"),
        (&agent, json!({"agentId": "mem_anna", "toAgentId": "bob"}), "agentId NOT_ALLOWED"),
    ] {
        let refused = act(actor, &id, "transfer", body.clone()).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [detail], "{body}");
    }
    let to_bob = |from: &str| json!({"agentId": from, "toAgentId": "bob"});
    act(&agent, &id, "transfer", to_bob("eve")).await.expect_error(409, "CLAIMED_BY_OTHER");
    act(&service.trainer(), &id, "transfer", to_bob("anna")).await.expect_error(403, "FORBIDDEN");
    act(&service.other_admin(), &id, "transfer", to_bob("anna")).await.expect_error(404, "NOT_FOUND");
    act(&service.test_admin(), &id, "transfer", to_bob("anna")).await.expect_error(404, "NOT_FOUND");
    let unchanged = case(&service, &id).await;
    assert_eq!((&unchanged["claimedBy"]["agentId"], &unchanged["version"]), (&json!("anna"), &json!(2)));
    assert_eq!(act(&admin, &id, "transfer", to_bob("boss")).await.expect(200)["claimedBy"]["agentId"], "bob");
    act(&agent, &id, "release", json!({"agentId": "bob"})).await.expect(200);
    act(&agent, &id, "transfer", to_bob("anna")).await.expect_error(409, "INVALID_STATE");
    agent.post_empty("/inbox/takeover").await.expect(200);
    act(&admin, &id, "resolve", json!({})).await.expect(200);
    act(&admin, &id, "transfer", to_bob("boss")).await.expect_error(409, "INVALID_STATE");
}

#[tokio::test]
async fn a_transfer_that_is_sent_again_is_one_and_answers_with_the_present_state() {
    let service = TestService::start().await;
    let (session, id) = claimed_by_anna(&service).await;
    let once = service.agent().with_header("idempotency-key", "once");
    let body = json!({"agentId": "anna", "toAgentId": "bob", "note": "yours"});
    act(&once, &id, "transfer", body.clone()).await.expect(200);
    act(&service.agent(), &id, "release", json!({"agentId": "bob"})).await.expect(200);
    let again = act(&once, &id, "transfer", body).await;
    assert_eq!((&again.expect(200)["status"], again.header("idempotency-replayed")), (&json!("pending"), "true"));
    let other = json!({"agentId": "anna", "toAgentId": "eve"});
    act(&once, &id, "transfer", other).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    let notes = service.agent().turns(&session).await.iter().filter(|turn| turn["content"] == "yours").count();
    assert_eq!(notes, 1);
}

#[tokio::test]
async fn a_renewed_claim_has_its_lease_again() {
    let service = TestService::start().await;
    let (_, id) = claimed_by_anna(&service).await;
    let agent = service.agent();
    let anna = || json!({"agentId": "anna"});
    for _ in 0..3 {
        service.clock.advance(29 * MINUTE);
        service.sweep().await;
        let renewed = act(&agent, &id, "renew", anna()).await;
        assert!(is_in(&service, &renewed.expect(200)["leaseExpiresAt"], 30 * MINUTE), "{}", renewed.text);
    }
    act(&agent, &id, "renew", json!({"agentId": "bob"})).await.expect_error(409, "CLAIMED_BY_OTHER");
    act(&agent, &id, "renew", json!({})).await.expect_error(409, "CLAIMED_BY_OTHER");
    act(&service.admin(), &id, "renew", json!({})).await.expect(200);
    act(&service.other_admin(), &id, "renew", json!({})).await.expect_error(404, "NOT_FOUND");
    act(&service.test_admin(), &id, "renew", json!({})).await.expect_error(404, "NOT_FOUND");
    service.clock.advance(30 * MINUTE);
    service.sweep().await;
    assert_eq!(case(&service, &id).await["status"], "pending");
    act(&agent, &id, "renew", anna()).await.expect_error(409, "INVALID_STATE");
}

#[tokio::test]
async fn a_claim_that_is_put_off_has_no_lease_until_its_time_comes() {
    let service = TestService::start().await;
    let receiver = collector(&service, 1, domain::models::Subscription::All).await;
    let (session, id) = claimed_by_anna(&service).await;
    service.drain().await;
    let told = kinds(&service, &receiver).await;
    let (agent, monday) = (service.agent(), moment(&service, 3 * DAY));
    let put_off = snooze(&agent, &id, &monday).await;
    assert_eq!((&put_off.expect(200)["snoozedUntil"], put_off.at("leaseExpiresAt")), (&monday, &json!(null)));
    assert_eq!((put_off.at("status"), put_off.at("/session/ownership")), (&json!("claimed"), &json!("human")));
    let again = snooze(&agent, &id, &monday).await;
    assert_eq!(again.expect(200), put_off.expect(200), "again: nothing changes");
    service.clock.advance(3 * DAY - 10 * MINUTE);
    service.sweep().await;
    assert_eq!(case(&service, &id).await["snoozedUntil"], monday, "nothing ended it early");
    service.clock.advance(10 * MINUTE);
    service.sweep().await;
    let awake = case(&service, &id).await;
    assert_eq!((&awake["snoozedUntil"], &awake["status"]), (&json!(null), &json!("claimed")));
    assert_eq!(awake["wasSnoozedUntil"], json!(null), "its time came");
    assert!(is_in(&service, &awake["leaseExpiresAt"], 30 * MINUTE), "{awake:#}");
    service.clock.advance(30 * MINUTE);
    service.sweep().await;
    assert_eq!(case(&service, &id).await["status"], "pending");
    let turns = service.integration().turns(&session).await;
    let events: Vec<_> = turns.iter().map(|turn| turn["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["handover_requested", "agent_joined"], "the customer sees no snooze and no lapse");
    service.drain().await;
    let mut expected = told;
    expected.insert(EventKind::HandoverReleased, 1);
    assert_eq!(kinds(&service, &receiver).await, expected, "a snooze makes no event");
}

#[tokio::test]
async fn whatever_the_customer_or_an_agent_does_ends_a_snooze_with_a_new_lease() {
    let service = TestService::start().await;
    let (agent, admin) = (service.agent(), service.admin());
    for what in ["message", "note", "renew", "transfer", "null", "customer", "note of the session"] {
        let (session, id) = claimed_by_anna(&service).await;
        let until = moment(&service, DAY);
        // The note of a session is by the key itself.
        if what == "note of the session" {
            let key = agent.post(&format!("/sessions/{session}/notes"), json!({"content": "who am I"})).await;
            let to = json!({"agentId": "anna", "toAgentId": key.at("/agent/id")});
            act(&agent, &id, "transfer", to).await.expect(200);
            agent.patch(&format!("/inbox/{id}"), json!({"snoozedUntil": until})).await.expect(200);
        } else {
            snooze(&agent, &id, &until).await.expect(200);
        }
        service.clock.advance(HOUR);
        service.sweep().await;
        agent.patch(&format!("/inbox/{id}"), json!({"priority": "high"})).await.expect(200);
        admin.post(&format!("/sessions/{session}/notes"), json!({"content": "by another"})).await.expect(201);
        assert!(
            case(&service, &id).await["snoozedUntil"].is_string(),
            "{what}: a priority and a colleague's note do not"
        );
        let message = |internal| json!({"content": "x", "internal": internal, "agentId": "anna"});
        let ended = match what {
            "message" => act(&agent, &id, "message", message(false)).await,
            "note" => act(&agent, &id, "message", message(true)).await,
            "renew" => act(&agent, &id, "renew", json!({"agentId": "anna"})).await,
            "transfer" => act(&agent, &id, "transfer", json!({"agentId": "anna", "toAgentId": "bob"})).await,
            "null" => snooze(&agent, &id, &json!(null)).await,
            "customer" => service.integration().ask(&session, "Hello?").await,
            _ => agent.post(&format!("/sessions/{session}/notes"), json!({"content": "mine"})).await,
        };
        assert!(ended.status < 300, "{what}: {}", ended.text);
        let now = case(&service, &id).await;
        assert_eq!((&now["snoozedUntil"], &now["status"]), (&json!(null), &json!("claimed")), "{what}");
        let is_answered = what == "message";
        let minutes = if what == "customer" { 15 } else { 30 };
        let has_lease = is_in(&service, &now["leaseExpiresAt"], minutes * MINUTE);
        assert!(has_lease != is_answered && (has_lease || now["leaseExpiresAt"].is_null()), "{what}: {now:#}");
        let listed = agent.get("/inbox?status=claimed&limit=1").await;
        for field in ["leaseExpiresAt", "wasSnoozedUntil"] {
            assert_eq!(&listed.items()[0][field], &now[field], "{what}: the list says the same");
        }
        assert_eq!(now["wasSnoozedUntil"], until, "{what}: it ended early");
        let again = admin.patch(&format!("/inbox/{id}"), json!({"snoozedUntil": until})).await;
        assert_eq!((&again.expect(200)["snoozedUntil"], again.at("wasSnoozedUntil")), (&until, &json!(null)), "{what}");
        admin.patch(&format!("/inbox/{id}"), json!({"snoozedUntil": null})).await.expect(200);
        service.clock.advance(30 * MINUTE);
        service.sweep().await;
        let ended = case(&service, &id).await;
        let expected = if is_answered { "claimed" } else { "pending" };
        assert_eq!(ended["status"], expected, "{what}: the new lease ends");
        if !is_answered {
            admin.post("/inbox/takeover", json!({"escalationId": id})).await.expect(200);
        }
        act(&admin, &id, "resolve", json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn the_end_of_a_part_ends_its_snooze() {
    let service = TestService::start().await;
    let agent = service.agent();
    for action in ["release", "handback", "resolve"] {
        let (session, id) = claimed_by_anna(&service).await;
        let until = moment(&service, DAY);
        snooze(&agent, &id, &until).await.expect(200);
        let ended = act(&agent, &id, action, json!({"agentId": "anna"})).await;
        assert_eq!((&ended.expect(200)["snoozedUntil"], ended.at("leaseExpiresAt")), (&json!(null), &json!(null)));
        assert_eq!(ended.at("wasSnoozedUntil"), &until, "{action}: who takes it next may put it off again");
        service.clock.advance(DAY);
        service.sweep().await;
        let now = case(&service, &id).await;
        assert_eq!(now["status"], *ended.at("status"), "{action}");
        service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    }
}

#[tokio::test]
async fn a_claim_is_put_off_for_at_most_seven_days_by_who_has_it_or_an_admin() {
    let service = TestService::start().await;
    let (agent, admin) = (service.agent(), service.admin());
    let (_, id) = claimed_by_anna(&service).await;
    let before = case(&service, &id).await;
    for (until, detail) in [
        (moment(&service, 0), "snoozedUntil IN_THE_PAST"),
        (moment(&service, -DAY), "snoozedUntil IN_THE_PAST"),
        (moment(&service, 7 * DAY + 10 * MINUTE), "snoozedUntil OUT_OF_RANGE"),
        (json!("9999-12-31T23:59:59Z"), "snoozedUntil OUT_OF_RANGE"),
        (json!("tomorrow"), "snoozedUntil INVALID_FORMAT"),
        (json!(1), "snoozedUntil WRONG_TYPE"),
    ] {
        let refused = snooze(&agent, &id, &until).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [detail], "{until}");
    }
    let path = format!("/inbox/{id}");
    let tomorrow = moment(&service, DAY);
    for agent_id in [json!("bob"), json!(null)] {
        let body = json!({"agentId": agent_id, "snoozedUntil": tomorrow, "priority": "high"});
        agent.patch(&path, body).await.expect_error(409, "CLAIMED_BY_OTHER");
    }
    agent.patch(&path, json!({"agentId": "bob", "snoozedUntil": null})).await.expect_error(409, "CLAIMED_BY_OTHER");
    let body = json!({"snoozedUntil": tomorrow});
    service.other_admin().patch(&path, body.clone()).await.expect_error(404, "NOT_FOUND");
    service.test_admin().patch(&path, body.clone()).await.expect_error(404, "NOT_FOUND");
    service.trainer().patch(&path, body.clone()).await.expect_error(403, "FORBIDDEN");
    assert_eq!(case(&service, &id).await, before, "refusals change nothing");
    assert_eq!(snooze(&agent, &id, &json!(null)).await.expect(200), &before, "it was not put off");
    let week = moment(&service, 7 * DAY);
    let both = json!({"snoozedUntil": week, "priority": "high"});
    let put_off = admin.patch(&path, both).await;
    assert_eq!((&put_off.expect(200)["priority"], put_off.at("snoozedUntil")), (&json!("high"), &week));
    act(&agent, &id, "release", json!({"agentId": "anna"})).await.expect(200);
    admin.patch(&path, body.clone()).await.expect_error(409, "INVALID_STATE");
    assert_eq!(admin.patch(&path, json!({"snoozedUntil": null})).await.expect(200)["status"], "pending");
    admin.post_empty("/inbox/takeover").await.expect(200);
    act(&admin, &id, "resolve", json!({})).await.expect(200);
    for body in [body, json!({"snoozedUntil": null})] {
        admin.patch(&path, body).await.expect_error(409, "INVALID_STATE");
    }
}

#[tokio::test]
async fn a_resolving_that_did_not_see_the_newest_message_is_refused() {
    let service = TestService::start().await;
    let (session, id) = claimed_by_anna(&service).await;
    let (agent, caller) = (service.agent(), service.integration());
    let seen = caller.turns(&session).await.last().unwrap()["messageId"].clone();
    let newer = caller.ask(&session, "It still does not work.").await.at("messageId").clone();
    let resolve = |seen: &Value| json!({"agentId": "anna", "lastSeenMessageId": seen});
    let refused = act(&agent, &id, "resolve", resolve(&seen)).await;
    refused.expect_error(409, "CONFLICT");
    assert_eq!(refused.details(), ["NEWER_MESSAGE"]);
    let unknown = json!("msg_00000000000000000000000000");
    act(&agent, &id, "resolve", resolve(&unknown)).await.expect_error(404, "NOT_FOUND");
    assert_eq!(case(&service, &id).await["status"], "claimed");
    act(&agent, &id, "resolve", resolve(&newer)).await.expect(200);
    assert_eq!(act(&agent, &id, "resolve", resolve(&seen)).await.expect(200)["status"], "resolved", "as stored");
}
