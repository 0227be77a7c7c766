//! The wiki function.
//!
//! [`input`] parses requests, [`read`] and [`search`] return single entries and lists, [`write`] creates, changes and
//! deletes, [`indexing`] indexes each write before the response, [`highlights`] marks matches, [`sight`] says which
//! entries a caller may see, [`if_match`] is the precondition of a change, and [`output`] is the response.

mod highlights;
mod if_match;
mod indexing;
mod input;
mod output;
mod read;
mod search;
mod sight;
mod write;

use app::Ctx;
use axum::routing::{delete, get, patch, post};
use edge::Routes;

/// The routes of this function.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new("wiki", ctx)
        .route("GET", "/api/v1/wiki", get(read::list_entries))
        .route("POST", "/api/v1/wiki", post(write::create_entry))
        .route("GET", "/api/v1/wiki/{*path}", get(read::get_entry))
        .route("PATCH", "/api/v1/wiki/{*path}", patch(write::change_entry))
        .route("DELETE", "/api/v1/wiki/{*path}", delete(write::delete_entry))
}
