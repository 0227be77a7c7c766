//! The table requests of one message: number, sequential ones, read and write units.

use domain::models::{Mode, Plan, Role};
use local::{Hooks, Options, Service};
use serde_json::{Value, json};

use crate::counting::{Call, Calls};

/// How many calls had to wait for another: the longest chain in which each starts after the one before has ended.
fn one_after_the_other(calls: &[Call]) -> usize {
    let mut calls = calls.to_vec();
    calls.sort_by_key(|call| call.end);
    let mut last_end = None;
    calls
        .iter()
        .filter(|call| {
            last_end.is_none_or(|end| call.start >= end) && {
                last_end = Some(call.end);
                true
            }
        })
        .count()
}

/// Asks a few questions and prints what the last one, an ordinary one, cost.
pub(crate) async fn measure() {
    let calls = Calls::default();
    let folder = tempfile::tempdir().unwrap();
    let options = Options::new(folder.path().join("data"), 0);
    let seen = calls.clone();
    let hooks = Hooks { wrap_database: Some(Box::new(move |inner| seen.wrap(inner))), ..Hooks::default() };
    let service = Service::start_with(options, hooks).await.unwrap();
    let tenant = service.create_tenant("bench", Plan::Pro).await.unwrap();
    let http = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let key = tenant.key(Mode::Live, Role::Admin);
        let request = http.post(format!("{}{path}", service.url())).bearer_auth(key).json(&body);
        request.send().await.unwrap().json().await.unwrap()
    };
    let content = "Open your account and choose Change plan. The new plan counts from the next month on.";
    post("/wiki", json!({"path": "bench/plan", "title": "Changing your plan", "content": content})).await;
    let session = post("/sessions", json!({})).await["sessionId"].as_str().unwrap().to_owned();
    println!("\none message of a session: operations with their units, in the order in which they ended");
    for number in 1..=6 {
        calls.take();
        let body = json!({"content": "How do I change my plan?"});
        let answer = post(&format!("/sessions/{session}/messages"), body).await;
        let calls = calls.take();
        if [1, 6].contains(&number) {
            print(number, &answer, &calls);
        }
    }
    service.stop().await;
}

fn print(number: u32, answer: &Value, calls: &[Call]) {
    let list: Vec<String> = calls.iter().map(|call| format!("{} {}", call.operation, call.units)).collect();
    let sum = |writes: bool| -> f64 {
        let wanted = calls.iter().filter(|call| (call.operation == "TransactWriteItems") == writes);
        wanted.map(|call| call.units).sum()
    };
    println!("  message {number} ({}): {}", answer["disposition"], list.join(", "));
    println!(
        "    {} calls, {} of them one after the other (authentication is the first); {} read and {} write units",
        calls.len(),
        one_after_the_other(calls),
        sum(false),
        sum(true)
    );
}
