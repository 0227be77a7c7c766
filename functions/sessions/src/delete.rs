//! `DELETE /sessions/:id`.

use app::conversation::ConversationService;
use axum::extract::State;
use domain::models::SessionId;
use edge::ApiResult;
use edge::{NoContent, PathIn, SessionEraser};

edge::endpoint! {
    /// Erase a conversation.
    ///
    /// It is unreadable at once; what was said is erased within 15 minutes, counts stay.
    pub(crate) DeleteSession = DELETE "/api/v1/sessions/{id}" => delete_session;
}

/// Deletes a session with everything that belongs to it.
pub(crate) async fn delete_session(
    State(conversation): State<ConversationService>,
    caller: SessionEraser,
    PathIn(id): PathIn<SessionId>,
) -> ApiResult<NoContent> {
    conversation.delete(&caller, &id).await?;
    Ok(NoContent)
}
