//! A preview of the chat by somebody of the tenant is in no figure, gap, event or inbox.

use serde_json::json;

use crate::sign_in::{service, signed_in};
use crate::support::{Actor, Receiver, TestService};

/// The visitor of a preview.
const NAME: &str = "preview_01JDB8Q7XKZ3T5V9W2Y4A6C8EG";

/// The chat of a preview of a member.
async fn preview_of(service: &TestService, member: &Actor) -> Actor {
    let token = member.post("/auth/widget-token", json!({"externalUserId": NAME})).await;
    token.expect(200);
    service.bearer(token.text_at("token"))
}

/// The chat of a preview of an admin who has just signed in.
async fn preview(service: &TestService) -> Actor {
    let (_, admin) = signed_in(service, "ada@company.example", &["admin"]).await;
    preview_of(service, &admin).await
}

#[tokio::test]
async fn a_preview_is_in_no_figure_gap_event_or_inbox() {
    let service = service().await;
    let receiver = Receiver::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    service.drain().await;
    service.admin().webhook(&receiver.url(), &["*"]).await;
    let chat = preview(&service).await;
    let session = chat.session_with(json!({"user": {"name": "Ann"}})).await;
    let at = |rest: &str| format!("/sessions/{session}{rest}");
    assert_eq!(chat.ask(&session, "How long does a refund take?").await.expect(200)["disposition"], "answered");
    for _ in 0..2 {
        chat.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    }
    chat.ask(&session, "I want to talk to a human.").await.expect(200);
    chat.post(&at("/reaction"), json!({"reaction": "thumbs_down"})).await.expect(200);
    let asked = chat.post(&at("/escalate"), json!({"reason": "help"})).await;
    assert_eq!((asked.expect(200)["ownership"].as_str(), asked.at("queuePosition")), (Some("ai"), &json!(null)));
    let again = chat.with_header("idempotency-key", "once");
    let first = again.post(&at("/escalate"), json!({"reason": "help"})).await;
    let second = again.post(&at("/escalate"), json!({"reason": "help"})).await;
    assert_eq!((second.expect(200), second.header("idempotency-replayed")), (first.expect(200), "true"));
    service.drain().await;
    let now = chat.get(&at("")).await;
    assert_eq!((now.at("ownership"), now.at("escalationId")), (&json!("ai"), &json!(null)));
    for list in ["/inbox", "/inbox?status=claimed", "/analytics/kb-gaps", "/analytics/disliked-answers"] {
        assert!(service.admin().get(list).await.items().is_empty(), "{list}");
    }
    let figures = service.admin().get("/analytics").await;
    for name in ["totalSessions", "totalQueries", "escalationRate"] {
        assert_eq!(figures.at(name).as_f64(), Some(0.0), "{name}: {}", figures.text);
    }
    assert!(receiver.caught().is_empty(), "{} events", receiver.caught().len());
    // A customer is counted.
    service.integration().session().await;
    service.drain().await;
    assert_eq!(service.admin().get("/analytics").await.at("totalSessions"), &json!(1));
    assert_eq!(service.admin().get("/sessions?from=2020-01-01").await.items().len(), 1);
    assert_eq!(service.admin().get("/sessions").await.items().len(), 2);
    assert_eq!(receiver.caught().len(), 1);
}

#[tokio::test]
async fn a_preview_is_opened_by_its_own_widget_alone_and_nobody_steps_in() {
    let service = service().await;
    let opened = json!({"externalUserId": NAME, "channel": "widget"});
    let refused = service.integration().post("/sessions", opened).await;
    refused.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(refused.details(), ["externalUserId NOT_ALLOWED"]);
    let session = preview(&service).await.session().await;
    let refused = service.integration().post("/auth/widget-token", json!({"sessionId": session})).await;
    assert_eq!(refused.details(), ["sessionId NOT_ALLOWED"], "{}", refused.text);
    let taken = service.agent().post_empty(&format!("/sessions/{session}/takeover")).await;
    taken.expect_error(409, "INVALID_STATE");
    assert!(service.agent().get("/inbox?status=claimed").await.items().is_empty());
}

#[tokio::test]
async fn the_desks_pages_may_show_a_preview_whatever_sites_the_chat_is_restricted_to() {
    let service = service().await;
    let origins = json!({"widgetOrigins": ["https://shop.example"]});
    service.admin().patch("/settings", origins).await.expect(200);
    let from = |actor: &Actor, origin: &str| actor.with_header("origin", origin);
    let (chat, customer) = (preview(&service).await, service.widget("ann").await);
    for (actor, origin, status) in [
        (&chat, crate::sign_in::ORIGIN, 201),
        (&chat, "https://shop.example", 201),
        (&chat, "https://elsewhere.example", 403),
        (&customer, crate::sign_in::ORIGIN, 403),
    ] {
        from(actor, origin).post("/sessions", json!({})).await.expect(status);
    }
}

#[tokio::test]
async fn the_token_of_a_preview_ends_with_the_sign_in_of_its_member() {
    let service = service().await;
    let admin = service.admin();
    let (_, colleague) = signed_in(&service, "other@company.example", &["admin"]).await;
    let others = preview_of(&service, &colleague).await;
    for end in ["suspended", "demoted", "removed", "signed-out-everywhere", "signed-out"] {
        let (id, member) = signed_in(&service, &format!("{end}@company.example"), &["admin"]).await;
        let chat = preview_of(&service, &member).await;
        let session = chat.session().await;
        let path = format!("/members/{id}");
        member.patch(&path, json!({"availability": "away"})).await.expect(200);
        chat.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
        match end {
            "suspended" => admin.patch(&path, json!({"status": "suspended"})).await.expect(200).clone(),
            "demoted" => admin.patch(&path, json!({"roles": ["agent"]})).await.expect(200).clone(),
            "removed" => admin.delete(&path).await.expect(204).clone(),
            "signed-out-everywhere" => admin.post_empty(&format!("{path}/sign-out")).await.expect(204).clone(),
            _ => member.post_empty("/auth/sign-out").await.expect(204).clone(),
        };
        chat.get("/wiki").await.expect_error(401, "UNAUTHORIZED");
        chat.ask(&session, "And on Mars?").await.expect_error(401, "UNAUTHORIZED");
        chat.post("/sessions", json!({})).await.expect_error(401, "UNAUTHORIZED");
        others.get("/wiki").await.expect(200);
    }
}
