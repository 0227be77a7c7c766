//! The reader over the embedded database: order, retries, poison, crashes.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use aws::dead_letters::DeadLetters;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::clock::Runtime;
use support::table::Store;
use support::table::stream::Record;

use super::*;
use crate::data_dir::DataDir;
use crate::database::Database;

/// Longer than anything here takes.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);

struct Table {
    dir: tempfile::TempDir,
    _data: DataDir,
    database: Database,
    client: aws_sdk_dynamodb::Client,
    notifier: WriteNotifier,
}

impl Table {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::open(&dir.path().join("data")).unwrap();
        let database = Database::open(&data, None).unwrap();
        let notifier = WriteNotifier::default();
        let write_notifier = notifier.clone();
        let client = database.client(Some(Box::new(move |http| write_notifier.wrap(http))));
        Store::new(client.clone(), "table", Runtime::system()).create_table().await.unwrap();
        Self { dir, _data: data, database, client, notifier }
    }

    /// Writes `value` to the item `name` of a kind that is followed.
    async fn write(&self, name: &str, value: usize) {
        self.write_as("entry", name, value).await;
    }

    async fn write_as(&self, kind: &str, name: &str, value: usize) {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let item = [("pk", text("p")), ("sk", text(name)), ("kind", text(kind))];
        let item = item.into_iter().chain([("value", AttributeValue::N(value.to_string()))]);
        let item = item.map(|(name, value)| (name.to_owned(), value)).collect();
        self.client.put_item().table_name("table").set_item(Some(item)).send().await.unwrap();
    }

    fn dead_letters(&self) -> std::path::PathBuf {
        self.dir.path().join("dead-letters")
    }

    async fn poller(&self, handle: impl Fn(Vec<Record>) -> Option<String> + Send + Sync + 'static) -> StreamPoller {
        let handle = Arc::new(handle);
        self.poller_with(Arc::new(move |records| {
            let handle = Arc::clone(&handle);
            Box::pin(async move { handle(records) })
        }))
        .await
    }

    async fn poller_with(&self, handle: HandleRecords) -> StreamPoller {
        let source = TableStream::find(self.database.stream_client(), "table", 0).await.unwrap();
        let letters = DeadLetters::Folder(self.dead_letters());
        let write_dead_letter: WriteDeadLetter = Arc::new(move |record, _, _| {
            let letters = letters.clone();
            Box::pin(async move {
                let name = format!("stream/{}.json", record.event_id);
                letters.put(&name, serde_json::to_vec(&record).unwrap()).await
            })
        });
        let worker = Worker { handle, write_dead_letter };
        let settings = Settings {
            checkpoint: self.dir.path().join("checkpoint"),
            // Nothing here ever waits for it: writes wake the reader.
            period: Duration::from_secs(3_600),
            backoff: (Duration::from_millis(1), Duration::from_millis(2)),
        };
        StreamPoller::start(source, worker, self.notifier.clone(), settings)
    }
}

async fn wait_until_idle(poller: &StreamPoller) {
    tokio::time::timeout(TEST_TIMEOUT, poller.wait_until_idle()).await.expect("the stream does not come to rest");
}

/// The values that were handled, by item.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<HashMap<String, Vec<usize>>>>);

fn name_and_value(record: &Record) -> (String, usize) {
    let image: HashMap<String, AttributeValue> = record.new.clone().unwrap().into();
    (image["sk"].as_s().unwrap().clone(), image["value"].as_n().unwrap().parse().unwrap())
}

impl Seen {
    fn record(&self, records: &[Record]) {
        for (name, value) in records.iter().map(name_and_value) {
            self.0.lock().unwrap().entry(name).or_default().push(value);
        }
    }

    fn of(&self, name: &str) -> Vec<usize> {
        self.0.lock().unwrap().get(name).cloned().unwrap_or_default()
    }
}

#[tokio::test]
async fn every_change_comes_once_and_in_the_order_of_its_item() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    table.write("before", 1).await;
    let poller = table
        .poller(move |records| {
            recorder.record(&records);
            None
        })
        .await;
    for value in 0..60 {
        table.write(&format!("item-{}", value % 7), value).await;
    }
    wait_until_idle(&poller).await;
    assert_eq!(seen.of("before"), [1]);
    for item in 0..7 {
        let expected: Vec<usize> = (0..60).filter(|value| value % 7 == item).collect();
        assert_eq!(seen.of(&format!("item-{item}")), expected);
    }
    poller.stop(TEST_TIMEOUT).await;
}

#[tokio::test]
async fn a_write_wakes_the_reader() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    let poller = table
        .poller(move |records| {
            recorder.record(&records);
            None
        })
        .await;
    for value in 0..5 {
        table.write("one", value).await;
        let waited = async {
            while seen.of("one").len() <= value {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(TEST_TIMEOUT, waited).await.expect("nobody was woken");
    }
    poller.stop(TEST_TIMEOUT).await;
}

#[tokio::test]
async fn a_record_of_a_marker_is_passed_over() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    let poller = table
        .poller(move |records| {
            recorder.record(&records);
            None
        })
        .await;
    table.write_as("marker", "m", 1).await;
    table.write("e", 2).await;
    table.write_as("marker", "m", 3).await;
    wait_until_idle(&poller).await;
    assert_eq!((seen.of("m"), seen.of("e")), (vec![], vec![2]));
    poller.stop(TEST_TIMEOUT).await;
    assert!(seen.of("m").is_empty());
}

#[tokio::test]
async fn a_failed_record_is_tried_again_before_later_records() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    let failures = Mutex::new(3);
    let poller = table
        .poller(move |records| {
            let place = records.iter().position(|record| name_and_value(record).1 == 5);
            let mut failures = failures.lock().unwrap();
            match place.filter(|_| *failures > 0) {
                Some(place) => {
                    *failures -= 1;
                    recorder.record(&records[..place]);
                    Some(records[place].sequence.clone())
                }
                None => {
                    recorder.record(&records);
                    None
                }
            }
        })
        .await;
    for value in 0..10 {
        table.write("one", value).await;
    }
    wait_until_idle(&poller).await;
    assert_eq!(seen.of("one"), (0..10).collect::<Vec<_>>());
    poller.stop(TEST_TIMEOUT).await;
}

#[tokio::test]
async fn a_change_that_always_fails_becomes_a_dead_letter_and_loses_no_other() {
    for panics in [false, true] {
        let table = Table::new().await;
        let seen = Seen::default();
        let recorder = seen.clone();
        for value in 0..20 {
            table.write("one", value).await;
        }
        let poller = table
            .poller(move |records| {
                if records.iter().any(|record| name_and_value(record).1 == 7) {
                    assert!(!panics, "poison");
                    return Some(String::new());
                }
                recorder.record(&records);
                None
            })
            .await;
        wait_until_idle(&poller).await;
        let expected: Vec<usize> = (0..20).filter(|value| *value != 7).collect();
        assert_eq!(seen.of("one"), expected, "panics: {panics}");
        let letters: Vec<_> = std::fs::read_dir(table.dead_letters().join("stream")).unwrap().collect();
        assert_eq!(letters.len(), 1);
        let saved = std::fs::read(letters[0].as_ref().unwrap().path()).unwrap();
        assert_eq!(name_and_value(&serde_json::from_slice(&saved).unwrap()).1, 7);
        poller.stop(TEST_TIMEOUT).await;
    }
}

#[tokio::test]
async fn one_item_that_fails_holds_up_no_item_of_another_partition() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    let broken = Arc::new(AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let poller = table
        .poller(move |records| {
            let stuck = records.iter().find(|record| name_and_value(record).0 == "stuck");
            if let Some(stuck) = stuck.filter(|_| is_broken.load(Ordering::SeqCst)) {
                return Some(stuck.sequence.clone());
            }
            recorder.record(&records);
            None
        })
        .await;
    table.write("stuck", 0).await;
    let free = || (0..40).filter(|item| !seen.of(&format!("item-{item}")).is_empty()).count();
    for item in 0..40 {
        table.write(&format!("item-{item}"), 1).await;
    }
    let waited = async {
        while free() < 30 {
            tokio::task::yield_now().await
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, waited).await.expect("the others wait");
    broken.store(false, Ordering::SeqCst);
    wait_until_idle(&poller).await;
    assert_eq!(free(), 40);
    poller.stop(TEST_TIMEOUT).await;
}

#[tokio::test]
async fn after_a_crash_whatever_was_not_handled_comes_again() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    // It never comes to an end with a value of 10 or more: the process dies under it.
    let first = table
        .poller_with(Arc::new(move |records: Vec<Record>| {
            let recorder = recorder.clone();
            Box::pin(async move {
                if records.iter().any(|record| name_and_value(record).1 >= 10) {
                    std::future::pending::<()>().await;
                }
                recorder.record(&records);
                None
            })
        }))
        .await;
    for value in 0..10 {
        table.write(&format!("item-{value}"), value).await;
    }
    wait_until_idle(&first).await;
    for value in 10..20 {
        table.write(&format!("item-{value}"), value).await;
    }
    drop(first);
    let recorder = seen.clone();
    let second = table
        .poller(move |records| {
            recorder.record(&records);
            None
        })
        .await;
    wait_until_idle(&second).await;
    for value in 0..20 {
        assert!(seen.of(&format!("item-{value}")).contains(&value), "{value} was lost");
    }
    second.stop(TEST_TIMEOUT).await;

    let changed = Seen::default();
    let again = changed.clone();
    let third = table
        .poller(move |records| {
            again.record(&records);
            None
        })
        .await;
    wait_until_idle(&third).await;
    assert!(changed.0.lock().unwrap().is_empty(), "what was handled before a stop comes again");
    third.stop(TEST_TIMEOUT).await;
}

#[tokio::test]
async fn a_stop_lets_a_running_batch_end_and_begins_no_other() {
    let table = Table::new().await;
    let seen = Seen::default();
    let recorder = seen.clone();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let begun = Mutex::new(Some(begun));
    let (go, gone) = watch::channel(false);
    let poller = table
        .poller_with(Arc::new(move |records: Vec<Record>| {
            let recorder = recorder.clone();
            let mut gone = gone.clone();
            let begun = begun.lock().unwrap().take();
            Box::pin(async move {
                if let Some(begun) = begun {
                    begun.send(()).unwrap();
                }
                gone.wait_for(|go| *go).await.unwrap();
                recorder.record(&records);
                None
            })
        }))
        .await;
    table.write("one", 1).await;
    tokio::time::timeout(TEST_TIMEOUT, begins).await.unwrap().unwrap();
    table.write("one", 2).await;
    let stopping = tokio::spawn(poller.stop(TEST_TIMEOUT));
    tokio::task::yield_now().await;
    go.send_replace(true);
    tokio::time::timeout(TEST_TIMEOUT, stopping).await.unwrap().unwrap();
    assert_eq!(seen.of("one"), [1]);
}
