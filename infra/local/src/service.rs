//! The service in one process: how it starts, each step making what the next ones need, and how it stops.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use answer::search::SearchIndex;
use aws::config::Config;
use domain::Result;
use domain::clock::{Runtime, SystemRng};
use domain::models::Plan;
use outbound::{Outbound, OutboundSettings};
use support::edge::{Router, service};
use support::functions::{analytics, auth, health, inbox, ingest, sessions, webhooks, wiki};
use support::table::Store;
use support::table::stream::Record;
use tokio::net::TcpListener;

use crate::config::{self, WrapHttpClient, wrapped};
use crate::control::{ControlServer, ControlState, ServiceInfo};
use crate::data_dir::DataDir;
use crate::database::Database;
use crate::desk::{DeskPort, DeskServer};
use crate::endpoint::AwsCalls;
use crate::functions::{Elsewhere, FunctionsEnv};
use crate::opensearch::OpenSearchSubset;
use crate::queues::QueueServer;
use crate::resources::Resources;
use crate::server::{OwnHosts, Server, listen};
use crate::shop::{self, Shop};
use crate::stream::{TableStream, WriteNotifier};
use crate::tenants::{self, DemoKeys, TenantKeys};
use crate::workers::{CreatedQueues, WorkerSettings, Workers};
use crate::{Hooks, Options, RateLimits, StartError, wiki_index};

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
    desk: Option<DeskServer>,
    workers: Workers,
    table_stream: TableStream,
    database: Database,
    functions_env: Option<FunctionsEnv>,
    data: DataDir,
}

impl Service {
    /// Starts everything; requests are answered when this returns.
    ///
    /// # Errors
    /// A sentence for the user at the terminal.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        Self::start_with(options, Hooks::default()).await
    }

    /// The same, changed by `hooks`.
    ///
    /// # Errors
    /// As those of [`Self::start`].
    pub async fn start_with(options: Options, mut hooks: Hooks) -> Result<Self, StartError> {
        let data = DataDir::open_when_free(&options.data).await?;
        let listener = listen(options.port, "--port").await?;
        let failed = |source| StartError::Listen { port: options.port, source };
        let socket = listener.local_addr().map_err(failed)?;
        if options.reset {
            data.reset()?;
        }
        data.check_format()?;
        let runtime = match hooks.clock.take() {
            Some(clock) => Runtime { clock, entropy: Arc::new(SystemRng) },
            None => Runtime::system(),
        };
        let address = format!("http://{socket}");
        let hosts = OwnHosts::new(socket.port(), &options.allow_hosts, &runtime);
        let desk_port = DeskPort::take(&options, &runtime).await?;
        let mut config = configure(&options, &data, &runtime)?;
        if let Some(desk_port) = &desk_port {
            desk_port.set_in(&mut config)?;
        }
        let sqs = options.sqs_url.as_deref().map_or_else(QueueServer::embedded, QueueServer::at);
        let queues = CreatedQueues::create(&sqs, &options.queue_prefix).await?;
        queues.set_urls_in(&mut config);
        let opensearch = Arc::new(OpenSearchSubset::default());
        let index = wiki_index::open(&config, &opensearch).await?;
        let elsewhere = Elsewhere::prepare(&options, &data, &address, &mut config, &runtime)?;

        let mut database = Database::open(&data, options.dynamodb_url.clone())?;
        let tables = Tables::open(&database, &config, elsewhere.is_none(), &runtime, &mut hooks).await?;
        let stream_records = database.open_stream(&data)?;
        let calls = AwsCalls { database: database.embedded_client(), queues: sqs.embedded.clone() };
        let resources = resources(config, &data, runtime, tables.functions, index, &sqs, &mut hooks).await?;
        let demo = match options.demo {
            true => Some(tenants::prepare_demo(&resources, &data).await?),
            false => None,
        };
        if let Some(desk_port) = desk_port.as_ref().filter(|_| demo.is_some()) {
            desk_port.prepare_people(&resources).await?;
        }
        wiki_index::fill(&resources).await?;
        // Functions elsewhere find an index that is full.
        let listening = match &elsewhere {
            None => Listening::Api(listener),
            Some(elsewhere) => {
                let endpoint = elsewhere.endpoint(calls.clone(), &opensearch, &data);
                Listening::Services(Server::start(listener, endpoint.router(), hosts.clone()))
            }
        };

        let stream = database.stream_client();
        let table_stream = TableStream::find(stream, &resources.config.table_name, hooks.stream_time_offset_ms).await;
        let table_stream = table_stream.map_err(StartError::while_doing("opening the table's stream"))?;
        let (functions, functions_env) = elsewhere.map(Elsewhere::into_parts).unzip();
        let workers = Workers::start(
            &Resources { store: tables.workers, ..resources.clone() },
            &data,
            database.is_embedded(),
            (&sqs, queues),
            tables.notifier,
            table_stream.clone(),
            WorkerSettings { sweep_every: options.sweep_every, functions, hooks },
        )
        .await?;
        database.trim_periodically(stream_records, workers.stream_poller.saved_checkpoint());
        let (server, desk) = match listening {
            Listening::Api(listener) => {
                let framed_by = desk_port.as_ref().map_or("'none'", |port| &port.origin);
                let failed = StartError::while_doing("handing the functions their clients");
                let api = api(&resources).await.map_err(failed)?;
                let shop = |keys| Shop::new(keys, &data.demo_env(), framed_by, &resources.runtime, api.clone());
                let shop = demo.as_ref().map(shop);
                let shop_url = shop.as_ref().map(|_| format!("{address}/"));
                let desk =
                    desk_port.map(|port| port.serve(api.clone(), shop_url, &data, &resources.runtime)).transpose()?;
                (Server::start(listener, shop::beside(api, shop), hosts), desk)
            }
            Listening::Services(server) => (server, None),
        };
        let url = format!("{}/api/v1", options.functions_url.as_ref().unwrap_or(&address).trim_end_matches('/'));
        let state = ControlState {
            info: Arc::new(service_info(&url, &resources.config, options)),
            calls,
            opensearch,
            widget_keys: resources.widget_keys.clone(),
        };
        let control = ControlServer::open(&data, state, &resources.runtime)?;
        if let Some(demo) = &demo {
            demo.write(&data, &url)?;
        }
        Ok(Self { url, resources, demo, control, server, desk, workers, table_stream, database, functions_env, data })
    }

    /// The base URL, with `/api/v1`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address of the page that shows shop and desk, with the secret that lets demo people sign in; none if
    /// nobody can.
    #[must_use]
    pub fn desk_url(&self) -> Option<&str> {
        self.desk.as_ref().map(|desk| desk.url.as_str())
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    #[must_use]
    pub fn database_client(&self) -> aws_sdk_dynamodb::Client {
        self.database.client(None)
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
    pub async fn sweep(&self) -> Result<support::sweeper::SweepResult> {
        self.workers.sweep().await
    }

    /// All records that the table's stream retains, oldest first.
    ///
    /// # Errors
    /// `SERVICE_UNAVAILABLE` when the stream does not answer.
    pub async fn stream_records(&self) -> Result<Vec<Record>> {
        self.table_stream.read_all().await
    }

    /// Stops taking requests and work, gives running work a short grace, closes the database, and unlocks the
    /// data folder.
    pub async fn stop(self) {
        self.control.close().await;
        self.server.stop().await;
        if let Some(desk) = self.desk {
            desk.server.stop().await;
        }
        self.workers.stop(WORKERS_GRACE).await;
        self.database.close().await;
        drop(self.data);
    }
}

/// All functions as one service.
///
/// # Errors
/// A client is missing; a service that runs has all of them.
pub async fn api(resources: &Resources) -> Result<Router> {
    let health = health::app(resources).await?;
    let functions = [
        sessions::routes(sessions::app(resources).await?),
        wiki::routes(wiki::app(resources).await?),
        auth::routes(auth::app(resources).await?),
        analytics::routes(analytics::app(resources).await?),
        webhooks::routes(webhooks::app(resources).await?),
        inbox::routes(inbox::app(resources).await?),
        ingest::routes(ingest::app(resources).await?),
        health::routes(health.clone()),
    ];
    Ok(service(health, functions))
}

/// The listener of the port.
enum Listening {
    /// The API, once everything has started.
    Api(TcpListener),
    /// The services for functions in processes of their own.
    Services(Server),
}

/// The configuration of the functions, but for their queues.
fn configure(options: &Options, data: &DataDir, runtime: &Runtime) -> Result<Config, StartError> {
    let mut config = config::read(data, options.opensearch_url.as_deref(), options.embeddings.as_ref(), runtime)?;
    if let Some(name) = &options.table_name {
        config.table_name.clone_from(name);
    }
    if let Some(alias) = &options.search_index {
        config.search_index.clone_from(alias);
    }
    match options.rate_limits {
        RateLimits::Configured => {}
        RateLimits::Real => config.rate_limit_per_minute = None,
        RateLimits::PerMinute(limit) => config.rate_limit_per_minute = Some(limit),
    }
    Ok(config)
}

/// The table, through the clients of functions and of workers.
struct Tables {
    functions: Store,
    workers: Store,
    notifier: WriteNotifier,
}

impl Tables {
    /// Creates the table if it is missing.
    async fn open(
        database: &Database,
        config: &Config,
        functions_run_here: bool,
        runtime: &Runtime,
        hooks: &mut Hooks,
    ) -> Result<Self, StartError> {
        let notifier = WriteNotifier::default();
        // The data folder is locked, and no function runs elsewhere: what an earlier process was at ended with it.
        let only_process = (database.is_embedded() && functions_run_here).then(|| runtime.token()).transpose();
        let only_process = only_process.map_err(StartError::while_doing("naming this process"))?;
        let bucket_timeout = hooks.bucket_timeout;
        let store = |wrap| {
            let client = database.client(Some(notify_on_write(&notifier, wrap)));
            let store = Store::new(client, &config.table_name, runtime.clone());
            let store = match bucket_timeout {
                Some(timeout) => store.with_bucket_timeout(timeout),
                None => store,
            };
            match &only_process {
                Some(name) => store.of_the_only_process(name),
                None => store,
            }
        };
        let (functions, workers) = (store(hooks.wrap_database.take()), store(hooks.wrap_worker_database.take()));
        workers.create_table().await.map_err(StartError::while_doing("making the table"))?;
        Ok(Self { functions, workers, notifier })
    }
}

/// Notifies the stream reader of writes. A test's wrapper is applied outside of it.
fn notify_on_write(notifier: &WriteNotifier, wrap: Option<WrapHttpClient>) -> WrapHttpClient {
    let notifier = notifier.clone();
    Box::new(move |http| wrapped(notifier.wrap(http), wrap))
}

/// The clients of the functions.
async fn resources(
    mut config: Config,
    data: &DataDir,
    runtime: Runtime,
    store: Store,
    index: Arc<dyn SearchIndex>,
    sqs: &QueueServer,
    hooks: &mut Hooks,
) -> Result<Resources, StartError> {
    let outbound = Outbound::new(wrapped(OutboundSettings::new(config.outbound), hooks.configure_outbound.take()));
    config.outbound = *outbound.policy();
    let index = wrapped(index, hooks.wrap_index.take());
    let sqs = sqs.wrapped(hooks.wrap_queues.take());
    let resources = Resources::configured(data, config, runtime, store, index, sqs).await?;
    let model = hooks.model.take().or_else(|| resources.model.clone());
    Ok(wrapped(Resources { outbound, model, ..resources }, hooks.change_resources.take()))
}

/// The service's description of itself on its control socket.
fn service_info(url: &str, config: &Config, options: Options) -> ServiceInfo {
    ServiceInfo {
        url: url.to_owned(),
        version: config.version.clone(),
        table_name: config.table_name.clone(),
        dynamodb_url: options.dynamodb_url,
        sqs_url: options.sqs_url,
        opensearch: options.opensearch_url.map(|url| (url, config.search_index.clone())),
        webhook_queue_url: config.webhook_queue_url.clone(),
        ingest_queue_url: config.ingest_queue_url.clone(),
        embedding_queue_url: config.embedding_queue_url.clone(),
        outbound: config.outbound,
        desk_url: config.desk_url.clone(),
        desk_issuer: config.desk_provider.as_ref().map(|it| (it.issuer.clone(), it.client_id.clone())),
    }
}

/// The banner, without a final line break.
#[must_use]
pub fn startup_banner(service: &Service) -> String {
    let url = service.url();
    let data = service.data().display();
    let functions = service.functions_env.as_ref().map(|env| {
        let env = env.path().display();
        format!("\n  functions environment in {env}; start them with\n            cargo lambda watch -A 127.0.0.1 -P 9100 --disable-cors --env-file {env}")
    });
    let functions = functions.unwrap_or_default();
    let desk =
        service.desk_url().map(|desk| format!("\n  desk      {desk} (shop and desk side by side; open it whole)"));
    let desk = desk.unwrap_or_default();
    let Some(demo) = service.demo() else {
        return format!("Support Assistant Service {url}{desk}\n  data      {data}{functions}");
    };
    let (live, test) = (demo.live(), demo.test());
    // Functions in processes of their own serve the API alone.
    let chat = match functions.is_empty() {
        true => format!("\n  chat      {} (a demo shop to open in a browser)", url.trim_end_matches("api/v1")),
        false => String::new(),
    };
    format!(
        r#"Support Assistant Service {url}{chat}{desk}
  live key  {live}
  test key  {test}
  data      {data} (demo.env there has the address and the keys){functions}

Ask a first question:

SESSION=$(curl -s {url}/sessions -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{}}' | sed 's/.*"sessionId":"\([^"]*\)".*/\1/')
curl -s {url}/sessions/$SESSION/messages -H 'Authorization: Bearer {live}' -H 'Content-Type: application/json' -d '{{"content":"How long does a refund take?"}}'

Ctrl-C stops it."#
    )
}
