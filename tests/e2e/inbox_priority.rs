//! Priorities in the inbox, and the list of one agent.

use serde_json::{Value, json};

use crate::changes::{collector, kinds};
use crate::support::{Actor, Reply, TestService};

/// A session that waits for a human; the ids of both.
async fn waiting(caller: &Actor, priority: Option<&str>) -> (String, String) {
    let session = caller.session().await;
    let body = json!({"reason": "help", "priority": priority});
    let reply = caller.post(&format!("/sessions/{session}/escalate"), body).await;
    reply.expect(200);
    (session, reply.text_at("escalationId").to_owned())
}

async fn prioritize(actor: &Actor, id: &str, priority: &str) -> Reply {
    actor.patch(&format!("/inbox/{id}"), json!({"priority": priority})).await
}

fn ids(list: &Reply) -> Vec<String> {
    list.items().iter().map(|item| item["escalationId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn urgent_escalations_come_first_and_then_the_oldest() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let first = waiting(&caller, None).await.1;
    let second = waiting(&caller, Some("normal")).await.1;
    let (session, third) = waiting(&caller, Some("high")).await;
    let again = json!({"reason": "again", "priority": "normal"});
    let asked = caller.post(&format!("/sessions/{session}/escalate"), again).await;
    assert_eq!(asked.expect(200)["escalationId"], third.as_str());
    assert_eq!((asked.at("queuePosition"), asked.text_at("reason")), (&json!(1), "help"), "the same, as it was");
    assert_eq!(ids(&agent.get("/inbox").await), [&third, &first, &second].map(String::clone));
    let raised = prioritize(&agent, &second, "high").await;
    assert_eq!((&raised.expect(200)["priority"], raised.at("status")), (&json!("high"), &json!("pending")));
    assert_eq!(raised.at("/session/ownership"), "pending_handover");
    assert_eq!(ids(&agent.get("/inbox").await), [&second, &third, &first].map(String::clone));
    let listed = agent.get("/inbox?limit=1").await;
    assert_eq!((&listed.items()[0]["priority"], &listed.items()[0]["version"]), (&json!("high"), raised.at("version")));
    assert_eq!(listed.at("counts"), &json!({"pending": 3, "claimed": 0, "capped": false}));
    let same = prioritize(&agent, &second, "high").await;
    assert_eq!(same.expect(200), raised.expect(200), "again: nothing changes");
    prioritize(&agent, &third, "normal").await.expect(200);
    for id in [&second, &first, &third] {
        assert_eq!(agent.post_empty("/inbox/takeover").await.expect(200)["escalationId"], id.as_str());
    }
}

#[tokio::test]
async fn a_session_that_waits_says_its_place_in_the_queue() {
    let service = TestService::start().await;
    let (caller, agent, widget) = (service.integration(), service.agent(), service.widget("ann").await);
    let own = widget.session().await;
    let place = async |session: &str| widget.get(&format!("/sessions/{session}")).await.expect(200).clone();
    assert_eq!(place(&own).await.get("queuePosition"), None, "the AI has it");
    waiting(&caller, None).await;
    widget.post(&format!("/sessions/{own}/escalate"), json!({"reason": "now"})).await.expect(200);
    assert_eq!(place(&own).await["queuePosition"], 2);
    let id = place(&own).await["escalationId"].as_str().unwrap().to_owned();
    prioritize(&agent, &id, "high").await.expect(200);
    assert_eq!(place(&own).await["queuePosition"], 1);
    waiting(&caller, Some("high")).await;
    assert_eq!(place(&own).await["queuePosition"], 1, "within a priority who asked first");
    let turns = format!("/sessions/{own}/messages");
    let read = widget.get(&turns).await;
    assert_eq!(read.at("session"), &place(&own).await, "one request follows the conversation");
    let after = read.items().last().unwrap()["messageId"].as_str().unwrap().to_owned();
    agent.post("/inbox/takeover", json!({"escalationId": id})).await.expect(200);
    assert_eq!(place(&own).await.get("queuePosition"), None, "a person has it");
    let newer = widget.get(&format!("{turns}?after={after}")).await;
    assert_eq!((newer.at("/session/ownership"), newer.items().len()), (&json!("human"), 1));
    assert_eq!(newer.at("/session/answerDue"), &json!(false));
}

#[tokio::test]
async fn a_claimed_one_takes_its_new_place_when_it_is_released_and_an_ended_one_has_none() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let first = waiting(&caller, None).await.1;
    let second = waiting(&caller, None).await.1;
    let named = json!({"escalationId": second, "agentId": "anna"});
    let taken = agent.post("/inbox/takeover", named).await;
    let raised = prioritize(&agent, &second, "high").await;
    let claim = |reply: &Reply| ["status", "claimedBy", "claimedAt", "leaseExpiresAt"].map(|f| reply.at(f).clone());
    assert_eq!(claim(&raised), claim(&taken), "the claim stays as it was");
    let list = agent.get("/inbox?status=claimed").await;
    assert_eq!((ids(&list), &list.items()[0]["priority"]), (vec![second.clone()], &json!("high")));
    agent.post(&format!("/inbox/{second}/release"), json!({"agentId": "anna"})).await.expect(200);
    assert_eq!(ids(&agent.get("/inbox").await), [second.clone(), first.clone()]);
    agent.post_empty("/inbox/takeover").await.expect(200);
    agent.post_empty(&format!("/inbox/{second}/resolve")).await.expect(200);
    prioritize(&agent, &second, "normal").await.expect_error(409, "INVALID_STATE");
    agent.post_empty("/inbox/takeover").await.expect(200);
    agent.post_empty(&format!("/inbox/{first}/handback")).await.expect(200);
    prioritize(&agent, &first, "high").await.expect_error(409, "INVALID_STATE");
}

#[tokio::test]
async fn a_widget_sets_no_priority_and_what_is_none_is_refused() {
    let service = TestService::start().await;
    let receiver = collector(&service, 1, domain::models::Subscription::All).await;
    let (caller, agent, widget) = (service.integration(), service.agent(), service.widget("ann").await);
    let session = widget.session().await;
    let escalate = format!("/sessions/{session}/escalate");
    for priority in ["normal", "high"] {
        let body = json!({"reason": "now", "priority": priority});
        widget.post(&escalate, body).await.expect_error(403, "FORBIDDEN");
    }
    assert!(agent.get("/inbox").await.items().is_empty(), "a refusal changes nothing");
    let bad = caller.post(&escalate, json!({"priority": "urgent"})).await;
    bad.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(bad.details(), ["reason REQUIRED", "priority NOT_ALLOWED"]);
    widget.post(&escalate, json!({"reason": "now", "priority": null})).await.expect(200);
    let id = agent.get("/inbox").await.text_at("/items/0/escalationId").to_owned();
    for (body, detail) in [
        (json!({}), "NOTHING_TO_CHANGE"),
        (json!({"agentId": "anna"}), "NOTHING_TO_CHANGE"),
        (json!({"priority": null}), "priority REQUIRED"),
        (json!({"priority": "urgent"}), "priority NOT_ALLOWED"),
        (json!({"priority": 1}), "priority WRONG_TYPE"),
    ] {
        let reply = agent.patch(&format!("/inbox/{id}"), body).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), [detail]);
    }
    service.drain().await;
    let told = kinds(&service, &receiver).await;
    prioritize(&agent, &id, "high").await.expect(200);
    service.drain().await;
    assert_eq!(kinds(&service, &receiver).await, told, "a priority makes no event");
}

#[tokio::test]
async fn an_agent_lists_what_they_claimed_page_by_page() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let mut of_anna = Vec::new();
    for number in 0..5 {
        let id = waiting(&caller, None).await.1;
        let who = if number % 2 == 0 { "anna" } else { "bob" };
        agent.post("/inbox/takeover", json!({"agentId": who})).await.expect(200);
        if who == "anna" {
            of_anna.insert(0, id);
        }
    }
    waiting(&caller, None).await;
    let all = agent.get("/inbox?agentId=anna").await;
    assert_eq!((ids(&all), all.at("hasMore")), (of_anna.clone(), &json!(false)));
    assert_eq!(all.at("counts"), &json!({"pending": 1, "claimed": 5, "capped": false}), "counts are of all");
    assert_eq!(ids(&agent.get("/inbox?status=claimed&agentId=bob").await).len(), 2);
    let mut paged = Vec::new();
    let mut path = "/inbox?agentId=anna&limit=2".to_owned();
    loop {
        let page = agent.get(&path).await;
        assert!(page.items().len() <= 2);
        paged.extend(ids(&page));
        let Value::String(cursor) = page.at("nextCursor") else { break };
        path = format!("/inbox?agentId=anna&limit=2&cursor={cursor}");
    }
    assert_eq!(paged, of_anna);
    let done = &of_anna[0];
    agent.post(&format!("/inbox/{done}/resolve"), json!({"agentId": "anna"})).await.expect(200);
    assert_eq!(ids(&agent.get("/inbox?agentId=anna").await), of_anna[1..]);
    assert_eq!(ids(&agent.get("/inbox?agentId=anna&status=resolved").await), std::slice::from_ref(done));
    for nobody in ["agentId=carl", "agentId=anna&status=pending", "agentId=anna&status=closed"] {
        assert!(agent.get(&format!("/inbox?{nobody}")).await.items().is_empty(), "{nobody}");
    }
    assert!(service.other_admin().get("/inbox?agentId=anna").await.items().is_empty());
    for bad in ["agentId=", "agentId=a&agentId=b", "agentId=%00"] {
        agent.get(&format!("/inbox?{bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn a_list_of_one_agent_reads_a_bounded_part_of_the_inbox_at_a_time() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let long = "\u{1F993}".repeat(1_000);
    let mut oldest = None;
    for number in 0..150 {
        let session = caller.session().await;
        caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": long})).await.expect(200);
        let who = if number == 0 { "anna" } else { "bob" };
        let taken = agent.post("/inbox/takeover", json!({"agentId": who})).await;
        let id = taken.text_at("escalationId").to_owned();
        let body = json!({"agentId": who, "resolution": long});
        agent.post(&format!("/inbox/{id}/resolve"), body).await.expect(200);
        oldest.get_or_insert(id);
    }
    let first = agent.get("/inbox?agentId=anna&status=resolved").await;
    assert_eq!((first.items().len(), first.at("hasMore")), (0, &json!(true)), "one answer reads 1 MiB at the most");
    let next = format!("/inbox?agentId=anna&status=resolved&cursor={}", first.text_at("nextCursor"));
    let second = agent.get(&next).await;
    assert_eq!((ids(&second), second.at("hasMore")), (vec![oldest.unwrap()], &json!(false)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_at_once_no_message_no_priority_and_no_takeover_is_lost() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    let (session, id) = waiting(&caller, None).await;
    let all = (0..64).map(|number| {
        let (caller, agent, session, id) = (caller.clone(), agent.clone(), session.clone(), id.clone());
        tokio::spawn(async move {
            match number {
                32 => drop(agent.post_empty("/inbox/takeover").await.expect(200)),
                _ if number % 2 == 0 => drop(caller.ask(&session, &format!("message {number}")).await.expect(200)),
                _ => drop(prioritize(&agent, &id, "high").await.expect(200)),
            }
        })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    let case = agent.get(&format!("/inbox/{id}")).await;
    let now = ["status", "priority"].map(|field| case.expect(200)[field].clone());
    assert_eq!(now, [json!("claimed"), json!("high")]);
    let customers = caller.turns(&session).await.iter().filter(|turn| turn["role"] == "customer").count();
    assert_eq!(customers, 31);
    let list = agent.get("/inbox?status=claimed").await;
    let card = &list.items()[0];
    assert_eq!((&card["priority"], &card["version"]), (&json!("high"), case.at("version")), "the list says the same");
}
