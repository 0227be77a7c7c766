//! The clients and settings that the function needs.

use answer::search::SearchIndex;
use app::Provider;
use app::conversation::Conversation;
use app::gaps::GapReview;
use app::jobs::delivery::Deliveries;
use app::jobs::embedding::Unembedded;
use app::jobs::indexing::Indexing;
use app::jobs::ingest::IngestJobs;
use aws::set_aside::SetAside;
use aws::store::Store;
use domain::Result;
use domain::clock::Ambient;
use std::sync::Arc;

/// What a sweep needs.
#[derive(Debug, Clone)]
pub struct Sweeper {
    pub(crate) store: Store,
    pub(crate) ambient: Ambient,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) set_aside: SetAside,
    pub(crate) conversation: Conversation,
    pub(crate) deliveries: Deliveries,
    pub(crate) jobs: IngestJobs,
    pub(crate) indexing: Indexing,
    pub(crate) gap_review: GapReview,
    pub(crate) unembedded: Unembedded,
}

impl Sweeper {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`Provider`].
    pub async fn new(provider: &impl Provider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            ambient: provider.ambient(),
            index: provider.index()?,
            set_aside: provider.set_aside()?,
            conversation: Conversation::new(provider).await?,
            deliveries: Deliveries::new(provider)?,
            jobs: IngestJobs::new(provider)?,
            indexing: Indexing::new(provider)?,
            gap_review: GapReview::new(provider).await?,
            unembedded: Unembedded::new(provider).await?,
        })
    }
}
