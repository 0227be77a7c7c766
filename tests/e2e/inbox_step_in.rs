//! Agents step in while the AI has a session, and write notes about sessions.

use serde_json::{Value, json};

use crate::support::{Actor, Reply, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn step_in(agent: &Actor, session: &str, body: Value) -> Reply {
    agent.post(&format!("/sessions/{session}/takeover"), body).await
}

async fn note(author: &Actor, session: &str, content: &str) -> Reply {
    author.post(&format!("/sessions/{session}/notes"), json!({"content": content})).await
}

fn events(turns: &[Value]) -> Vec<&str> {
    turns.iter().map(|turn| turn["event"].as_str().or(turn["role"].as_str()).unwrap()).collect()
}

#[tokio::test]
async fn an_agent_takes_a_session_from_the_ai_which_nobody_asked_for() {
    let (service, receiver, _) = TestService::with_receiver().await;
    let (caller, agent) = (service.integration(), service.agent());
    let session = caller.session().await;
    caller.ask(&session, "Do purple elephants juggle marmalade?").await.expect(200);
    let anna = json!({"agentId": "anna", "agentName": "Anna", "reason": "It goes around in circles."});
    let taken = step_in(&agent, &session, anna).await;
    let now = taken.expect(200);
    assert_eq!((&now["status"], &now["session"]["ownership"]), (&json!("claimed"), &json!("human")));
    assert_eq!((&now["requestedBy"], &now["reasonCategory"]), (&json!("agent"), &json!("step_in")));
    assert_eq!((&now["reason"], &now["priority"]), (&json!("It goes around in circles."), &json!("normal")));
    assert_eq!(now["claimedBy"], json!({"agentId": "anna", "name": "Anna"}));
    assert_eq!(now["claimedAt"], now["createdAt"]);
    assert!(now["leaseExpiresAt"].is_string() && taken.text_at("summary").contains("marmalade"), "{}", taken.text);
    assert_eq!(events(now["messages"].as_array().unwrap()), ["customer", "ai", "agent_joined"]);
    assert_eq!(now["session"]["escalationId"], now["escalationId"]);
    assert_eq!(caller.ask(&session, "Who is there?").await.at("disposition"), "queued_for_human");
    let id = taken.text_at("escalationId").to_owned();
    let hello = json!({"content": "Anna is.", "agentId": "anna"});
    agent.post(&format!("/inbox/{id}/message"), hello).await.expect(200);
    let list = agent.get("/inbox?agentId=anna").await;
    assert_eq!(list.items()[0]["escalationId"], id.as_str());
    service.drain().await;
    let mut told: Vec<String> = receiver.caught().iter().map(|caught| caught.kind()).collect();
    told.retain(|kind| kind.starts_with("handover."));
    assert_eq!(told, ["handover.claimed"], "nobody asked for a human");
    let figures = service.admin().get("/analytics").await;
    assert_eq!((figures.at("escalationRate"), figures.at("containmentRate")), (&json!(1.0), &json!(0.0)));
}

#[tokio::test]
async fn an_agent_steps_in_where_a_customer_waits_and_nowhere_else() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let session = caller.session().await;
    let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let taken = step_in(&agent, &session, json!({"agentId": "anna", "reason": "mine"})).await;
    assert_eq!(&taken.expect(200)["escalationId"], asked.at("escalationId"));
    let kept = ["reason", "requestedBy", "reasonCategory"].map(|field| taken.at(field).clone());
    assert_eq!(kept, [json!("help"), json!("api"), json!("manual")], "the request that waited");
    for (who, message) in [
        ("anna", "You have already claimed this conversation."),
        ("eve", "Another agent has claimed this conversation."),
    ] {
        let refused = step_in(&agent, &session, json!({"agentId": who})).await;
        refused.expect_error(409, "ALREADY_CLAIMED");
        assert_eq!(refused.text_at("message"), message);
    }
    let id = taken.text_at("escalationId");
    agent.post(&format!("/inbox/{id}/resolve"), json!({"agentId": "anna"})).await.expect(200);
    step_in(&agent, &session, json!({})).await.expect_error(409, "SESSION_CLOSED");
    let open = caller.session().await;
    for (actor, status, code) in [
        (service.trainer(), 403, "FORBIDDEN"),
        (service.integration(), 403, "FORBIDDEN"),
        (service.widget("ann").await, 403, "FORBIDDEN"),
        (service.other_admin(), 404, "NOT_FOUND"),
        (service.test_admin(), 404, "NOT_FOUND"),
    ] {
        step_in(&actor, &open, json!({})).await.expect_error(status, code);
    }
    for body in [json!({"agentId": "mem_1"}), json!({"reason": ""}), json!({"reason": "r".repeat(1_001)})] {
        step_in(&agent, &open, body).await.expect_error(400, "VALIDATION_ERROR");
    }
    assert_eq!(caller.get(&format!("/sessions/{open}")).await.at("ownership"), "ai");
    let by_the_key = step_in(&agent, &open, json!({})).await;
    assert_eq!(by_the_key.expect(200)["reason"], "An agent stepped in.");
    assert!(by_the_key.at("/claimedBy/agentId").as_str().unwrap().starts_with("key_"));
}

#[tokio::test]
async fn stepping_in_again_under_one_key_is_the_same_claim() {
    let service = TestService::start().await;
    let session = service.integration().session().await;
    let once = service.agent().with_header("idempotency-key", "once");
    let first = step_in(&once, &session, json!({"agentId": "anna"})).await;
    let again = step_in(&once, &session, json!({"agentId": "anna"})).await;
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (first.expect(200), "true"));
    step_in(&once, &session, json!({"agentId": "eve"})).await.expect_error(409, "ALREADY_CLAIMED");
    let joined = service.agent().turns(&session).await.iter().filter(|turn| turn["event"] == "agent_joined").count();
    assert_eq!(joined, 1);
}

#[tokio::test]
async fn the_ai_answers_again_what_nobody_answered_after_an_agent_who_stepped_in() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let (caller, agent) = (service.integration(), service.agent());
    let session = caller.session().await;
    let id = step_in(&agent, &session, json!({})).await.text_at("escalationId").to_owned();
    caller.ask(&session, QUESTION).await.expect(200);
    note(&service.trainer(), &session, "Let the AI answer that.").await.expect(201);
    agent.post_empty(&format!("/inbox/{id}/handback")).await.expect(200);
    let turns = caller.turns(&session).await;
    assert_eq!(events(&turns), ["agent_joined", "customer", "handover_ended", "ai"]);
    assert!(turns[3]["answer"].as_str().unwrap().contains("five working days"), "{turns:#?}");
}

#[tokio::test]
async fn people_leave_notes_about_open_sessions_whoever_has_them() {
    let (service, receiver, _) = TestService::with_receiver().await;
    let widget = service.widget("ann").await;
    let session = widget.session().await;
    for author in [service.admin(), service.trainer(), service.agent()] {
        let written = note(&author, &session, "a secret note").await;
        assert_eq!((&written.expect(201)["role"], written.at("internal")), (&json!("agent"), &json!(true)));
        assert!(written.at("/agent/id").as_str().unwrap().starts_with("key_"), "{}", written.text);
        assert_eq!(written.header("location"), format!("/api/v1/sessions/{session}/messages"));
    }
    assert_eq!(service.agent().turns(&session).await.len(), 3);
    assert!(widget.turns(&session).await.is_empty() && service.integration().turns(&session).await.is_empty());
    assert_eq!(service.admin().get(&format!("/sessions/{session}")).await.at("ownership"), "ai");
    for content in [json!(""), json!("x".repeat(8_001)), json!(1), json!(null)] {
        let path = format!("/sessions/{session}/notes");
        service.agent().post(&path, json!({"content": content})).await.expect_error(400, "VALIDATION_ERROR");
    }
    note(&widget, &session, "x").await.expect_error(403, "FORBIDDEN");
    note(&service.integration(), &session, "x").await.expect_error(403, "FORBIDDEN");
    note(&service.other_admin(), &session, "x").await.expect_error(404, "NOT_FOUND");
    note(&service.test_admin(), &session, "x").await.expect_error(404, "NOT_FOUND");
    widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    note(&service.trainer(), &session, "a secret note").await.expect(201);
    let once = service.trainer().with_header("idempotency-key", "once");
    let first = note(&once, &session, "a secret note, once").await;
    let again = note(&once, &session, "a secret note, once").await;
    assert_eq!((again.expect(201), again.header("idempotency-replayed")), (first.expect(201), "true"));
    note(&once, &session, "another").await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(service.agent().turns(&session).await.len(), 6);
    let id = service.agent().post_empty("/inbox/takeover").await.text_at("escalationId").to_owned();
    note(&service.trainer(), &session, "a secret note").await.expect(201);
    service.agent().post_empty(&format!("/inbox/{id}/resolve")).await.expect(200);
    note(&service.trainer(), &session, "too late").await.expect_error(409, "SESSION_CLOSED");
    service.drain().await;
    for caught in receiver.caught() {
        assert!(!String::from_utf8_lossy(&caught.body).contains("secret"), "an internal note was told");
    }
}

#[tokio::test]
async fn a_note_leaves_the_answers_of_the_ai_as_they_are() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let caller = service.integration();
    let session = caller.session().await;
    note(&service.agent(), &session, "A refund takes nine hundred years.").await.expect(201);
    let reply = caller.ask(&session, QUESTION).await;
    assert_eq!(reply.expect(200)["disposition"], "answered");
    assert!(reply.text_at("answer").contains("five working days") && !reply.text.contains("nine hundred"));
}
