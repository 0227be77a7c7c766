//! The health function: checks what works. It is also the gateway's `$default` route, so that the edge answers unknown
//! paths, wrong methods and preflights, and it serves the OpenAPI document of the whole service.

mod agents;
mod cache;
mod checks;
mod report;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use answer::embedding::Embedder;
use answer::search::SearchIndex;
use app::Provider;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use axum::extract::{FromRef, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::Result;
use domain::clock::Ambient;
use edge::HealthCaller;
use edge::auth::Authenticator;
use edge::describe::{Operation, Output};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use cache::Cached;
use checks::Check;
use report::{HealthOut, PublicReport, Report};

/// How long each check may take.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// What the service takes and gives (OpenAPI 3.1); a test holds it to the routes and to real answers.
const OPENAPI_DOCUMENT: &str = include_str!("../openapi.json");

/// The latest results of one process.
#[derive(Debug, Clone, Default)]
struct CachedResults {
    /// The anonymous response.
    brief: Cached<PublicReport>,
    /// Whether the table takes writes.
    writes: Cached<Check>,
}

/// What the checks need.
#[derive(Debug, Clone, FromRef)]
pub struct Health {
    authenticator: Authenticator,
    store: Store,
    ambient: Ambient,
    index: Arc<dyn SearchIndex>,
    search_domain: Option<SearchDomain>,
    embedder: Option<Embedder>,
    queues: Queues,
    has_model: bool,
    version: String,
    cached: CachedResults,
}

impl Health {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            store: provider.store(),
            ambient: provider.ambient(),
            index: provider.index()?,
            search_domain: provider.search_domain()?,
            embedder: provider.embedder().await?,
            queues: Queues::new(provider)?,
            has_model: provider.has_model(),
            version: provider.config().version.clone(),
            cached: CachedResults::default(),
        })
    }
}

/// The depth of each queue.
#[derive(Debug, Clone)]
struct Queues {
    webhooks: TaskQueue,
    ingest: TaskQueue,
    embeddings: TaskQueue,
}

impl Queues {
    fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            webhooks: provider.queue(Queue::Webhooks)?,
            ingest: provider.queue(Queue::Ingest)?,
            embeddings: provider.queue(Queue::Embeddings)?,
        })
    }
}

edge::function!("health", Health: [
    GetHealth,
    GetOpenApiDocument,
]);

edge::endpoint! {
    /// How the service is.
    ///
    /// With an API key the whole report, as it is now. Without one the status as it was found at most five seconds ago.
    pub(crate) GetHealth = GET "/api/v1/health" => get_health;
}

/// Tells nobody the status, as it was found at most five seconds ago, and somebody with a key everything, as it is now;
/// 503 when the service is down.
async fn get_health(State(ctx): State<Health>, caller: HealthCaller) -> HealthOut {
    if caller.0.is_some() {
        return HealthOut::Report(Box::new(Report::build(&ctx, &ctx.cached.writes, CHECK_TIMEOUT).await));
    }
    let brief = ctx.cached.brief.get_or_compute(&ctx.ambient, async || {
        let report = Report::build(&ctx, &ctx.cached.writes, CHECK_TIMEOUT).await;
        PublicReport { status: report.status, time: report.time }
    });
    HealthOut::PublicReport(brief.await)
}

edge::endpoint! {
    /// This document.
    ///
    /// OpenAPI 3.1.
    pub(crate) GetOpenApiDocument = GET "/api/v1/openapi.json" => get_openapi_document;
}

/// The document of the whole service.
struct Document;

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], OPENAPI_DOCUMENT).into_response()
    }
}

impl JsonSchema for Document {
    fn schema_name() -> Cow<'static, str> {
        "OpenApiDocument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "description": "An OpenAPI document."})
    }
}

impl Output for Document {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        operation.answer::<Self>(StatusCode::OK, generator);
    }
}

/// The document, for everybody.
async fn get_openapi_document() -> Document {
    Document
}
