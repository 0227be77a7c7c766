//! The health function: what works and what does not, by asking. It is also the `$default` route of the gateway, so
//! that unknown paths, wrong methods and preflights are answered by the edge around it, and it hands out the OpenAPI
//! document of the whole service.

mod agents;
mod checks;
mod report;

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use shared::Ctx;
use shared::http::{Down, HealthCaller, Json, Routes};

use report::{Brief, Report, Status};

/// The function's name.
pub const NAME: &str = "health";

/// How long each check may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the service takes and gives (OpenAPI 3.1); a test holds it to the routes and to real answers.
const DOCUMENT: &str = include_str!("../openapi.json");

/// What the function serves.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new(NAME, ctx).route("GET", "/api/v1/health", get(read_health)).route(
        "GET",
        "/api/v1/openapi.json",
        get(read_document),
    )
}

/// Tells nobody the status, and somebody with a key everything; 503 when the service is down.
async fn read_health(State(ctx): State<Ctx>, caller: HealthCaller) -> Response {
    let report = Report::make(&ctx, PATIENCE).await;
    let status = report.status;
    match caller.0 {
        Some(_) => answer(status, report),
        None => answer(status, Brief { status, time: report.time }),
    }
}

/// The document, for everybody.
async fn read_document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}

fn answer<T: Serialize>(status: Status, body: T) -> Response {
    match status {
        Status::Ok | Status::Degraded => Json(body).into_response(),
        Status::Down => Down(body).into_response(),
    }
}
