//! `GET /sessions?email=`: the sessions of an e-mail address.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

async fn of(actor: &Actor, query: &str) -> Vec<String> {
    let listed = actor.get(&format!("/sessions?{query}")).await;
    listed.items().iter().map(|session| session["sessionId"].as_str().unwrap().to_owned()).collect()
}

async fn with_email(service: &TestService, email: Value) -> String {
    service.clock.advance(5);
    service.integration().session_with(json!({"user": {"name": "Ann", "email": email}})).await
}

#[tokio::test]
async fn sessions_are_found_by_their_address_in_any_case_newest_first() {
    let service = TestService::start().await;
    let first = with_email(&service, json!("Ann@Example.com")).await;
    let second = with_email(&service, json!("ann@example.com")).await;
    let other = with_email(&service, json!("ann@example.org")).await;
    let agent = service.agent();
    assert_eq!(of(&agent, "email=ANN%40example.COM").await, [second.clone(), first.clone()]);
    assert_eq!(of(&agent, "email=ann@example.org").await, [other]);
    for none in ["nn@example.com", "ann@example.co", "ann", "%C3%84nn@example.com"] {
        assert!(of(&agent, &format!("email={none}")).await.is_empty(), "{none}");
    }
    let page = agent.get("/sessions?email=ann@example.com&limit=1").await;
    assert_eq!((page.items().len(), page.at("hasMore")), (1, &json!(true)));
    let next = format!("email=ann@example.com&limit=1&cursor={}", page.text_at("nextCursor"));
    assert_eq!(of(&agent, &next).await, [first]);
    for stranger in [service.test_admin(), service.other_admin()] {
        assert!(of(&stranger, "email=ann@example.com").await.is_empty());
    }
    let tagged = with_email(&service, json!("anna+shop@example.com")).await;
    assert_eq!(of(&agent, "email=anna%2Bshop@example.com").await, [tagged]);
    for spaced in ["anna+shop@example.com", "anna%20shop@example.com", "ann@example.com%09", "+ann@example.com"] {
        let refused = agent.get(&format!("/sessions?email={spaced}")).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["email INVALID_CHARACTER"], "{spaced}");
        assert!(refused.text.contains("write + as %2B"), "{}", refused.text);
    }
    agent.get("/sessions?email=").await.expect_error(400, "VALIDATION_ERROR");
    agent.get(&format!("/sessions?email={}", "x".repeat(255))).await.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_session_is_found_by_the_address_that_it_has_now() {
    let service = TestService::start().await;
    let (agent, session) = (service.agent(), with_email(&service, json!("ann@example.com")).await);
    let path = format!("/sessions/{session}");
    agent.patch(&path, json!({"user": {"email": "bob@example.com"}})).await.expect(200);
    assert!(of(&agent, "email=ann@example.com").await.is_empty());
    assert_eq!(of(&agent, "email=bob@example.com").await, std::slice::from_ref(&session));
    // The same address in another case, and another name.
    agent.patch(&path, json!({"user": {"name": "Bob", "email": "Bob@Example.com"}})).await.expect(200);
    assert_eq!(of(&agent, "email=bob@example.com").await, std::slice::from_ref(&session));
    agent.patch(&path, json!({"tags": ["vip"]})).await.expect(200);
    assert_eq!(of(&agent, "email=bob@example.com&tag=vip").await, std::slice::from_ref(&session));
    assert!(of(&agent, "email=bob@example.com&tag=new").await.is_empty());
    assert!(of(&agent, "email=bob@example.com&ownership=human").await.is_empty());
    assert!(of(&agent, "email=bob@example.com&externalUserId=zoe").await.is_empty());
    agent.patch(&path, json!({"user": null})).await.expect(200);
    assert!(of(&agent, "email=bob@example.com").await.is_empty());
    assert!(!service.raw_items().await.iter().any(|item| item.contains("email_session")));
    // A widget names its visitor.
    let widget = service.widget("zoe").await;
    let chat = widget.session_with(json!({})).await;
    widget.patch(&format!("/sessions/{chat}"), json!({"user": {"email": "zoe@example.com"}})).await.expect(200);
    assert_eq!(of(&agent, "email=zoe@example.com").await, [chat]);
}

#[tokio::test]
async fn a_deleted_session_leaves_no_trace_of_its_address() {
    let service = TestService::start().await;
    let session = with_email(&service, json!("ann@example.com")).await;
    assert!(service.raw_items().await.iter().any(|item| item.contains("email_session") && item.contains(&session)));
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    assert!(of(&service.agent(), "email=ann@example.com").await.is_empty());
    assert!(!service.raw_items().await.iter().any(|item| item.contains("email_session")));
}
