//! Effects of a change during failures: of the table at any call, of the index for minutes, of a record for good.

use domain::models::{EventKind, Scope, Subscription};
use serde_json::{Value, json};
use support::table::stream::Record;

use super::{collected, collector, kinds};
use crate::support::{Fault, Faults, IndexSwitch, Recorder, TestService};

async fn made(service: &TestService, receiver: &domain::models::WebhookId, path: &str) -> usize {
    let told = collected(service, receiver).await;
    told.iter().filter(|delivery| delivery.event.body.contains(&format!("\"path\":\"{path}\""))).count()
}

/// Three calls that fail in a row are one that the SDK gives up; one is a call that the SDK sends again.
const FAILURES: [(usize, Fault); 3] = [(3, Fault::BeforeSend), (3, Fault::LoseReply), (1, Fault::LoseReply)];

#[tokio::test]
async fn a_change_is_told_and_counted_once_whichever_call_of_what_follows_from_it_fails() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_worker_database = Some(Box::new(move |inner| wire.wrap(inner)))).await;
    let all = collector(&service, 1, Subscription::All).await;
    let customer = service.integration();
    service.drain().await;
    let mut sessions = 0;
    for (count, fault) in FAILURES {
        for call in 1.. {
            faults.arm(call, count, fault);
            customer.session().await;
            sessions += 1;
            service.drain().await;
            let calls = faults.disarm();
            assert_eq!(kinds(&service, &all).await[&EventKind::SessionCreated], sessions, "{fault:?} at call {call}");
            if calls < call {
                assert!(call > 3, "only {calls} calls were made");
                break;
            }
        }
    }
    let today = domain::models::Day::of(service.resources().runtime.now());
    let (store, scope) = (&service.resources().store, service.scope());
    let counted = store.statistics().list_days(&scope, today.plus(-1), today).await.unwrap();
    assert_eq!(counted, support::analytics::recount::recount(store, &scope, today.plus(-1), today).await.unwrap());
}

#[tokio::test]
async fn a_change_is_told_exactly_when_it_was_committed() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |inner| wire.wrap(inner)))).await;
    let all = collector(&service, 1, Subscription::All).await;
    let trainer = service.trainer();
    let (mut committed, mut lost) = (0, 0);
    for (round, (count, fault)) in FAILURES.into_iter().enumerate() {
        for call in 1.. {
            let path = format!("help/n{round}-{call}");
            faults.arm(call, count, fault);
            let entry = json!({"path": path, "title": "T", "content": "C"});
            trainer.post("/wiki", entry).await;
            let calls = faults.disarm();
            service.drain().await;
            let there = trainer.get(&format!("/wiki/{path}")).await.status == 200;
            assert_eq!(made(&service, &all, &path).await, usize::from(there), "{fault:?} at call {call}");
            *(if there { &mut committed } else { &mut lost }) += 1;
            if calls < call {
                break;
            }
        }
    }
    assert!(committed > 3 && lost > 1, "{committed} were committed, {lost} were not");
}

#[tokio::test]
async fn an_index_that_is_down_for_ten_minutes_holds_up_nothing_and_catches_up() {
    let index = IndexSwitch::default();
    let switch = index.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(switch)).await;
    let all = collector(&service, 1, Subscription::All).await;
    let (trainer, customer) = (service.trainer(), service.integration());
    trainer.wiki_entry("help/old", "Walrus", "About the walrus.").await;
    trainer.wiki_entry("help/gone", "Walrus", "About another walrus.").await;
    service.drain().await;

    index.off();
    trainer.wiki_entry("help/new", "Penguin", "About the penguin.").await;
    trainer.patch("/wiki/help/old", json!({"title": "Seal", "content": "About the seal."})).await.expect(200);
    trainer.delete("/wiki/help/gone").await.expect(204);
    service.drain().await;
    let told = kinds(&service, &all).await;
    let told = [EventKind::EntryCreated, EventKind::EntryUpdated, EventKind::EntryDeleted].map(|kind| told[&kind]);
    assert_eq!(told, [3, 1, 1], "receivers hear of it all the same");
    trainer.get("/wiki/help/new").await.expect(200);
    assert_eq!(trainer.get("/wiki").await.json["total"], 2);
    trainer.get("/wiki?q=penguin").await.expect_error(503, "SERVICE_UNAVAILABLE");
    let session = customer.session().await;
    let asked = customer.ask(&session, "What about the penguin?").await;
    assert_eq!(asked.expect(200)["disposition"], "escalated");
    service.clock.advance(10 * 60_000);
    assert_eq!(service.sweep().await.failed, 3, "it is down still");

    index.on();
    service.clock.advance(2 * 60_000);
    let swept = service.sweep().await;
    assert!(swept.items >= 3 && swept.failed == 0, "{swept:?}");
    for (query, total) in [("penguin", 1), ("seal", 1), ("walrus", 0)] {
        assert_eq!(trainer.get(&format!("/wiki?q={query}")).await.json["total"], total, "{query}");
    }
}

/// The record of an entry that is made.
fn entry_made(scope: &Scope, number: u32) -> Record {
    let path = format!("made/n{number}");
    let at = "2026-01-02T03:04:05.678Z";
    let text = |text: &str| json!({"S": text});
    let source = json!({"M": {"type": {"S": "manual"}}});
    let entry = json!({"M": {
        "path": text(&path), "version": {"N": "1"}, "title": text("T"), "content": text("C"), "visibility": text("public"),
        "tags": {"L": []},
        "createdAt": text(at), "updatedAt": text(at), "createdBy": text("k"), "updatedBy": text("k"), "source": source,
    }});
    let keys = json!({"pk": text(&format!("{}#{}#WIKI", scope.tenant, scope.mode)), "sk": text(&path)});
    let mut image = json!({
        "kind": text("entry"), "path": text(&path), "version": {"N": "1"}, "deleted": {"BOOL": false},
        "createToken": text("t"), "writeToken": text("t"), "entry": entry,
    });
    image.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    let record = json!({"eventId": format!("made-{number}"), "sequence": number.to_string(), "at": at, "keys": keys, "new": image});
    serde_json::from_value(record).unwrap()
}

fn dead_letters(service: &TestService) -> Vec<Value> {
    service.dead_letters("changes/2026-01-02")
}

#[tokio::test]
async fn a_poisoned_change_becomes_a_dead_letter_and_delays_no_other() {
    let service = TestService::start().await;
    let all = collector(&service, 1, Subscription::All).await;
    for poisoned in [vec![], vec![4], vec![0, 1, 9], (0..10).collect::<Vec<usize>>()] {
        let run = u32::try_from(poisoned.len() * 100).unwrap();
        let mut records: Vec<Record> = (run..run + 10).map(|number| entry_made(&service.scope(), number)).collect();
        for place in &poisoned {
            let image = records[*place].new.as_mut().unwrap().inner_mut();
            image.insert("version".into(), serde_json::from_value(json!({"S": "hunter2"})).unwrap());
        }
        let before = dead_letters(&service).len();
        for _ in 0..2 {
            assert_eq!(support::changes::handle(&service.changes().await, records.clone()).await, None);
        }
        let told = collected(&service, &all).await;
        let made = |number: u32| {
            told.iter().filter(|d| d.event.body.contains(&format!("\"path\":\"made/n{number}\""))).count()
        };
        for (place, number) in (run..run + 10).enumerate() {
            assert_eq!(made(number), usize::from(!poisoned.contains(&place)), "record {place} of {poisoned:?}");
        }
        let kept = dead_letters(&service);
        assert_eq!(kept.len() - before, poisoned.len());
        for place in &poisoned {
            let kept = kept.iter().find(|kept| kept["record"]["eventId"] == records[*place].event_id.as_str()).unwrap();
            assert_eq!(serde_json::from_value::<Record>(kept["record"].clone()).unwrap(), records[*place]);
            assert_eq!(kept["failures"][0]["consumer"], "reading");
        }
    }
}

#[tokio::test]
async fn a_batch_is_given_out_again_from_the_first_change_that_the_table_kept_from_being_handled() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |inner| wire.wrap(inner)))).await;
    let all = collector(&service, 1, Subscription::All).await;
    let records: Vec<Record> = (1..=5).map(|number| entry_made(&service.scope(), number)).collect();
    faults.arm(1, usize::MAX / 2, Fault::BeforeSend);
    assert_eq!(support::changes::handle(&service.changes().await, records.clone()).await.as_deref(), Some("1"));
    faults.disarm();
    assert_eq!(support::changes::handle(&service.changes().await, records).await, None);
    assert_eq!(kinds(&service, &all).await[&EventKind::EntryCreated], 5);
    assert!(dead_letters(&service).is_empty(), "what passes is no dead letter");
}

#[tokio::test]
async fn a_consumer_that_panics_gets_a_dead_letter_and_the_others_have_the_change() {
    let index = IndexSwitch::default();
    let switch = index.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(switch)).await;
    let all = collector(&service, 1, Subscription::All).await;
    let records: Vec<Record> = (0..3).map(|number| entry_made(&service.scope(), number)).collect();
    index.make_panic();
    assert_eq!(support::changes::handle(&service.changes().await, records).await, None);
    assert_eq!(kinds(&service, &all).await[&EventKind::EntryCreated], 3);
    let kept = dead_letters(&service);
    assert_eq!(kept.len(), 3, "{kept:?}");
    for kept in kept {
        assert_eq!(
            (kept["failures"].as_array().unwrap().len(), &kept["failures"][0]["consumer"]),
            (1, &json!("index"))
        );
    }
}

/// A change that ends the process at a gap has passed all other consumers, so it holds up gaps alone at every attempt.
#[tokio::test]
async fn gaps_are_begun_when_every_other_consumer_is_done() {
    let wire = Recorder::default();
    let wrapped = wire.clone();
    let service = TestService::with(|options| {
        options.wrap_changes = Some(Box::new(|_| std::sync::Arc::new(|_| Box::pin(async { None }))));
        options.wrap_database = Some(Box::new(move |inner| wrapped.wrap(inner)));
    })
    .await;
    for number in 1..=5 {
        collector(&service, number, Subscription::All).await;
    }
    let session = service.integration().session().await;
    service.integration().ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    let records = service.stream_records().await;
    let unanswered =
        |record: &&Record| record.kind() == "turn" && serde_json::to_string(record).unwrap().contains("no_answer");
    let unanswered = records.iter().find(unanswered).unwrap().clone();
    wire.take();
    assert_eq!(support::changes::handle(&service.changes().await, vec![unanswered]).await, None);
    let told = wire.take();
    let lines: Vec<&str> = told.lines().collect();
    let first = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part}"));
    let last = |part: &str| lines.iter().rposition(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part}"));
    let gaps = first("#GAP\"");
    assert!(last("#DLV#") < gaps && last("#STATS#") < gaps, "a gap is begun before its change was told and counted");
}
