//! The clients that each function names, found by making it from a provider that takes note.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::changes_function::ChangesFunction;
use aws::cipher::Cipher;
use aws::config::Config;
use aws::dead_letters::DeadLetters;
use aws::desk_keys::DeskKeys;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::user_directory::Users;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;
use domain::{Result, Secret};
use local::Resources;
use openid::OpenIdProvider;
use outbound::Outbound;
use support::edge::ClientProvider;
use support::table::Store;

use crate::support::TestService;

/// A client that not every function has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Client {
    Index,
    SearchDomain,
    Queue(&'static str),
    Cipher,
    DeadLetters,
    ChangesFunction,
    UserDirectory,
    Outbound,
    WidgetKeys,
    DeskKeys,
    OpenId,
    DistributionSecret,
    Model,
    Embedder,
}

/// The clients that the functions of the template name, by function.
pub(crate) struct Clients(BTreeMap<&'static str, BTreeSet<Client>>);

impl Clients {
    /// Makes every function.
    pub(crate) async fn of_every_function() -> Self {
        let service = TestService::start().await;
        let mut all = BTreeMap::new();
        macro_rules! note {
            ($($name:literal => $function:path),+ $(,)?) => { $(
                let noting = Noting { inner: service.resources(), named: Mutex::default() };
                $function(&noting).await.unwrap();
                all.insert($name, noting.named.into_inner().unwrap());
            )+ };
        }
        note! {
            "sessions" => support::functions::sessions::app,
            "wiki" => support::functions::wiki::app,
            "auth" => support::functions::auth::app,
            "analytics" => support::functions::analytics::app,
            "health" => support::functions::health::app,
            "inbox" => support::functions::inbox::app,
            "webhooks" => support::functions::webhooks::app,
            "ingest" => support::functions::ingest::app,
            "changes" => support::changes::app,
            "sweeper" => support::sweeper::app,
            "webhook-worker" => support::webhooks::worker::app,
            "ingest-worker" => support::ingest::worker::app,
            "embedding-worker" => support::wiki::embedding_worker::app,
        }
        Self(all)
    }

    /// Whether `function` names `client`.
    pub(crate) fn has(&self, function: &str, client: Client) -> bool {
        self.0[function].contains(&client)
    }
}

/// Takes note of what is asked for.
struct Noting<'a> {
    inner: &'a Resources,
    named: Mutex<BTreeSet<Client>>,
}

impl Noting<'_> {
    fn note(&self, client: Client) -> &Resources {
        self.named.lock().unwrap().insert(client);
        self.inner
    }
}

impl ClientProvider for Noting<'_> {
    fn config(&self) -> &Config {
        self.inner.config()
    }

    fn runtime(&self) -> Runtime {
        self.inner.runtime()
    }

    fn store(&self) -> Store {
        self.inner.store()
    }

    fn index(&self) -> Result<Arc<dyn SearchIndex>> {
        self.note(Client::Index).index()
    }

    fn search_domain(&self) -> Result<Option<SearchDomain>> {
        self.note(Client::SearchDomain).search_domain()
    }

    fn queue(&self, queue: Queue) -> Result<TaskQueue> {
        self.note(Client::Queue(queue.as_str())).queue(queue)
    }

    fn cipher(&self) -> Result<Cipher> {
        self.note(Client::Cipher).cipher()
    }

    fn dead_letters(&self) -> Result<DeadLetters> {
        self.note(Client::DeadLetters).dead_letters()
    }

    fn changes_function(&self) -> Result<Option<ChangesFunction>> {
        self.note(Client::ChangesFunction).changes_function()
    }

    fn user_directory(&self) -> Result<Option<Users>> {
        self.note(Client::UserDirectory).user_directory()
    }

    fn outbound(&self) -> Outbound {
        self.note(Client::Outbound).outbound()
    }

    async fn widget_keys(&self) -> Result<WidgetKeys> {
        self.note(Client::WidgetKeys).widget_keys().await
    }

    async fn desk_keys(&self) -> Result<Option<DeskKeys>> {
        self.note(Client::DeskKeys).desk_keys().await
    }

    async fn openid(&self) -> Result<Option<OpenIdProvider>> {
        self.note(Client::OpenId).openid().await
    }

    async fn distribution_secret(&self) -> Result<Option<Secret>> {
        self.note(Client::DistributionSecret).distribution_secret().await
    }

    async fn model(&self) -> Result<Option<Arc<dyn LanguageModel>>> {
        self.note(Client::Model).model().await
    }

    async fn embedder(&self) -> Result<Option<Embedder>> {
        self.note(Client::Embedder).embedder().await
    }
}
