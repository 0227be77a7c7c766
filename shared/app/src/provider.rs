//! Where a function gets its clients from.
//!
//! Each function, and each use case, is a type that holds the clients it uses and takes them from a [`ClientProvider`]
//! by name. On AWS the provider makes each client when it is asked for it, so a client that no function asks for is not
//! linked. In one process all functions share the clients of one provider.

use std::future::Future;
use std::sync::Arc;

use answer::AnswerEngine;
use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::changes_function::ChangesFunction;
use aws::cipher::Cipher;
use aws::config::{Config, ModelChoice};
use aws::dead_letters::DeadLetters;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use aws::widget_keys::WidgetKeys;
use domain::Result;
use domain::clock::Runtime;
use outbound::Outbound;

/// Gives out the clients that a function names.
///
/// Asked twice for the same client, it gives the same one. Each method that can fail answers an internal error that
/// names the variable which is missing, or the reason why a secret cannot be read.
pub trait ClientProvider {
    /// The configuration.
    fn config(&self) -> &Config;

    /// Clock and entropy.
    fn runtime(&self) -> Runtime;

    /// The table.
    fn store(&self) -> Store;

    /// The index of wiki entries.
    fn index(&self) -> Result<Arc<dyn SearchIndex>>;

    /// The control plane of the search domain; none where the index is on no domain of AWS.
    fn search_domain(&self) -> Result<Option<SearchDomain>>;

    /// A queue.
    fn queue(&self, queue: Queue) -> Result<TaskQueue>;

    /// What encrypts and decrypts the secrets of webhooks.
    fn cipher(&self) -> Result<Cipher>;

    /// Where records are kept that cannot be handled.
    fn dead_letters(&self) -> Result<DeadLetters>;

    /// The function that handles changes; none where the reader of the stream never gives up.
    fn changes_function(&self) -> Result<Option<ChangesFunction>>;

    /// The way to webhooks and pages.
    fn outbound(&self) -> Outbound;

    /// The keys of widget tokens.
    fn widget_keys(&self) -> impl Future<Output = Result<WidgetKeys>>;

    /// The language model, where one is configured.
    fn model(&self) -> impl Future<Output = Result<Option<Arc<dyn LanguageModel>>>>;

    /// The embedding model, where one is configured.
    fn embedder(&self) -> impl Future<Output = Result<Option<Embedder>>>;

    /// Whether a language model is configured.
    fn has_model(&self) -> bool {
        self.config().model != ModelChoice::None
    }
}

/// What answers questions.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn answer_engine(provider: &impl ClientProvider) -> Result<AnswerEngine> {
    Ok(AnswerEngine {
        index: provider.index()?,
        model: provider.model().await?,
        embedder: provider.embedder().await?,
        runtime: provider.runtime(),
        model_timeout_ms: provider.config().model_timeout_ms,
    })
}
