//! The sessions function: creates, reads, changes, resumes and deletes sessions, answers messages, and takes reactions,
//! ratings and requests for a human.
//!
//! - [`api`]: the endpoints of sessions.
//! - [`read`]: the endpoints that read sessions and messages.
//! - [`messages`]: the endpoints of what a customer does: messages, reactions, ratings, and requests for a human.
//! - [`conversation`]: the use cases of all of these, and of due sessions.
//! - [`hours_preview`]: the test of opening hours before they are saved.
//! - [`table`]: sessions, their turns, and requests for a human, as they are stored.

pub mod api;
pub mod conversation;
pub mod hours_preview;
pub mod messages;
pub mod read;
pub mod table;

use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;

use crate::edge::ClientProvider;
use crate::edge::auth::Authenticator;
use crate::sessions::conversation::ConversationService;
use crate::table::Store;

/// The state of the handlers.
pub(crate) type FunctionState = Sessions;

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Sessions {
    pub(crate) authenticator: Authenticator,
    pub(crate) conversation: ConversationService,
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
}

impl Sessions {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            // First what connects to the index, which happens while secrets are read.
            conversation: ConversationService::new(provider).await?,
            authenticator: Authenticator::new(provider).await?,
            store: provider.store(),
            runtime: provider.runtime(),
        })
    }
}
