//! The health function: checks what works. It is also the gateway's `$default` route, so that the edge answers unknown
//! paths, wrong methods and preflights, and it serves the OpenAPI document of the whole service.

mod agents;
mod checks;
mod kept;
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

use checks::Check;
use kept::Kept;
use report::{Brief, HealthOut, Report};

/// How long each check may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the service takes and gives (OpenAPI 3.1); a test holds it to the routes and to real answers.
const DOCUMENT: &str = include_str!("../openapi.json");

/// The latest results of one process.
#[derive(Debug, Clone, Default)]
struct Found {
    /// The anonymous response.
    brief: Kept<Brief>,
    /// Whether the table takes writes.
    writes: Kept<Check>,
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
    found: Found,
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
            found: Found::default(),
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
    GetOpenApi,
]);

edge::endpoint! {
    /// How the service is.
    ///
    /// With an API key the whole report, as it is now. Without one the status as it was found at most five seconds ago.
    pub(crate) GetHealth = GET "/api/v1/health" => read_health;
}

/// Tells nobody the status, as it was found at most five seconds ago, and somebody with a key everything, as it is now;
/// 503 when the service is down.
async fn read_health(State(ctx): State<Health>, caller: HealthCaller) -> HealthOut {
    if caller.0.is_some() {
        return HealthOut::Report(Box::new(Report::make(&ctx, &ctx.found.writes, PATIENCE).await));
    }
    let brief = ctx.found.brief.or_find(&ctx.ambient, async || {
        let report = Report::make(&ctx, &ctx.found.writes, PATIENCE).await;
        Brief { status: report.status, time: report.time }
    });
    HealthOut::Brief(brief.await)
}

edge::endpoint! {
    /// This document.
    ///
    /// OpenAPI 3.1.
    pub(crate) GetOpenApi = GET "/api/v1/openapi.json" => read_document;
}

/// The document of the whole service.
struct Document;

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
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
async fn read_document() -> Document {
    Document
}
