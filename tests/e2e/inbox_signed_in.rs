//! Members who are signed in, in the inbox: each acts as itself, and gives back what it claimed when it loses the inbox.

use serde_json::{Value, json};

use crate::inbox_claims::act;
use crate::sign_in::{service, service_with, signed_in};
use crate::support::{Actor, Faults, TestService};

/// A customer who waits for a person: the session, and the request.
async fn waiting(service: &TestService) -> (String, String) {
    let caller = service.integration();
    let session = caller.session().await;
    let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    (session, asked.text_at("escalationId").to_owned())
}

async fn claim(agent: &Actor, id: &str) {
    agent.post("/inbox/takeover", json!({"escalationId": id})).await.expect(200);
}

/// A body that every action of the inbox takes, with `agent` in it.
fn with_agent(agent: &Value) -> Value {
    let mut body = json!({"content": "x", "toAgentId": "bob", "priority": "high"});
    body.as_object_mut().unwrap().extend(agent.as_object().unwrap().clone());
    body
}

#[tokio::test]
async fn a_member_acts_as_itself_and_names_no_other() {
    let service = service().await;
    let (bob, _) = signed_in(&service, "bob@company.example", &["agent"]).await;
    let (ada, me) = signed_in(&service, "ada@company.example", &["admin"]).await;
    let (session, id) = waiting(&service).await;
    let others = [json!({"agentId": "anna"}), json!({"agentId": bob}), json!({"agentName": "Mallory"})];
    for other in &others {
        me.post("/inbox/takeover", other.clone()).await.expect_error(403, "FORBIDDEN");
        me.post(&format!("/sessions/{session}/takeover"), other.clone()).await.expect_error(403, "FORBIDDEN");
        me.post("/inbox/renew", other.clone()).await.expect_error(403, "FORBIDDEN");
    }
    assert_eq!(me.get(&format!("/inbox/{id}")).await.at("status"), "pending");
    let itself = json!({"agentId": ada, "agentName": "Ada"});
    let taken = me.post("/inbox/takeover", itself.clone()).await;
    assert_eq!(taken.expect(200)["claimedBy"], json!({"agentId": ada, "name": "Ada"}));

    let before = me.get(&format!("/inbox/{id}")).await;
    for other in &others {
        let body = with_agent(other);
        me.patch(&format!("/inbox/{id}"), body.clone()).await.expect_error(403, "FORBIDDEN");
        for action in ["message", "handback", "resolve", "release", "transfer", "renew", "reopen"] {
            act(&me, &id, action, body.clone()).await.expect_error(403, "FORBIDDEN");
        }
    }
    assert_eq!(me.get(&format!("/inbox/{id}")).await.expect(200), before.expect(200));

    let said = act(&me, &id, "message", json!({"content": "Hello."})).await;
    assert_eq!(said.expect(200)["agent"], json!({"id": ada, "name": "Ada"}));
    act(&me, &id, "renew", itself).await.expect(200);
    act(&me, &id, "resolve", json!({})).await.expect(200);
}

#[tokio::test]
async fn a_key_gives_a_customer_to_a_member_and_does_not_act_as_one() {
    let service = service().await;
    let (ada, me) = signed_in(&service, "ada@company.example", &["agent"]).await;
    let (_, id) = waiting(&service).await;
    let (agent, admin) = (service.agent(), service.admin());
    let anna = |more: Value| {
        let mut body = json!({"agentId": "anna"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    agent.post("/inbox/takeover", json!({"agentId": ada})).await.expect_error(400, "VALIDATION_ERROR");
    agent.post("/inbox/takeover", anna(json!({"escalationId": id}))).await.expect(200);
    act(&me, &id, "message", json!({"content": "Hello."})).await.expect_error(409, "CLAIMED_BY_OTHER");
    let given = act(&agent, &id, "transfer", anna(json!({"toAgentId": ada}))).await;
    assert_eq!(given.expect(200)["claimedBy"], json!({"agentId": ada, "name": "Ada"}));
    for action in ["message", "renew", "release", "resolve"] {
        let refused = act(&admin, &id, action, json!({"agentId": ada, "content": "x"})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["agentId NOT_ALLOWED"], "{action}");
    }
    act(&me, &id, "message", json!({"content": "Hello."})).await.expect(200);
}

#[tokio::test]
async fn a_member_who_is_suspended_during_a_takeover_claims_nothing() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = service_with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    let admin = service.admin();
    let (_, id) = waiting(&service).await;
    let untouched = service.integration().session().await;
    for (who, path, body) in [
        ("next", "/inbox/takeover".to_owned(), json!({})),
        ("named", "/inbox/takeover".to_owned(), json!({"escalationId": id})),
        ("stepping.in", format!("/sessions/{untouched}/takeover"), json!({})),
    ] {
        let (member, me) = signed_in(&service, &format!("{who}@company.example"), &["agent"]).await;
        me.get("/inbox").await.expect(200);
        // The transaction of the claim checks the member, whom authentication has read by then.
        let transaction = faults.pause(1, "ConditionCheck");
        let takeover = tokio::spawn({
            let (me, path, body) = (me.clone(), path.clone(), body.clone());
            async move { me.post(&path, body).await }
        });
        assert!(transaction.wait_until_paused(&takeover).await, "{who} claims without a check");
        admin.patch(&format!("/members/{member}"), json!({"status": "suspended"})).await.expect(200);
        transaction.release();
        takeover.await.unwrap().expect_error(401, "SIGN_IN_REQUIRED");
        faults.disarm();
        me.post(&path, body).await.expect_error(401, "SIGN_IN_REQUIRED");
        assert!(admin.get("/inbox?status=claimed").await.items().is_empty(), "{who}");
        assert_eq!(admin.get(&format!("/inbox/{id}")).await.at("status"), "pending", "{who}");
        assert_eq!(admin.get(&format!("/sessions/{untouched}")).await.at("ownership"), "ai", "{who}");
    }
}

/// The things that an act of a member may change: the case with its session and turns.
async fn case(service: &TestService, id: &str) -> Value {
    service.admin().get(&format!("/inbox/{id}")).await.expect(200).clone()
}

#[tokio::test]
async fn a_member_who_is_suspended_during_an_act_changes_nothing() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = service_with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    let admin = service.admin();
    for (number, (act, body)) in [
        ("message", json!({"content": "Hello."})),
        ("message", json!({"content": "A note.", "internal": true})),
        ("notes", json!({"content": "A note."})),
        ("priority", json!({"priority": "high"})),
        ("priority of another's", json!({"priority": "high"})),
        ("handback", json!({"note": "All is well."})),
        ("resolve", json!({"resolution": "Refunded."})),
        ("release", json!({})),
    ]
    .into_iter()
    .enumerate()
    {
        let (member, me) = signed_in(&service, &format!("member{number}@company.example"), &["agent"]).await;
        let (session, id) = waiting(&service).await;
        if act != "priority of another's" {
            claim(&me, &id).await;
        }
        let before = case(&service, &id).await;
        let transaction = faults.pause(1, "ConditionCheck");
        let acting = tokio::spawn({
            let (me, id) = (me.clone(), id.clone());
            async move {
                match act {
                    "notes" => me.post(&format!("/sessions/{session}/notes"), body).await,
                    "priority" | "priority of another's" => me.patch(&format!("/inbox/{id}"), body).await,
                    _ => me.post(&format!("/inbox/{id}/{act}"), body).await,
                }
            }
        });
        assert!(transaction.wait_until_paused(&acting).await, "{act} writes without a check");
        admin.patch(&format!("/members/{member}"), json!({"status": "suspended"})).await.expect(200);
        transaction.release();
        acting.await.unwrap().expect_error(401, "SIGN_IN_REQUIRED");
        faults.disarm();
        assert_eq!(case(&service, &id).await, before, "{act}");
    }
}

#[tokio::test]
async fn who_is_suspended_removed_or_loses_the_inbox_gives_back_every_claim_and_who_is_away_keeps_them() {
    let service = service().await;
    let admin = service.admin();
    let until = json!(service.resources().runtime.now().plus_hours(24));
    let (mut given_back, mut kept) = (Vec::new(), Vec::new());
    let mut leaving = Vec::new();
    for who in ["suspended", "removed", "demoted"] {
        let (member, me) = signed_in(&service, &format!("{who}@company.example"), &["agent"]).await;
        for is_snoozed in [false, true] {
            let (_, id) = waiting(&service).await;
            claim(&me, &id).await;
            if is_snoozed {
                me.patch(&format!("/inbox/{id}"), json!({"snoozedUntil": until})).await.expect(200);
            }
            given_back.push(id);
        }
        leaving.push(format!("/members/{member}"));
    }
    let (away, as_away) = signed_in(&service, "away@company.example", &["agent"]).await;
    let (fewer, as_fewer) = signed_in(&service, "fewer@company.example", &["trainer", "agent"]).await;
    for me in [&as_away, &as_fewer] {
        let (_, id) = waiting(&service).await;
        claim(me, &id).await;
        kept.push(id);
    }
    admin.patch(&leaving[0], json!({"status": "suspended"})).await.expect(200);
    admin.delete(&leaving[1]).await.expect(204);
    admin.patch(&leaving[2], json!({"roles": ["trainer"]})).await.expect(200);
    as_away.patch(&format!("/members/{away}"), json!({"availability": "away"})).await.expect(200);
    admin.patch(&format!("/members/{fewer}"), json!({"roles": ["agent"]})).await.expect(200);
    service.sweep_without_failure().await;
    for id in &given_back {
        let now = admin.get(&format!("/inbox/{id}")).await;
        let shown = ["status", "claimedBy", "snoozedUntil", "leaseExpiresAt"].map(|field| now.at(field).clone());
        assert_eq!(shown, [json!("pending"), json!(null), json!(null), json!(null)], "{}", now.text);
        assert_eq!(now.at("/session/ownership"), "pending_handover");
    }
    for (id, member) in kept.iter().zip([&away, &fewer]) {
        let now = admin.get(&format!("/inbox/{id}")).await;
        assert_eq!((now.at("status"), now.at("/claimedBy/agentId")), (&json!("claimed"), &json!(member)));
    }
}

#[tokio::test]
async fn an_entry_names_the_member_who_wrote_it() {
    let service = service().await;
    let (ada, as_ada) = signed_in(&service, "ada@company.example", &["trainer"]).await;
    let (bob, as_bob) = signed_in(&service, "bob@company.example", &["admin"]).await;
    as_ada.wiki_entry("help/refunds", "Refunds", "A refund takes five days.").await;
    as_bob.patch("/wiki/help/refunds", json!({"title": "Refunds and returns"})).await.expect(200);
    let entry = service.admin().get("/wiki/help/refunds").await;
    assert_eq!((entry.at("createdBy"), entry.at("updatedBy")), (&json!(ada), &json!(bob)));
}
