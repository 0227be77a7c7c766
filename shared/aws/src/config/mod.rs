//! Configuration from the environment, read once. An invalid value stops the start with an error message.
//!
//! [`VARIABLES`] lists all variables with their meaning. [`Config::from_vars`] is pure: it takes a lookup. Its errors
//! name the variable and never repeat a value, because a value may be a secret. Secrets come from Secrets Manager on
//! AWS ([`SecretArns`]), and from variables only elsewhere (locally, in tests).

mod desk;
#[cfg(test)]
mod tests;
mod vars;
mod widget_key_set;

use answer::embedding::EmbeddingSettings;
use outbound::OutboundPolicy;

use self::vars::{Vars, missing};
use crate::bedrock::EmbeddingFamily;
use crate::queue::Queue;
use domain::Secret;

pub use self::desk::{DeskProvider, DeskTokenKey};
pub use self::vars::{ConfigError, MasterKey, SecretsKey};
pub use self::widget_key_set::{MAX_KEY_AGE_MS, PREVIOUS_FOR_MS, WidgetKeySet, WidgetTokenKey};
pub use crate::sdk::sdk_config;

/// Every variable that the service reads, with what it means and what holds without it.
pub const VARIABLES: &[(&str, &str)] = &[
    ("TABLE_NAME", "The DynamoDB table. Required."),
    ("SEARCH_ENDPOINT", "The search domain's address, `https://…`; `http://` is for a loopback host. Default: none."),
    ("SEARCH_INDEX", "The index or alias of wiki entries. Default `wiki`."),
    ("SEARCH_DOMAIN_NAME", "The search domain's name, where its own health is asked for. Default: none."),
    ("SEARCH_SIGNED", "`true` signs search requests with SigV4. Default: `true`, on a loopback host `false`."),
    (
        "WIDGET_TOKEN_KEYS",
        "`kid:base64` of 32 bytes, which signs; after a comma `kid:base64@TIME`, which signed until then.",
    ),
    ("WIDGET_TOKEN_SECRET_ARN", "The Secrets Manager secret with these keys, instead of WIDGET_TOKEN_KEYS."),
    ("WIDGET_TOKEN_ISSUER", "`iss` of widget tokens. Default `support-assistant`."),
    ("MODEL_PROVIDER", "`none`, `bedrock` or `openai` (any compatible endpoint). Default `none`: extraction alone."),
    ("MODEL_ID", "The model's id. Required with a provider."),
    ("MODEL_BASE_URL", "The compatible endpoint up to `/v1`. Required with `openai`."),
    ("MODEL_API_KEY", "The compatible endpoint's key. Default: none."),
    ("MODEL_API_KEY_ARN", "The Secrets Manager secret with that key, instead of MODEL_API_KEY."),
    (
        "EMBEDDING_PROVIDER",
        "`none`, `bedrock` or `openai` (any compatible endpoint). Default `none`: words alone rank.",
    ),
    ("EMBEDDING_MODEL_ID", "The embedding model's id. Required with a provider."),
    ("EMBEDDING_BASE_URL", "The compatible endpoint up to `/v1`. Required with `openai`."),
    ("EMBEDDING_API_KEY", "The compatible endpoint's key. Default: none."),
    ("EMBEDDING_API_KEY_ARN", "The Secrets Manager secret with that key, instead of EMBEDDING_API_KEY."),
    ("EMBEDDING_DIMENSIONS", "The dimensions that are asked of the model, 1-4096. Default: what the model gives."),
    ("EMBEDDING_QUERY_PREFIX", "Put before each question, blanks kept. Default: none; for E5 models `query: `."),
    ("EMBEDDING_PASSAGE_PREFIX", "Put before each passage, blanks kept. Default: none; for E5 models `passage: `."),
    ("OUTBOUND_ALLOW_LOOPBACK", "`true` lets webhooks and pages be on this machine, on any port. Default `false`."),
    ("OUTBOUND_ALLOW_HTTP", "`true` lets their addresses be http as well as https. Default `false`."),
    (
        "RATE_LIMIT_PER_MINUTE",
        "One number for every rate limit, in calls a minute, 1-1000000. Default: the limits of the API.",
    ),
    ("REQUEST_TIMEOUT_MS", "The deadline every request is held to, 1000-28000. Default 25000."),
    ("MODEL_TIMEOUT_MS", "How long a model may take, 100-25000, below REQUEST_TIMEOUT_MS. Default 12000."),
    ("WEBHOOK_QUEUE_URL", "The SQS queue of webhook deliveries. Default: none."),
    ("INGEST_QUEUE_URL", "The SQS queue of ingest jobs. Default: none."),
    ("EMBEDDING_QUEUE_URL", "The SQS queue of entries to embed. Default: none."),
    ("SECRETS_KEY", "The key that encrypts webhook secrets, base64 of 32 bytes. Default: none."),
    ("SECRETS_KMS_KEY_ARN", "The KMS key that does so, instead of SECRETS_KEY."),
    ("DEAD_LETTER_BUCKET", "The S3 bucket of stream records that cannot be handled. Default: none."),
    ("CHANGES_FUNCTION_NAME", "The function that handles changes, for the sweeper. Default: none."),
    ("DESK_USER_POOL_ID", "The Cognito user pool that gets a user for each new member. Default: none."),
    ("DESK_URL", "The desk's address, where people sign in and come back to from the provider. Default: none."),
    (
        "DESK_ISSUER",
        "The OpenID provider of sign-ins, as it names itself. Needs DESK_CLIENT_ID and DESK_URL. Default: none.",
    ),
    ("DESK_CLIENT_ID", "The id of this service at that provider."),
    ("DESK_CLIENT_SECRET", "The secret of this service at that provider. Default: none."),
    ("DESK_CLIENT_SECRET_ARN", "The Secrets Manager secret with it, instead of DESK_CLIENT_SECRET."),
    ("DESK_AUTH_TIME", "`claim`, or `iat` for a provider that never says when somebody signed in. Default `claim`."),
    (
        "DESK_INVITE_WITHOUT_EMAIL",
        "`true` lets an invitation bind a person of whom the provider names no e-mail address. Default `false`.",
    ),
    ("DESK_TOKEN_KEY", "`kid:base64` of 32 bytes, the private key of desk tokens. Default: none."),
    ("DESK_TOKEN_SECRET_ARN", "The Secrets Manager secret with that key, instead of DESK_TOKEN_KEY."),
    (
        "DISTRIBUTION_SECRET",
        "What the distribution sends in X-Distribution-Secret. Only beside it X-Viewer-Address is read. Default: none.",
    ),
    ("DISTRIBUTION_SECRET_ARN", "The Secrets Manager secret with it, instead of DISTRIBUTION_SECRET."),
    ("LOG_LEVEL", "`error`, `warn`, `info`, `debug` or `trace`, for our own lines. Default `info`."),
    ("METRICS_NAMESPACE", "The CloudWatch namespace of metrics, which Lambda writes to its log. Default: none."),
    ("SERVICE_VERSION", "What health reports. Default: the crate's version."),
];

/// The configuration of a function; [`VARIABLES`] documents where each field comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// `TABLE_NAME`.
    pub table_name: String,
    /// `SEARCH_ENDPOINT`, without a slash at the end.
    pub search_endpoint: Option<String>,
    /// `SEARCH_INDEX`.
    pub search_index: String,
    /// `SEARCH_DOMAIN_NAME`.
    pub search_domain: Option<String>,
    /// `SEARCH_SIGNED`.
    pub search_signed: bool,
    /// `WIDGET_TOKEN_KEYS`. None if the function handles no tokens, or they are in the secret of
    /// [`SecretArns::widget_tokens`].
    pub widget_token_keys: Option<WidgetKeySet>,
    /// `WIDGET_TOKEN_ISSUER`.
    pub widget_token_issuer: String,
    /// `MODEL_*`: which language model, if any, writes the answers. Without one they are extracted from the entries.
    pub model: ModelChoice,
    /// `EMBEDDING_*`: which model, if any, makes vectors of questions and passages. Without one words alone rank.
    pub embedding: ModelChoice,
    /// `EMBEDDING_DIMENSIONS` and the prefixes.
    pub embedding_settings: EmbeddingSettings,
    /// `OUTBOUND_ALLOW_LOOPBACK`, `OUTBOUND_ALLOW_HTTP`.
    pub outbound: OutboundPolicy,
    /// `RATE_LIMIT_PER_MINUTE`: what replaces every limit of the API.
    pub rate_limit_per_minute: Option<u32>,
    /// `REQUEST_TIMEOUT_MS`: the deadline that every request is held to.
    pub request_timeout_ms: u64,
    /// `MODEL_TIMEOUT_MS`.
    pub model_timeout_ms: u64,
    /// `WEBHOOK_QUEUE_URL`.
    pub webhook_queue_url: Option<String>,
    /// `INGEST_QUEUE_URL`.
    pub ingest_queue_url: Option<String>,
    /// `EMBEDDING_QUEUE_URL`.
    pub embedding_queue_url: Option<String>,
    /// `SECRETS_KEY` or `SECRETS_KMS_KEY_ARN`: what encrypts the secrets of webhooks.
    pub secrets_key: SecretsKey,
    /// `DEAD_LETTER_BUCKET`.
    pub dead_letter_bucket: Option<String>,
    /// `CHANGES_FUNCTION_NAME`.
    pub changes_function: Option<String>,
    /// `DESK_USER_POOL_ID`.
    pub desk_user_pool: Option<String>,
    /// `DESK_URL`, as it is written.
    pub desk_url: Option<String>,
    /// `DESK_ISSUER`, `DESK_CLIENT_ID`, `DESK_CLIENT_SECRET`, `DESK_AUTH_TIME`.
    pub desk_provider: Option<DeskProvider>,
    /// `DESK_INVITE_WITHOUT_EMAIL`.
    pub desk_invite_without_email: bool,
    /// `DESK_TOKEN_KEY`. None if the function signs no desk tokens, or it is in the secret of
    /// [`SecretArns::desk_token`].
    pub desk_token_key: Option<DeskTokenKey>,
    /// `DISTRIBUTION_SECRET`.
    pub distribution_secret: Option<Secret>,
    /// `LOG_LEVEL`.
    pub log_level: String,
    /// `METRICS_NAMESPACE`, on Lambda.
    pub metrics: Option<MetricsConfig>,
    /// `SERVICE_VERSION`.
    pub version: String,
    /// The secrets to read during start-up.
    pub secret_arns: SecretArns,
}

/// The function whose metrics are written, and their namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsConfig {
    /// `METRICS_NAMESPACE`.
    pub namespace: String,
    /// `AWS_LAMBDA_FUNCTION_NAME`, which Lambda sets.
    pub function_name: String,
    /// `AWS_LAMBDA_FUNCTION_VERSION`, which Lambda sets.
    pub function_version: String,
}

impl MetricsConfig {
    fn read(vars: &Vars<'_>) -> Option<Self> {
        Some(Self {
            namespace: vars.get("METRICS_NAMESPACE")?,
            function_name: vars.get("AWS_LAMBDA_FUNCTION_NAME")?,
            function_version: vars.get("AWS_LAMBDA_FUNCTION_VERSION")?,
        })
    }
}

/// Secrets Manager ARNs of what no variable may hold on AWS.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SecretArns {
    /// `WIDGET_TOKEN_SECRET_ARN`.
    pub widget_tokens: Option<String>,
    /// `MODEL_API_KEY_ARN`.
    pub model_api_key: Option<String>,
    /// `EMBEDDING_API_KEY_ARN`.
    pub embedding_api_key: Option<String>,
    /// `DESK_CLIENT_SECRET_ARN`.
    pub desk_client: Option<String>,
    /// `DESK_TOKEN_SECRET_ARN`.
    pub desk_token: Option<String>,
    /// `DISTRIBUTION_SECRET_ARN`.
    pub distribution: Option<String>,
}

impl Config {
    /// Reads the process's environment.
    ///
    /// # Errors
    /// The first variable that is missing or wrong.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::from_vars(|name| std::env::var(name).ok())
    }

    /// Reads the variables that `lookup` knows; an empty value counts as absent.
    ///
    /// # Errors
    /// The first variable that is missing or wrong.
    pub fn from_vars(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let vars = Vars::new(&lookup);
        let search_endpoint = vars.endpoint("SEARCH_ENDPOINT")?;
        let loopback = search_endpoint.as_deref().is_some_and(vars::is_loopback);
        let secret_arns = SecretArns {
            widget_tokens: vars.secret_arn("WIDGET_TOKEN_SECRET_ARN", "WIDGET_TOKEN_KEYS")?,
            model_api_key: vars.secret_arn("MODEL_API_KEY_ARN", "MODEL_API_KEY")?,
            embedding_api_key: vars.secret_arn("EMBEDDING_API_KEY_ARN", "EMBEDDING_API_KEY")?,
            desk_client: vars.secret_arn("DESK_CLIENT_SECRET_ARN", "DESK_CLIENT_SECRET")?,
            desk_token: vars.secret_arn("DESK_TOKEN_SECRET_ARN", "DESK_TOKEN_KEY")?,
            distribution: vars.secret_arn("DISTRIBUTION_SECRET_ARN", "DISTRIBUTION_SECRET")?,
        };
        let request_timeout_ms = vars.integer("REQUEST_TIMEOUT_MS", 1_000, 28_000, 25_000)?;
        let model_timeout_ms = vars.integer("MODEL_TIMEOUT_MS", 100, 25_000, 12_000)?;
        if model_timeout_ms >= request_timeout_ms {
            return Err(ConfigError("MODEL_TIMEOUT_MS must be below REQUEST_TIMEOUT_MS.".into()));
        }
        let (embedding, embedding_settings) = read_embedding_model(&vars, secret_arns.embedding_api_key.is_some())?;
        Ok(Self {
            table_name: vars.required("TABLE_NAME")?,
            search_signed: vars.flag("SEARCH_SIGNED", !loopback)?,
            search_endpoint,
            search_domain: vars.get("SEARCH_DOMAIN_NAME"),
            search_index: vars.get("SEARCH_INDEX").unwrap_or_else(|| "wiki".into()),
            widget_token_keys: WidgetKeySet::read(&vars, "WIDGET_TOKEN_KEYS")?,
            widget_token_issuer: vars.get("WIDGET_TOKEN_ISSUER").unwrap_or_else(|| "support-assistant".into()),
            model: read_model(&vars, "MODEL", "MODEL_ID", secret_arns.model_api_key.is_some())?,
            embedding,
            embedding_settings,
            outbound: OutboundPolicy {
                allow_loopback: vars.flag("OUTBOUND_ALLOW_LOOPBACK", false)?,
                allow_http: vars.flag("OUTBOUND_ALLOW_HTTP", false)?,
            },
            rate_limit_per_minute: match vars.integer("RATE_LIMIT_PER_MINUTE", 0, 1_000_000, 0)? {
                0 => None,
                limit => u32::try_from(limit).ok(),
            },
            request_timeout_ms,
            model_timeout_ms,
            webhook_queue_url: vars.endpoint("WEBHOOK_QUEUE_URL")?,
            ingest_queue_url: vars.endpoint("INGEST_QUEUE_URL")?,
            embedding_queue_url: vars.endpoint("EMBEDDING_QUEUE_URL")?,
            secrets_key: vars.secrets_key()?,
            dead_letter_bucket: vars.bucket("DEAD_LETTER_BUCKET")?,
            changes_function: vars.get("CHANGES_FUNCTION_NAME"),
            desk_user_pool: vars.get("DESK_USER_POOL_ID"),
            desk_url: desk::url(&vars)?,
            desk_provider: desk::provider(&vars)?,
            desk_invite_without_email: vars.flag("DESK_INVITE_WITHOUT_EMAIL", false)?,
            desk_token_key: desk::token_key(&vars)?,
            distribution_secret: vars.get("DISTRIBUTION_SECRET").map(Secret::new),
            log_level: vars.choice("LOG_LEVEL", &["info", "error", "warn", "debug", "trace"])?.to_owned(),
            metrics: MetricsConfig::read(&vars),
            version: vars.get("SERVICE_VERSION").unwrap_or_else(|| env!("CARGO_PKG_VERSION").into()),
            secret_arns,
        })
    }

    /// The origin of the desk, as browsers write it.
    #[must_use]
    pub fn desk_origin(&self) -> Option<String> {
        let url = reqwest::Url::parse(self.desk_url.as_deref()?).ok()?;
        Some(url.origin().ascii_serialization())
    }

    /// The address of `queue`.
    ///
    /// # Errors
    /// A sentence with its variable if that is not set.
    pub fn queue_url(&self, queue: Queue) -> Result<&str, ConfigError> {
        let (url, variable) = match queue {
            Queue::Webhooks => (&self.webhook_queue_url, "WEBHOOK_QUEUE_URL"),
            Queue::Ingest => (&self.ingest_queue_url, "INGEST_QUEUE_URL"),
            Queue::Embeddings => (&self.embedding_queue_url, "EMBEDDING_QUEUE_URL"),
        };
        url.as_deref().ok_or_else(|| vars::missing(variable))
    }
}

/// Where a model is, if there is one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ModelChoice {
    /// There is none.
    #[default]
    None,
    /// A Bedrock model.
    Bedrock {
        /// The model's id.
        id: String,
    },
    /// An OpenAI-compatible endpoint.
    OpenAi {
        /// The model's id.
        id: String,
        /// Without a slash at the end.
        base_url: String,
        /// `None` if the endpoint wants none, or until its secret is read.
        api_key: Option<Secret>,
    },
}

/// Reads `EMBEDDING_*`; `key_is_secret` if the key is a secret of its own.
fn read_embedding_model(vars: &Vars<'_>, key_is_secret: bool) -> Result<(ModelChoice, EmbeddingSettings), ConfigError> {
    let choice = read_model(vars, "EMBEDDING", "EMBEDDING_MODEL_ID", key_is_secret)?;
    let id = match &choice {
        ModelChoice::None => return Ok((choice, EmbeddingSettings::default())),
        ModelChoice::Bedrock { id } if EmbeddingFamily::of(id).is_none() => {
            let families = "EMBEDDING_MODEL_ID must name a model of Amazon Titan Text Embeddings or Cohere Embed.";
            return Err(ConfigError(families.into()));
        }
        ModelChoice::Bedrock { id } | ModelChoice::OpenAi { id, .. } => id,
    };
    let default = EmbeddingSettings::default_for(id);
    let dimensions = vars.integer("EMBEDDING_DIMENSIONS", 0, 4_096, 0)?;
    let settings = EmbeddingSettings {
        dimensions: u16::try_from(dimensions).ok().filter(|dimensions| *dimensions > 0),
        query_prefix: vars.raw("EMBEDDING_QUERY_PREFIX").unwrap_or(default.query_prefix),
        passage_prefix: vars.raw("EMBEDDING_PASSAGE_PREFIX").unwrap_or(default.passage_prefix),
    };
    Ok((choice, settings))
}

/// Reads the variables that begin with `prefix` and say where a model is, which `id` names; `key_is_secret` if its key is
/// a secret of its own.
fn read_model(vars: &Vars<'_>, prefix: &str, id: &str, key_is_secret: bool) -> Result<ModelChoice, ConfigError> {
    let provider = vars.choice(&format!("{prefix}_PROVIDER"), &["none", "bedrock", "openai"])?;
    if key_is_secret && provider != "openai" {
        return Err(ConfigError(format!("{prefix}_API_KEY_ARN is set, but {prefix}_PROVIDER is not openai.")));
    }
    let base_url = format!("{prefix}_BASE_URL");
    Ok(match provider {
        "bedrock" => ModelChoice::Bedrock { id: vars.required(id)? },
        "openai" => ModelChoice::OpenAi {
            id: vars.required(id)?,
            base_url: vars.endpoint(&base_url)?.ok_or_else(|| missing(&base_url))?,
            api_key: vars.get(&format!("{prefix}_API_KEY")).map(Secret::new),
        },
        _ => ModelChoice::None,
    })
}
