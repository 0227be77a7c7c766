//! The wiki function.
//!
//! [`input`] parses requests, [`read`] and [`search`] return single entries and lists, [`mod@write`] creates, changes
//! and deletes, [`indexing`] indexes each write before the response, [`highlights`] marks matches, [`visibility`] says
//! which entries a caller may see, [`if_match`] is the precondition of a change, and [`output`] is the response.

mod highlights;
mod if_match;
mod indexing;
mod input;
mod output;
mod read;
mod search;
mod visibility;
mod write;

use std::sync::Arc;

use answer::search::SearchIndex;
use app::Provider;
use app::indexing::Indexing;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use edge::auth::Authenticator;

/// What the handlers of this function need.
#[derive(Debug, Clone, FromRef)]
pub struct Wiki {
    pub(crate) authenticator: Authenticator,
    pub(crate) indexing: Indexing,
    pub(crate) store: Store,
    pub(crate) index: Arc<dyn SearchIndex>,
}

impl Wiki {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            authenticator: Authenticator::new(provider).await?,
            indexing: Indexing::new(provider)?,
            store: provider.store(),
            index: provider.index()?,
        })
    }
}

edge::function!("wiki", Wiki: [
    read::ListEntries,
    write::CreateEntry,
    read::GetEntry,
    write::UpdateEntry,
    write::DeleteEntry,
]);
