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
use aws::desk_keys::DeskKeys;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::user_directory::Users;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;
use domain::{Result, Secret};
use openid::{AuthTimeRule, OpenIdProvider, OpenIdSettings};
use outbound::Outbound;

use crate::table::Store;

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

    /// The control plane of the search domain; none if the index is on no domain of AWS.
    fn search_domain(&self) -> Result<Option<SearchDomain>>;

    /// A queue.
    fn queue(&self, queue: Queue) -> Result<TaskQueue>;

    /// The cipher of the secrets of webhooks.
    fn cipher(&self) -> Result<Cipher>;

    /// Where records are kept that cannot be handled.
    fn dead_letters(&self) -> Result<DeadLetters>;

    /// The function that handles changes; none if the reader of the stream never gives up.
    fn changes_function(&self) -> Result<Option<ChangesFunction>>;

    /// The users of the stack's own identity provider; none if the operator has another one.
    fn user_directory(&self) -> Result<Option<Users>>;

    /// The way to webhooks and pages.
    fn outbound(&self) -> Outbound;

    /// The keys of widget tokens.
    fn widget_keys(&self) -> impl Future<Output = Result<WidgetKeys>>;

    /// The key that signs desk tokens, if there is one.
    fn desk_keys(&self) -> impl Future<Output = Result<Option<DeskKeys>>>;

    /// The provider of sign-ins, if one is configured.
    fn openid(&self) -> impl Future<Output = Result<Option<OpenIdProvider>>>;

    /// The secret that shows that a request came through the distribution, if there is one.
    fn distribution_secret(&self) -> impl Future<Output = Result<Option<Secret>>>;

    /// The language model, if one is configured.
    fn model(&self) -> impl Future<Output = Result<Option<Arc<dyn LanguageModel>>>>;

    /// The embedding model, if one is configured.
    fn embedder(&self) -> impl Future<Output = Result<Option<Embedder>>>;

    /// Whether a language model is configured.
    fn has_model(&self) -> bool {
        self.config().model != ModelChoice::None
    }
}

/// The client of the provider of sign-ins that the operator configured, with the secret of its client, if it has one.
#[must_use]
pub fn openid_provider(provider: &impl ClientProvider, client_secret: Option<Secret>) -> Option<OpenIdProvider> {
    let config = provider.config();
    let (desk, redirect_uri) = config.desk_provider.clone().zip(config.desk_url.clone())?;
    let auth_time = if desk.auth_time_is_iat { AuthTimeRule::Iat } else { AuthTimeRule::Claim };
    let settings = OpenIdSettings {
        issuer: desk.issuer,
        client_id: desk.client_id,
        client_secret: client_secret.or(desk.client_secret),
        redirect_uri,
        auth_time,
    };
    Some(OpenIdProvider::new(settings, provider.outbound(), &provider.runtime()))
}

/// The engine that answers questions.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn answer_engine(provider: &impl ClientProvider) -> Result<AnswerEngine> {
    Ok(AnswerEngine { model: provider.model().await?, ..ranking_engine(provider).await? })
}

/// The same without a language model.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn ranking_engine(provider: &impl ClientProvider) -> Result<AnswerEngine> {
    Ok(AnswerEngine {
        index: provider.index()?,
        model: None,
        embedder: provider.embedder().await?,
        runtime: provider.runtime(),
        model_timeout_ms: provider.config().model_timeout_ms,
    })
}
