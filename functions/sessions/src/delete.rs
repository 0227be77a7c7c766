//! `DELETE /sessions/:id`.

use app::Ctx;
use app::conversation::Conversation;
use axum::extract::State;
use domain::models::SessionId;
use edge::ApiResult;
use edge::{NoContent, PathIn, SessionEraser};

/// Deletes a session with everything that belongs to it.
pub(crate) async fn delete_session(
    State(ctx): State<Ctx>,
    caller: SessionEraser,
    PathIn(id): PathIn<SessionId>,
) -> ApiResult<NoContent> {
    Conversation::new(&ctx).delete(&caller, &id).await?;
    Ok(NoContent)
}
