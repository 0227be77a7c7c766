//! Opens a data folder for the command line.
//!
//! While a service runs, its database, queues and index are reached through the control socket. Otherwise this process
//! takes the lock of the service and opens the files itself; what follows from its writes happens at the next start of
//! the service.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aws::config::{DeskTokenKey, WidgetKeySet};
use aws::search::opensearch::OpenSearchIndex;
use domain::clock::Runtime;
use support::table::Store;

use crate::config::WrapHttpClient;
use crate::control::{ControlClient, ServiceInfo};
use crate::data_dir::DataDir;
use crate::database::Database;
use crate::opensearch::OpenSearchSubset;
use crate::queues::QueueServer;
use crate::resources::Resources;
use crate::workers::CreatedQueues;
use crate::{Options, StartError, config, keys, wiki_index};

/// How long to wait for a process that has the lock and no socket: a service that starts or stops, or another command.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(100);

/// An open data folder.
#[derive(Debug)]
pub struct DataFolder {
    resources: Resources,
    holder: Holder,
    /// Dropped last: it has the lock, if this process uses the folder.
    data: DataDir,
}

#[derive(Debug)]
enum Holder {
    /// A running service.
    Service(ControlClient),
    /// This process.
    Own(Database),
}

impl DataFolder {
    /// Opens the folder of a running service, or one that no process uses.
    ///
    /// # Errors
    /// There is no data folder, another process uses it and does not answer, or its files cannot be used.
    pub async fn attach(path: &Path) -> Result<Self, StartError> {
        if !path.join("format-version").exists() {
            return Err(StartError::NoData { path: path.to_owned() });
        }
        let mut waited = Duration::ZERO;
        loop {
            match DataDir::open(path) {
                Ok(data) => return Self::own(data).await,
                Err(StartError::DataInUse { path }) => {
                    let client = ControlClient::new(&path).map_err(failed)?;
                    if let Ok(info) = client.info().await {
                        return Self::of_service(DataDir::of_running(&path), client, info).await;
                    }
                    if waited >= CONNECT_TIMEOUT {
                        return Err(StartError::DataInUse { path });
                    }
                }
                Err(error) => return Err(error),
            }
            tokio::time::sleep(STEP).await;
            waited += STEP;
        }
    }

    /// The clients of the folder.
    #[must_use]
    pub const fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The signing keys of widget tokens.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn widget_keys(&self) -> domain::Result<WidgetKeySet> {
        keys::read_widget_keys(&self.data.widget_token_key())
    }

    /// Replaces the signing keys of widget tokens; a running service uses them when this returns.
    ///
    /// # Errors
    /// The file cannot be written, or the service does not answer.
    pub async fn put_widget_keys(&self, set: &WidgetKeySet) -> domain::Result<()> {
        keys::write_pairs(&self.data.widget_token_key(), &set.to_pairs())?;
        match &self.holder {
            Holder::Service(client) => client.reload_widget_keys().await,
            Holder::Own(_) => Ok(()),
        }
    }

    /// Replaces the signing key of desk tokens. A service that runs reads it when its own is old, or was ended.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put_desk_key(&self, key: &DeskTokenKey) -> domain::Result<()> {
        keys::write_pairs(&self.data.desk_token_key(), &key.to_pair())
    }

    /// Closes the files that this process opened, and releases the lock.
    pub async fn close(self) {
        if let Holder::Own(database) = self.holder {
            database.close().await;
        }
    }

    async fn own(data: DataDir) -> Result<Self, StartError> {
        data.check_format()?;
        let runtime = Runtime::system();
        let mut config = config::read(&data, None, None, &runtime)?;
        let queues = QueueServer::embedded();
        CreatedQueues::create(&queues, &Options::new(data.path(), 0).queue_prefix).await?.set_urls_in(&mut config);
        let database = Database::open(&data, None)?;
        let store = Store::new(database.client(None), &config.table_name, runtime.clone());
        store.create_table().await.map_err(failed)?;
        // The next start of the service makes its index from the table.
        let index = Arc::new(OpenSearchIndex::direct(Arc::new(OpenSearchSubset::default())));
        let resources = Resources::configured(&data, config, runtime, store, index, queues.client().clone());
        Ok(Self { resources: resources.await?, holder: Holder::Own(database), data })
    }

    async fn of_service(data: DataDir, client: ControlClient, info: ServiceInfo) -> Result<Self, StartError> {
        let runtime = Runtime::system();
        let mut config = config::read(&data, None, None, &runtime)?;
        config.table_name = info.table_name;
        config.webhook_queue_url = info.webhook_queue_url;
        config.ingest_queue_url = info.ingest_queue_url;
        config.embedding_queue_url = info.embedding_queue_url;
        config.outbound = info.outbound;
        config.desk_url = info.desk_url;
        config.desk_provider =
            info.desk_issuer.map(|(issuer, client_id)| config::desk_provider(issuer, client_id)).transpose()?;
        let over_socket = client.http_client();
        let wrap = info.dynamodb_url.is_none().then(|| -> WrapHttpClient { Box::new(|_| over_socket) });
        let url = info.dynamodb_url.unwrap_or_else(|| "http://dynamodb.invalid".into());
        let store = Store::new(Database::open(&data, Some(url))?.client(wrap), &config.table_name, runtime.clone());
        let queues = match &info.sqs_url {
            Some(url) => QueueServer::at(url).client().clone(),
            None => QueueServer::behind(client.http_client()).client().clone(),
        };
        let index = match &info.opensearch {
            Some((url, alias)) => wiki_index::remote(url, alias).map_err(failed)?,
            None => OpenSearchIndex::direct(Arc::new(client.clone())),
        };
        let resources = Resources::configured(&data, config, runtime, store, Arc::new(index), queues).await?;
        Ok(Self { resources, holder: Holder::Service(client), data })
    }
}

fn failed(source: domain::Error) -> StartError {
    StartError::while_doing("opening the data folder")(source)
}
