//! The target of a command: a data folder, or a stack. Both give the clients that the functions use.

mod query;
mod stack;

use std::sync::Arc;

use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::changes_function::ChangesFunction;
use aws::cipher::Cipher;
use aws::config::{Config, DeskTokenKey, WidgetKeySet};
use aws::dead_letters::DeadLetters;
use aws::desk_keys::DeskKeys;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::store::Store;
use aws::user_directory::Users;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;
use domain::{Result, Secret};
use edge::ClientProvider;
use local::DataFolder;
use openid::OpenIdProvider;
use outbound::Outbound;

use crate::cli::Global;
use crate::failure::Failure;

pub(crate) use stack::Stack;

/// An opened service.
#[derive(Debug)]
pub(crate) enum Target {
    /// The data folder of a local service.
    Data(Box<DataFolder>),
    /// A deployed stack.
    Stack(Box<Stack>),
}

impl Target {
    /// Opens the service that the options name.
    pub(crate) async fn open(global: &Global) -> Result<Self, Failure> {
        match (&global.data, &global.stack) {
            (Some(path), _) => Ok(Self::Data(Box::new(DataFolder::attach(path).await?))),
            (None, Some(name)) => Ok(Self::Stack(Box::new(Stack::open(name).await?))),
            (None, None) => Err(Failure::usage("name the service: --data DIR or --stack NAME")),
        }
    }

    /// Closes what was opened.
    pub(crate) async fn close(self) {
        if let Self::Data(folder) = self {
            folder.close().await;
        }
    }

    /// The signing keys of widget tokens.
    pub(crate) async fn stored_widget_keys(&self) -> Result<WidgetKeySet> {
        match self {
            Self::Data(folder) => folder.widget_keys(),
            Self::Stack(stack) => stack.stored_widget_keys().await,
        }
    }

    /// Replaces the signing keys of widget tokens.
    pub(crate) async fn put_widget_keys(&self, set: &WidgetKeySet) -> Result<()> {
        match self {
            Self::Data(folder) => folder.put_widget_keys(set).await,
            Self::Stack(stack) => stack.put_widget_keys(set).await,
        }
    }

    /// Replaces the signing key of desk tokens.
    pub(crate) async fn put_desk_key(&self, key: &DeskTokenKey) -> Result<()> {
        match self {
            Self::Data(folder) => folder.put_desk_key(key),
            Self::Stack(stack) => stack.put_secret("DeskKeySecret", &key.to_secret()).await,
        }
    }

    /// Whether every process uses new signing keys as soon as they are put.
    pub(crate) const fn applies_widget_keys_at_once(&self) -> bool {
        matches!(self, Self::Data(_))
    }
}

/// Calls the method of the clients of either kind.
macro_rules! clients {
    ($target:expr, $clients:ident => $call:expr) => {
        match $target {
            Target::Data(folder) => {
                let $clients = folder.resources();
                $call
            }
            Target::Stack(stack) => {
                let $clients = stack.clients();
                $call
            }
        }
    };
}

impl ClientProvider for Target {
    fn config(&self) -> &Config {
        clients!(self, clients => clients.config())
    }

    fn runtime(&self) -> Runtime {
        clients!(self, clients => clients.runtime())
    }

    fn store(&self) -> Store {
        clients!(self, clients => clients.store())
    }

    fn index(&self) -> Result<Arc<dyn SearchIndex>> {
        clients!(self, clients => clients.index())
    }

    fn search_domain(&self) -> Result<Option<SearchDomain>> {
        clients!(self, clients => clients.search_domain())
    }

    fn queue(&self, queue: Queue) -> Result<TaskQueue> {
        clients!(self, clients => clients.queue(queue))
    }

    fn cipher(&self) -> Result<Cipher> {
        clients!(self, clients => clients.cipher())
    }

    fn dead_letters(&self) -> Result<DeadLetters> {
        clients!(self, clients => clients.dead_letters())
    }

    fn changes_function(&self) -> Result<Option<ChangesFunction>> {
        clients!(self, clients => clients.changes_function())
    }

    fn user_directory(&self) -> Result<Option<Users>> {
        clients!(self, clients => clients.user_directory())
    }

    fn outbound(&self) -> Outbound {
        clients!(self, clients => clients.outbound())
    }

    async fn widget_keys(&self) -> Result<WidgetKeys> {
        clients!(self, clients => clients.widget_keys().await)
    }

    async fn desk_keys(&self) -> Result<Option<DeskKeys>> {
        clients!(self, clients => clients.desk_keys().await)
    }

    async fn openid(&self) -> Result<Option<OpenIdProvider>> {
        clients!(self, clients => clients.openid().await)
    }

    async fn distribution_secret(&self) -> Result<Option<Secret>> {
        clients!(self, clients => clients.distribution_secret().await)
    }

    async fn model(&self) -> Result<Option<Arc<dyn LanguageModel>>> {
        clients!(self, clients => clients.model().await)
    }

    async fn embedder(&self) -> Result<Option<Embedder>> {
        clients!(self, clients => clients.embedder().await)
    }

    fn has_model(&self) -> bool {
        clients!(self, clients => clients.has_model())
    }
}
