//! How a service starts: each step makes what the next ones need.

use std::sync::Arc;

use answer::search::SearchIndex;
use aws::config::Config;
use aws::dead_letters::DeadLetters;
use aws::store::Store;
use domain::Secret;
use domain::clock::{Runtime, SystemRng};
use edge::Edge;
use outbound::{Outbound, OutboundSettings};
use tokio::net::TcpListener;

use super::desk_port::DeskPort;
use super::{Service, routes};
use crate::aws_calls::AwsCalls;
use crate::configured::{cipher, desk_keys, embedder, model, widget_keys};
use crate::control::{ControlServer, ControlState, ServiceInfo};
use crate::data_dir::DataDir;
use crate::database::Database;
use crate::demo;
use crate::endpoint::Endpoint;
use crate::functions::RemoteFunctions;
use crate::functions_env::{Addresses, FunctionsEnv};
use crate::opensearch::OpenSearchSubset;
use crate::own_hosts::OwnHosts;
use crate::pages::{self, Shop};
use crate::queues::QueueServer;
use crate::resources::Resources;
use crate::sdk::WrapHttpClient;
use crate::server::{Server, listen};
use crate::stream::{TableStream, WriteNotifier};
use crate::wiki_index;
use crate::workers::{CreatedQueues, WorkerSettings, Workers};
use crate::{Hooks, Options, RateLimits, StartError, config};

/// The listener of the port.
enum Listening {
    /// The API, once everything has started.
    Api(TcpListener),
    /// The services for functions in processes of their own.
    Services(Server),
}

/// Functions in processes of their own.
struct Elsewhere {
    functions: RemoteFunctions,
    /// Lets them in at the services of this process.
    secret: Arc<Secret>,
    env: FunctionsEnv,
}

/// The table, through the clients of functions and of workers.
struct Tables {
    functions: Store,
    workers: Store,
    notifier: WriteNotifier,
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
        let calls = AwsCalls { database: database.embedded_client(), queues: sqs.embedded_server() };
        let resources = resources(config, &data, runtime, tables.functions, index, &sqs, &mut hooks).await?;
        let demo = match options.demo {
            true => Some(demo::prepare(&resources, &data).await?),
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
        let (functions, functions_env) = elsewhere.map(|elsewhere| (elsewhere.functions, elsewhere.env)).unzip();
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
        database.trim_periodically(stream_records, workers.stream_poller().saved_checkpoint());
        let (server, desk) = match listening {
            Listening::Api(listener) => {
                let framed_by = desk_port.as_ref().map_or("'none'", DeskPort::origin);
                let shop = demo.as_ref().map(|keys| Shop::new(keys, &data.demo_env(), framed_by, &resources.runtime));
                let failed = StartError::while_doing("handing the functions their clients");
                let api = edge::service(Edge::new(&resources), routes(&resources).await.map_err(failed)?);
                let shop_url = shop.as_ref().map(|_| format!("{address}/"));
                let desk =
                    desk_port.map(|port| port.serve(api.clone(), shop_url, &data, &resources.runtime)).transpose()?;
                (Server::start(listener, pages::beside(api, shop), hosts), desk)
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

impl Elsewhere {
    /// Makes the secret and writes the environment of functions in processes of their own; none if they run here.
    /// `address` is that of the services of this process, which are the index if no other is configured.
    fn prepare(
        options: &Options,
        data: &DataDir,
        address: &str,
        config: &mut Config,
        runtime: &Runtime,
    ) -> Result<Option<Self>, StartError> {
        let Some(url) = &options.functions_url else { return Ok(None) };
        let functions = RemoteFunctions::at(url).map_err(StartError::while_doing("connecting to the functions"))?;
        let secret = Endpoint::new_secret(runtime)?;
        config.search_endpoint.get_or_insert_with(|| address.to_owned());
        let addresses = Addresses {
            services: address,
            dynamodb: options.dynamodb_url.as_deref(),
            sqs: options.sqs_url.as_deref(),
            embeddings: options.embeddings.as_ref(),
        };
        let env = FunctionsEnv::write(data, config, &addresses, &secret)?;
        Ok(Some(Self { functions, secret, env }))
    }

    /// The services of this process, for them.
    fn endpoint(&self, calls: AwsCalls, opensearch: &Arc<OpenSearchSubset>, data: &DataDir) -> Endpoint {
        Endpoint {
            secret: Arc::clone(&self.secret),
            calls,
            opensearch: Arc::clone(opensearch),
            dead_letters: DeadLetters::Folder(data.dead_letters()),
        }
    }
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
    Box::new(move |http| {
        let http = notifier.wrap(http);
        wrap.map_or_else(|| http.clone(), |wrap| wrap(http.clone()))
    })
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
    let settings = OutboundSettings::new(config.outbound);
    let outbound = Outbound::new(match hooks.configure_outbound.take() {
        Some(change) => change(settings),
        None => settings,
    });
    config.outbound = *outbound.policy();
    let resources = Resources {
        widget_keys: widget_keys(data, &config, &runtime)?,
        desk_keys: desk_keys(data, &config, &runtime)?,
        store,
        index: hooks.wrap_index.take().map_or_else(|| Arc::clone(&index), |wrap| wrap(Arc::clone(&index))),
        sqs: sqs.wrapped(hooks.wrap_queues.take()),
        users: None,
        model: match hooks.model.take() {
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
    Ok(match hooks.change_resources.take() {
        Some(change) => change(resources),
        None => resources,
    })
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
