//! The clients and settings that the function needs.

use answer::search::SearchIndex;
use app::ClientProvider;
use app::conversation::ConversationService;
use app::gaps::GapReview;
use app::jobs::dead_letters::LettersOfSessions;
use app::jobs::delivery::Deliveries;
use app::jobs::embedding::EmbeddingBacklog;
use app::jobs::indexing::IndexingService;
use app::jobs::ingest::IngestJobService;
use aws::changes_function::ChangesFunction;
use aws::dead_letters::DeadLetters;
use aws::store::Store;
use domain::Result;
use domain::clock::Runtime;
use domain::models::Timestamp;
use std::sync::Arc;

/// The state of a sweep.
#[derive(Debug, Clone)]
pub struct Sweeper {
    pub(crate) store: Store,
    pub(crate) runtime: Runtime,
    pub(crate) alone_since: Option<Timestamp>,
    pub(crate) index: Arc<dyn SearchIndex>,
    pub(crate) dead_letters: DeadLetters,
    pub(crate) letters_of_sessions: LettersOfSessions,
    /// None if the reader of the stream never gives up.
    pub(crate) changes: Option<ChangesFunction>,
    pub(crate) conversation: ConversationService,
    pub(crate) deliveries: Deliveries,
    pub(crate) jobs: IngestJobService,
    pub(crate) indexing: IndexingService,
    pub(crate) gap_review: GapReview,
    pub(crate) unembedded: EmbeddingBacklog,
}

impl Sweeper {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            store: provider.store(),
            runtime: provider.runtime(),
            alone_since: None,
            index: provider.index()?,
            dead_letters: provider.dead_letters()?,
            letters_of_sessions: LettersOfSessions::new(provider.dead_letters()?),
            changes: provider.changes_function()?,
            conversation: ConversationService::new(provider).await?,
            deliveries: Deliveries::new(provider)?,
            jobs: IngestJobService::new(provider)?,
            indexing: IndexingService::new(provider)?,
            gap_review: GapReview::new(provider).await?,
            unembedded: EmbeddingBacklog::new(provider).await?,
        })
    }

    /// The same if no other process sweeps the table since `moment`: a run without an end that began before has
    /// crashed.
    #[must_use]
    pub fn alone_since(self, moment: Timestamp) -> Self {
        Self { alone_since: Some(moment), ..self }
    }

    /// The same with another function that handles changes.
    #[must_use]
    pub fn with_changes_function(self, changes: ChangesFunction) -> Self {
        Self { changes: Some(changes), ..self }
    }
}
