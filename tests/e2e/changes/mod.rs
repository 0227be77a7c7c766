//! Effects of a change: delivered once, counted once, searchable, after repeats, failures and poison records.

mod failures;
mod language;
pub(crate) mod outage;
mod replayed;

use std::collections::BTreeMap;

use domain::models::{
    Delivery, DisabledReason, EncryptedSecret, EventKind, Subscription, Timestamp, Webhook, WebhookHealth, WebhookId,
    WebhookStatus,
};
use serde_json::json;

use crate::support::TestService;

/// A receiver of everything whose deliveries are kept and not sent, so that what was made for it stays as it was made.
pub(crate) async fn collector(service: &TestService, number: u128, events: Subscription) -> WebhookId {
    let webhook_id = WebhookId::from_parts(Timestamp::from_millis(1), number);
    let webhook = Webhook {
        webhook_id: webhook_id.clone(),
        url: format!("https://receiver-{number}.example/hook"),
        events,
        description: None,
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: EncryptedSecret("none".into()),
        secret_hint: Some("none".into()),
        retired_secrets: Vec::new(),
        format: domain::models::WebhookFormat::Events,
        created_at: Timestamp::from_millis(1),
        updated_at: Timestamp::from_millis(1),
        health: WebhookHealth::default(),
        version: 1,
    };
    let disabled = webhook.disabled(DisabledReason::Manual, Timestamp::from_millis(1));
    service.resources().store.webhooks().create(&service.scope(), &disabled, None).await.unwrap();
    webhook_id
}

/// Everything that was made for a receiver.
pub(crate) async fn collected(service: &TestService, receiver: &WebhookId) -> Vec<Delivery> {
    let deliveries = service.resources().store.deliveries();
    let page = deliveries.list(&service.scope(), receiver, None, None, 10_000).await.unwrap();
    assert!(page.next.is_none());
    page.items
}

/// How many of each kind were made for a receiver.
pub(crate) async fn kinds(service: &TestService, receiver: &WebhookId) -> BTreeMap<EventKind, usize> {
    let mut kinds = BTreeMap::new();
    for delivery in collected(service, receiver).await {
        *kinds.entry(delivery.event.kind).or_default() += 1;
    }
    kinds
}

/// The payload of the newest event of a kind.
pub(crate) async fn payload(service: &TestService, receiver: &WebhookId, kind: EventKind) -> serde_json::Value {
    let deliveries = collected(service, receiver).await;
    let newest = deliveries.iter().find(|delivery| delivery.event.kind == kind);
    serde_json::from_str(&newest.unwrap_or_else(|| panic!("no {kind}")).event.body).unwrap()
}

/// A day of a tenant: entries are written, changed and deleted, a customer asks, reacts and wants a person.
pub(crate) async fn a_day(service: &TestService) {
    let (trainer, customer) = (service.trainer(), service.integration());
    trainer.wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    trainer.wiki_entry("help/parcels", "Parcels", "Parcels arrive in two days.").await;
    trainer.patch("/wiki/help/parcels", json!({"content": "Parcels arrive in three days."})).await.expect(200);
    trainer.patch("/wiki/help/parcels", json!({"title": "Parcels"})).await.expect(200);
    trainer.delete("/wiki/help/parcels").await.expect(204);
    trainer.wiki_entry("help/parcels", "Parcels again", "Parcels arrive in four days.").await;
    let session = customer.session().await;
    customer.ask(&session, "How long does a refund take?").await.expect(200);
    let up = json!({"reaction": "thumbs_up"});
    customer.post(&format!("/sessions/{session}/reaction"), up.clone()).await.expect(200);
    customer.post(&format!("/sessions/{session}/reaction"), up).await.expect(200);
    customer.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "no zebra"})).await.expect(200);
    customer.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    service.drain().await;
}

/// The numbers of events of a day.
pub(crate) fn of_a_day() -> BTreeMap<EventKind, usize> {
    BTreeMap::from([
        (EventKind::EntryCreated, 3),
        (EventKind::EntryUpdated, 1),
        (EventKind::EntryDeleted, 1),
        (EventKind::SessionCreated, 1),
        (EventKind::MessageCreated, 4),
        (EventKind::AnswerUnanswered, 1),
        (EventKind::ReactionCreated, 1),
        (EventKind::HandoverRequested, 1),
        (EventKind::HandoverCancelled, 1),
    ])
}

#[tokio::test]
async fn every_change_is_told_to_those_who_asked_for_its_kind_and_to_nobody_else() {
    let service = TestService::start().await;
    let all = collector(&service, 1, Subscription::All).await;
    let wiki = Subscription::Kinds(vec![EventKind::EntryUpdated, EventKind::EntryDeleted]);
    let wiki = collector(&service, 2, wiki).await;
    a_day(&service).await;
    service.other_admin().wiki_entry("help/theirs", "Theirs", "Of another tenant.").await;
    service.test_admin().wiki_entry("help/test", "Test", "Of the other mode.").await;
    service.drain().await;
    assert_eq!(kinds(&service, &all).await, of_a_day());
    assert_eq!(
        kinds(&service, &wiki).await,
        BTreeMap::from([(EventKind::EntryUpdated, 1), (EventKind::EntryDeleted, 1)])
    );
}

#[tokio::test]
async fn an_event_carries_what_a_reader_of_the_api_would_see() {
    let service = TestService::start().await;
    let all = collector(&service, 1, Subscription::All).await;
    a_day(&service).await;
    let trainer = service.trainer();
    trainer.patch("/wiki/help/refunds", json!({"visibility": "internal"})).await.expect(200);
    service.drain().await;
    let told = payload(&service, &all, EventKind::EntryUpdated).await;
    let read = trainer.get("/wiki/help/refunds").await;
    assert_eq!(&told["data"], &read.json);
    assert_eq!(told["previous"]["visibility"], "public");
    assert_eq!((&told["mode"], &told["type"]), (&json!("live"), &json!("entry.updated")));
    let told = payload(&service, &all, EventKind::ReactionCreated).await;
    let turns = service.integration().turns(told["data"]["sessionId"].as_str().unwrap()).await;
    let reacted = turns.iter().find(|turn| turn["messageId"] == told["data"]["messageId"]).unwrap();
    for (name, value) in reacted.as_object().unwrap() {
        assert_eq!(&told["data"][name], value, "{name}");
    }
    assert_eq!(told["data"]["reaction"], "thumbs_up");
}

#[tokio::test]
async fn an_internal_note_is_in_no_event() {
    let service = TestService::start().await;
    let all = collector(&service, 1, Subscription::All).await;
    let (customer, agent) = (service.integration(), service.agent());
    let session = customer.session().await;
    customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "please"})).await.expect(200);
    let escalation = agent.post("/inbox/takeover", json!({"agentId": "ann"})).await;
    let escalation = escalation.text_at("escalationId").to_owned();
    let says = |content: &str, internal: bool| json!({"content": content, "internal": internal, "agentId": "ann"});
    agent.post(&format!("/inbox/{escalation}/message"), says("Keep this among us.", true)).await.expect(200);
    agent.post(&format!("/inbox/{escalation}/message"), says("Hello, I am Ann.", false)).await.expect(200);
    service.drain().await;
    let told = collected(&service, &all).await;
    assert!(told.iter().any(|delivery| delivery.event.body.contains("I am Ann")));
    assert!(!told.iter().any(|delivery| delivery.event.body.contains("among us")));
    assert_eq!(kinds(&service, &all).await[&EventKind::MessageCreated], 1);
    assert_eq!(kinds(&service, &all).await[&EventKind::HandoverClaimed], 1, "a lease renewed is no news");
}

#[tokio::test]
async fn a_replaced_or_deleted_entry_leaves_a_revision() {
    let service = TestService::start().await;
    a_day(&service).await;
    let path = domain::models::WikiPath::parse("help/parcels").unwrap();
    let scope = service.scope();
    let content = async |version| {
        let kept = service.resources().store.wiki().get_revision(&scope, &path, version).await.unwrap();
        kept.map(|entry| entry.content)
    };
    assert_eq!(content(1).await.as_deref(), Some("Parcels arrive in two days."));
    assert_eq!(content(2).await.as_deref(), Some("Parcels arrive in three days."));
    assert_eq!((content(3).await, content(4).await), (None, None), "a deletion and what is there now");
}

#[tokio::test]
async fn an_unanswered_question_is_told_in_the_customers_words() {
    let service = TestService::start().await;
    let all = collector(&service, 1, Subscription::Kinds(vec![EventKind::AnswerUnanswered])).await;
    let (customer, agent) = (service.integration(), service.agent());
    let session = customer.session().await;
    customer.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    service.drain().await;
    let told = payload(&service, &all, EventKind::AnswerUnanswered).await;
    assert_eq!(told["data"]["question"], "Which zebra sings on Jupiter?");
    assert_eq!((&told["data"]["role"], &told["data"]["unanswered"]), (&json!("ai"), &json!(true)));
    // Several questions that one answer deals with are told together.
    customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "please"})).await.expect(200);
    customer.ask(&session, "Does the walrus dance?").await.expect(200);
    customer.ask(&session, "And the otter?").await.expect(200);
    let taken = agent.post_empty("/inbox/takeover").await;
    agent.post_empty(&format!("/inbox/{}/handback", taken.text_at("escalationId"))).await.expect(200);
    service.drain().await;
    let told = payload(&service, &all, EventKind::AnswerUnanswered).await;
    assert_eq!(told["data"]["question"], "Does the walrus dance?\n\nAnd the otter?");
    // Of several in one message those that have no answer.
    service.trainer().wiki_entry("help/parcels", "Parcels", "Parcels arrive within three days.").await;
    service.drain().await;
    let pair = customer.session().await;
    customer.ask(&pair, "When do parcels arrive? Who paints the walrus? Which zebra sings?").await.expect(200);
    service.drain().await;
    let told = payload(&service, &all, EventKind::AnswerUnanswered).await;
    assert_eq!(told["data"]["question"], "Who paints the walrus?\n\nWhich zebra sings?");
    // The longest question leaves room for the rest.
    let long = customer.session().await;
    customer.ask(&long, &"zebra \u{1F993} ".repeat(1_000)).await.expect(200);
    service.drain().await;
    let told = collected(&service, &all).await;
    assert_eq!(told.len(), 4);
    assert!(told.iter().all(|delivery| delivery.event.body.len() <= domain::events::MAX_BYTES));
}
