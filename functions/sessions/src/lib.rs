//! The sessions function: create, read, change, ask, react, escalate, resume.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod create;
mod delete;
mod details;
mod handover;
mod list;
mod message;
mod reaction;
mod read;
mod resume;

use app::Ctx;
use axum::routing::{delete, get, patch, post};
use edge::Routes;

/// The routes of this function.
#[must_use]
pub fn routes(ctx: Ctx) -> Routes {
    Routes::new("sessions", ctx)
        .route("POST", "/api/v1/sessions", post(create::create_session))
        .route("GET", "/api/v1/sessions", get(list::list_sessions))
        .route("POST", "/api/v1/sessions/resume", post(resume::resume_session))
        .route("GET", "/api/v1/sessions/{id}", get(read::get_session))
        .route("PATCH", "/api/v1/sessions/{id}", patch(details::change_session))
        .route("DELETE", "/api/v1/sessions/{id}", delete(delete::delete_session))
        .route("POST", "/api/v1/sessions/{id}/messages", post(message::send_message))
        .route("GET", "/api/v1/sessions/{id}/messages", get(read::list_messages))
        .route("POST", "/api/v1/sessions/{id}/reaction", post(reaction::add_reaction))
        .route("POST", "/api/v1/sessions/{id}/escalate", post(handover::escalate_session))
        .route("POST", "/api/v1/sessions/{id}/cancel-escalation", post(handover::cancel_escalation))
}
