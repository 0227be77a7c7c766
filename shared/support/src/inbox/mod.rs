//! The inbox function: agents list waiting customers, take over, step in, write, hand over to each other, and hand back;
//! and what they write with, saved replies.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].
//!
//! The clients and settings that the function needs.

pub mod api;
pub mod claim;
pub mod list;
pub mod messages;
pub mod release;
pub mod saved_replies;
pub mod takeover;

use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::ClientProvider;
use edge::auth::Authenticator;

use crate::sessions::conversation::ConversationService;

edge::function!("inbox", Inbox: [
    list::ListEscalations,
    list::ListAgents,
    api::TakeOverEscalation,
    list::GetEscalation,
    api::UpdateEscalation,
    api::SendAgentMessage,
    api::HandBackEscalation,
    api::ResolveEscalation,
    api::ReleaseEscalation,
    api::TransferEscalation,
    api::RenewClaim,
    api::RenewClaims,
    api::ReopenEscalation,
    api::StepIn,
    api::WriteNote,
    api::SuggestAnswer,
    saved_replies::ListSavedReplies,
    saved_replies::CreateSavedReply,
    saved_replies::GetSavedReply,
    saved_replies::UpdateSavedReply,
    saved_replies::DeleteSavedReply,
]);

/// The state of this function's handlers.
#[derive(Debug, Clone, FromRef)]
pub struct Inbox {
    pub(crate) authenticator: Authenticator,
    pub(crate) conversation: ConversationService,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
}

impl Inbox {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            conversation: ConversationService::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
        })
    }
}
