//! The health function: checks what works. It is also the gateway's `$default` route, so that the edge answers unknown
//! paths, wrong methods and preflights, and it serves the OpenAPI document of the whole service.

mod agents;
mod checks;
mod kept;
mod report;

use std::sync::Arc;
use std::time::Duration;

use answer::embedding::Embedder;
use answer::search::SearchIndex;
use app::Provider;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use axum::Extension;
use axum::extract::{FromRef, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use domain::Result;
use domain::clock::Ambient;
use edge::auth::Authenticator;
use edge::{Down, HealthCaller, Json, Routes};
use serde::Serialize;

use checks::Check;
use kept::Kept;
use report::{Brief, Report, Status};

/// The function's name.
pub const NAME: &str = "health";

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

/// What the function serves.
#[must_use]
pub fn routes(state: Health) -> Routes {
    let health = get(read_health).layer(Extension(Found::default()));
    Routes::new(NAME)
        .route("GET", "/api/v1/health", health)
        .route("GET", "/api/v1/openapi.json", get(read_document))
        .with_state(state)
}

/// Returns the status of the last five seconds to anonymous callers, and the current report to a caller with a key. 503
/// when the service is down.
async fn read_health(State(ctx): State<Health>, Extension(found): Extension<Found>, caller: HealthCaller) -> Response {
    if caller.0.is_some() {
        let report = Report::make(&ctx, &found.writes, PATIENCE).await;
        return answer(report.status, report);
    }
    let brief = found.brief.or_find(&ctx.ambient, async || {
        let report = Report::make(&ctx, &found.writes, PATIENCE).await;
        Brief { status: report.status, time: report.time }
    });
    let brief = brief.await;
    answer(brief.status, brief)
}

/// The OpenAPI document, without credentials.
async fn read_document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}

fn answer<T: Serialize>(status: Status, body: T) -> Response {
    match status {
        Status::Ok | Status::Degraded => Json(body).into_response(),
        Status::Down => Down(body).into_response(),
    }
}
