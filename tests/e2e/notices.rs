//! Notices for the team: a customer who waits, and Slack channels.

use std::sync::Arc;

use axum::Router;
use axum::routing::post;
use http::{StatusCode, Uri};
use serde_json::{Value, json};

use crate::support::{Receiver, TestService};

const MINUTE_MS: i64 = 60_000;

/// The kinds that a receiver was told of, without those of `webhook.test`.
fn kinds(receiver: &Receiver) -> Vec<String> {
    receiver.caught().iter().map(|caught| caught.kind()).collect()
}

async fn escalated(service: &TestService) -> String {
    let caller = service.integration();
    let session = caller.session().await;
    let path = format!("/sessions/{session}/escalate");
    caller.post(&path, json!({"reason": "My secret reason"})).await.text_at("escalationId").to_owned()
}

#[tokio::test]
async fn a_customer_who_waits_is_told_of_once_also_after_somebody_had_them() {
    let service = TestService::start().await;
    let receiver = Receiver::start().await;
    service.admin().webhook(&receiver.url(), &["handover.waiting"]).await;
    // Without the setting nobody is told.
    escalated(&service).await;
    service.later(121 * MINUTE_MS).await;
    service.agent().post_empty("/inbox/takeover").await.expect(200);
    service.admin().patch("/settings", json!({"noticeAfterMinutes": 5})).await.expect(200);
    let (waits, taken) = (escalated(&service).await, escalated(&service).await);
    service.agent().post("/inbox/takeover", json!({"escalationId": taken})).await.expect(200);
    service.agent().post(&format!("/inbox/{taken}/release"), json!({})).await.expect(200);
    service.later(2 * MINUTE_MS).await;
    assert!(kinds(&receiver).is_empty(), "{:?}", kinds(&receiver));
    for _ in 0..3 {
        service.later(5 * MINUTE_MS).await;
    }
    let caught = receiver.caught();
    let told = |id: &str| {
        let of = caught.iter().map(|caught| caught.json()).filter(|event| event["data"]["escalationId"] == id);
        of.map(|event| event["data"]["status"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(caught.len(), 2, "{:?}", kinds(&receiver));
    assert_eq!((told(&waits), told(&taken)), (vec![json!("pending")], vec![json!("pending")]));
    // A customer who is taken and given back is not told of again.
    service.agent().post("/inbox/takeover", json!({"escalationId": waits})).await.expect(200);
    service.agent().post(&format!("/inbox/{waits}/release"), json!({})).await.expect(200);
    service.later(10 * MINUTE_MS).await;
    assert_eq!(receiver.caught().len(), 2);
}

#[tokio::test]
async fn a_slack_channel_gets_one_unsigned_line_and_its_address_is_shown_nowhere() {
    let service = TestService::start().await;
    let receiver = Receiver::start().await;
    let admin = service.admin();
    let url = receiver.at("/services/T0000/B0000/sUpErSeCrEtWXYZ");
    let hook = json!({"url": url, "events": ["handover.requested", "rating.created"], "format": "slack"});
    let made = admin.post("/webhooks", hook.clone()).await;
    let shown = made.expect(201)["url"].as_str().unwrap().to_owned();
    assert!(shown.ends_with("/…WXYZ") && shown.starts_with("http://127.0.0.1:"), "{shown}");
    assert_eq!((made.text_at("format"), made.at("secretHint")), ("slack", &json!(null)));
    let id = made.text_at("webhookId").to_owned();
    admin.post("/webhooks", hook).await.expect_error(409, "CONFLICT");
    let escalation = escalated(&service).await;
    service.drain().await;
    let caught = receiver.caught();
    assert_eq!(caught.len(), 1);
    let body: Value = caught[0].json();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["text"]);
    let text = body["text"].as_str().unwrap();
    assert!(text.starts_with("A customer asks for a person.") && !text.contains("secret reason"), "{text}");
    assert!(!text.contains('\n') && !escalation.is_empty());
    assert_eq!(caught[0].header("webhook-signature"), "");
    // Read, listed, changed, tested, its deliveries, its event when it is disabled: never the whole address.
    let other = Receiver::start().await;
    admin.webhook(&other.url(), &["webhook.disabled"]).await;
    let path = format!("/webhooks/{id}");
    admin.post_empty(&format!("{path}/test")).await.expect(200);
    service.drain().await;
    let deliveries = admin.get(&format!("{path}/deliveries")).await;
    let delivery = deliveries.items()[0]["deliveryId"].as_str().unwrap().to_owned();
    let mut texts = vec![deliveries.text.clone(), made.text.clone()];
    for reply in [
        admin.get(&path).await,
        admin.get("/webhooks").await,
        admin.get(&format!("{path}/deliveries/{delivery}")).await,
        admin.patch(&path, json!({"status": "disabled"})).await,
    ] {
        reply.expect(200);
        texts.push(reply.text.clone());
    }
    service.drain().await;
    texts.extend(other.caught().iter().map(|caught| caught.json().to_string()));
    assert_eq!(other.caught().len(), 1);
    texts.push(service.log());
    for text in texts {
        assert!(!text.contains("sUpErSeCrEt"), "{text}");
    }
}

#[tokio::test]
async fn a_slack_channel_takes_kinds_of_people_alone_and_events_need_a_secret() {
    let service = TestService::start().await;
    let admin = service.admin();
    let hook = |events: Value| json!({"url": "http://127.0.0.1:9/slack", "events": events, "format": "slack"});
    for events in [json!(["*"]), json!(["message.created"]), json!(["handover.requested", "entry.updated"])] {
        let refused = admin.post("/webhooks", hook(events.clone())).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["events NOT_ALLOWED"], "{events}");
    }
    let no_secret = admin.post("/webhooks", json!({"url": "http://127.0.0.1:9/x", "events": ["*"]})).await;
    no_secret.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(no_secret.details(), ["secret REQUIRED"]);
    let unknown = json!({"url": "http://127.0.0.1:9/x", "events": ["*"], "secret": "12345678", "format": "teams"});
    assert_eq!(admin.post("/webhooks", unknown).await.details(), ["format NOT_ALLOWED"]);
    assert_eq!(admin.get("/webhooks").await.items().len(), 0);
    let kinds = json!(["handover.requested", "handover.waiting", "rating.created", "webhook.test"]);
    let made = admin.post("/webhooks", hook(kinds.clone())).await;
    let path = format!("/webhooks/{}", made.text_at("webhookId"));
    let refused = admin.patch(&path, json!({"events": ["session.created"]})).await;
    refused.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(admin.get(&path).await.at("events"), &kinds);
    admin.patch(&path, json!({"events": ["handover.claimed"]})).await.expect(200);
}

#[tokio::test]
async fn a_customer_who_no_longer_waits_is_told_of_never_and_the_setting_counts_as_it_was_when_they_asked() {
    let service = TestService::start().await;
    let receiver = Receiver::start().await;
    let (admin, caller) = (service.admin(), service.integration());
    admin.webhook(&receiver.url(), &["handover.waiting"]).await;
    admin.patch("/settings", json!({"noticeAfterMinutes": 5})).await.expect(200);
    let waits = escalated(&service).await;
    let (cancelled, closed) = (caller.session().await, escalated(&service).await);
    caller.post(&format!("/sessions/{cancelled}/escalate"), json!({"reason": "help"})).await.expect(200);
    caller.post_empty(&format!("/sessions/{cancelled}/cancel-escalation")).await.expect(200);
    service.agent().post("/inbox/takeover", json!({"escalationId": closed})).await.expect(200);
    service.agent().post_empty(&format!("/inbox/{closed}/resolve")).await.expect(200);
    admin.patch("/settings", json!({"noticeAfterMinutes": null})).await.expect(200);
    escalated(&service).await;
    service.later(120 * MINUTE_MS).await;
    let told: Vec<_> = receiver.caught().iter().map(|caught| caught.json()["data"]["escalationId"].clone()).collect();
    assert_eq!(told, [json!(waits)]);
}

#[tokio::test]
async fn a_line_for_slack_leads_to_the_conversation_in_the_desk() {
    let service = TestService::with(|options| {
        options.change_resources = Some(Box::new(|mut resources| {
            let mut config = (*resources.config).clone();
            config.desk_url = Some("https://desk.example/desk/".into());
            resources.config = Arc::new(config);
            resources
        }));
    })
    .await;
    let receiver = Receiver::start().await;
    let admin = service.admin();
    admin.patch("/settings", json!({"noticeAfterMinutes": 1})).await.expect(200);
    let events = ["handover.requested", "handover.waiting"];
    let hook = json!({"url": receiver.at("/services/T0/B0/channel"), "events": events, "format": "slack"});
    admin.post("/webhooks", hook).await.expect(201);
    let escalation = escalated(&service).await;
    service.drain().await;
    service.later(MINUTE_MS).await;
    let lines: Vec<Value> = receiver.caught().iter().map(|caught| caught.json()).collect();
    let link = format!("https://desk.example/desk/inbox/{escalation}");
    let expected = ["A customer asks for a person.", "A customer is still waiting for a person."];
    assert_eq!(lines, expected.map(|said| json!({"text": format!("{said} {link}")})));
}

#[tokio::test]
async fn the_address_of_a_slack_channel_as_it_is_shown_is_no_address_and_changes_nothing() {
    let service = TestService::start().await;
    let receiver = Receiver::start().await;
    let admin = service.admin();
    let hook = |end: &str| json!({"url": receiver.at(end), "events": ["webhook.test"], "format": "slack"});
    let made = admin.post("/webhooks", hook("/services/T0/B0/channelWXYZ")).await;
    let path = format!("/webhooks/{}", made.text_at("webhookId"));
    admin.patch(&path, json!({"url": made.text_at("url")})).await.expect_error(400, "VALIDATION_ERROR");
    admin.post_empty(&format!("{path}/test")).await.expect(200);
    service.drain().await;
    assert_eq!(receiver.caught()[0].path, "/services/T0/B0/channelWXYZ");
    admin.patch(&path, json!({"url": receiver.at("/services/T0/B0/channelABCD")})).await.expect(200);
    assert!(admin.get(&path).await.text_at("url").ends_with("/…ABCD"));
    // A lost reply of the registration, asked for again, shows no more.
    let keyed = admin.with_header("idempotency-key", "once");
    keyed.post("/webhooks", hook("/services/T0/B0/channelEFGH")).await.expect(201);
    let again = keyed.post("/webhooks", hook("/services/T0/B0/channelEFGH")).await;
    assert!(again.expect(201)["url"].as_str().unwrap().ends_with("/…EFGH"), "{}", again.text);
}

#[tokio::test]
async fn an_answer_that_repeats_the_address_of_a_slack_channel_is_not_kept() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new()
        .route("/plain", post(|| async { (StatusCode::NOT_FOUND, "no_service") }))
        .fallback(|uri: Uri| async move { (StatusCode::NOT_FOUND, format!("Cannot POST {uri}")) });
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let service = TestService::start().await;
    let admin = service.admin();
    for (path, kept) in [("/services/T0/B0/sUpErSeCrEt", json!(null)), ("/plain", json!("no_service"))] {
        let hook = json!({"url": format!("{origin}{path}"), "events": ["webhook.test"], "format": "slack"});
        let id = admin.post("/webhooks", hook).await.text_at("webhookId").to_owned();
        admin.try_webhook(&id).await;
        service.drain().await;
        let delivery = admin.delivery(&id).await;
        assert_eq!((&delivery["attempts"][0]["status"], &delivery["lastResponse"]), (&json!(404), &kept));
    }
}
