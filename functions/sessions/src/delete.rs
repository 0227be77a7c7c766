//! `DELETE /sessions/:id`.

use axum::extract::State;
use shared::conversation::Conversation;
use shared::http::{NoContent, PathIn, SessionEraser};
use shared::models::SessionId;
use shared::{Ctx, Result};

/// Deletes a session with everything that belongs to it.
pub(crate) async fn delete_session(
    State(ctx): State<Ctx>,
    caller: SessionEraser,
    PathIn(id): PathIn<SessionId>,
) -> Result<NoContent> {
    Conversation::new(&ctx).delete(&caller, &id).await?;
    Ok(NoContent)
}
