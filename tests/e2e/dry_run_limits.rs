//! Dry runs: their cost, how many run at once, and that they delay nobody.

use std::time::{Duration, Instant};

use domain::models::{Mode, Plan, Role};
use local::RateLimits;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::dry_runs::{ZEBRA, try_out, zebras};
use crate::support::{Actor, IndexSwitch, Reply, TestService};

/// A change of about `kib` KiB that has no word of a question.
fn long(number: usize, kib: usize) -> Value {
    let content = "wombat ".repeat(kib * 1_024 / 7);
    json!({"path": format!("long/e{number}"), "action": "create", "title": "Long", "content": content})
}

fn questions(count: usize) -> Value {
    json!({"texts": vec![ZEBRA; count]})
}

/// The rest of the quota of dry runs.
fn left(reply: &Reply) -> u32 {
    let (_, after) = reply.header("ratelimit").split_once("\"dry-runs\";r=").unwrap();
    assert!(!after.contains("dry-runs"), "{}", reply.header("ratelimit"));
    after.split_once(';').unwrap().0.parse().unwrap()
}

#[tokio::test]
async fn more_questions_than_so_large_changes_are_tried_on_are_refused_also_where_the_text_is_stored() {
    let service = TestService::start().await;
    let agent = service.agent();
    let five: Vec<Value> = (0..5).map(|number| long(number, 185)).collect();
    let refused = try_out(&agent, json!(five), questions(100)).await;
    refused.expect_error(413, "PAYLOAD_TOO_LARGE");
    assert!(refused.text_at("message").contains("at most 17 questions"), "{}", refused.text);
    for entry in &five {
        let entry = json!({"path": entry["path"], "title": "Long", "content": entry["content"]});
        service.trainer().post("/wiki", entry).await.expect(201);
    }
    let renamed = |count: usize| -> Vec<Value> {
        (0..count).map(|number| json!({"path": format!("long/e{number}"), "title": "Longer"})).collect()
    };
    try_out(&agent, json!(renamed(5)), questions(18)).await.expect_error(413, "PAYLOAD_TOO_LARGE");
    try_out(&agent, json!(renamed(1)), questions(100)).await.expect_error(413, "PAYLOAD_TOO_LARGE");
    try_out(&agent, json!(renamed(5)), questions(17)).await.expect(200);
}

#[tokio::test]
async fn a_page_of_pins_is_as_long_as_large_changes_allow_and_a_longer_one_is_refused_if_it_is_asked_for() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/pinned", "Pinned", "Pinned questions are asked.").await;
    for number in 0..18 {
        let pin = json!({"path": "help/pinned", "question": format!("What is pinned {number}?")});
        service.trainer().post("/pins", pin).await.expect(201);
    }
    let five: Vec<Value> = (0..5).map(|number| long(number, 185)).collect();
    let mut body = json!({"changes": five, "questions": {"pins": true}});
    let short = service.agent().post("/dry-runs", body.clone()).await;
    short.expect(200);
    assert_eq!((short.items().len(), short.at("hasMore")), (17, &json!(true)));
    body["cursor"] = short.at("nextCursor").clone();
    assert_eq!(service.agent().post("/dry-runs", body.clone()).await.items().len(), 1);
    body["cursor"] = Value::Null;
    body["limit"] = json!(18);
    service.agent().post("/dry-runs", body).await.expect_error(413, "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn a_run_takes_tokens_by_its_questions_and_the_size_of_its_changes() {
    let service = TestService::with(|options| options.start.rate_limits = RateLimits::Real).await;
    let agent = service.agent();
    let small = try_out(&agent, json!([zebras()]), questions(1)).await;
    assert!((596..600).contains(&left(&small)), "{}", small.header("ratelimit"));
    assert!(small.header("ratelimit-policy").contains("\"dry-runs\";q=600;w=60"));
    let large = json!([long(0, 160)]);
    // A run of 250 tokens, while ten a second come back.
    let (start, mut passed) = (Instant::now(), 0);
    let refused = loop {
        let reply = try_out(&agent, large.clone(), questions(100)).await;
        if reply.status == 429 {
            break reply;
        }
        reply.expect(200);
        passed += 1;
        let most = 600.0 + 10.0 * start.elapsed().as_secs_f64();
        assert!(f64::from(passed) * 250.0 <= most, "{passed} runs passed");
    };
    assert!(passed >= 2, "{passed} runs passed");
    refused.expect_error(429, "RATE_LIMITED");
    assert_eq!(refused.json["details"][0]["message"], "dry-runs: 600 in 60 seconds");
    let wait: u32 = refused.header("retry-after").parse().unwrap();
    assert!((1..=25).contains(&wait), "{wait}");
    try_out(&service.trainer(), json!([zebras()]), questions(1)).await.expect(200);
}

fn begun(actor: Actor) -> JoinHandle<Reply> {
    tokio::spawn(async move { try_out(&actor, json!([zebras()]), questions(1)).await })
}

async fn wait_for_searches(index: &IndexSwitch, count: usize) {
    while index.searches() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn expect_busy(reply: &Reply, of: &str) {
    reply.expect_error(429, "RATE_LIMITED");
    assert_eq!((reply.header("retry-after"), reply.json["details"][0]["message"].as_str()), ("2", Some(of)));
}

async fn with_index() -> (TestService, IndexSwitch) {
    let index = IndexSwitch::default();
    let wrap = index.wrap();
    (TestService::with(|options| options.wrap_index = Some(wrap)).await, index)
}

#[tokio::test]
async fn a_caller_runs_one_at_a_time_and_a_tenant_two_in_both_modes() {
    let (service, index) = with_index().await;
    index.hold();
    let first = begun(service.agent());
    wait_for_searches(&index, 1).await;
    let again = try_out(&service.agent(), json!([zebras()]), questions(1)).await;
    expect_busy(&again, "dry-runs: one of this caller at once");
    let second = begun(service.test_admin());
    wait_for_searches(&index, 2).await;
    for other in [service.trainer(), service.admin()] {
        let refused = try_out(&other, json!([zebras()]), questions(1)).await;
        expect_busy(&refused, "dry-runs: two of a tenant at once");
    }
    let elsewhere = begun(service.other_admin());
    wait_for_searches(&index, 3).await;
    index.on();
    for run in [first, second, elsewhere] {
        run.await.unwrap().expect(200);
    }
    try_out(&service.agent(), json!([zebras()]), questions(1)).await.expect(200);
}

#[tokio::test]
async fn a_run_ends_with_its_caller() {
    let (service, index) = with_index().await;
    index.hold();
    let left = begun(service.agent());
    wait_for_searches(&index, 1).await;
    left.abort();
    // Long before the run would have ended by itself, at its deadline of 25 seconds.
    let start = Instant::now();
    let next = loop {
        let next = begun(service.agent());
        while !next.is_finished() && index.searches() == 1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if index.searches() > 1 {
            break next;
        }
        expect_busy(&next.await.unwrap(), "dry-runs: one of this caller at once");
        assert!(start.elapsed() < Duration::from_secs(20), "it still runs");
    };
    index.on();
    next.await.unwrap().expect(200);
}

#[tokio::test]
async fn a_message_to_another_tenant_is_answered_while_four_large_runs_are_still_running() {
    let (service, index) = with_index().await;
    let other = service.new_tenant(Plan::Pro).await;
    let of_other = |role: Role| service.bearer(other.key(Mode::Live, role));
    let (customer, asked) = (service.other_admin(), "When does the parcel come?");
    customer.wiki_entry("help/parcels", "Parcels", "The parcel comes on Tuesday.").await;
    let session = customer.session().await;
    // Each question reads the whole text: there is no other entry.
    let content = "The zebra sings on Jupiter, and the zebra is called Zoe. ".repeat(3_300);
    let change = json!([{"path": "help/zoe", "action": "create", "title": "Zoe", "content": content}]);
    index.hold();
    let runs: Vec<JoinHandle<Reply>> =
        [service.agent(), service.trainer(), of_other(Role::Agent), of_other(Role::Trainer)]
            .into_iter()
            .map(|actor| {
                let change = change.clone();
                tokio::spawn(async move { try_out(&actor, change, questions(80)).await })
            })
            .collect();
    // Each run asks at most eight questions side by side.
    wait_for_searches(&index, 3 * 8 + 1).await;
    index.on();
    let answer = customer.ask(&session, asked).await;
    assert_eq!(answer.expect(200)["disposition"], "answered");
    for run in &runs {
        assert!(!run.is_finished(), "a run was faster than the message");
        run.abort();
    }
}
