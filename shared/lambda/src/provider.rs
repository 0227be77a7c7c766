//! The provider of a function on AWS: the configuration, and each client and secret when it is requested.
//!
//! A client that a function does not request is neither created nor linked, and its variables are not read. The keys that
//! sign tokens can be read again.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use aws_config::SdkConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use tokio::task::JoinHandle;

use answer::embedding::Embedder;
use answer::model::LanguageModel;
use answer::search::SearchIndex;
use aws::changes_function::{ChangesFunction, LambdaFunction};
use aws::cipher::{Cipher, MasterKeyProvider};
use aws::config::{Config, DeskTokenKey, ModelChoice, SecretsKey, WidgetKeySet};
use aws::dead_letters::{Bucket, DeadLetters};
use aws::desk_keys::{DeskKeySource, DeskKeys};
use aws::embedding::configured_embedder;
use aws::model::configured_model;
use aws::queue::{Queue, TaskQueue};
use aws::search::SearchDomain;
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use aws::user_directory::{CognitoUserPool, Users};
use aws::widget_keys::{WidgetKeySource, WidgetKeys};
use domain::clock::Runtime;
use domain::{Error, Result, Secret};
use openid::OpenIdProvider;
use outbound::{Outbound, OutboundSettings};
use support::edge::ClientProvider;
use support::table::Store;

/// The timeout of opening connections at startup; after it the first requests open them.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(2);
/// The timeouts of the read of a secret, and of one attempt: a start of a function may take ten seconds in all.
const SECRET_TIMEOUT: Duration = Duration::from_secs(6);
const SECRET_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(2);

/// Makes the clients of a function on AWS.
#[derive(Debug)]
pub struct LambdaProvider {
    config: Config,
    sdk: SdkConfig,
    runtime: Runtime,
    store: OnceLock<Store>,
    sqs: OnceLock<aws_sdk_sqs::Client>,
    connecting: Mutex<Vec<JoinHandle<()>>>,
}

impl LambdaProvider {
    /// Makes clients by `config`, with the credentials and the region of `sdk`.
    #[must_use]
    pub fn new(config: Config, sdk: SdkConfig) -> Self {
        Self {
            config,
            sdk,
            runtime: Runtime::system(),
            store: OnceLock::new(),
            sqs: OnceLock::new(),
            connecting: Mutex::default(),
        }
    }

    /// Opens a connection in the background, beside the secrets that are read meanwhile: on a small function the TLS
    /// handshake is most of the first request's time.
    fn connect(&self, service: &'static str, ping: impl Future<Output = Result<()>> + Send + 'static) {
        let connecting = tokio::spawn(async move {
            match tokio::time::timeout(WARM_UP_TIMEOUT, ping).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(
                    service,
                    error = error.to_string(),
                    "failed to open a connection at startup; the first request opens it"
                ),
                Err(_) => {
                    tracing::warn!(service, "opening a connection at startup timed out; the first request opens it");
                }
            }
        });
        self.connecting.lock().unwrap_or_else(PoisonError::into_inner).push(connecting);
    }

    /// Waits for the connections that are being opened; each has its deadline.
    pub(crate) async fn warm_up(&self) {
        let connecting = std::mem::take(&mut *self.connecting.lock().unwrap_or_else(PoisonError::into_inner));
        for connection in connecting {
            // A panic in it is a bug that the first request shows too.
            connection.await.ok();
        }
    }

    fn secret(&self, arn: &str, variable: &'static str) -> StoredSecret {
        StoredSecret { sdk: self.sdk.clone(), arn: arn.to_owned(), variable }
    }

    /// The choice of a model with the key of its endpoint, if that is a secret of its own.
    async fn with_api_key(
        &self,
        choice: &ModelChoice,
        arn: Option<&str>,
        variable: &'static str,
    ) -> Result<ModelChoice> {
        let mut choice = choice.clone();
        if let (ModelChoice::OpenAi { api_key, .. }, Some(arn)) = (&mut choice, arn) {
            *api_key = Some(self.secret(arn, variable).read().await?);
        }
        Ok(choice)
    }
}

impl ClientProvider for LambdaProvider {
    fn config(&self) -> &Config {
        &self.config
    }

    fn runtime(&self) -> Runtime {
        self.runtime.clone()
    }

    fn store(&self) -> Store {
        let make = || {
            let store = Store::new(database(&self.sdk), &self.config.table_name, self.runtime.clone());
            let pinged = store.clone();
            self.connect("table", async move { pinged.ping().await });
            store
        };
        self.store.get_or_init(make).clone()
    }

    fn index(&self) -> Result<Arc<dyn SearchIndex>> {
        let index: Arc<dyn SearchIndex> = Arc::new(index(&self.config, &self.sdk)?);
        let pinged = Arc::clone(&index);
        self.connect("index", async move { pinged.ping().await });
        Ok(index)
    }

    fn search_domain(&self) -> Result<Option<SearchDomain>> {
        let name = self.config.search_domain.as_deref().ok_or_else(|| missing_variable("SEARCH_DOMAIN_NAME"))?;
        Ok(Some(SearchDomain::new(aws_sdk_opensearch::Client::new(&self.sdk), name)))
    }

    fn queue(&self, queue: Queue) -> Result<TaskQueue> {
        let url = self.config.queue_url(queue).map_err(|error| Error::internal(error.to_string()))?;
        let client = self.sqs.get_or_init(|| aws_sdk_sqs::Client::new(&self.sdk));
        Ok(TaskQueue::new(client.clone(), queue, url))
    }

    fn cipher(&self) -> Result<Cipher> {
        let master = match &self.config.secrets_key {
            SecretsKey::Kms(arn) => {
                let settings = aws_sdk_kms::config::Builder::from(&self.sdk).timeout_config(timeouts()).build();
                MasterKeyProvider::kms(aws_sdk_kms::Client::from_conf(settings), arn)
            }
            SecretsKey::Local(key) => MasterKeyProvider::local(*key.expose()),
            SecretsKey::None => return Err(Error::internal("Neither SECRETS_KMS_KEY_ARN nor SECRETS_KEY is set.")),
        };
        Ok(Cipher::new(master, self.runtime.clone()))
    }

    fn dead_letters(&self) -> Result<DeadLetters> {
        let bucket = self.config.dead_letter_bucket.as_deref().ok_or_else(|| missing_variable("DEAD_LETTER_BUCKET"))?;
        Ok(DeadLetters::Bucket(Bucket::new(bucket, &self.sdk, self.runtime.clone())?))
    }

    fn changes_function(&self) -> Result<Option<ChangesFunction>> {
        let name = self.config.changes_function.as_deref().ok_or_else(|| missing_variable("CHANGES_FUNCTION_NAME"))?;
        Ok(Some(Arc::new(LambdaFunction::new(name, &self.sdk, self.runtime.clone())?)))
    }

    fn user_directory(&self) -> Result<Option<Users>> {
        let Some(pool) = self.config.desk_user_pool.as_deref() else { return Ok(None) };
        Ok(Some(Arc::new(CognitoUserPool::new(pool, &self.sdk, self.runtime.clone())?)))
    }

    fn outbound(&self) -> Outbound {
        Outbound::new(OutboundSettings::new(self.config.outbound))
    }

    async fn widget_keys(&self) -> Result<WidgetKeys> {
        let arn = self.config.secret_arns.widget_tokens.as_deref();
        let stored = arn.map(|arn| self.secret(arn, "WIDGET_TOKEN_SECRET_ARN"));
        let read_at = self.runtime.now();
        let keys = match &stored {
            Some(stored) => Some(WidgetKeySource::read(stored).await?),
            None => self.config.widget_token_keys.clone(),
        };
        let none = || Error::internal("Neither WIDGET_TOKEN_SECRET_ARN nor WIDGET_TOKEN_KEYS is set.");
        let source = stored.map(|stored| Arc::new(stored) as Arc<dyn WidgetKeySource>);
        Ok(WidgetKeys::new(keys.ok_or_else(none)?, read_at, source))
    }

    async fn desk_keys(&self) -> Result<Option<DeskKeys>> {
        let arn = self.config.secret_arns.desk_token.as_deref();
        let stored = arn.map(|arn| self.secret(arn, "DESK_TOKEN_SECRET_ARN"));
        let read_at = self.runtime.now();
        let key = match &stored {
            Some(stored) => Some(DeskKeySource::read(stored).await?),
            None => self.config.desk_token_key.clone(),
        };
        let source = stored.map(|stored| Arc::new(stored) as Arc<dyn DeskKeySource>);
        key.map(|key| DeskKeys::new(&key, read_at, source)).transpose()
    }

    async fn openid(&self) -> Result<Option<OpenIdProvider>> {
        let secret = match &self.config.secret_arns.desk_client {
            Some(arn) => Some(self.secret(arn, "DESK_CLIENT_SECRET_ARN").read().await?),
            None => None,
        };
        Ok(support::edge::openid_provider(self, secret))
    }

    async fn distribution_secret(&self) -> Result<Option<Secret>> {
        match &self.config.secret_arns.distribution {
            Some(arn) => self.secret(arn, "DISTRIBUTION_SECRET_ARN").read().await.map(Some),
            None => Ok(self.config.distribution_secret.clone()),
        }
    }

    async fn model(&self) -> Result<Option<Arc<dyn LanguageModel>>> {
        let arn = self.config.secret_arns.model_api_key.as_deref();
        configured_model(&self.with_api_key(&self.config.model, arn, "MODEL_API_KEY_ARN").await?, &self.sdk)
    }

    async fn embedder(&self) -> Result<Option<Embedder>> {
        let arn = self.config.secret_arns.embedding_api_key.as_deref();
        let choice = self.with_api_key(&self.config.embedding, arn, "EMBEDDING_API_KEY_ARN").await?;
        configured_embedder(&choice, &self.config.embedding_settings, &self.sdk)
    }
}

fn missing_variable(variable: &str) -> Error {
    Error::internal(format!("{variable} is not set."))
}

/// The timeouts of the table and of KMS. Both answer in milliseconds: a request without an answer after a few seconds is
/// retried.
fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .operation_attempt_timeout(Duration::from_secs(3))
        .operation_timeout(Duration::from_secs(10))
        .build()
}

fn database(sdk: &SdkConfig) -> aws_sdk_dynamodb::Client {
    let settings = aws_sdk_dynamodb::config::Builder::from(sdk).timeout_config(timeouts()).build();
    aws_sdk_dynamodb::Client::from_conf(settings)
}

fn index(config: &Config, sdk: &SdkConfig) -> Result<OpenSearchIndex> {
    let endpoint = config.search_endpoint.as_deref().ok_or_else(|| missing_variable("SEARCH_ENDPOINT"))?;
    let settings = if config.search_signed {
        OpenSearchSettings::signed(endpoint, sdk.clone())
    } else {
        OpenSearchSettings::unsigned(endpoint)
    };
    OpenSearchIndex::connect(OpenSearchSettings { alias: config.search_index.clone(), ..settings })
}

/// A secret of Secrets Manager, and the variable that has its ARN.
#[derive(Debug)]
struct StoredSecret {
    sdk: SdkConfig,
    arn: String,
    variable: &'static str,
}

impl StoredSecret {
    /// The secret; an error names the variable and AWS's reason.
    async fn read(&self) -> Result<Secret> {
        let timeouts = TimeoutConfig::builder()
            .operation_attempt_timeout(SECRET_ATTEMPT_TIMEOUT)
            .operation_timeout(SECRET_TIMEOUT)
            .build();
        let settings = aws_sdk_secretsmanager::config::Builder::from(&self.sdk).timeout_config(timeouts).build();
        let client = aws_sdk_secretsmanager::Client::from_conf(settings);
        let answer = client.get_secret_value().secret_id(&self.arn).send().await.map_err(|e| {
            let reason = e.into_service_error();
            Error::internal(format!("The secret of {} cannot be read: {reason}.", self.variable))
        })?;
        let text = answer.secret_string.filter(|text| !text.trim().is_empty());
        text.map(Secret::new)
            .ok_or_else(|| Error::internal(format!("The secret of {} contains no text.", self.variable)))
    }
}

#[async_trait]
impl WidgetKeySource for StoredSecret {
    async fn read(&self) -> Result<WidgetKeySet> {
        let text = Self::read(self).await?;
        WidgetKeySet::parse(text.expose()).map_err(|error| Error::internal(error.to_string()))
    }
}

#[async_trait]
impl DeskKeySource for StoredSecret {
    async fn read(&self) -> Result<DeskTokenKey> {
        let text = Self::read(self).await?;
        DeskTokenKey::parse(text.expose()).map_err(|error| Error::internal(error.to_string()))
    }
}
