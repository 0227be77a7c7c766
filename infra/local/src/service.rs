//! Everything in one process: database, index, functions, HTTP server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use shared::answer::configured_model;
use shared::answer::model::LanguageModel;
use shared::cipher::{Cipher, Master};
use shared::clock::{Ambient, SystemEntropy};
use shared::config::{Config, ModelChoice, SecretsKey};
use shared::models::Plan;
use shared::net::{Outbound, OutboundSettings};
use shared::queue::Queues;
use shared::search::SearchIndex;
use shared::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use shared::store::Store;
use shared::{Ctx, Result};
use tokio::task::JoinHandle;

use crate::data_dir::DataDir;
use crate::database::{self, StreamRecords, Twin};
use crate::demo::{self, DemoKeys};
use crate::options::ChangeOutbound;
use crate::reconcile::reconcile;
use crate::search::TantivyIndex;
use crate::server::{Server, listen};
use crate::{Options, StartError, TenantKeys, config, tenants};

/// The running service.
#[derive(Debug)]
pub struct Service {
    url: String,
    ctx: Ctx,
    demo: Option<DemoKeys>,
    server: Server,
    tasks: Vec<JoinHandle<()>>,
    following: Following,
    twin: Option<Twin>,
    data: DataDir,
}

impl Service {
    /// Starts everything; when this returns, requests are answered.
    ///
    /// # Errors
    /// A sentence for the person who started it.
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let data = DataDir::take(&options.data)?;
        let listener = listen(options.port).await?;
        let failed = |source| StartError::Listen { port: options.port, source };
        let url = format!("http://{}/api/v1", listener.local_addr().map_err(failed)?);
        if options.reset {
            data.reset()?;
        }
        let ambient = match options.clock {
            Some(clock) => Ambient { clock, entropy: Arc::new(SystemEntropy) },
            None => Ambient::system(),
        };
        let config = config::read(&data, options.opensearch_url.as_deref(), &ambient)?;
        let embedded = options.dynamodb_url.is_none();
        let fresh = !data.database().exists();
        let (twin, trimming) = embedded_database(&data, embedded)?;
        let database_url = twin.as_ref().map_or(options.dynamodb_url.as_deref(), |twin| Some(twin.url()));
        let client = database::client(database_url.unwrap_or_default(), options.wrap_database);
        let store = Store::new(client, &config.table_name, ambient.clone());
        store.create_table().await.map_err(StartError::while_doing("making the table"))?;
        let Index { port: index, complete } = index(&config, &data, embedded, fresh).await?;
        let index = match options.wrap_index {
            Some(wrap) => wrap(index),
            None => index,
        };
        let model = match options.model {
            Some(model) => Some(model),
            None => model(&config.model).await?,
        };
        let outbound = outbound(&config, options.change_outbound);
        let queues = Queues::none();
        let cipher = cipher(&config.secrets_key, &ambient);
        let ctx = Ctx { config: Arc::new(config), ambient, store, index, cipher, queues, model, outbound };
        let demo = match options.demo {
            true => Some(demo::prepare(&ctx, &data).await?),
            false => None,
        };
        let mut following = follow_the_table(&ctx, complete).await?;
        following.wait(FOLLOWING_PATIENCE).await;
        let server = Server::start(listener, router(&ctx));
        if let Some(demo) = &demo {
            demo.write(&data, &url)?;
        }
        let tasks = trimming.into_iter().collect();
        Ok(Self { url, ctx, demo, server, tasks, following, twin, data })
    }

    /// Where it answers, with `/api/v1`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The folder that everything is kept in.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// The demo tenant's keys, unless it was started without one.
    #[must_use]
    pub const fn demo(&self) -> Option<&DemoKeys> {
        self.demo.as_ref()
    }

    /// What every function was handed.
    #[must_use]
    pub const fn ctx(&self) -> &Ctx {
        &self.ctx
    }

    /// Makes another tenant, with a key of every role in both modes.
    pub async fn create_tenant(&self, name: &str, plan: Plan) -> Result<TenantKeys> {
        tenants::create(&self.ctx, name, plan).await
    }

    /// Waits until the wiki index has everything that the table had when the service started.
    pub async fn index_follows_table(&mut self) {
        self.following.wait(Duration::MAX).await;
    }

    /// Stops taking requests, lets running ones end within a short grace, closes the database and frees the folder.
    pub async fn stop(self) {
        self.server.stop().await;
        for task in self.tasks.into_iter().chain(self.following.0) {
            task.abort();
        }
        // Its thread is waited for, which must not hold up the runtime's own.
        let twin = self.twin;
        tokio::task::spawn_blocking(move || drop(twin)).await.ok();
        drop(self.data);
    }
}

/// Opens the embedded database, unless another is used, and begins to trim its stream.
fn embedded_database(data: &DataDir, wanted: bool) -> Result<(Option<Twin>, Option<JoinHandle<()>>), StartError> {
    if !wanted {
        return Ok((None, None));
    }
    let twin = Twin::start(&data.database())?;
    let records = StreamRecords::open(&data.database())?;
    Ok((Some(twin), Some(tokio::spawn(records.keep_trimmed()))))
}

/// The way to webhooks and pages.
fn outbound(config: &Config, change: Option<ChangeOutbound>) -> Outbound {
    let settings = OutboundSettings::new(config.outbound);
    Outbound::new(match change {
        Some(change) => change(settings),
        None => settings,
    })
}

/// What keeps the secrets of webhooks: the key in the data folder.
fn cipher(key: &SecretsKey, ambient: &Ambient) -> Cipher {
    let master = match key {
        SecretsKey::Local(key) => Master::local(*key.expose()),
        SecretsKey::Kms(_) | SecretsKey::None => Master::none(),
    };
    Cipher::new(master, ambient.clone())
}

/// The functions behind one edge.
fn router(ctx: &Ctx) -> Router {
    shared::http::service(
        ctx.clone(),
        vec![
            sessions::routes(ctx.clone()),
            wiki::routes(ctx.clone()),
            auth::routes(ctx.clone()),
            analytics::routes(ctx.clone()),
            health::routes(ctx.clone()),
            inbox::routes(ctx.clone()),
        ],
    )
}

/// The wiki index behind its port.
struct Index {
    port: Arc<dyn SearchIndex>,
    /// It held entries before: what it lacks is a crash's last moment.
    complete: bool,
}

/// Opens the index. The embedded one belongs to the embedded database: a new database starts with an empty one, and
/// beside another database it is in memory, made anew at each start.
async fn index(config: &Config, data: &DataDir, embedded: bool, fresh: bool) -> Result<Index, StartError> {
    let failed = StartError::while_doing;
    if let Some(endpoint) = &config.search_endpoint {
        let settings = OpenSearchSettings::unsigned(endpoint);
        let settings = OpenSearchSettings { alias: config.search_index.clone(), ..settings };
        let index = OpenSearchIndex::connect(settings).map_err(failed("connecting to OpenSearch"))?;
        index.create_index().await.map_err(failed("making the OpenSearch index"))?;
        return Ok(Index { port: Arc::new(index), complete: false });
    }
    if fresh {
        data.forget_index()?;
    }
    let index = if embedded { TantivyIndex::open(&data.search()) } else { TantivyIndex::in_memory() };
    let index = index.map_err(failed("opening the wiki index"))?;
    let complete = !index.is_empty();
    Ok(Index { port: Arc::new(index), complete })
}

/// Puts into the index what the table has and it has not: before the first request where it was empty, behind the
/// first requests where it lacks little, so that a large table never delays a start.
async fn follow_the_table(ctx: &Ctx, complete: bool) -> Result<Following, StartError> {
    if !complete {
        reconcile(ctx).await.map_err(StartError::while_doing("bringing the wiki index up to date"))?;
        return Ok(Following(None));
    }
    let ctx = ctx.clone();
    Ok(Following(Some(tokio::spawn(async move {
        if let Err(error) = reconcile(&ctx).await {
            tracing::warn!(%error, "the wiki index may lack what was written last");
        }
    }))))
}

/// How long a start waits for an index that lacks little.
const FOLLOWING_PATIENCE: Duration = Duration::from_millis(500);

/// The task that brings the index up to date; none once it is.
#[derive(Debug)]
struct Following(Option<JoinHandle<()>>);

impl Following {
    async fn wait(&mut self, patience: Duration) {
        if let Some(task) = &mut self.0
            && tokio::time::timeout(patience, task).await.is_ok()
        {
            self.0 = None;
        }
    }
}

/// The configured language model; the AWS configuration is read only where one of AWS is asked for.
async fn model(choice: &ModelChoice) -> Result<Option<Arc<dyn LanguageModel>>, StartError> {
    let sdk = match choice {
        ModelChoice::Bedrock { .. } => aws_config::load_defaults(aws_config::BehaviorVersion::latest()).await,
        ModelChoice::None | ModelChoice::OpenAi { .. } => aws_config::SdkConfig::builder().build(),
    };
    configured_model(choice, &sdk).map_err(StartError::while_doing("connecting to the language model"))
}
