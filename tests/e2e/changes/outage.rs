//! A queue that is down for longer than Lambda tries a batch of the table's stream: the sweeper replays what Lambda gave
//! up on, and what ends its process each time becomes a dead letter.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use aws::changes_function::StreamHandler;
use domain::models::{EventKind, Subscription};
use local::WrapChanges;
use serde_json::{Value, json};
use support::edge::App;
use support::table::stream::Record;

use super::{collected, collector, kinds};
use crate::support::{Fault, Faults, TestService};
use crate::template::document::functions;

const MINUTE_MS: i64 = 60_000;
/// More than the function handles at once, so that a batch that fails has records that were not started.
const SESSIONS: usize = 40;
const DOWN_MINUTES: i64 = 30;

/// The function that handles changes. It ends at the record of one session, after those before it.
#[derive(Debug)]
pub(crate) struct CrashingFunction {
    pub(crate) state: App,
    pub(crate) killer: String,
}

#[async_trait]
impl StreamHandler for CrashingFunction {
    async fn handle(&self, records: &[Value]) -> domain::Result<Option<String>> {
        let killer = records.iter().position(|record| record.to_string().contains(&self.killer));
        let before = records[..killer.unwrap_or(records.len())].iter().cloned();
        let failed =
            support::changes::handle(&self.state, before.map(|raw| Record::of_lambda(raw).unwrap()).collect()).await;
        match killer {
            Some(_) => Err(domain::Error::unavailable("the function ended with an error")),
            None => Ok(failed),
        }
    }
}

/// A record as it is in Lambda's event.
pub(crate) fn of_event(record: &Record) -> Value {
    let seconds = record.at.as_millis() / 1_000;
    let mut change = json!({
        "ApproximateCreationDateTime": seconds, "Keys": record.keys, "SequenceNumber": record.sequence,
        "NewImage": record.new,
    });
    if let Some(old) = &record.old {
        change["OldImage"] = json!(old);
    }
    json!({"eventID": record.event_id, "eventName": "MODIFY", "dynamodb": change})
}

/// Passes a batch to the function as the event source of template.yaml does; returns the batches that Lambda gave up on.
async fn deliver_as_lambda(service: &TestService, function: &CrashingFunction, batch: Vec<Value>) -> Vec<Vec<Value>> {
    let changes = &functions()["changes"].properties["Events"]["Changes"]["Properties"];
    assert_eq!(changes["BisectBatchOnFunctionError"], true);
    let retries = changes["MaximumRetryAttempts"].as_u64().unwrap();
    let (mut batches, mut given_up) = (VecDeque::from([(batch, 0)]), Vec::new());
    while let Some((mut batch, tries)) = batches.pop_front() {
        match function.handle(&batch).await {
            Ok(None) => {}
            Err(_) if batch.len() > 1 => {
                let second = batch.split_off(batch.len() / 2);
                batches.extend([(batch, tries), (second, tries)]);
            }
            _ if tries == retries => given_up.push(batch),
            failed => {
                service.clock.advance(MINUTE_MS);
                if let Ok(Some(sequence)) = failed {
                    batch.drain(..batch.iter().position(|r| r["dynamodb"]["SequenceNumber"] == sequence).unwrap());
                }
                batches.push_back((batch, tries + 1));
            }
        }
    }
    given_up
}

/// Writes a batch to the dead letters as Lambda does.
fn keep_as_lambda(service: &TestService, number: usize, batch: &[Value]) {
    let folder = service.data().join("dead-letters/aws/lambda/5e1c/shardId-00000001/2026/01/02");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("2026-01-02T03.04.05-{number}")), batch_of_lambda(batch)).unwrap();
}

/// A batch that Lambda gave up on, as it writes it.
pub(crate) fn batch_of_lambda(batch: &[Value]) -> String {
    let letter = json!({
        "requestContext": {"condition": "RetryAttemptsExhausted", "approximateInvokeCount": 11}, "version": "1.0",
        "DDBStreamBatchInfo": {"batchSize": batch.len()}, "payload": json!({"Records": batch}).to_string(),
    });
    letter.to_string()
}

/// Nothing follows from a change by itself.
fn no_consumers() -> WrapChanges {
    Box::new(|_| Arc::new(|_| Box::pin(async { None })))
}

#[tokio::test]
async fn changes_of_a_queue_outage_of_30_minutes_are_all_handled_and_one_that_ends_its_process_is_a_dead_letter() {
    let queue = Faults::default();
    let wire = queue.clone();
    let service = TestService::with(|options| {
        options.wrap_changes = Some(no_consumers());
        options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)));
    })
    .await;
    let (service, receiver, _) = service.and_receiver().await;
    let all = collector(&service, 1, Subscription::All).await;
    for _ in 0..SESSIONS {
        service.integration().session().await;
    }
    let killer = service.integration().session().await;
    let records = service.stream_records().await;
    let batch: Vec<Value> = records.iter().filter(|record| record.kind() == "session").map(of_event).collect();
    assert_eq!(batch.len(), SESSIONS + 1);

    let start = service.resources().runtime.now();
    queue.arm(1, usize::MAX / 2, Fault::BeforeSend);
    let function = Arc::new(CrashingFunction { state: service.changes().await, killer: killer.clone() });
    let given_up = deliver_as_lambda(&service, &function, batch).await;
    assert!(!given_up.is_empty(), "the outage was no outage");
    given_up.iter().enumerate().for_each(|(number, batch)| keep_as_lambda(&service, number, batch));
    let told = kinds(&service, &all).await.get(&EventKind::SessionCreated).copied().unwrap_or_default();
    assert!(told < SESSIONS, "Lambda handled everything");

    let sweeper = service.sweeper().await.with_changes_function(function);
    let minutes = || service.resources().runtime.now().millis_since(start) / MINUTE_MS;
    while minutes() < 4 * 60 {
        if minutes() >= DOWN_MINUTES {
            queue.disarm();
        }
        support::sweeper::sweep(&sweeper).await.unwrap();
        service.clock.advance(5 * MINUTE_MS);
    }
    service.drain().await;
    assert_eq!(kinds(&service, &all).await[&EventKind::SessionCreated], SESSIONS);
    assert!(!collected(&service, &all).await.iter().any(|delivery| delivery.event.body.contains(&killer)));
    let received: BTreeSet<String> = receiver.caught().iter().map(|caught| caught.id().to_owned()).collect();
    assert_eq!(received.len(), SESSIONS, "a delivery was lost");

    let kept = service.dead_letters("changes");
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(kept[0]["record"].to_string().contains(&killer));
    assert_eq!(kept[0]["failures"][0]["consumer"], "replay");
    for folder in ["aws", "replay", "unreadable"] {
        assert!(service.dead_letters(folder).is_empty(), "{folder} is not empty");
    }
}

/// A function that fails each time, and counts.
#[derive(Debug, Default)]
struct FailingFunction(AtomicUsize);

#[async_trait]
impl StreamHandler for FailingFunction {
    async fn handle(&self, _: &[Value]) -> domain::Result<Option<String>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err(domain::Error::unavailable("the function ended with an error"))
    }
}

#[tokio::test]
async fn a_failed_batch_is_replayed_after_20_minutes_and_after_another_hour() {
    let service = TestService::with(|options| options.wrap_changes = Some(no_consumers())).await;
    service.integration().session().await;
    let records = service.stream_records().await;
    let record = records.iter().find(|record| record.kind() == "session").map(of_event).unwrap();
    keep_as_lambda(&service, 1, &[record]);
    let function = Arc::new(FailingFunction::default());
    let sweeper = service.sweeper().await.with_changes_function(function.clone());
    let mut tried_at = Vec::new();
    for minutes in (0..=90).step_by(5) {
        support::sweeper::sweep(&sweeper).await.unwrap();
        let tries = function.0.load(Ordering::SeqCst);
        tried_at.extend((tried_at.len()..tries).map(|_| minutes));
        service.clock.advance(5 * MINUTE_MS);
    }
    assert_eq!(tried_at, [0, 20, 80]);
    assert_eq!(service.dead_letters("changes").len(), 1);
}

#[tokio::test]
async fn a_batch_that_does_not_parse_is_kept_apart_and_delays_no_other() {
    let service = TestService::with(|options| options.wrap_changes = Some(no_consumers())).await;
    service.integration().session().await;
    let records = service.stream_records().await;
    let batch: Vec<Value> = records.iter().filter(|record| record.kind() == "session").map(of_event).collect();
    keep_as_lambda(&service, 1, &batch);
    let broken = service.data().join("dead-letters/aws/lambda/5e1c/broken");
    std::fs::write(broken, json!({"payload": 7}).to_string()).unwrap();
    let function = Arc::new(CrashingFunction { state: service.changes().await, killer: "nothing".into() });
    let sweeper = service.sweeper().await.with_changes_function(function);
    support::sweeper::sweep(&sweeper).await.unwrap();
    assert_eq!(service.dead_letters("unreadable"), [json!({"payload": 7})]);
    assert!(service.dead_letters("aws").is_empty() && service.dead_letters("replay").is_empty());
}
