//! Entries: their endpoints, and the work that keeps index, vectors and revisions of them up to date. Drafts, dry runs
//! and answers are in `knowledge`, as are the clients of the wiki function.
//!
//! - [`api`]: reads, creates, changes and deletes entries, and indexes each write before the response.
//! - [`input`]: the request bodies.
//! - [`search`]: full-text search, and the highlights of matches.
//! - [`revisions`]: old versions of entries, and the return to one.
//! - [`indexing`]: the index of entries, its repair, and its rebuild.
//! - [`embedding_worker`]: makes the vectors.
//! - [`embedding`]: queues entries for their vectors.
//! - [`table`]: their items.

pub mod api;
pub mod embedding;
pub mod embedding_worker;
pub mod indexing;
pub mod input;
pub mod revisions;
pub mod search;
pub mod table;

use std::sync::Arc;

use answer::search::SearchIndex;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;

use crate::edge::ClientProvider;
use crate::edge::auth::Authenticator;
use crate::table::Store;
use crate::wiki::indexing::IndexingService;

/// The state of the handlers.
pub(crate) type FunctionState = Wiki;

/// The clients of the handlers of entries.
#[derive(Debug, Clone, FromRef)]
pub struct Wiki {
    pub(crate) authenticator: Authenticator,
    pub(crate) indexing: IndexingService,
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) index: Arc<dyn SearchIndex>,
}

impl Wiki {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            // First what connects to the index, which happens while secrets are read.
            indexing: IndexingService::new(provider)?,
            authenticator: Authenticator::new(provider).await?,
            runtime: provider.runtime(),
            store: provider.store(),
            index: provider.index()?,
        })
    }
}
