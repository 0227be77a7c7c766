//! A backlog of one tenant in the due index does not delay others.

use std::collections::BTreeSet;

use domain::events::Event;
use domain::models::{EventId, EventKind, Mode, Scope, WebhookFormat, WebhookId};
use futures::StreamExt;
use serde_json::{Map, json};

use crate::support::{Actor, TestService};

/// Overdue deliveries of one dead receiver: more than a sweep handles.
const BACKLOG: usize = 1_400;
/// Overdue deliveries in one partition of the due index: more than a sweep reads of it from one end.
const UNREAD_BACKLOG: usize = 8_200;
/// So many claims end behind the backlog that some are in each partition of the due index.
const LEASES: usize = 24;
/// So many deliveries of another tenant are due behind it.
const DELIVERIES: usize = 12;
const MINUTE_MS: i64 = 60_000;

/// Makes `count` deliveries to one receiver that are due a minute later.
async fn deliveries(service: &TestService, scope: &Scope, count: usize) -> WebhookId {
    let resources = service.resources();
    let webhook = WebhookId::generate(&resources.runtime).unwrap();
    let make = |_| async {
        let (id, at) = (EventId::generate(&resources.runtime).unwrap(), resources.runtime.now());
        let (kind, scope) = (EventKind::WebhookTest, scope.clone());
        let event = Event { id, kind, at, scope: scope.clone(), data: Map::new(), previous: None };
        let event = event.outgoing(WebhookFormat::Events, None);
        resources.store.deliveries().create(&scope, event, &webhook, false).await.unwrap();
    };
    futures::stream::iter(0..count).map(make).buffer_unordered(16).collect::<Vec<_>>().await;
    webhook
}

/// How many deliveries to a receiver nobody has looked at since they were made: their version is the first.
async fn untouched(service: &TestService, scope: &Scope, webhook: &WebhookId) -> usize {
    let start = domain::models::Timestamp::from_millis(0);
    let page =
        service.resources().store.deliveries().list_missed_since(scope, webhook, start, None, 100).await.unwrap();
    page.items.iter().filter(|delivery| delivery.version == 1).count()
}

/// Makes [`LEASES`] sessions that an agent has taken over.
async fn claims(admin: &Actor) {
    for _ in 0..LEASES {
        let session = admin.session().await;
        admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
        admin.post("/inbox/takeover", json!({"agentId": session})).await.expect(200);
    }
}

/// How many sessions wait for an agent.
async fn pending(admin: &Actor) -> usize {
    let pending = admin.get("/inbox?limit=100").await;
    let sessions: BTreeSet<_> = pending.items().iter().map(|case| case["sessionId"].to_string()).collect();
    sessions.len()
}

#[tokio::test]
async fn a_backlog_of_one_receiver_delays_no_lease_and_no_delivery_of_another_tenant() {
    let service = TestService::start().await;
    deliveries(&service, &service.scope(), BACKLOG).await;
    service.clock.advance(10 * MINUTE_MS);
    let others = service.other_tenant.scope(Mode::Live);
    let mut waiting = Vec::new();
    for _ in 0..DELIVERIES {
        waiting.push(deliveries(&service, &others, 1).await);
    }
    let admin = service.other_admin();
    claims(&admin).await;
    service.clock.advance(31 * MINUTE_MS);
    let first = service.sweep().await;
    assert!(first.has_more, "the backlog was no backlog: {first:?}");
    assert_eq!(pending(&admin).await, LEASES, "claims that ended wait behind another tenant's backlog");
    for webhook in waiting {
        assert_eq!(untouched(&service, &others, &webhook).await, 0, "a delivery waits behind another tenant's backlog");
    }
}

#[tokio::test]
async fn a_backlog_that_no_sweep_reads_to_its_end_delays_no_lease_of_another_tenant() {
    let service = TestService::start().await;
    let webhook = deliveries(&service, &service.scope(), 1).await;
    let runtime = service.resources().runtime.clone();
    let copies = (0..UNREAD_BACKLOG).map(|_| WebhookId::generate(&runtime).unwrap().to_string());
    // A copy has its original's place in the due index.
    service.multiply_item("delivery", webhook.as_str(), copies).await;
    service.clock.advance(10 * MINUTE_MS);
    let admin = service.other_admin();
    claims(&admin).await;
    service.clock.advance(31 * MINUTE_MS);
    assert!(service.sweep().await.has_more, "the backlog was no backlog");
    assert_eq!(pending(&admin).await, LEASES, "claims that ended wait behind a backlog");
}
