//! The inbox function: agents list waiting customers, take over, write, and hand back.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod act;
mod case;
mod list;
mod patch;
mod takeover;

use app::Ctx;
use axum::routing::{get, patch, post};
use edge::Routes;

/// The routes of this function.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new("inbox", ctx)
        .route("GET", "/api/v1/inbox", get(list::list_escalations))
        .route("POST", "/api/v1/inbox/takeover", post(takeover::take_over))
        .route("GET", "/api/v1/inbox/{id}", get(case::get_escalation))
        .route("PATCH", "/api/v1/inbox/{id}", patch(patch::change_escalation))
        .route("POST", "/api/v1/inbox/{id}/message", post(act::send_message))
        .route("POST", "/api/v1/inbox/{id}/handback", post(act::hand_back))
        .route("POST", "/api/v1/inbox/{id}/resolve", post(act::resolve))
        .route("POST", "/api/v1/inbox/{id}/release", post(act::release))
}
