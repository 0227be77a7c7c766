//! DynamoDB: the embedded one, or another server, behind the shipped SDK.
//!
//! The embedded one is called inside the process and is not on the network; `crate::endpoint` opens it on request. It checks
//! no signature, so the SDK makes none, and finds its endpoint without the rules of AWS's.

mod embedded;
mod operations;
mod stream_records;

use aws_config::SdkConfig;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_dynamodb::config::{BehaviorVersion, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::endpoint::{
    EndpointFuture, EndpointResolverParams, ResolveEndpoint, SharedEndpointResolver,
};
use aws_smithy_types::endpoint::Endpoint;
pub(crate) use embedded::{CONTENT_TYPE, EmbeddedClient, EmbeddedDatabase};
use stream_records::StreamRecords;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::StartError;
use crate::config::{self, WrapHttpClient};
use crate::data_dir::DataDir;
use crate::stream::Checkpoint;

/// The database of the service.
#[derive(Debug)]
pub(crate) struct Database {
    backend: Backend,
    trim_task: Option<JoinHandle<()>>,
}

/// Where the database is.
#[derive(Debug)]
enum Backend {
    Embedded(EmbeddedDatabase),
    Remote(String),
}

impl Backend {
    /// The common configuration of the clients of tables and of streams.
    fn settings(&self, wrap: Option<WrapHttpClient>) -> SdkConfig {
        let common = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(config::region())
            .retry_config(aws::retry());
        match self {
            Self::Remote(url) => {
                let credentials = SharedCredentialsProvider::new(config::credentials());
                common.http_client(config::http_client(url, wrap)).credentials_provider(credentials).endpoint_url(url)
            }
            Self::Embedded(database) => common
                .http_client(config::wrapped(database.client.http_client(), wrap))
                .stalled_stream_protection(StalledStreamProtectionConfig::disabled()),
        }
        .build()
    }
}

impl Database {
    /// Opens the embedded database, or uses the one at `remote_url`.
    pub(crate) fn open(data: &DataDir, remote_url: Option<String>) -> Result<Self, StartError> {
        let backend = match remote_url {
            Some(url) => Backend::Remote(url),
            None => Backend::Embedded(EmbeddedDatabase::start(&data.database())?),
        };
        Ok(Self { backend, trim_task: None })
    }

    /// The client of the embedded database; none for another server.
    pub(crate) fn embedded_client(&self) -> Option<EmbeddedClient> {
        match &self.backend {
            Backend::Embedded(database) => Some(database.client.clone()),
            Backend::Remote(_) => None,
        }
    }

    /// Whether the database is embedded.
    pub(crate) const fn is_embedded(&self) -> bool {
        matches!(self.backend, Backend::Embedded(_))
    }

    /// A DynamoDB client; `wrap` wraps its HTTP client.
    pub(crate) fn client(&self, wrap: Option<WrapHttpClient>) -> aws_sdk_dynamodb::Client {
        let mut config = aws_sdk_dynamodb::config::Builder::from(&self.backend.settings(wrap));
        if self.is_embedded() {
            config = config.allow_no_auth();
            config.set_endpoint_resolver(Some(FixedEndpoint::shared(embedded::ENDPOINT)));
        }
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// A DynamoDB Streams client.
    pub(crate) fn stream_client(&self) -> aws_sdk_dynamodbstreams::Client {
        let mut config = aws_sdk_dynamodbstreams::config::Builder::from(&self.backend.settings(None));
        if self.is_embedded() {
            config = config.allow_no_auth();
            config.set_endpoint_resolver(Some(FixedEndpoint::shared(embedded::ENDPOINT)));
        }
        aws_sdk_dynamodbstreams::Client::from_conf(config.build())
    }

    /// Adds the indexes of the embedded stream; the table must exist.
    pub(crate) fn open_stream(&self, data: &DataDir) -> Result<Option<StreamRecords>, StartError> {
        self.is_embedded().then(|| StreamRecords::open(&data.database())).transpose()
    }

    /// Starts to trim the embedded stream up to the checkpoint.
    pub(crate) fn trim_periodically(
        &mut self,
        records: Option<StreamRecords>,
        checkpoint: watch::Receiver<Checkpoint>,
    ) {
        self.trim_task = records.map(|records| tokio::spawn(records.trim_periodically(checkpoint)));
    }

    /// Closes the database; running calls finish first.
    pub(crate) async fn close(self) {
        if let Some(task) = self.trim_task {
            task.abort();
            task.await.ok();
        }
        // Joining the thread would block the runtime.
        tokio::task::spawn_blocking(move || drop(self.backend)).await.ok();
    }
}

/// Gives every call the same endpoint.
#[derive(Debug)]
struct FixedEndpoint(Endpoint);

impl FixedEndpoint {
    /// The resolver of `url`.
    fn shared(url: &str) -> SharedEndpointResolver {
        SharedEndpointResolver::new(Self(Endpoint::builder().url(url.to_owned()).build()))
    }
}

impl ResolveEndpoint for FixedEndpoint {
    fn resolve_endpoint<'a>(&'a self, _: &'a EndpointResolverParams) -> EndpointFuture<'a> {
        EndpointFuture::ready(Ok(self.0.clone()))
    }
}
