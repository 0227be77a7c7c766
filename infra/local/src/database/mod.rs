//! DynamoDB: the embedded twin on loopback, or a server elsewhere, behind the SDK that ships.

mod stream_records;
mod twin;

use aws_sdk_dynamodb::config::{BehaviorVersion, SharedHttpClient};
use shared::store::retry;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use stream_records::StreamRecords;
pub(crate) use twin::Twin;

use crate::data_dir::DataDir;
use crate::stream::Checkpoint;
use crate::{StartError, aws};

/// Puts something between the SDK and the wire, such as faults of a test.
pub type WrapHttpClient = Box<dyn FnOnce(SharedHttpClient) -> SharedHttpClient + Send>;

/// The database that is used.
#[derive(Debug)]
pub(crate) struct Database {
    url: String,
    twin: Option<Twin>,
    trimming: Option<JoinHandle<()>>,
}

impl Database {
    /// The one at `elsewhere`, or the embedded one, opened.
    pub(crate) fn open(data: &DataDir, elsewhere: Option<String>) -> Result<Self, StartError> {
        match elsewhere {
            Some(url) => Ok(Self { url, twin: None, trimming: None }),
            None => {
                let twin = Twin::start(&data.database())?;
                Ok(Self { url: twin.url().to_owned(), twin: Some(twin), trimming: None })
            }
        }
    }

    /// Where it answers.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Whether it is the embedded one.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.twin.is_some()
    }

    /// A client of it.
    pub(crate) fn client(&self, wrap: WrapHttpClient) -> aws_sdk_dynamodb::Client {
        let mut config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(aws::region())
            .credentials_provider(aws::credentials())
            .retry_config(retry())
            .endpoint_url(&self.url);
        config.set_http_client(aws::http_client(&self.url, Some(wrap)));
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// A client of its streams.
    pub(crate) fn stream_client(&self) -> aws_sdk_dynamodbstreams::Client {
        let mut config = aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(aws::region())
            .credentials_provider(aws::credentials())
            .endpoint_url(&self.url);
        config.set_http_client(aws::http_client(&self.url, None));
        aws_sdk_dynamodbstreams::Client::from_conf(config.build())
    }

    /// Makes the embedded one's stream quick to write, which needs its tables to be there.
    pub(crate) fn open_stream(&self, data: &DataDir) -> Result<Option<StreamRecords>, StartError> {
        self.twin.as_ref().map(|_| StreamRecords::open(&data.database())).transpose()
    }

    /// Begins to trim the embedded one's stream behind what is handled.
    pub(crate) fn keep_trimmed(&mut self, records: Option<StreamRecords>, kept: watch::Receiver<Checkpoint>) {
        self.trimming = records.map(|records| tokio::spawn(records.keep_trimmed(kept)));
    }

    /// Closes it: running calls end first.
    pub(crate) async fn close(self) {
        if let Some(task) = self.trimming {
            task.abort();
            task.await.ok();
        }
        // Its thread is waited for, which must not hold up the runtime's own.
        tokio::task::spawn_blocking(move || drop(self.twin)).await.ok();
    }
}
