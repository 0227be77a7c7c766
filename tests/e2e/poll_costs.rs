//! The cost of the agents' polls: units and requests of the table for an answer that is new and for one that is not.
//! docs/COST.md holds the figures, and the dollars of a month.

use std::collections::BTreeMap;

use local::RateLimits;
use serde_json::json;

use crate::costs::documented;
use crate::support::{Actor, CapacityMeter, TestService, Units};

/// Polls of each kind.
const POLLS: usize = 100;
/// Customers who wait, and turns of the conversation.
const WAITING: usize = 20;
const TURNS: usize = 40;
/// Five agents, eight hours, 22 days.
const AGENT_HOURS: f64 = 5.0 * 8.0 * 22.0;
/// Of eight hours: with an open conversation (every 2 s), without (5 s), hidden (15 s).
const HOURS: [(f64, f64); 3] = [(4.0, 2.0), (2.0, 5.0), (2.0, 15.0)];
/// List prices: a million requests of the HTTP API and of Lambda, a GB-second, a million read and write units, a GB of logs.
const PRICES: [f64; 6] = [1.00, 0.20, 0.000_013_333_4, 0.125, 0.625, 0.50];
/// The duration of a poll at 512 MB, in seconds, and its log, in bytes.
const POLL_SECONDS: f64 = 0.010;
const LOGGED_BYTES: f64 = 400.0;

/// The mean of what answers of one status take.
async fn mean(actor: &Actor, path: &str, meter: &CapacityMeter, status: u16) -> (Units, f64) {
    let (mut sum, mut requests, mut found) = (Units::default(), 0, 0);
    let mut tag = actor.get(path).await.header("etag").to_owned();
    while found < POLLS {
        let asked = if status == 304 { actor.with_header("if-none-match", &tag) } else { actor.clone() };
        meter.take();
        meter.requests();
        let reply = asked.get(path).await;
        let (units, calls) = (meter.take(), meter.requests());
        // Every twenty seconds the inbox is read again.
        tag = reply.header("etag").to_owned();
        if reply.status == status {
            sum = Units { reads: sum.reads + units.reads, writes: sum.writes + units.writes };
            (requests, found) = (requests + calls, found + 1);
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    let each = |sum: f64| sum / found as f64;
    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    let requests = requests as f64;
    (Units { reads: each(sum.reads), writes: each(sum.writes) }, each(requests))
}

/// The dollars of a month, of polls that take `unchanged` and `changed` each: of the inbox, and of a conversation.
fn dollars(inbox: (Units, Units), case: (Units, Units)) -> f64 {
    let (mut polls, mut reads, mut writes) = (0.0, 0.0, 0.0);
    let mut add = |count: f64, share_changed: f64, (same, new): (Units, Units)| {
        polls += count;
        reads += count * (same.reads * (1.0 - share_changed) + new.reads * share_changed);
        writes += count * (same.writes * (1.0 - share_changed) + new.writes * share_changed);
    };
    for (hours, every) in HOURS {
        let count = AGENT_HOURS / 8.0 * hours * 3_600.0 / every;
        // The inbox is read again every twenty seconds; a conversation changes once a minute.
        add(count, every / 20.0, inbox);
        add(count, every / 60.0, case);
    }
    let million = 1e-6;
    let [api, lambda, gb_second, read, write, log] = PRICES;
    polls * million * (api + lambda)
        + polls * POLL_SECONDS * 0.5 * gb_second
        + reads * million * read
        + writes * million * write
        + polls * LOGGED_BYTES * 1e-9 * log
}

#[tokio::test]
async fn the_figures_of_polls_in_the_cost_document_are_those_that_are_counted() {
    let meter = CapacityMeter::default();
    let functions = meter.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)));
        options.start.rate_limits = RateLimits::Real;
    })
    .await;
    let (customer, agent) = (service.integration(), service.agent());
    let mut taken = String::new();
    for _ in 0..=WAITING {
        let session = customer.session().await;
        let asked = customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
        taken = asked.text_at("escalationId").to_owned();
    }
    agent.post("/inbox/takeover", json!({"escalationId": taken})).await.expect(200);
    for number in 0..TURNS {
        let message = json!({"content": format!("{number}: {}", "A sentence of some words. ".repeat(8))});
        agent.post(&format!("/inbox/{taken}/message"), message).await.expect(200);
        service.clock.advance(200);
    }
    service.drain().await;
    let case = format!("/inbox/{taken}");
    let of = async |path: &str, status: u16| {
        service.clock.advance(60_000);
        mean(&agent, path, &meter, status).await
    };
    let (inbox_same, inbox_new) = (of("/inbox", 304).await, of("/inbox", 200).await);
    let (case_same, case_new) = (of(&case, 304).await, of(&case, 200).await);
    let month = dollars((inbox_same.0, inbox_new.0), (case_same.0, case_new.0));
    let counted = BTreeMap::from([
        ("requests to the table for 100 polls of the inbox, nothing new (304)", inbox_same.1 * 100.0),
        ("requests to the table for 100 polls of the inbox, new (200)", inbox_new.1 * 100.0),
        ("requests to the table for 100 polls of a conversation, nothing new (304)", case_same.1 * 100.0),
        ("requests to the table for 100 polls of a conversation, new (200)", case_new.1 * 100.0),
        ("read units of 100 polls of the inbox, nothing new (304)", inbox_same.0.reads * 100.0),
        ("read units of 100 polls of the inbox, new (200)", inbox_new.0.reads * 100.0),
        ("read units of 100 polls of a conversation, nothing new (304)", case_same.0.reads * 100.0),
        ("read units of 100 polls of a conversation, new (200)", case_new.0.reads * 100.0),
        ("cents a month of five agents who poll", month * 100.0),
    ]);
    println!("figure: polls: {counted:#?}, {:?}", [inbox_same, inbox_new, case_same, case_new]);
    assert!(month <= 5.0, "{month}");
    let documented = documented("## Polling");
    assert_eq!(documented.len(), counted.len(), "{documented:?}");
    let is_off = |(name, figure): &(&&str, &f64)| {
        let written = documented.get(**name).unwrap_or_else(|| panic!("docs/COST.md has no row {name}"));
        (written - **figure).abs() > 0.15 * **figure + 1.0
    };
    let off: BTreeMap<_, _> = counted.iter().filter(is_off).collect();
    assert!(off.is_empty(), "docs/COST.md is off; counted were {off:#?}");
}
