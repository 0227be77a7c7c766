//! The events that receivers get match the document's schema of their kind.

use std::collections::BTreeMap;

use domain::models::EventKind;
use serde_json::{Value, json};

use super::schema::Document;
use crate::support::{Actor, Receiver, SECRET, TestService};

/// The schema of each kind, by the `type` that it names.
fn described(document: &Document) -> BTreeMap<String, Value> {
    let kinds = document.0["components"]["schemas"]["Event"]["oneOf"].as_array().unwrap();
    let schemas = kinds.iter().map(|kind| {
        let schema = document.0.pointer(kind["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap().clone();
        (schema["properties"]["type"]["const"].as_str().unwrap().to_owned(), schema)
    });
    schemas.collect()
}

#[test]
fn every_kind_of_event_is_described_by_the_type_of_its_data_and_no_other() {
    let document = Document::committed();
    let described = described(&document);
    let known: Vec<_> = EventKind::ALL.iter().map(|kind| kind.as_str().to_owned()).collect();
    assert_eq!(described.len(), known.len());
    for kind in known {
        let data = &described[&kind]["properties"]["data"];
        assert!(data["$ref"].is_string(), "{kind}: {data}");
    }
    let received = &document.0["webhooks"]["event"]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(received["$ref"], "#/components/schemas/Event");
}

/// Brings about an event of every kind.
async fn every_event(service: &TestService, admin: &Actor) {
    let entry = json!({"path": "a/b", "title": "T", "content": "long ".repeat(8_000), "tags": ["t"]});
    admin.post("/wiki", entry).await.expect(201);
    admin.patch("/wiki/a/b", json!({"visibility": "public"})).await.expect(200);
    admin.delete("/wiki/a/b").await.expect(204);
    for body in [json!({"text": "We open at nine.", "pathPrefix": "hours"}), json!({"url": "http://127.0.0.1:9/"})] {
        admin.post("/ingest", body).await.expect(202);
    }
    let new = json!({"externalUserId": "ann", "user": {"name": "Ann"}, "metadata": {"k": 1}, "tags": ["vip"]});
    for ending in ["cancel", "release", "handback", "resolve"] {
        let session = admin.session_with(new.clone()).await;
        let at = |rest: &str| format!("/sessions/{session}/{rest}");
        admin.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
        admin.post(&at("reaction"), json!({"reaction": "thumbs_up"})).await.expect(200);
        let asked = admin.post(&at("escalate"), json!({"reason": "please"})).await;
        if ending == "cancel" {
            admin.post_empty(&at("cancel-escalation")).await.expect(200);
            continue;
        }
        let id = asked.text_at("escalationId").to_owned();
        let taken = json!({"agentId": "anna", "agentName": "Anna", "escalationId": id});
        admin.post("/inbox/takeover", taken.clone()).await.expect(200);
        let message = json!({"content": "Hello", "agentId": "anna"});
        admin.post(&format!("/inbox/{id}/message"), message).await.expect(200);
        let to_bob = json!({"agentId": "anna", "toAgentId": "bob"});
        admin.post(&format!("/inbox/{id}/transfer"), to_bob).await.expect(200);
        admin.post(&format!("/inbox/{id}/{ending}"), json!({"agentId": "bob"})).await.expect(200);
        if ending == "resolve" {
            admin.post(&format!("/inbox/{id}/reopen"), json!({"agentId": "anna"})).await.expect(200);
            admin.post(&format!("/inbox/{id}/resolve"), json!({"agentId": "anna"})).await.expect(200);
            admin.post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
        }
    }
    admin.patch("/settings", json!({"noticeAfterMinutes": 1})).await.expect(200);
    let session = admin.session().await;
    let asked = admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    service.drain().await;
    service.clock.advance(2 * 60_000);
    service.sweep().await;
    let taken = json!({"agentId": "anna", "escalationId": asked.at("escalationId")});
    admin.post("/inbox/takeover", taken).await.expect(200);
    admin.post(&format!("/sessions/{session}/rating"), json!({"score": 5})).await.expect(200);
    let other = admin.webhook("http://127.0.0.1:9/other", &["handover.requested"]).await;
    admin.patch(&format!("/webhooks/{other}"), json!({"status": "disabled"})).await.expect(200);
    service.drain().await;
}

#[tokio::test]
async fn an_event_of_each_kind_matches_its_schema_in_the_document() {
    let service = TestService::start().await;
    let (admin, receiver) = (service.admin(), Receiver::start().await);
    let own = admin.webhook(&receiver.url(), &["*"]).await;
    admin.post_empty(&format!("/webhooks/{own}/test")).await.expect(200);
    every_event(&service, &admin).await;
    let document = Document::committed();
    let described = described(&document);
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut truncated = 0;
    for caught in receiver.caught() {
        let (kind, event) = (caught.kind(), caught.json());
        let found = document.problems(&described[&kind], &event, "$");
        problems.extend(found.iter().map(|problem| format!("{kind}: {problem}")));
        truncated += usize::from(event["truncated"] == true);
        *met.entry(kind).or_default() += 1;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let missing: Vec<_> = described.keys().filter(|kind| !met.contains_key(*kind)).collect();
    assert!(missing.is_empty() && truncated > 0, "never sent: {missing:?}, {truncated} were cut");
}

#[tokio::test]
async fn a_delivery_shows_an_event_and_a_line_for_slack_as_its_schema_says() {
    let service = TestService::start().await;
    let (admin, receiver) = (service.admin(), Receiver::start().await);
    let document = Document::committed();
    let schema = &document.0["components"]["schemas"]["DeliveryWithPayload"];
    for format in ["events", "slack"] {
        let url = receiver.at(&format!("/{format}"));
        let new = json!({"url": url, "events": ["webhook.test"], "format": format, "secret": SECRET});
        let hook = admin.post("/webhooks", new).await.expect(201)["webhookId"].as_str().unwrap().to_owned();
        let sent = admin.post_empty(&format!("/webhooks/{hook}/test")).await;
        let shown = admin.get(&format!("/webhooks/{hook}/deliveries/{}", sent.text_at("deliveryId"))).await;
        assert_eq!(document.problems(schema, shown.expect(200), "$"), Vec::<String>::new(), "{format}");
        assert_eq!(shown.at("payload")["text"].is_string(), format == "slack", "{}", shown.text);
    }
}
