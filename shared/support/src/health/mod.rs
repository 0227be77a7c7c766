//! The health function: checks what works. It is also the gateway's `$default` route, so that the edge answers unknown
//! paths, wrong methods and preflights, and it serves the OpenAPI document of the whole service.
//!
//! - [`checks`]: the check of each part, and the clients that they call.
//! - [`report`]: the report that is made of the checks.
//! - [`table`]: the latest run of each agent, as it is stored.

pub mod checks;
pub mod report;
pub mod table;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRef, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::Result;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::edge::auth::Authenticator;
use crate::edge::describe::{Operation, Output};
use crate::edge::{self, ClientProvider, HealthCaller};
use crate::health::checks::Clients;
use crate::health::report::{Cached, HealthOut, PublicReport, Report};

/// How long each check may take.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// The interface of the service (OpenAPI 3.1); a test holds it to the routes and to real answers.
const OPENAPI_DOCUMENT: &str = include_str!("../../../../functions/health/openapi.json");

/// The state of the handlers.
pub(crate) type FunctionState = Health;

edge::endpoint! {
    /// Check that the service works.
    ///
    /// With an API key the whole report, without one the status; both as they were found at most five seconds ago.
    pub(crate) GetHealth = GET "/api/v1/health" => get_health;
}

/// Tells nobody the status, and somebody with a key everything, of one report that is made at most once in five seconds;
/// 503 when the service is down.
async fn get_health(State(state): State<Health>, caller: HealthCaller) -> HealthOut {
    let report = async || Arc::new(Report::build(&state.clients, CHECK_TIMEOUT).await);
    let report = state.report.get_or_compute(&state.clients.runtime, report).await;
    match caller.0 {
        Some(_) => HealthOut::Report(report),
        None => HealthOut::PublicReport(PublicReport { status: report.status, time: report.time }),
    }
}

edge::endpoint! {
    /// Read this document.
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

/// The clients, and the latest report of this process.
#[derive(Debug, Clone, FromRef)]
pub struct Health {
    pub(crate) authenticator: Authenticator,
    pub(crate) clients: Clients,
    pub(crate) report: Cached<Arc<Report>>,
}

impl Health {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            clients: Clients::new(provider).await?,
            authenticator: Authenticator::new(provider).await?,
            report: Cached::default(),
        })
    }
}
