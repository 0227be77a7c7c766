//! The lists of the inbox: by tag, and by whether a claim is put off.

use serde_json::{Value, json};

use crate::inbox_claims::claimed_by_anna;
use crate::support::{Actor, Reply, TestService};

fn ids(list: &Reply) -> Vec<String> {
    list.items().iter().map(|item| item["escalationId"].as_str().unwrap().to_owned()).collect()
}

async fn waiting(caller: &Actor, tags: Value) -> (String, String) {
    let session = caller.session_with(json!({"channel": "api", "tags": tags})).await;
    let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    (session, asked.text_at("escalationId").to_owned())
}

#[tokio::test]
async fn requests_are_listed_by_a_tag_of_their_session() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (_, plain) = waiting(&caller, json!([])).await;
    let (session, vip) = waiting(&caller, json!(["vip", "refund"])).await;
    let (_, refund) = waiting(&caller, json!(["refund"])).await;
    let list = agent.get("/inbox?tag=refund").await;
    assert_eq!(ids(&list), [vip.clone(), refund.clone()]);
    assert_eq!(list.items()[0]["tags"], json!(["vip", "refund"]));
    assert_eq!(list.at("counts"), &json!({"pending": 3, "claimed": 0, "capped": false}), "counts are of all");
    assert_eq!(ids(&agent.get("/inbox?tag=vip").await), std::slice::from_ref(&vip));
    for nothing in ["tag=VIP", "tag=vi", "tag=vip&status=claimed", "tag=vip&agentId=anna"] {
        assert!(agent.get(&format!("/inbox?{nothing}")).await.items().is_empty(), "{nothing}");
    }
    agent.post("/inbox/takeover", json!({"escalationId": vip, "agentId": "anna"})).await.expect(200);
    assert_eq!(ids(&agent.get("/inbox?tag=vip&agentId=anna").await), std::slice::from_ref(&vip));
    caller.patch(&format!("/sessions/{session}"), json!({"tags": ["calm"]})).await.expect(200);
    assert_eq!(agent.get(&format!("/inbox/{vip}")).await.at("tags"), &json!(["calm"]), "at once where it is read");
    service.drain().await;
    assert!(agent.get("/inbox?tag=vip&status=claimed").await.items().is_empty());
    let calm = agent.get("/inbox?tag=calm&status=claimed").await;
    assert_eq!((ids(&calm), &calm.items()[0]["tags"]), (vec![vip.clone()], &json!(["calm"])));
    agent.post(&format!("/inbox/{vip}/resolve"), json!({"agentId": "anna"})).await.expect(200);
    caller.patch(&format!("/sessions/{session}"), json!({"tags": null})).await.expect(200);
    service.drain().await;
    assert!(agent.get("/inbox?tag=calm&status=resolved").await.items().is_empty(), "also of what ended");
    let ended = agent.get("/inbox?status=resolved").await;
    assert_eq!((ids(&ended), &ended.items()[0]["tags"]), (vec![vip], &json!([])));
    assert_eq!(ids(&agent.get("/inbox").await), [plain, refund]);
    assert!(service.other_admin().get("/inbox?tag=refund").await.items().is_empty());
    let long = format!("tag={}", "x".repeat(51));
    for bad in ["tag=", "tag=a&tag=b", "tag=%00", long.as_str()] {
        agent.get(&format!("/inbox?{bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn claims_are_listed_by_whether_they_are_put_off() {
    let service = TestService::start().await;
    let agent = service.agent();
    let (session, off) = claimed_by_anna(&service).await;
    let (_, on) = claimed_by_anna(&service).await;
    waiting(&service.integration(), json!([])).await;
    let until = json!(service.resources().runtime.now().plus_hours(24));
    agent.patch(&format!("/inbox/{off}"), json!({"agentId": "anna", "snoozedUntil": until})).await.expect(200);
    let listed = agent.get("/inbox?snoozed=true").await;
    assert_eq!((ids(&listed), &listed.items()[0]["snoozedUntil"]), (vec![off.clone()], &until));
    assert_eq!(ids(&agent.get("/inbox?snoozed=false").await), std::slice::from_ref(&on));
    assert_eq!(ids(&agent.get("/inbox?agentId=anna").await), [on.clone(), off.clone()]);
    assert_eq!(ids(&agent.get("/inbox?agentId=anna&snoozed=true").await), std::slice::from_ref(&off));
    assert!(agent.get("/inbox?agentId=bob&snoozed=true").await.items().is_empty());
    assert_eq!(ids(&agent.get("/inbox?status=pending&snoozed=false").await).len(), 1);
    service.integration().ask(&session, "Hello?").await.expect(200);
    assert!(agent.get("/inbox?snoozed=true").await.items().is_empty(), "the customer wrote");
    for bad in ["snoozed=", "snoozed=1", "snoozed=True", "snoozed=true&snoozed=false"] {
        agent.get(&format!("/inbox?{bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn a_cursor_goes_on_with_the_filters_it_was_given_for() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let mut queue = Vec::new();
    for number in 0..6 {
        let tag = if number % 2 == 0 { "even" } else { "odd" };
        let id = waiting(&caller, json!([tag])).await.1;
        if tag == "even" {
            queue.push(id);
        }
    }
    let first = agent.get("/inbox?tag=even&limit=2").await;
    assert_eq!(ids(&first), queue[..2]);
    let cursor = first.text_at("nextCursor");
    let second = agent.get(&format!("/inbox?tag=even&limit=2&cursor={cursor}")).await;
    assert_eq!((ids(&second), second.at("hasMore")), (queue[2..].to_vec(), &json!(false)));
    for other in [
        "tag=odd",
        "limit=2",
        "tag=even&status=claimed",
        "tag=even&agentId=anna",
        "tag=even&status=pending&snoozed=true",
    ] {
        let refused = agent.get(&format!("/inbox?{other}&cursor={cursor}")).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["cursor INVALID_FORMAT"], "{other}");
    }
}

#[tokio::test]
async fn a_list_by_tag_reads_a_bounded_part_of_the_inbox_at_a_time() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let long = "\u{1F993}".repeat(1_000);
    for _ in 0..300 {
        let session = caller.session().await;
        caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": long})).await.expect(200);
    }
    let (_, last) = waiting(&caller, json!(["rare"])).await;
    let first = agent.get("/inbox?tag=rare").await;
    assert_eq!((first.items().len(), first.at("hasMore")), (0, &json!(true)), "one answer reads 1 MiB at the most");
    let second = agent.get(&format!("/inbox?tag=rare&cursor={}", first.text_at("nextCursor"))).await;
    assert_eq!((ids(&second), second.at("hasMore")), (vec![last], &json!(false)));
}
