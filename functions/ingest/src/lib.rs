//! The ingest function: accepts pages and texts, and shows the progress of jobs.
//!
//! [`input`] parses requests, [`prefix`] derives the path prefix of a page if the caller gives none, [`accept`] creates
//! and retries jobs, [`read`] shows them. The work itself is done by `ingest-worker`.

mod accept;
mod input;
mod prefix;
mod read;

use app::Ctx;
use axum::routing::{get, post};
use edge::Routes;

/// The function's name.
pub const NAME: &str = "ingest";

/// What the function serves.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new(NAME, ctx)
        .route("POST", "/api/v1/ingest", post(accept::accept_ingest))
        .route("GET", "/api/v1/ingest", get(read::list_jobs))
        .route("GET", "/api/v1/ingest/{id}", get(read::get_job))
        .route("POST", "/api/v1/ingest/{id}/retry", post(accept::retry_job))
}
