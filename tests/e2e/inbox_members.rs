//! Members in the inbox: who may be given a customer, and what happens to the claims of who lost the inbox.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::models::{MemberId, Mode, TenantId};
use serde_json::json;

use crate::inbox_claims::{act, claimed_by_anna};
use crate::support::{StoredItem, TestService};

const MINUTE: i64 = 60_000;

fn text(value: impl ToString) -> AttributeValue {
    AttributeValue::S(value.to_string())
}

fn number(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// A member, past the service.
struct Person {
    tenant: TenantId,
    id: MemberId,
    role: &'static str,
    status: &'static str,
    generation: u64,
}

impl Person {
    fn new(service: &TestService, tenant: &TenantId) -> Self {
        let id = MemberId::generate(&service.resources().runtime).unwrap();
        Self { tenant: tenant.clone(), id, role: "agent", status: "active", generation: 1 }
    }

    async fn put(&self, service: &TestService) {
        let fields = [
            ("pk", text(format!("TENANT#{}", self.tenant))),
            ("sk", text(format!("MEMBER#{}", self.id))),
            ("kind", text("member")),
            ("memberId", text(&self.id)),
            ("email", text("eve@example.com")),
            ("name", text("Eve Smith")),
            ("publicName", text("Eve")),
            ("roles", AttributeValue::L(vec![text(self.role)])),
            ("memberStatus", text(self.status)),
            ("availability", text("away")),
            ("generation", number(self.generation)),
            ("createdAt", text("2026-01-01T00:00:00.000Z")),
            ("version", number(1)),
        ];
        service.put_item(fields.map(|(name, value)| (name.to_owned(), value)).into()).await;
    }
}

#[tokio::test]
async fn who_has_the_inbox_reads_to_whom_a_customer_may_be_given() {
    let service = TestService::start().await;
    let here = service.scope().tenant;
    let elsewhere = service.new_tenant(domain::models::Plan::Pro).await.scope(Mode::Live).tenant;
    let eve = Person::new(&service, &here);
    for person in [
        Person { status: "suspended", ..Person::new(&service, &here) },
        Person { status: "invited", ..Person::new(&service, &here) },
        Person { role: "trainer", ..Person::new(&service, &here) },
        Person::new(&service, &elsewhere),
    ] {
        person.put(&service).await;
    }
    let nobody = json!({"items": []});
    assert_eq!(service.agent().get("/inbox/agents").await.expect(200), &nobody);
    eve.put(&service).await;
    let only = json!({"items": [{"agentId": eve.id, "name": "Eve Smith", "availability": "away"}]});
    for reader in [service.agent(), service.admin()] {
        assert_eq!(reader.get("/inbox/agents").await.expect(200), &only);
    }
    let refused = service.test_admin().get("/inbox/agents").await;
    refused.expect_error(403, "FORBIDDEN");
    assert_eq!(refused.json["details"][0]["code"], "REQUIRED_MODE");
    service.trainer().get("/inbox/agents").await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_customer_is_given_to_an_active_member_with_the_inbox_who_has_a_name_of_its_own() {
    let service = TestService::start().await;
    let (_, id) = claimed_by_anna(&service).await;
    let agent = service.agent();
    let here = service.scope().tenant;
    let elsewhere = service.new_tenant(domain::models::Plan::Pro).await.scope(Mode::Live).tenant;
    let eve = Person::new(&service, &here);
    let to = |person: &Person| json!({"agentId": "anna", "toAgentId": person.id, "toAgentName": "Mallory"});
    let refused = async |what: &str, person: &Person| {
        let refused = act(&agent, &id, "transfer", to(person)).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["toAgentId NOT_ALLOWED"], "{what}");
    };
    refused("nobody", &eve).await;
    for (what, person) in [
        ("suspended", Person { status: "suspended", ..Person::new(&service, &here) }),
        ("invited", Person { status: "invited", ..Person::new(&service, &here) }),
        ("without the inbox", Person { role: "trainer", ..Person::new(&service, &here) }),
        ("of another tenant", Person::new(&service, &elsewhere)),
    ] {
        person.put(&service).await;
        refused(what, &person).await;
    }
    eve.put(&service).await;
    let given = act(&agent, &id, "transfer", to(&eve)).await;
    assert_eq!(given.expect(200)["claimedBy"], json!({"agentId": eve.id, "name": "Eve"}), "also who is away");
    assert!(!given.text.contains("eneration"), "{}", given.text);
    act(&agent, &id, "renew", json!({"agentId": eve.id})).await.expect_error(400, "VALIDATION_ERROR");
    let listed = agent.get(&format!("/inbox?agentId={}", eve.id)).await;
    assert_eq!(listed.items()[0]["escalationId"], id.as_str());
    let back = json!({"agentId": "boss", "toAgentId": eve.id});
    act(&service.admin(), &id, "transfer", back).await.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn no_key_acts_as_a_member() {
    let service = TestService::start().await;
    let (session, id) = claimed_by_anna(&service).await;
    let admin = service.admin();
    let member = Person::new(&service, &service.scope().tenant);
    member.put(&service).await;
    let before = admin.get(&format!("/inbox/{id}")).await;
    for agent in [member.id.as_str(), "mem_", "mem_anna"] {
        let as_member = || json!({"agentId": agent, "content": "x", "toAgentId": "bob", "priority": "high"});
        let mut replies = vec![
            admin.post("/inbox/takeover", as_member()).await,
            admin.post(&format!("/sessions/{session}/takeover"), as_member()).await,
            admin.patch(&format!("/inbox/{id}"), as_member()).await,
        ];
        for action in ["message", "handback", "resolve", "release", "transfer", "renew", "reopen"] {
            replies.push(act(&admin, &id, action, as_member()).await);
        }
        for refused in replies {
            refused.expect_error(400, "VALIDATION_ERROR");
            assert_eq!(refused.details(), ["agentId NOT_ALLOWED"], "{}", refused.asked);
        }
    }
    assert_eq!(admin.get(&format!("/inbox/{id}")).await.expect(200), before.expect(200));
}

/// Makes the claims of a member due to be given back, as the transaction does that takes the inbox away.
async fn loses_the_inbox(service: &TestService, person: &Person) {
    let now = service.resources().runtime.now();
    for mode in ["live", "test"] {
        let pk = format!("{}#{mode}#CLAIMS", person.tenant);
        let fields = [
            ("pk", text(&pk)),
            ("sk", text(&person.id)),
            ("kind", text("claims_release")),
            ("generation", number(person.generation + 1)),
            ("passes", number(0)),
            ("dueAt", text(now)),
            ("gsi2pk", text("DUE#0")),
            ("gsi2sk", text(format!("{:015}", now.as_millis()))),
        ];
        let item: StoredItem = fields.map(|(name, value)| (name.to_owned(), value)).into();
        service.put_item(item).await;
    }
}

#[tokio::test]
async fn the_claims_of_who_lost_the_inbox_go_back_to_the_queue_put_off_or_not() {
    let service = TestService::start().await;
    let (agent, admin, tenant) = (service.agent(), service.admin(), service.scope().tenant);
    let eve = Person::new(&service, &tenant);
    eve.put(&service).await;
    let mut claims = Vec::new();
    for _ in 0..3 {
        let (_, id) = claimed_by_anna(&service).await;
        act(&agent, &id, "transfer", json!({"agentId": "anna", "toAgentId": eve.id})).await.expect(200);
        claims.push(id);
    }
    let until = json!(service.resources().runtime.now().plus_hours(24));
    admin.patch(&format!("/inbox/{}", claims[0]), json!({"snoozedUntil": until})).await.expect(200);
    let (_, of_anna) = claimed_by_anna(&service).await;
    loses_the_inbox(&service, &eve).await;
    service.sweep_without_failure().await;
    for id in &claims {
        let now = agent.get(&format!("/inbox/{id}")).await;
        let shown = ["status", "claimedBy", "snoozedUntil", "leaseExpiresAt"].map(|field| now.at(field).clone());
        assert_eq!(shown, [json!("pending"), json!(null), json!(null), json!(null)]);
        assert_eq!(now.at("/session/ownership"), "pending_handover");
    }
    assert_eq!(agent.get(&format!("/inbox/{of_anna}")).await.at("status"), "claimed");
    // The same person, with the inbox again.
    let back = Person { generation: 2, ..eve };
    back.put(&service).await;
    act(&agent, &of_anna, "transfer", json!({"agentId": "anna", "toAgentId": back.id})).await.expect(200);
    for minutes in [1, 15, 60] {
        service.clock.advance(minutes * MINUTE);
        act(&admin, &of_anna, "renew", json!({})).await.expect(200);
        service.sweep_without_failure().await;
        assert_eq!(agent.get(&format!("/inbox/{of_anna}")).await.at("status"), "claimed", "a claim made since stays");
    }
    let left = service.raw_items().await.into_iter().filter(|item| item.contains("claims_release"));
    assert_eq!(left.count(), 0, "nothing is left to do");
}
