//! What a function works with: one [`App`] of concrete parts, which every handler and worker gets.
//!
//! A function names the parts that it needs where it is made (`functions`, and `app` of a worker), and takes them from a
//! [`ClientProvider`]. On AWS the provider makes each client when it is asked for it, so a client that no function asks
//! for is neither made nor linked. In one process all functions share the clients of one provider.

use std::future::Future;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

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
use domain::models::Timestamp;
use domain::{Error, Result, Secret};
use http::Extensions;
use openid::{AuthTimeRule, OpenIdProvider, OpenIdSettings};
use outbound::Outbound;

use crate::edge::auth::{Authenticator, Desk, DeskUrl};
use crate::table::Store;

/// The parts of a function; cheap to clone.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

/// A part that not every function has is none in the others, as is a client that is not configured.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The table.
    pub store: Store,
    /// Clock and entropy.
    pub runtime: Runtime,
    /// The configuration.
    pub config: Arc<Config>,
    /// Whether a language model is configured.
    pub(crate) has_model: bool,
    pub(crate) authenticator: Option<Authenticator>,
    pub(crate) index: Option<Arc<dyn SearchIndex>>,
    pub(crate) search_domain: Option<SearchDomain>,
    pub(crate) model: Option<Arc<dyn LanguageModel>>,
    /// The embedding model.
    pub embedder: Option<Embedder>,
    pub(crate) queues: Vec<TaskQueue>,
    pub(crate) cipher: Option<Cipher>,
    pub(crate) outbound: Option<Outbound>,
    pub(crate) dead_letters: Option<DeadLetters>,
    pub(crate) changes_function: Option<ChangesFunction>,
    /// Since when no other process sweeps the table, if that is known.
    pub(crate) alone_since: Option<Timestamp>,
    pub(crate) users: Option<Users>,
    pub(crate) desk: Option<Desk>,
    pub(crate) desk_url: Option<DeskUrl>,
    pub(crate) distribution_secret: Option<Secret>,
    /// What things keep in this process, each under its type.
    pub(crate) remembered: Arc<Mutex<Extensions>>,
}

impl Parts {
    /// What every function has.
    #[must_use]
    pub fn new(provider: &impl ClientProvider) -> Self {
        Self {
            store: provider.store(),
            runtime: provider.runtime(),
            config: Arc::new(provider.config().clone()),
            has_model: provider.has_model(),
            authenticator: None,
            index: None,
            search_domain: None,
            model: None,
            embedder: None,
            queues: Vec::new(),
            cipher: None,
            outbound: None,
            dead_letters: None,
            changes_function: None,
            alone_since: None,
            users: None,
            desk: None,
            desk_url: DeskUrl::of(provider.config()),
            distribution_secret: None,
            remembered: Arc::default(),
        }
    }
}

impl From<Parts> for App {
    fn from(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// A function that answers HTTP: it knows who calls.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub(crate) async fn serving(parts: Parts, provider: &impl ClientProvider) -> Result<Self> {
        let authenticator = Some(Authenticator::new(&parts, provider.widget_keys().await?));
        Ok(Parts { authenticator, ..parts }.into())
    }

    /// Index alone, with the embedding model, for what runs beside the functions.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn with_index(provider: &impl ClientProvider) -> Result<Self> {
        let (index, embedder) = (Some(provider.index()?), provider.embedder().await?);
        Ok(Parts { index, embedder, ..Parts::new(provider) }.into())
    }

    /// The same, changed by `change`.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut Parts)) -> Self {
        let mut parts = Parts::clone(self);
        change(&mut parts);
        parts.into()
    }

    /// What a thing keeps in this process, under its type.
    pub(crate) fn remembered<T: Clone + Default + Send + Sync + 'static>(&self) -> T {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default::<T>().clone()
    }

    pub(crate) fn authenticator(&self) -> Result<&Authenticator> {
        named(self.authenticator.as_ref(), "knowledge of callers")
    }

    pub(crate) fn index(&self) -> Result<&Arc<dyn SearchIndex>> {
        named(self.index.as_ref(), "index")
    }

    pub(crate) fn queue(&self, queue: Queue) -> Result<&TaskQueue> {
        named(self.queues.iter().find(|it| it.name() == queue.as_str()), queue.as_str())
    }

    pub(crate) fn cipher(&self) -> Result<&Cipher> {
        named(self.cipher.as_ref(), "cipher")
    }

    pub(crate) fn outbound(&self) -> Result<&Outbound> {
        named(self.outbound.as_ref(), "way to other hosts")
    }

    pub(crate) fn dead_letters(&self) -> Result<&DeadLetters> {
        named(self.dead_letters.as_ref(), "dead letters")
    }

    /// The engine that answers questions.
    pub(crate) fn engine(&self) -> Result<AnswerEngine> {
        let index = Arc::clone(self.index()?);
        let (model, embedder, runtime) = (self.model.clone(), self.embedder.clone(), self.runtime.clone());
        Ok(AnswerEngine { index, model, embedder, runtime, model_timeout_ms: self.config.model_timeout_ms })
    }
}

/// A part that the function must have named.
fn named<T>(part: Option<T>, name: &str) -> Result<T> {
    part.ok_or_else(|| Error::internal(format!("this function named no {name}")))
}

/// Gives out the clients that a function names.
///
/// A function asks for each client once. Each method that can fail answers an internal error that
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
