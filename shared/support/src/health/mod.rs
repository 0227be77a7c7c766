//! The health function: checks what works. It is also the gateway's `$default` route, so that the edge answers unknown
//! paths, wrong methods and preflights, and it serves the OpenAPI document of the whole service.
//!
//! - [`checks`]: the check of each part.
//! - [`report`]: the report that is made of the checks.
//! - [`table`]: the latest run of each agent, as it is stored.

pub mod checks;
pub mod report;
pub mod table;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::edge::describe::{Operation, Output};
use crate::edge::{self, App, HealthCaller};
use crate::health::report::{Cached, HealthOut, PublicReport, Report};

/// How long each check may take.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// The interface of the service (OpenAPI 3.1); a test holds it to the routes and to real answers.
const OPENAPI_DOCUMENT: &str = include_str!("../../../../functions/health/openapi.json");

edge::endpoint! {
    /// Check that the service works.
    ///
    /// With an API key the whole report, without one the status; both as they were found at most five seconds ago.
    pub(crate) GetHealth = GET "/api/v1/health" => get_health;
}

/// Tells nobody the status, and somebody with a key everything, of one report that is made at most once in five seconds;
/// 503 when the service is down.
async fn get_health(State(app): State<App>, caller: HealthCaller) -> HealthOut {
    let report = async || Arc::new(Report::build(&app, CHECK_TIMEOUT).await);
    let report = app.remembered::<Cached<Arc<Report>>>().get_or_compute(&app.runtime, report).await;
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
