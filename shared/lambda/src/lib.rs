//! Startup of every function on AWS Lambda: configuration, secrets, clients, one warm connection each, then events.
//!
//! A function names what it [`Needs`] besides the table. Nothing else is made, so its role needs no more. Workers start
//! with [`run_queue`], [`run_stream`] and [`run_schedule`]: the same startup, other events. [`gateway_path`] restores
//! the path that the gateway and `lambda_http` change.

mod gateway_path;
mod secrets;
mod worker;
mod worker_events;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use aws_config::{BehaviorVersion, SdkConfig};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use tower::util::MapRequest;

use answer::embedding::Embedder;
use answer::search::{EntryAddress, EntryHits, EntryQuery, IndexedEntry, Retrieval, SearchIndex, VisibilityFilter};
use app::Ctx;
use aws::cipher::{Cipher, Master};
use aws::config::{Config, SecretsKey};
use aws::embedding::configured_embedder;
use aws::model::configured_model;
use aws::queue::Queues;
use aws::search::SearchDomain;
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use aws::set_aside::{Bucket, SetAside};
use aws::store::{Store, retry};
use domain::clock::Ambient;
use domain::models::{EmbeddingSpace, QueryVector, Scope, Timestamp, WikiPath};
use domain::{Error, Result};
use edge::telemetry;
use edge::telemetry::LogFormat;
use edge::{Routes, service};
use outbound::{Outbound, OutboundSettings};
use text::QueryTerms;

pub use worker::{run_queue, run_schedule, run_stream};

/// How long the warming of connections may hold up the start; requests open what is missing then.
const WARM_UP: Duration = Duration::from_secs(2);

/// What a function needs beside the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// The keys of widget tokens, to issue or to verify them.
    pub widget_tokens: bool,
    /// The wiki index.
    pub search: bool,
    /// The search domain's control plane.
    pub search_domain: bool,
    /// The language model, where one is configured.
    pub model: bool,
    /// The embedding model, where one is configured.
    pub embeddings: bool,
    /// To put deliveries on their queue.
    pub webhook_queue: bool,
    /// To put ingest jobs on their queue.
    pub ingest_queue: bool,
    /// To put entries to embed on their queue.
    pub embedding_queue: bool,
    /// The bucket of stream records that cannot be handled.
    pub set_aside: bool,
    /// The key of webhook secrets, to seal or to open them.
    pub secrets: bool,
}

/// Serves `routes` until Lambda ends the process; a start that fails is logged and ends it at once.
#[must_use]
pub fn run(needs: Needs, routes: fn(Ctx) -> Routes) -> ExitCode {
    start(needs, async |ctx| {
        let router = service(ctx.clone(), vec![routes(ctx)]);
        lambda_http::run(MapRequest::new(router, gateway_path::as_sent)).await
    })
}

/// Reads the configuration, makes what the function needs, and lets `serve` take events for as long as Lambda wants.
fn start(needs: Needs, serve: impl AsyncFnOnce(Ctx) -> Result<(), lambda_runtime::Error>) -> ExitCode {
    let config = match Config::from_env() {
        Ok(config) => config,
        Err(wrong) => {
            telemetry::init(LogFormat::Json, "info");
            return refuse(&wrong.to_string());
        }
    };
    telemetry::init(LogFormat::Json, &config.log_level);
    // One request at a time is all that Lambda sends: one thread starts faster and is as fast.
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(async {
            let ctx = match connect(config, needs).await {
                Ok(ctx) => ctx,
                Err(wrong) => return refuse(&wrong.to_string()),
            };
            warm_up(&ctx, needs).await;
            match serve(ctx).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(wrong) => refuse(&wrong.to_string()),
            }
        }),
        Err(wrong) => refuse(&wrong.to_string()),
    }
}

fn refuse(reason: &str) -> ExitCode {
    tracing::error!(reason, "the function failed to start");
    ExitCode::FAILURE
}

async fn connect(mut config: Config, needs: Needs) -> Result<Ctx> {
    let sdk = aws_config::load_defaults(BehaviorVersion::latest()).await;
    secrets::read(&mut config, needs, &sdk).await?;
    let ambient = Ambient::system();
    let index: Arc<dyn SearchIndex> = if needs.search { Arc::new(index(&config, &sdk)?) } else { Arc::new(NoIndex) };
    Ok(Ctx {
        search_domain: search_domain(&config, needs, &sdk)?,
        widget_keys: secrets::widget_keys(&config, needs, &sdk),
        cipher: cipher(&config, needs, &sdk, &ambient)?,
        queues: queues(&config, needs, &sdk)?,
        store: Store::new(database(&sdk), &config.table_name, ambient.clone()),
        index,
        set_aside: set_aside(&config, needs, &sdk, &ambient)?,
        outbound: Outbound::new(OutboundSettings::new(config.outbound)),
        model: if needs.model { configured_model(&config.model, &sdk)? } else { None },
        embedder: embedder(&config, needs, &sdk)?,
        config: Arc::new(config),
        ambient,
    })
}

fn search_domain(config: &Config, needs: Needs, sdk: &SdkConfig) -> Result<Option<SearchDomain>> {
    if !needs.search_domain {
        return Ok(None);
    }
    let missing = || Error::internal("SEARCH_DOMAIN_NAME is not set.");
    let name = config.search_domain.as_deref().ok_or_else(missing)?;
    Ok(Some(SearchDomain::new(aws_sdk_opensearch::Client::new(sdk), name)))
}

fn cipher(config: &Config, needs: Needs, sdk: &SdkConfig, ambient: &Ambient) -> Result<Cipher> {
    let master = match &config.secrets_key {
        _ if !needs.secrets => Master::none(),
        SecretsKey::Kms(arn) => Master::kms(aws_sdk_kms::Client::new(sdk), arn),
        SecretsKey::Local(key) => Master::local(*key.expose()),
        SecretsKey::None => return Err(Error::internal("Neither SECRETS_KMS_KEY_ARN nor SECRETS_KEY is set.")),
    };
    Ok(Cipher::new(master, ambient.clone()))
}

fn set_aside(config: &Config, needs: Needs, sdk: &SdkConfig, ambient: &Ambient) -> Result<SetAside> {
    if !needs.set_aside {
        return Ok(SetAside::Nowhere);
    }
    let missing = || Error::internal("SET_ASIDE_BUCKET is not set.");
    let bucket = config.set_aside_bucket.as_deref().ok_or_else(missing)?;
    Ok(SetAside::Bucket(Bucket::new(bucket, sdk, ambient.clone())?))
}

fn queues(config: &Config, needs: Needs, sdk: &SdkConfig) -> Result<Queues> {
    let wanted = [
        (needs.webhook_queue, &config.webhook_queue_url, "WEBHOOK_QUEUE_URL is not set."),
        (needs.ingest_queue, &config.ingest_queue_url, "INGEST_QUEUE_URL is not set."),
        (needs.embedding_queue, &config.embedding_queue_url, "EMBEDDING_QUEUE_URL is not set."),
    ];
    if let Some((_, _, missing)) = wanted.iter().find(|(needed, url, _)| *needed && url.is_none()) {
        return Err(Error::internal(*missing));
    }
    let any = wanted.iter().any(|(needed, _, _)| *needed);
    Ok(if any { Queues::new(aws_sdk_sqs::Client::new(sdk), config) } else { Queues::none() })
}

fn embedder(config: &Config, needs: Needs, sdk: &SdkConfig) -> Result<Option<Embedder>> {
    if needs.embeddings { configured_embedder(&config.embedding, &config.embedding_settings, sdk) } else { Ok(None) }
}

fn database(sdk: &SdkConfig) -> aws_sdk_dynamodb::Client {
    // The table answers in milliseconds: what has not answered after a second or two is tried again, not waited for.
    let patience = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(3))
        .operation_timeout(Duration::from_secs(10))
        .build();
    let settings = aws_sdk_dynamodb::config::Builder::from(sdk).timeout_config(patience).retry_config(retry()).build();
    aws_sdk_dynamodb::Client::from_conf(settings)
}

fn index(config: &Config, sdk: &SdkConfig) -> Result<OpenSearchIndex> {
    let endpoint = config.search_endpoint.as_deref().ok_or_else(|| Error::internal("SEARCH_ENDPOINT is not set."))?;
    let settings = if config.search_signed {
        OpenSearchSettings::signed(endpoint, sdk.clone())
    } else {
        OpenSearchSettings::unsigned(endpoint)
    };
    OpenSearchIndex::connect(OpenSearchSettings { alias: config.search_index.clone(), ..settings })
}

/// Opens the connections that the first request would otherwise wait for: on a small function the TLS handshake, not
/// our code, is that request's cost.
async fn warm_up(ctx: &Ctx, needs: Needs) {
    let index = async { if needs.search { ctx.index.ping().await } else { Ok(()) } };
    let both = async { tokio::join!(ctx.store.ping(), index) };
    match tokio::time::timeout(WARM_UP, both).await {
        Ok((Ok(()), Ok(()))) => {}
        Ok((table, index)) => {
            let story: Vec<_> = [table.err(), index.err()].into_iter().flatten().map(|e| e.to_string()).collect();
            tracing::warn!(
                error.story = story.join("; "),
                "failed to open a connection at startup; the first request opens it"
            );
        }
        Err(_) => tracing::warn!("opening connections at startup timed out; the first request opens them"),
    }
}

/// Stands where a function has no business with the index.
#[derive(Debug)]
struct NoIndex;

fn no_index<T>() -> Result<T> {
    Err(Error::internal("this function has no index"))
}

#[async_trait]
impl SearchIndex for NoIndex {
    async fn put(&self, _: &Scope, _: &IndexedEntry) -> Result<()> {
        no_index()
    }

    async fn replace(&self, _: &Scope, _: &IndexedEntry) -> Result<()> {
        no_index()
    }

    async fn purge_deleted(&self, _: Timestamp) -> Result<u64> {
        no_index()
    }

    async fn delete(&self, _: &Scope, _: &WikiPath, _: u64, _: Timestamp) -> Result<()> {
        no_index()
    }

    async fn retrieve(
        &self,
        _: &Scope,
        _: &QueryTerms,
        _: Option<&QueryVector>,
        _: VisibilityFilter,
    ) -> Result<Retrieval> {
        no_index()
    }

    async fn nearest_words(&self, _: &Scope, _: &[String], _: VisibilityFilter) -> Result<Vec<Option<String>>> {
        no_index()
    }

    async fn search(&self, _: &Scope, _: &EntryQuery) -> Result<EntryHits> {
        no_index()
    }

    async fn without_vectors(
        &self,
        _: &EmbeddingSpace,
        _: Option<&EntryAddress>,
        _: usize,
    ) -> Result<Vec<EntryAddress>> {
        no_index()
    }

    async fn count_without_vectors(&self, _: &EmbeddingSpace) -> Result<u64> {
        no_index()
    }

    async fn ping(&self) -> Result<()> {
        no_index()
    }
}
