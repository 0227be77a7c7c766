//! The target of a command: a data folder, or a stack. Both give the clients that the functions use.

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
use aws::user_directory::Users;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;
use domain::{Result, Secret};
use local::DataFolder;
use openid::OpenIdProvider;
use outbound::Outbound;
use support::edge::ClientProvider;
use support::table::Store;

use crate::cli::Global;
use crate::output::Failure;
use crate::stack::Stack;

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
            Self::Stack(stack) => stack.put_secret("WidgetTokenSecret", &set.to_secret()).await,
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

/// Passes each call to the clients of either kind.
macro_rules! pass_on {
    ($(fn $now:ident(&self $(, $argument:ident: $of:ty)?) -> $result:ty;)+ $(async fn $later:ident(&self) -> $awaited:ty;)+) => {
        impl ClientProvider for Target {
            $(fn $now(&self $(, $argument: $of)?) -> $result {
                match self {
                    Self::Data(folder) => folder.resources().$now($($argument)?),
                    Self::Stack(stack) => stack.clients.$now($($argument)?),
                }
            })+
            $(async fn $later(&self) -> $awaited {
                match self {
                    Self::Data(folder) => folder.resources().$later().await,
                    Self::Stack(stack) => stack.clients.$later().await,
                }
            })+
        }
    };
}

pass_on! {
    fn config(&self) -> &Config;
    fn runtime(&self) -> Runtime;
    fn store(&self) -> Store;
    fn index(&self) -> Result<Arc<dyn SearchIndex>>;
    fn search_domain(&self) -> Result<Option<SearchDomain>>;
    fn queue(&self, queue: Queue) -> Result<TaskQueue>;
    fn cipher(&self) -> Result<Cipher>;
    fn dead_letters(&self) -> Result<DeadLetters>;
    fn changes_function(&self) -> Result<Option<ChangesFunction>>;
    fn user_directory(&self) -> Result<Option<Users>>;
    fn outbound(&self) -> Outbound;
    fn has_model(&self) -> bool;
    async fn widget_keys(&self) -> Result<WidgetKeys>;
    async fn desk_keys(&self) -> Result<Option<DeskKeys>>;
    async fn openid(&self) -> Result<Option<OpenIdProvider>>;
    async fn distribution_secret(&self) -> Result<Option<Secret>>;
    async fn model(&self) -> Result<Option<Arc<dyn LanguageModel>>>;
    async fn embedder(&self) -> Result<Option<Embedder>>;
}
