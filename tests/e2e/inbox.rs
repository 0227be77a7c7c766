//! The inbox: the queue, the claim, messages of agents, and the ways to end their part.

use std::collections::{BTreeMap, BTreeSet};

use domain::models::{Mode, Role};
use serde_json::{Value, json};

use crate::support::{Actor, Reply, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

/// A session for which a human was asked: its id and the escalation's.
async fn waiting(caller: &Actor, reason: &str) -> (String, String) {
    let session = caller.session().await;
    let reply = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": reason})).await;
    reply.expect(200);
    (session, reply.text_at("escalationId").to_owned())
}

async fn act(agent: &Actor, escalation: &str, action: &str, body: Value) -> Reply {
    agent.post(&format!("/inbox/{escalation}/{action}"), body).await
}

fn events(turns: &[Value]) -> Vec<&str> {
    turns.iter().map(|turn| turn["event"].as_str().or(turn["role"].as_str()).unwrap()).collect()
}

#[tokio::test]
async fn the_queue_is_listed_in_its_order_and_taken_over_in_it() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let mut expected = Vec::new();
    for number in 0..3 {
        expected.push(waiting(&caller, &format!("reason {number}")).await.1);
    }
    let list = agent.get("/inbox").await;
    let ids: Vec<_> = list.items().iter().map(|item| item["escalationId"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, expected);
    assert_eq!(list.at("counts"), &json!({"pending": 3, "claimed": 0, "capped": false}));
    assert_eq!((&list.items()[0]["reason"], &list.items()[0]["status"]), (&json!("reason 0"), &json!("pending")));
    let first_page = agent.get("/inbox?limit=2").await;
    assert_eq!((first_page.items().len(), first_page.at("hasMore")), (2, &json!(true)));
    let second = agent.get(&format!("/inbox?limit=2&cursor={}", first_page.text_at("nextCursor"))).await;
    assert_eq!((second.items().len(), second.at("nextCursor")), (1, &json!(null)));
    assert_eq!(second.items()[0]["escalationId"], expected[2].as_str());
    for id in &expected {
        assert_eq!(agent.post_empty("/inbox/takeover").await.expect(200)["escalationId"], id.as_str());
    }
    let empty = agent.post("/inbox/takeover", json!({})).await;
    empty.expect_error(404, "NOT_FOUND");
    assert_eq!(empty.details(), ["QUEUE_EMPTY"]);
    let claimed = agent.get("/inbox?status=claimed").await;
    let ids: Vec<_> = claimed.items().iter().map(|item| item["escalationId"].as_str().unwrap().to_owned()).collect();
    expected.reverse();
    assert_eq!(ids, expected, "all other lists are newest first");
    for bad in ["status=pending,claimed", "status=Pending", "status=pending&status=claimed", "limit=0", "cursor=x"] {
        agent.get(&format!("/inbox?{bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn an_agent_reads_a_summary_writes_and_resolves_and_the_customer_sees_it() {
    let service = with_refunds().await;
    let (caller, agent) = (service.integration(), service.agent());
    let widget = service.widget("ann").await;
    let session = widget.session().await;
    widget.ask(&session, QUESTION).await.expect(200);
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "It is late"})).await.expect(200);
    assert_eq!(widget.ask(&session, "Is anybody there?").await.at("disposition"), "queued_for_human");
    assert!(agent.get("/inbox").await.items()[0]["lastCustomerMessageAt"].is_string());
    let taken = agent.post("/inbox/takeover", json!({"agentId": "anna", "agentName": "Anna"})).await;
    let body = taken.expect(200);
    let id = taken.text_at("escalationId").to_owned();
    assert_eq!((&body["status"], &body["session"]["ownership"]), (&json!("claimed"), &json!("human")));
    assert_eq!(body["claimedBy"], json!({"agentId": "anna", "name": "Anna"}));
    assert_eq!(body["customer"]["externalUserId"], "ann");
    let summary = taken.text_at("summary");
    assert!(summary.contains(QUESTION) && summary.contains("Is anybody there?"), "{summary}");
    assert_eq!(
        events(body["messages"].as_array().unwrap()),
        ["customer", "ai", "handover_requested", "customer", "agent_joined"]
    );
    let said = act(&agent, &id, "message", json!({"content": "I am Anna.", "agentId": "anna"})).await;
    assert_eq!((&said.expect(200)["role"], &said.at("/agent/name")), (&json!("agent"), &&json!("Anna")));
    let note = json!({"content": "angry", "internal": true, "agentId": "anna"});
    act(&agent, &id, "message", note).await.expect(200);
    assert_eq!(widget.ask(&session, "Thanks.").await.at("disposition"), "queued_for_human");
    let seen = widget.turns(&session).await;
    assert_eq!(
        events(&seen),
        ["customer", "ai", "handover_requested", "customer", "agent_joined", "agent", "customer"]
    );
    assert_eq!((&seen[5]["content"], &seen[5]["agent"]), (&json!("I am Anna."), &json!({"name": "Anna"})));
    assert_eq!(agent.turns(&session).await.len(), 8, "people see the note too");
    let read = agent.get(&format!("/inbox/{id}")).await;
    assert!(read.expect(200)["firstResponseAt"].is_string());
    let resolve = json!({"resolution": "Paid by hand", "agentId": "anna"});
    let resolved = act(&agent, &id, "resolve", resolve.clone()).await;
    assert_eq!((&resolved.expect(200)["status"], resolved.at("outcome")), (&json!("resolved"), &json!("resolved")));
    assert_eq!(
        (resolved.at("resolution"), resolved.at("/session/ownership")),
        (&json!("Paid by hand"), &json!("closed"))
    );
    assert_eq!(act(&agent, &id, "resolve", resolve).await.expect(200), resolved.expect(200), "again: what is stored");
    for (action, body) in [("message", json!({"content": "x"})), ("handback", json!({})), ("release", json!({}))] {
        let body = {
            let mut body = body;
            body["agentId"] = json!("anna");
            body
        };
        act(&agent, &id, action, body).await.expect_error(409, "INVALID_STATE");
    }
    widget.ask(&session, "One more thing").await.expect_error(409, "SESSION_CLOSED");
    assert_eq!(caller.get(&format!("/sessions/{session}")).await.at("closedReason"), "resolved");
}

#[tokio::test]
async fn whoever_holds_an_agents_key_can_act_under_every_agents_name() {
    let service = TestService::start().await;
    let key = service.admin().post("/api-keys", json!({"name": "a second agent", "role": "agent"})).await;
    let (anna, other) = (service.agent(), service.bearer(key.text_at("key")));
    let session = service.integration().session().await;
    service.integration().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let claimed = anna.post("/inbox/takeover", json!({"agentId": "anna"})).await;
    let message = format!("/inbox/{}/message", claimed.text_at("escalationId"));
    other.post(&message, json!({"content": "I am Bob.", "agentId": "bob"})).await.expect_error(409, "CLAIMED_BY_OTHER");
    other.post(&message, json!({"content": "I say that I am Anna.", "agentId": "anna"})).await.expect(200);
    let said = anna.turns(&session).await.pop().unwrap();
    assert_eq!((&said["agent"]["id"], &said["content"]), (&json!("anna"), &json!("I say that I am Anna.")));
}

#[tokio::test]
async fn only_the_claimer_or_an_admin_acts_on_what_is_claimed() {
    let service = TestService::start().await;
    let (caller, agent, admin) = (service.integration(), service.agent(), service.admin());
    let (_, id) = waiting(&caller, "help").await;
    act(&agent, &id, "message", json!({"content": "x"})).await.expect_error(409, "INVALID_STATE");
    agent.post("/inbox/takeover", json!({"agentId": "anna"})).await.expect(200);
    let named = json!({"escalationId": id, "agentId": "bob"});
    agent.post("/inbox/takeover", named).await.expect_error(409, "ALREADY_CLAIMED");
    for (action, body) in
        [("message", json!({"content": "x"})), ("handback", json!({})), ("resolve", json!({})), ("release", json!({}))]
    {
        for who in [json!(null), json!("bob")] {
            let mut body = body.clone();
            body["agentId"] = who;
            act(&agent, &id, action, body).await.expect_error(409, "CLAIMED_BY_OTHER");
        }
    }
    let by_admin = act(&admin, &id, "message", json!({"content": "I help out", "agentName": "Boss"})).await;
    assert_eq!(by_admin.expect(200)["agent"]["name"], "Boss");
    let now = agent.get(&format!("/inbox/{id}")).await;
    assert_eq!(now.at("/claimedBy/agentId"), "anna", "an admin helps and takes nothing away");
    act(&admin, &id, "resolve", json!({})).await.expect(200);
    act(&agent, &id, "resolve", json!({"agentId": "bob"})).await.expect_error(409, "CLAIMED_BY_OTHER");
    agent.post("/inbox/takeover", json!({"escalationId": id})).await.expect_error(409, "INVALID_STATE");
    for missing in ["esc_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nothing"] {
        agent.post("/inbox/takeover", json!({"escalationId": missing})).await.expect_error(404, "NOT_FOUND");
        agent.get(&format!("/inbox/{missing}")).await.expect_error(404, "NOT_FOUND");
        act(&agent, missing, "resolve", json!({})).await.expect_error(404, "NOT_FOUND");
    }
    let elsewhere = service.other_admin();
    elsewhere.get(&format!("/inbox/{id}")).await.expect_error(404, "NOT_FOUND");
    service.test_admin().get(&format!("/inbox/{id}")).await.expect_error(404, "NOT_FOUND");
    assert!(elsewhere.get("/inbox?status=resolved").await.items().is_empty());
}

#[tokio::test]
async fn a_handback_tells_the_ai_answers_what_was_left_and_stops_where_the_customer_wrote_meanwhile() {
    let service = with_refunds().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = waiting(&caller, "help").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    let said = act(&agent, &id, "message", json!({"content": "What is it about?"})).await;
    let seen = said.text_at("messageId").to_owned();
    caller.ask(&session, QUESTION).await.expect(200);
    let blind = act(&agent, &id, "handback", json!({"lastSeenMessageId": seen})).await;
    blind.expect_error(409, "CONFLICT");
    let unknown = json!({"lastSeenMessageId": "msg_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    act(&agent, &id, "handback", unknown).await.expect_error(404, "NOT_FOUND");
    let newest = agent.get(&format!("/sessions/{session}")).await.text_at("lastMessageId").to_owned();
    let body = json!({"lastSeenMessageId": newest, "note": "The customer means the card payment"});
    let back = act(&agent, &id, "handback", body).await;
    assert_eq!((&back.expect(200)["status"], back.at("outcome")), (&json!("closed"), &json!("handed_back")));
    assert_eq!((back.at("/session/ownership"), back.at("/session/escalationId")), (&json!("ai"), &json!(null)));
    let turns = caller.turns(&session).await;
    assert_eq!(events(&turns), ["handover_requested", "agent_joined", "agent", "customer", "handover_ended", "ai"]);
    assert!(turns[5]["answer"].as_str().unwrap().contains("five working days"));
    let notes = agent.turns(&session).await;
    let note = notes.iter().find(|turn| turn["internal"] == true).unwrap();
    assert_eq!(note["content"], "The customer means the card payment");
    act(&agent, &id, "handback", json!({})).await.expect_error(409, "INVALID_STATE");
    assert_eq!(caller.ask(&session, QUESTION).await.at("disposition"), "answered");
}

#[tokio::test]
async fn a_released_customer_keeps_their_place() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, first) = waiting(&caller, "first").await;
    let (_, second) = waiting(&caller, "second").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    let released = act(&agent, &first, "release", json!({})).await;
    assert_eq!((&released.expect(200)["status"], released.at("claimedBy")), (&json!("pending"), &json!(null)));
    assert_eq!(released.at("/session/ownership"), "pending_handover");
    assert_eq!(events(&caller.turns(&session).await), ["handover_requested", "agent_joined", "agent_left"]);
    for id in [first, second] {
        assert_eq!(agent.post_empty("/inbox/takeover").await.expect(200)["escalationId"], id.as_str());
    }
}

#[tokio::test]
async fn the_same_key_from_the_same_agent_gets_the_same_customer_and_anything_else_the_next() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (_, first) = waiting(&caller, "first").await;
    let (_, second) = waiting(&caller, "second").await;
    let (_, third) = waiting(&caller, "third").await;
    let keyed = agent.with_header("idempotency-key", "k1");
    let anna = json!({"agentId": "anna"});
    let taken = keyed.post("/inbox/takeover", anna.clone()).await;
    assert_eq!((&taken.expect(200)["escalationId"], taken.header("idempotency-replayed")), (&json!(first), ""));
    let again = keyed.post("/inbox/takeover", anna.clone()).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (taken.expect(200), "true"));
    let other_agent = keyed.post("/inbox/takeover", json!({"agentId": "bob"})).await;
    assert_eq!(other_agent.expect(200)["escalationId"], second.as_str());
    let other_wish = json!({"agentId": "anna", "escalationId": third});
    keyed.post("/inbox/takeover", other_wish).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    let request_id = agent.with_header("x-request-id", "r1");
    assert_eq!(request_id.post("/inbox/takeover", anna.clone()).await.expect(200)["escalationId"], third.as_str());
    request_id.post("/inbox/takeover", anna.clone()).await.expect_error(404, "NOT_FOUND");
    service.clock.advance(24 * 3_600_000 + 1);
    let (_, fourth) = waiting(&caller, "fourth").await;
    let forgotten = keyed.post("/inbox/takeover", anna).await;
    assert_eq!(forgotten.expect(200)["escalationId"], fourth.as_str(), "a day later the key is a new one");
}

#[tokio::test]
async fn an_agents_message_sent_again_is_written_once_and_an_ending_ends_once() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = waiting(&caller, "help").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    let keyed = agent.with_header("idempotency-key", "k1");
    let first = act(&keyed, &id, "message", json!({"content": "Hello"})).await;
    let again = act(&keyed, &id, "message", json!({"content": "Hello"})).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (first.expect(200), "true"));
    act(&keyed, &id, "message", json!({"content": "Bye"})).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    act(&keyed, &id, "handback", json!({})).await.expect(200);
    let again = act(&keyed, &id, "handback", json!({})).await;
    assert_eq!((&again.expect(200)["outcome"], again.header("idempotency-replayed")), (&json!("handed_back"), "true"));
    assert_eq!(
        events(&caller.turns(&session).await),
        ["handover_requested", "agent_joined", "agent", "handover_ended"]
    );
    let late = act(&keyed, &id, "message", json!({"content": "Hello"})).await;
    assert_eq!(late.expect(200), first.expect(200), "what was written is told also when all is over");
    let (_, id) = waiting(&caller, "help").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    act(&agent, &id, "resolve", json!({})).await.expect(200);
    for replayed in ["", "true"] {
        let resolved = act(&keyed, &id, "resolve", json!({})).await;
        assert_eq!(
            (&resolved.expect(200)["status"], resolved.header("idempotency-replayed")),
            (&json!("resolved"), replayed)
        );
    }
    act(&keyed, &id, "resolve", json!({"resolution": "x"})).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_lease_is_renewed_by_each_note_and_ends_in_the_queue() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = waiting(&caller, "first").await;
    waiting(&caller, "second").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    let scope = service.tenant.scope(Mode::Live);
    let escalation = domain::models::EscalationId::parse(&id).unwrap();
    let app = support::functions::sessions::app(service.resources()).await.unwrap();
    let conversation = support::sessions::conversation::ConversationService::new(&app).unwrap();
    let handle_due_lease = || conversation.handle_due_lease(&scope, &escalation);
    service.clock.advance(29 * 60_000);
    act(&agent, &id, "message", json!({"content": "Still here", "internal": true})).await.expect(200);
    service.clock.advance(29 * 60_000);
    handle_due_lease().await.unwrap();
    assert_eq!(agent.get(&format!("/inbox/{id}")).await.at("status"), "claimed");
    service.clock.advance(2 * 60_000);
    handle_due_lease().await.unwrap();
    handle_due_lease().await.unwrap();
    let now = agent.get(&format!("/inbox/{id}")).await;
    assert_eq!((now.at("status"), now.at("leaseExpiresAt")), (&json!("pending"), &json!(null)));
    let events_now = caller.turns(&session).await;
    assert_eq!(events(&events_now), ["handover_requested", "agent_joined"], "the customer reads of no lapse");
    act(&agent, &id, "message", json!({"content": "I am back"})).await.expect_error(409, "INVALID_STATE");
    let next = service.role(Role::Admin).post_empty("/inbox/takeover").await;
    assert_eq!(next.expect(200)["escalationId"], id.as_str(), "it has kept its place");
}

#[tokio::test]
async fn every_problem_of_a_body_is_told_and_changes_nothing() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = waiting(&caller, "help").await;
    let bad = agent.post("/inbox/takeover", json!({"agentId": 7, "agentName": "x".repeat(101)})).await;
    bad.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(bad.details(), ["agentId WRONG_TYPE", "agentName TOO_LONG"]);
    agent.post_raw("/inbox/takeover", "application/json", "[]").await.expect_error(400, "INVALID_JSON");
    agent.post_empty("/inbox/takeover").await.expect(200);
    for (action, body, details) in [
        ("message", json!({}), vec!["content REQUIRED"]),
        (
            "message",
            json!({"content": "x".repeat(8_001), "internal": "yes"}),
            vec!["content TOO_LONG", "internal WRONG_TYPE"],
        ),
        (
            "handback",
            json!({"note": "n".repeat(1_001), "lastSeenMessageId": 7}),
            vec!["note TOO_LONG", "lastSeenMessageId WRONG_TYPE"],
        ),
        ("resolve", json!({"resolution": " "}), vec!["resolution BLANK"]),
        ("release", json!({"agentId": "a\nb"}), vec!["agentId INVALID_CHARACTER"]),
    ] {
        let reply = act(&agent, &id, action, body).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), details, "{action}");
    }
    assert_eq!(caller.turns(&session).await.len(), 2);
}

#[tokio::test]
async fn each_step_of_a_handover_is_told_to_receivers_and_notes_are_not() {
    let (service, receiver, _) = TestService::with_receiver().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (_, first) = waiting(&caller, "help").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    act(&agent, &first, "message", json!({"content": "a secret note", "internal": true})).await.expect(200);
    act(&agent, &first, "release", json!({})).await.expect(200);
    agent.post_empty("/inbox/takeover").await.expect(200);
    act(&agent, &first, "handback", json!({"note": "a secret note"})).await.expect(200);
    let (_, second) = waiting(&caller, "help").await;
    agent.post_empty("/inbox/takeover").await.expect(200);
    act(&agent, &second, "resolve", json!({"resolution": "done"})).await.expect(200);
    let (third, _) = waiting(&caller, "help").await;
    caller.post_empty(&format!("/sessions/{third}/cancel-escalation")).await.expect(200);
    service.drain().await;
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for caught in receiver.caught() {
        assert!(!String::from_utf8_lossy(&caught.body).contains("secret"), "an internal note was told");
        told.entry(caught.kind()).or_default().insert(caught.id().to_owned());
    }
    let count = |kind: &str| told.get(kind).map_or(0, BTreeSet::len);
    let kinds = ["requested", "claimed", "released", "returned", "resolved", "cancelled"];
    let counts: Vec<_> = kinds.iter().map(|kind| count(&format!("handover.{kind}"))).collect();
    assert_eq!(counts, [3, 3, 1, 1, 1, 1], "{told:?}");
    assert_eq!((count("session.closed"), count("message.created")), (1, 0));
}

#[tokio::test]
async fn who_has_claimed_a_conversation_is_told_that_they_have() {
    let service = TestService::start().await;
    let (_, escalation) = waiting(&service.integration(), "help").await;
    let take = |agent: &'static str| {
        let caller = service.agent();
        let body = json!({"escalationId": escalation, "agentId": agent});
        async move { caller.post("/inbox/takeover", body).await }
    };
    take("bob").await.expect(200);
    for (agent, message) in [
        ("bob", "You have already claimed this conversation."),
        ("eve", "Another agent has claimed this conversation."),
    ] {
        let refused = take(agent).await;
        refused.expect_error(409, "ALREADY_CLAIMED");
        assert_eq!(refused.text_at("message"), message, "{agent}");
    }
}
