//! What a function gets at startup: configuration, clock, database, index, model.

use std::sync::Arc;

use answer::AnswerEngine;
use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::cipher::Cipher;
use aws::config::Config;
use aws::queue::Queues;
use aws::search::SearchDomain;
use aws::set_aside::SetAside;
use aws::store::Store;
use aws::widget_keys::WidgetKeys;
use domain::clock::Ambient;
use outbound::Outbound;

/// Shared by every request of a function; cheap to clone.
#[derive(Debug, Clone)]
pub struct Ctx {
    /// The configuration.
    pub config: Arc<Config>,
    /// The keys of widget tokens.
    pub widget_keys: WidgetKeys,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// The database.
    pub store: Store,
    /// The wiki index.
    pub index: Arc<dyn SearchIndex>,
    /// What keeps secrets, as far as the function was given its key.
    pub cipher: Cipher,
    /// The search domain's own word on its health, where the function was given it.
    pub search_domain: Option<SearchDomain>,
    /// The queues, as far as the function was given them.
    pub queues: Queues,
    /// The language model, where one is configured.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// The embedding model, where one is configured.
    pub embedder: Option<Embedder>,
    /// Where stream records go that cannot be handled.
    pub set_aside: SetAside,
    /// The way to webhooks and pages.
    pub outbound: Outbound,
}

impl Ctx {
    /// What answers questions.
    #[must_use]
    pub fn answers(&self) -> AnswerEngine {
        AnswerEngine {
            index: Arc::clone(&self.index),
            model: self.model.clone(),
            embedder: self.embedder.clone(),
            ambient: self.ambient.clone(),
            model_timeout_ms: self.config.model_timeout_ms,
        }
    }
}
