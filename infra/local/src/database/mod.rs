//! DynamoDB: the embedded one, or another server, behind the shipped SDK.
//!
//! The embedded one is called inside the process and is not on the network. [`DatabaseEndpoint`] opens it on loopback
//! on request.

mod embedded;
mod endpoint;
mod operations;
mod stream_records;

use aws::store::retry;
use aws_sdk_dynamodb::config::{BehaviorVersion, SharedHttpClient};
use domain::clock::Ambient;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub(crate) use embedded::EmbeddedDatabase;
use endpoint::DatabaseEndpoint;
use stream_records::StreamRecords;

use crate::data_dir::DataDir;
use crate::sdk::WrapHttpClient;
use crate::stream::Checkpoint;
use crate::{StartError, sdk};

/// The database that is used.
#[derive(Debug)]
pub(crate) struct Database {
    backend: Backend,
    endpoint: Option<DatabaseEndpoint>,
    trim_task: Option<JoinHandle<()>>,
}

/// Where it is.
#[derive(Debug)]
enum Backend {
    Embedded(EmbeddedDatabase),
    Remote(String),
}

impl Backend {
    /// The address that the SDK is given, and its way there; the SDK's own where there is none.
    fn endpoint(&self, wrap: Option<WrapHttpClient>) -> (&str, Option<SharedHttpClient>) {
        match self {
            Self::Remote(url) => (url, sdk::http_client(url, wrap)),
            Self::Embedded(database) => {
                let http = database.client().http_client();
                (embedded::ENDPOINT, Some(wrap.map_or_else(|| http.clone(), |wrap| wrap(http.clone()))))
            }
        }
    }
}

impl Database {
    /// The one at `remote_url`, or the embedded one, opened.
    pub(crate) fn open(data: &DataDir, remote_url: Option<String>) -> Result<Self, StartError> {
        let backend = match remote_url {
            Some(url) => Backend::Remote(url),
            None => Backend::Embedded(EmbeddedDatabase::start(&data.database())?),
        };
        Ok(Self { backend, endpoint: None, trim_task: None })
    }

    /// Opens the embedded database on `port` of 127.0.0.1 for other processes with the secret, which is in the data
    /// folder with the name of `table`.
    pub(crate) async fn open_endpoint(
        &mut self,
        port: u16,
        data: &DataDir,
        table: &str,
        ambient: &Ambient,
    ) -> Result<(), StartError> {
        if let Backend::Embedded(database) = &self.backend {
            self.endpoint = Some(
                DatabaseEndpoint::open(database.client().clone(), port, table, data.dynamodb_env(), ambient).await?,
            );
        }
        Ok(())
    }

    /// Where other processes reach the embedded one, if it is open to them.
    pub(crate) fn endpoint_url(&self) -> Option<&str> {
        self.endpoint.as_ref().map(DatabaseEndpoint::url)
    }

    /// Whether it is the embedded one.
    pub(crate) const fn is_embedded(&self) -> bool {
        matches!(self.backend, Backend::Embedded(_))
    }

    /// A client of it, with something between the SDK and the wire.
    pub(crate) fn client(&self, wrap: Option<WrapHttpClient>) -> aws_sdk_dynamodb::Client {
        let (endpoint, http) = self.backend.endpoint(wrap);
        let mut config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(sdk::region())
            .credentials_provider(sdk::credentials())
            .retry_config(retry())
            .endpoint_url(endpoint);
        config.set_http_client(http);
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// A client of its streams.
    pub(crate) fn stream_client(&self) -> aws_sdk_dynamodbstreams::Client {
        let (endpoint, http) = self.backend.endpoint(None);
        let mut config = aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(sdk::region())
            .credentials_provider(sdk::credentials())
            .endpoint_url(endpoint);
        config.set_http_client(http);
        aws_sdk_dynamodbstreams::Client::from_conf(config.build())
    }

    /// Makes the embedded one's stream quick to write, which needs its tables to be there.
    pub(crate) fn open_stream(&self, data: &DataDir) -> Result<Option<StreamRecords>, StartError> {
        self.is_embedded().then(|| StreamRecords::open(&data.database())).transpose()
    }

    /// Begins to trim the embedded one's stream behind what is handled.
    pub(crate) fn trim_periodically(
        &mut self,
        records: Option<StreamRecords>,
        checkpoint: watch::Receiver<Checkpoint>,
    ) {
        self.trim_task = records.map(|records| tokio::spawn(records.trim_periodically(checkpoint)));
    }

    /// Closes it: running calls end first.
    pub(crate) async fn close(self) {
        if let Some(task) = self.trim_task {
            task.abort();
            task.await.ok();
        }
        if let Some(endpoint) = self.endpoint {
            endpoint.close().await;
        }
        // Its thread is waited for, which must not hold up the runtime's own.
        tokio::task::spawn_blocking(move || drop(self.backend)).await.ok();
    }
}
