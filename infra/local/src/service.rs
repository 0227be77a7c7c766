//! The service in one process: database, index, functions and HTTP server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use analytics::Analytics;
use auth::Auth;
use aws::config::Config;
use aws::dead_letters::DeadLetters;
use aws::store::Store;
use aws::stream::Record;
use axum::Router;
use domain::Result;
use domain::clock::{Runtime, SystemRng};
use domain::models::Plan;
use edge::{Edge, Routes};
use health::Health;
use inbox::Inbox;
use ingest::Ingest;
use outbound::{Outbound, OutboundSettings};
use sessions::Sessions;
use tokio::net::TcpListener;
use webhooks::Webhooks;
use wiki::Wiki;

use crate::aws_calls::AwsCalls;
use crate::configured::{cipher, embedder, model, widget_keys};
use crate::control::{ControlServer, ControlState, ServiceInfo};
use crate::data_dir::DataDir;
use crate::database::Database;
use crate::demo::{self, DemoKeys};
use crate::endpoint::Endpoint;
use crate::functions::RemoteFunctions;
use crate::functions_env::{Addresses, FunctionsEnv};
use crate::options::ConfigureOutbound;
use crate::own_hosts::OwnHosts;
use crate::pages::{self, Shop};
use crate::queues::QueueServer;
use crate::resources::Resources;
use crate::sdk::WrapHttpClient;
use crate::server::{Server, listen};
use crate::stream::{TableStream, WriteNotifier};
use crate::wiki_index::WikiIndex;
use crate::workers::{CreatedQueues, WorkerHooks, Workers};
use crate::{Options, RateLimits, StartError, TenantKeys, config, tenants};

/// How long running work may take after a stop. Aborted work is done again after the next start.
const WORKERS_GRACE: Duration = Duration::from_secs(5);

/// The running service.
#[allow(missing_debug_implementations, reason = "its workers hold closures")]
pub struct Service {
    url: String,
    resources: Resources,
    demo: Option<DemoKeys>,
    control: ControlServer,
    server: Server,
    workers: Workers,
    table_stream: TableStream,
    index: WikiIndex,
    database: Database,
    functions_env: Option<FunctionsEnv>,
    data: DataDir,
}

/// What is served on the port.
enum Listening {
    /// The API, once everything has started.
    Api(TcpListener),
    /// The services for functions in processes of their own.
    Services(Server),
}

impl Service {
    /// Starts everything; requests are answered when this returns.
    ///
    /// # Errors
    /// A sentence for the user at the terminal.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let data = DataDir::open_when_free(&options.data).await?;
        let listener = listen(options.port, "--port").await?;
        let failed = |source| StartError::Listen { port: options.port, source };
        let socket = listener.local_addr().map_err(failed)?;
        let address = format!("http://{socket}");
        let url = format!("{}/api/v1", options.functions_url.as_ref().unwrap_or(&address).trim_end_matches('/'));
        if options.reset {
            data.reset()?;
        }
        data.check_format()?;
        let runtime = match options.clock {
            Some(clock) => Runtime { clock, entropy: Arc::new(SystemRng) },
            None => Runtime::system(),
        };
        let hosts = OwnHosts::new(socket.port(), &options.allow_hosts, &runtime);
        let mut config = config::read(&data, options.opensearch_url.as_deref(), options.embeddings.as_ref(), &runtime)?;
        let sqs = options.sqs_url.as_deref().map_or_else(QueueServer::embedded, QueueServer::at);
        let queues = CreatedQueues::create(&sqs, &options.queue_prefix).await?;
        queues.set_urls_in(&mut config);
        if let Some(name) = options.table_name {
            config.table_name = name;
        }
        match options.rate_limits {
            RateLimits::Configured => {}
            RateLimits::Real => config.rate_limit_per_minute = None,
            RateLimits::PerMinute(limit) => config.rate_limit_per_minute = Some(limit),
        }
        if let Some(alias) = options.search_index {
            config.search_index = alias;
        }
        let functions = options.functions_url.as_deref().map(RemoteFunctions::at).transpose();
        let functions = functions.map_err(StartError::while_doing("connecting to the functions"))?;
        let secret = functions.as_ref().map(|_| Endpoint::new_secret(&runtime)).transpose()?;
        let mut search_credentials = None;
        let mut functions_env = None;
        if let Some(secret) = &secret {
            if config.search_endpoint.is_none() {
                config.search_endpoint = Some(address.clone());
                search_credentials = Some(Endpoint::client_config(secret));
            }
            let addresses = Addresses {
                services: &address,
                dynamodb: options.dynamodb_url.as_deref(),
                sqs: options.sqs_url.as_deref(),
                embeddings: options.embeddings.as_ref(),
            };
            functions_env = Some(FunctionsEnv::write(&data, &config, &addresses, secret)?);
        }

        let is_new = !data.database().exists();
        let (dynamodb_url, sqs_url) = (options.dynamodb_url.clone(), options.sqs_url.clone());
        let mut database = Database::open(&data, options.dynamodb_url)?;
        let notifier = WriteNotifier::default();
        // The data folder is locked, and no function runs elsewhere: what an earlier process was at ended with it.
        let only_process = (database.is_embedded() && functions.is_none()).then(|| runtime.token()).transpose();
        let only_process = only_process.map_err(StartError::while_doing("naming this process"))?;
        let store = |wrap| {
            let client = database.client(Some(notify_on_write(&notifier, wrap)));
            let store = Store::new(client, &config.table_name, runtime.clone());
            match &only_process {
                Some(name) => store.of_the_only_process(name),
                None => store,
            }
        };
        let (store, worker_store) = (store(options.wrap_database), store(options.wrap_worker_database));
        worker_store.create_table().await.map_err(StartError::while_doing("making the table"))?;
        let stream_records = database.open_stream(&data)?;
        let listening = match secret {
            None => Listening::Api(listener),
            Some(secret) => {
                let endpoint = Endpoint {
                    secret,
                    calls: AwsCalls { database: database.embedded_client(), queues: sqs.embedded_server() },
                    index: Arc::default(),
                    dead_letters: DeadLetters::Folder(data.dead_letters()),
                };
                Listening::Services(Server::start(listener, endpoint.router(), hosts.clone()))
            }
        };

        let mut index = WikiIndex::open(&config, &data, database.is_embedded(), is_new, search_credentials).await?;
        let base_index = Arc::clone(&index.index);
        let outbound = outbound(&config, options.configure_outbound);
        config.outbound = *outbound.policy();
        let resources = Resources {
            widget_keys: widget_keys(&data, &config, &runtime)?,
            store,
            index: options.wrap_index.map_or_else(|| Arc::clone(&base_index), |wrap| wrap(Arc::clone(&base_index))),
            sqs: sqs.wrapped(options.wrap_queues),
            model: match options.model {
                Some(model) => Some(model),
                None => model(&config.model).await?,
            },
            embedder: embedder(&config).await?,
            cipher: cipher(&config.secrets_key, &runtime)?,
            dead_letters: DeadLetters::Folder(data.dead_letters()),
            outbound,
            config: Arc::new(config),
            runtime,
        };
        let resources = match options.change_resources {
            Some(change) => change(resources),
            None => resources,
        };
        let demo = match options.demo {
            true => Some(demo::prepare(&resources, &data).await?),
            false => None,
        };
        index.reconcile_with_table(&resources).await?;
        let worker_resources = Resources { store: worker_store, ..resources.clone() };
        let hooks = WorkerHooks {
            sweep_every: options.sweep_every,
            wrap_changes: options.wrap_changes,
            wrap_messages: options.wrap_messages,
            before_work: options.before_work,
            functions,
        };
        let table_stream =
            TableStream::find(database.stream_client(), &resources.config.table_name, options.stream_time_offset_ms)
                .await;
        let table_stream = table_stream.map_err(StartError::while_doing("opening the table's stream"))?;
        let workers = Workers::start(
            &worker_resources,
            &data,
            database.is_embedded(),
            (&sqs, queues),
            notifier,
            table_stream.clone(),
            hooks,
        );
        let workers = workers.await?;
        database.trim_periodically(stream_records, workers.stream_poller().saved_checkpoint());
        let server = match listening {
            Listening::Api(listener) => {
                let api = router(&resources).await?;
                let shop = demo.as_ref().map(|keys| Shop::new(keys, &data.demo_env(), &resources.runtime));
                Server::start(listener, pages::beside(api, shop), hosts)
            }
            Listening::Services(server) => server,
        };
        let state = ControlState {
            info: Arc::new(service_info(&url, &resources.config, dynamodb_url, sqs_url)),
            calls: AwsCalls { database: database.embedded_client(), queues: sqs.embedded_server() },
            index: Arc::clone(&resources.index),
            widget_keys: resources.widget_keys.clone(),
        };
        let control = ControlServer::open(&data, state, &resources.runtime)?;
        if let Some(demo) = &demo {
            demo.write(&data, &url)?;
        }
        Ok(Self { url, resources, demo, control, server, workers, table_stream, index, database, functions_env, data })
    }

    /// The base URL, with `/api/v1`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// A client of the database.
    #[must_use]
    pub fn database_client(&self) -> aws_sdk_dynamodb::Client {
        self.database.client(None)
    }

    /// The file with the environment of functions in processes of their own, if there are such.
    #[must_use]
    pub fn functions_env(&self) -> Option<&Path> {
        self.functions_env.as_ref().map(FunctionsEnv::path)
    }

    /// The demo tenant's keys, if it was started with the demo tenant.
    #[must_use]
    pub const fn demo(&self) -> Option<&DemoKeys> {
        self.demo.as_ref()
    }

    /// The context of the functions.
    #[must_use]
    pub const fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Creates a tenant, with a key of every role in both modes.
    pub async fn create_tenant(&self, name: &str, plan: Plan) -> Result<TenantKeys> {
        tenants::create(&self.resources, name, plan).await
    }

    /// Waits until the wiki index has everything that the table had at startup.
    pub async fn wait_for_index(&mut self) {
        self.index.wait_until_reconciled(Duration::MAX).await;
    }

    /// Waits until the table's stream, the queues and the workers are idle: everything that follows from the committed
    /// changes has happened, except for what is scheduled later.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when a queue does not answer.
    pub async fn drain(&self) -> Result<()> {
        self.workers.wait_until_idle().await
    }

    /// Handles the due items.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when not all due items could be read.
    pub async fn sweep(&self) -> Result<sweeper::SweepResult> {
        self.workers.sweep().await
    }

    /// All records that the table's stream retains, oldest first.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the stream does not answer.
    pub async fn stream_records(&self) -> Result<Vec<Record>> {
        self.table_stream.read_all().await
    }

    /// Stops taking requests and work, gives running work a short grace, closes index and database, and unlocks the
    /// data folder.
    pub async fn stop(self) {
        self.control.close().await;
        self.server.stop().await;
        self.workers.stop(WORKERS_GRACE).await;
        self.index.close().await;
        self.database.close().await;
        drop(self.data);
    }
}

/// What the service says of itself on its control socket.
fn service_info(url: &str, config: &Config, dynamodb_url: Option<String>, sqs_url: Option<String>) -> ServiceInfo {
    ServiceInfo {
        url: url.to_owned(),
        version: config.version.clone(),
        table_name: config.table_name.clone(),
        dynamodb_url,
        sqs_url,
        webhook_queue_url: config.webhook_queue_url.clone(),
        ingest_queue_url: config.ingest_queue_url.clone(),
        embedding_queue_url: config.embedding_queue_url.clone(),
        outbound: config.outbound,
    }
}

/// Notifies the stream reader of writes. A test's wrapper is applied outside of it.
fn notify_on_write(notifier: &WriteNotifier, wrap: Option<WrapHttpClient>) -> WrapHttpClient {
    let notifier = notifier.clone();
    Box::new(move |http| {
        let http = notifier.wrap(http);
        wrap.map_or_else(|| http.clone(), |wrap| wrap(http.clone()))
    })
}

/// The client for outgoing requests.
fn outbound(config: &Config, change: Option<ConfigureOutbound>) -> Outbound {
    let settings = OutboundSettings::new(config.outbound);
    Outbound::new(match change {
        Some(change) => change(settings),
        None => settings,
    })
}

/// The router of all functions.
async fn router(resources: &Resources) -> Result<Router, StartError> {
    let routes = routes(resources).await.map_err(StartError::while_doing("handing the functions their clients"))?;
    Ok(edge::service(Edge::new(resources), routes))
}

/// The routes of every function.
///
/// # Errors
/// A client is missing; a service that runs has all of them.
pub async fn routes(resources: &Resources) -> Result<Vec<Routes>> {
    Ok(vec![
        sessions::routes(Sessions::new(resources).await?),
        wiki::routes(Wiki::new(resources).await?),
        auth::routes(Auth::new(resources).await?),
        analytics::routes(Analytics::new(resources).await?),
        health::routes(Health::new(resources).await?),
        webhooks::routes(Webhooks::new(resources).await?),
        inbox::routes(Inbox::new(resources).await?),
        ingest::routes(Ingest::new(resources).await?),
    ])
}
