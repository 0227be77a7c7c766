//! The lines of lists: the last words of a conversation, and what people did last in those of one customer.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn line(agent: &Actor, list: &str) -> Value {
    agent.get(list).await.items()[0].clone()
}

#[tokio::test]
async fn lists_have_the_last_words_and_nothing_else_has() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let (widget, agent) = (service.widget("ann").await, service.agent());
    let session = widget.session().await;
    assert_eq!(line(&agent, "/sessions").await.get("lastWords"), None, "nobody said anything");
    widget.ask(&session, QUESTION).await.expect(200);
    let words = &line(&agent, "/sessions?ownership=ai").await["lastWords"];
    assert_eq!((&words["role"], &words["question"]), (&json!("ai"), &json!(QUESTION)));
    assert_eq!(words["disposition"], "answered");
    assert!(words["text"].as_str().unwrap().contains("five working days"), "{words}");
    let escalation = widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "late"})).await;
    let escalation = escalation.text_at("escalationId").to_owned();
    assert_eq!(line(&agent, "/inbox").await["lastWords"]["question"], QUESTION);
    widget.ask(&session, &format!("Is  anybody\nthere? {}", "ä".repeat(500))).await.expect(200);
    let customers = json!({"role": "customer", "text": format!("Is anybody there? {}", "ä".repeat(142))});
    assert_eq!(line(&agent, "/inbox").await["lastWords"], customers);
    let body = json!({"escalationId": escalation, "agentId": "bob"});
    assert_eq!(agent.post("/inbox/takeover", body).await.expect(200).get("lastWords"), None);
    assert_eq!(line(&agent, "/inbox?status=claimed").await["lastWords"], customers);
    let says = |content: &str, internal: bool| json!({"agentId": "bob", "content": content, "internal": internal});
    let message = format!("/inbox/{escalation}/message");
    agent.post(&message, says("Yes, I am.", false)).await.expect(200);
    agent.post(&message, says("A secret", true)).await.expect(200);
    let agents = json!({"role": "agent", "text": "Yes, I am."});
    assert_eq!(line(&agent, "/inbox?status=claimed").await["lastWords"], agents, "notes are no words to the customer");
    assert_eq!(line(&agent, "/sessions").await["lastWords"], agents);
    agent.post(&format!("/inbox/{escalation}/release"), json!({"agentId": "bob"})).await.expect(200);
    assert_eq!(line(&agent, "/inbox").await["lastWords"], agents);
    assert_eq!(agent.get(&format!("/inbox/{escalation}")).await.expect(200).get("lastWords"), None);
    assert_eq!(widget.get(&format!("/sessions/{session}")).await.expect(200).get("lastWords"), None);
}

#[tokio::test]
async fn the_conversations_of_one_customer_say_how_people_ended_them() {
    let service = TestService::start().await;
    let (admin, agent) = (service.admin(), service.agent());
    let session = admin.session_with(json!({"channel": "api", "externalUserId": "ann"})).await;
    let asked = admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "late"})).await;
    let escalation = asked.text_at("escalationId").to_owned();
    assert_eq!(line(&agent, "/sessions?externalUserId=ann").await.get("lastHumanPart"), None);
    agent.post("/inbox/takeover", json!({"agentId": "bob"})).await.expect(200);
    let end = json!({"agentId": "bob", "resolution": "Sent once more"});
    let resolved = agent.post(&format!("/inbox/{escalation}/resolve"), end).await;
    admin.post(&format!("/sessions/{session}/rating"), json!({"score": 2, "comment": "Slow"})).await.expect(200);
    let part = line(&agent, "/sessions?externalUserId=ann").await["lastHumanPart"].clone();
    assert_eq!((&part["escalationId"], &part["resolution"]), (&json!(escalation), &json!("Sent once more")));
    assert_eq!((&part["rating"]["score"], &part["rating"]["comment"]), (&json!(2), &json!("Slow")));
    assert_eq!(&part["resolvedAt"], resolved.at("resolvedAt"));
    assert_eq!(line(&agent, "/sessions").await.get("lastHumanPart"), None, "only of one customer");
    let trainers = line(&service.trainer(), "/sessions?externalUserId=ann").await;
    assert_eq!(trainers.get("lastHumanPart"), None, "the inbox is not theirs");
}
