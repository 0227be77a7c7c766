//! A table with a stream, pollers over it, and what they handled.

use std::collections::HashMap;
use std::sync::Mutex;

use aws::dead_letters::DeadLetters;
use aws::store::Store;
use aws::stream::Record;
use aws_sdk_dynamodb::types::AttributeValue;
use domain::clock::Runtime;

use super::super::*;
use crate::data_dir::DataDir;
use crate::database::Database;

/// Longer than anything here takes.
pub(super) const TEST_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) struct Table {
    dir: tempfile::TempDir,
    _data: DataDir,
    database: Database,
    client: aws_sdk_dynamodb::Client,
    notifier: WriteNotifier,
}

impl Table {
    pub(super) async fn new() -> Self {
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
    pub(super) async fn write(&self, name: &str, value: usize) {
        self.write_as("entry", name, value).await;
    }

    pub(super) async fn write_as(&self, kind: &str, name: &str, value: usize) {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let item = [("pk", text("p")), ("sk", text(name)), ("kind", text(kind))];
        let item = item.into_iter().chain([("value", AttributeValue::N(value.to_string()))]);
        let item = item.map(|(name, value)| (name.to_owned(), value)).collect();
        self.client.put_item().table_name("table").set_item(Some(item)).send().await.unwrap();
    }

    pub(super) fn dead_letters(&self) -> std::path::PathBuf {
        self.dir.path().join("dead-letters")
    }

    pub(super) async fn poller(
        &self,
        handle: impl Fn(Vec<Record>) -> Option<String> + Send + Sync + 'static,
    ) -> StreamPoller {
        let handle = Arc::new(handle);
        self.poller_with(Arc::new(move |records| {
            let handle = Arc::clone(&handle);
            Box::pin(async move { handle(records) })
        }))
        .await
    }

    pub(super) async fn poller_with(&self, handle: HandleRecords) -> StreamPoller {
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

pub(super) async fn wait_until_idle(poller: &StreamPoller) {
    tokio::time::timeout(TEST_TIMEOUT, poller.wait_until_idle()).await.expect("the stream does not come to rest");
}

/// The values that were handled, by item.
#[derive(Clone, Default)]
pub(super) struct Seen(pub(super) Arc<Mutex<HashMap<String, Vec<usize>>>>);

pub(super) fn name_and_value(record: &Record) -> (String, usize) {
    let image: HashMap<String, AttributeValue> = record.new.clone().unwrap().into();
    (image["sk"].as_s().unwrap().clone(), image["value"].as_n().unwrap().parse().unwrap())
}

impl Seen {
    pub(super) fn record(&self, records: &[Record]) {
        for (name, value) in records.iter().map(name_and_value) {
            self.0.lock().unwrap().entry(name).or_default().push(value);
        }
    }

    pub(super) fn of(&self, name: &str) -> Vec<usize> {
        self.0.lock().unwrap().get(name).cloned().unwrap_or_default()
    }
}
