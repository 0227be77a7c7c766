//! Ingest: pages and texts are handed in, and watched on their way to wiki entries.
//!
//! The cast: [`input`] reads what callers send, [`prefix`] says where a page's entries go when its caller does not,
//! [`accept`] takes jobs in and takes them up again, [`read`] shows them. The work itself is `ingest-worker`'s.

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
