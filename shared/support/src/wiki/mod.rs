//! The wiki function, and the work that keeps index, vectors and revisions of entries up to date. Dry runs are
//! done in `knowledge`.
//!
//! - [`api`]: reads, creates, changes and deletes entries, and indexes each write before the response.
//! - [`input`]: the request bodies.
//! - [`search`]: full-text search, and the highlights of matches.
//! - [`revisions`]: old versions of entries, and the return to one.
//! - [`answers`]: the customers who were told what an entry says.
//! - [`indexing`]: the index of entries, its repair, and its rebuild.
//! - [`embedding_worker`]: makes the vectors.
//! - [`drafts`]: proposed changes of entries, and their publication.
//! - [`dry_runs`]: the endpoints of dry runs and of the questions that are pinned to be tried on.

pub mod answers;
pub mod api;
pub mod drafts;
pub mod dry_runs;
pub mod embedding_worker;
pub mod indexing;
pub mod input;
pub mod revisions;
pub mod search;

use std::sync::Arc;

use answer::search::SearchIndex;
use aws::store::Store;
use axum::extract::FromRef;
use domain::Result;
use domain::clock::Runtime;
use edge::ClientProvider;
use edge::auth::Authenticator;

use crate::knowledge::dry_run::DryRuns;
use crate::wiki::indexing::IndexingService;

/// The state of the handlers.
pub(crate) type FunctionState = Wiki;

/// The clients of the handlers of this function.
#[derive(Debug, Clone, FromRef)]
pub struct Wiki {
    pub(crate) authenticator: Authenticator,
    pub(crate) indexing: IndexingService,
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) dry_runs: DryRuns,
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
            dry_runs: DryRuns::new(provider).await?,
        })
    }
}
