//! The time of claims: what is answered stays its agent's, one call renews the others, and a lapse is told as a lapse.

use serde_json::{Value, json};

use crate::inbox_claims::{act, claimed_by_anna, is_in};
use crate::sign_in::{service_with, signed_in};
use crate::support::{Actor, CapacityMeter, Faults, TestService};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

async fn case(service: &TestService, id: &str) -> Value {
    service.agent().get(&format!("/inbox/{id}")).await.expect(200).clone()
}

async fn answered(agent: &Actor, id: &str) {
    act(agent, id, "message", json!({"agentId": "anna", "content": "Done."})).await.expect(200);
}

/// Goes on by `ms`, and does what is due then.
async fn pass(service: &TestService, ms: i64) {
    service.clock.advance(ms);
    service.sweep_without_failure().await;
}

#[tokio::test]
async fn an_answered_claim_stays_its_agents_until_the_customer_writes_and_then_waits_for_that_agent_first() {
    let service = TestService::start().await;
    let (customer, agent) = (service.integration(), service.agent());
    let (session, id) = claimed_by_anna(&service).await;
    answered(&agent, &id).await;
    let listed = agent.get("/inbox?agentId=anna").await;
    assert_eq!((&listed.items()[0]["leaseExpiresAt"], &listed.items()[0]["status"]), (&json!(null), &json!("claimed")));
    pass(&service, 3 * DAY).await;
    // An act that the customer does not see gives it no end.
    act(&agent, &id, "renew", json!({"agentId": "anna"})).await.expect(200);
    act(&agent, &id, "message", json!({"agentId": "anna", "content": "n", "internal": true})).await.expect(200);
    pass(&service, 31 * MINUTE).await;
    assert_eq!(case(&service, &id).await["status"], "claimed");

    customer.ask(&session, "And the other parcel?").await.expect(200);
    let lease = case(&service, &id).await["leaseExpiresAt"].clone();
    assert!(is_in(&service, &lease, 15 * MINUTE), "{lease}");
    service.clock.advance(5 * MINUTE);
    customer.ask(&session, "Hello?").await.expect(200);
    assert_eq!(case(&service, &id).await["leaseExpiresAt"], lease, "who writes on waits no longer for it");
    assert_eq!(agent.get("/inbox?agentId=anna").await.items()[0]["leaseExpiresAt"], lease, "the list says the same");
    // An agent who answers in time keeps it, and the next message starts anew.
    service.clock.advance(9 * MINUTE);
    answered(&agent, &id).await;
    pass(&service, 31 * MINUTE).await;
    customer.ask(&session, "Thank you. One more question?").await.expect(200);
    pass(&service, 14 * MINUTE).await;
    assert_eq!(case(&service, &id).await["status"], "claimed");
    pass(&service, MINUTE).await;
    assert_eq!(case(&service, &id).await["status"], "pending", "then it is for all");
}

#[tokio::test]
async fn an_answered_claim_that_was_put_off_is_its_agents_when_its_time_comes() {
    let service = TestService::start().await;
    let agent = service.agent();
    let (_, id) = claimed_by_anna(&service).await;
    answered(&agent, &id).await;
    let until = service.resources().runtime.now().plus_millis(DAY).to_string();
    let off = json!({"agentId": "anna", "snoozedUntil": until});
    agent.patch(&format!("/inbox/{id}"), off).await.expect(200);
    pass(&service, DAY).await;
    let awake = case(&service, &id).await;
    assert_eq!((&awake["snoozedUntil"], &awake["leaseExpiresAt"]), (&json!(null), &json!(null)), "{awake}");
    pass(&service, DAY).await;
    assert_eq!(case(&service, &id).await["status"], "claimed");
}

#[tokio::test]
async fn a_lapse_is_told_as_a_lapse_to_people_and_to_the_customer_not_at_all() {
    let (service, receiver, _) = TestService::with_receiver().await;
    let widget = service.widget("vis_1").await;
    let session = widget.session().await;
    let asked = widget.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let id = asked.text_at("escalationId").to_owned();
    let anna = json!({"escalationId": id, "agentId": "anna", "agentName": "Anna"});
    service.agent().post("/inbox/takeover", anna).await.expect(200);
    let before = widget.get(&format!("/sessions/{session}/messages")).await.items().to_vec();
    pass(&service, 30 * MINUTE).await;
    let widget = service.widget("vis_1").await;
    service.drain().await;

    let lapsed = case(&service, &id).await;
    let former = json!({"agentId": "anna", "name": "Anna"});
    assert_eq!(
        (&lapsed["status"], &lapsed["formerAgent"], &lapsed["releaseReason"], &lapsed["claimedBy"]),
        (&json!("pending"), &former, &json!("lapsed"), &json!(null))
    );
    let last = lapsed["messages"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"], &last["internal"]), (&json!("claim_lapsed"), &json!(true)));
    assert_eq!(last["agent"], json!({"id": "anna", "name": "Anna"}));
    assert_eq!(widget.get(&format!("/sessions/{session}/messages")).await.items(), before, "nothing new is said");
    let caught = receiver.caught();
    let released: Vec<_> =
        caught.iter().map(|caught| caught.json()).filter(|event| event["type"] == "handover.released").collect();
    assert_eq!(released.len(), 1);
    assert_eq!(
        (&released[0]["data"]["releaseReason"], &released[0]["data"]["formerAgent"]),
        (&json!("lapsed"), &former)
    );

    // Whoever takes it reads who had it; it waits no longer.
    let bob = service.agent().post("/inbox/takeover", json!({"agentId": "bob"})).await;
    assert_eq!((&bob.expect(200)["formerAgent"], bob.at("releaseReason")), (&former, &json!(null)));
    let given = act(&service.agent(), &id, "release", json!({"agentId": "bob"})).await;
    let bob = json!({"agentId": "bob", "name": null});
    assert_eq!((&given.expect(200)["formerAgent"], given.at("releaseReason")), (&bob, &json!("released")));
    let last = widget.get(&format!("/sessions/{session}/messages")).await.items().last().unwrap().clone();
    assert_eq!(last["event"], "agent_left", "who says that they leave is told of");
    let customer = service.integration();
    customer.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let ended = case(&service, &id).await;
    assert_eq!((&ended["status"], &ended["releaseReason"]), (&json!("closed"), &json!(null)), "it waits no longer");
}

#[tokio::test]
async fn one_call_renews_every_claim_of_an_agent_whose_customer_waits_by_a_few_requests_of_the_table() {
    let meter = CapacityMeter::default();
    let wire = meter.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    let agent = service.agent();
    let mut waiting = Vec::new();
    for _ in 0..95 {
        waiting.push(claimed_by_anna(&service).await.1);
    }
    let (_, done) = claimed_by_anna(&service).await;
    answered(&agent, &done).await;
    let (_, off) = claimed_by_anna(&service).await;
    let until = json!(service.resources().runtime.now().plus_millis(DAY).to_string());
    agent.patch(&format!("/inbox/{off}"), json!({"agentId": "anna", "snoozedUntil": until})).await.expect(200);
    let (_, bobs) = claimed_by_anna(&service).await;
    act(&agent, &bobs, "transfer", json!({"agentId": "anna", "toAgentId": "bob"})).await.expect(200);
    let of_bob = case(&service, &bobs).await;

    // Also one whose time is over, as long as nobody was given back.
    service.clock.advance(31 * MINUTE);
    meter.requests();
    let renewed = agent.post("/inbox/renew", json!({"agentId": "anna"})).await;
    let requests = meter.requests();
    assert_eq!(renewed.expect(200)["renewed"], 95);
    assert!(is_in(&service, renewed.at("leaseExpiresAt"), 30 * MINUTE), "{}", renewed.text);
    assert!(requests <= 8, "{requests} requests of the table for 95 claims");
    assert_eq!(case(&service, &bobs).await["leaseExpiresAt"], of_bob["leaseExpiresAt"], "Bob's is his own to renew");
    let shown = |case: &Value| (case["leaseExpiresAt"].clone(), case["snoozedUntil"].clone());
    assert_eq!(shown(&case(&service, &done).await), (json!(null), json!(null)));
    assert_eq!(shown(&case(&service, &off).await), (json!(null), until));
    pass(&service, 29 * MINUTE).await;
    for id in &waiting {
        assert_eq!(case(&service, id).await["status"], "claimed");
    }
    assert_eq!(case(&service, &bobs).await["status"], "pending");
    pass(&service, MINUTE).await;
    let counts = agent.get("/inbox").await.at("counts").clone();
    assert_eq!((&counts["pending"], &counts["claimed"]), (&json!(96), &json!(2)), "the renewed ones end, too");

    let nothing = agent.post("/inbox/renew", json!({"agentId": "anna"})).await;
    assert_eq!(nothing.expect(200)["renewed"], 0);
    service.integration().post_empty("/inbox/renew").await.expect_error(403, "FORBIDDEN");
    let bad = agent.post("/inbox/renew", json!({"agentId": "mem_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"})).await;
    assert_eq!(bad.details(), ["agentId NOT_ALLOWED"]);
}

#[tokio::test]
async fn a_claim_that_goes_to_another_during_a_renewal_of_all_stays_the_others() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = service_with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    let (ada, me) = signed_in(&service, "ada@company.example", &["agent"]).await;
    let agent = service.agent();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let (_, id) = claimed_by_anna(&service).await;
        act(&agent, &id, "transfer", json!({"agentId": "anna", "toAgentId": ada})).await.expect(200);
        ids.push(id);
    }
    service.clock.advance(10 * MINUTE);
    // The renewal has read its claims by the time of its transaction, which checks the member.
    let renewal = |faults: &Faults| {
        let transaction = faults.pause(1, "ConditionCheck");
        let me = me.clone();
        (transaction, tokio::spawn(async move { me.post_empty("/inbox/renew").await }))
    };
    let (transaction, renewing) = renewal(&faults);
    assert!(transaction.wait_until_paused(&renewing).await, "it renews without a check");
    let admin = service.admin();
    act(&admin, &ids[0], "transfer", json!({"toAgentId": "bob"})).await.expect(200);
    act(&admin, &ids[1], "resolve", json!({})).await.expect(200);
    let taken = [case(&service, &ids[0]).await, case(&service, &ids[1]).await];
    transaction.release();
    let renewed = renewing.await.unwrap();
    assert_eq!(renewed.expect(200)["renewed"], 1, "the others of them are renewed all the same");
    faults.disarm();
    assert_eq!([case(&service, &ids[0]).await, case(&service, &ids[1]).await], taken);
    assert!(is_in(&service, &case(&service, &ids[2]).await["leaseExpiresAt"], 30 * MINUTE));

    // A member who is suspended meanwhile renews nothing.
    let before = case(&service, &ids[2]).await;
    service.clock.advance(MINUTE);
    let (transaction, renewing) = renewal(&faults);
    assert!(transaction.wait_until_paused(&renewing).await);
    admin.patch(&format!("/members/{ada}"), json!({"status": "suspended"})).await.expect(200);
    transaction.release();
    renewing.await.unwrap().expect_error(401, "SIGN_IN_REQUIRED");
    faults.disarm();
    let now = case(&service, &ids[2]).await;
    assert!(now["leaseExpiresAt"] == before["leaseExpiresAt"] || now["status"] == "pending", "{now}");
}
