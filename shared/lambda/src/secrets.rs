//! The secrets that a function reads at startup. The signing keys of widget tokens can be read again.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use aws_config::SdkConfig;
use aws_sdk_secretsmanager::Client;
use aws_sdk_secretsmanager::config::Builder;
use aws_sdk_secretsmanager::config::timeout::TimeoutConfig;

use aws::config::{Config, DeskTokenKey, WidgetKeySet};
use aws::desk_keys::{DeskKeySource, DeskKeys};
use aws::widget_keys::{WidgetKeySource, WidgetKeys};
use domain::clock::Runtime;
use domain::{Error, Result, Secret};

/// The timeouts of a read, and of one attempt: a start of a function may take ten seconds in all.
const TIMEOUT: Duration = Duration::from_secs(6);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(2);

/// The keys of widget tokens, with the source from which they are read again after a rotation.
pub(super) async fn widget_keys(config: &Config, sdk: &SdkConfig, runtime: &Runtime) -> Result<WidgetKeys> {
    let stored = config.secret_arns.widget_tokens.as_ref().map(|arn| StoredKeys { sdk: sdk.clone(), arn: arn.clone() });
    let read_at = runtime.now();
    let keys = match &stored {
        Some(stored) => Some(stored.read().await?),
        None => config.widget_token_keys.clone(),
    };
    let keys = keys.ok_or_else(|| Error::internal("Neither WIDGET_TOKEN_SECRET_ARN nor WIDGET_TOKEN_KEYS is set."))?;
    Ok(WidgetKeys::new(keys, read_at, stored.map(|stored| Arc::new(stored) as Arc<dyn WidgetKeySource>)))
}

/// The secret of `WIDGET_TOKEN_SECRET_ARN`.
#[derive(Debug)]
struct StoredKeys {
    sdk: SdkConfig,
    arn: String,
}

#[async_trait]
impl WidgetKeySource for StoredKeys {
    async fn read(&self) -> Result<WidgetKeySet> {
        let text = fetch(&self.sdk, &self.arn, "WIDGET_TOKEN_SECRET_ARN").await?;
        WidgetKeySet::parse(text.expose()).map_err(|error| Error::internal(error.to_string()))
    }
}

/// The key that signs desk tokens, with the source from which it is read again; none if no variable tells of one.
pub(super) async fn desk_keys(config: &Config, sdk: &SdkConfig, runtime: &Runtime) -> Result<Option<DeskKeys>> {
    let stored = config.secret_arns.desk_token.as_ref().map(|arn| StoredDeskKey { sdk: sdk.clone(), arn: arn.clone() });
    let read_at = runtime.now();
    let key = match &stored {
        Some(stored) => Some(stored.read().await?),
        None => config.desk_token_key.clone(),
    };
    let source = stored.map(|stored| Arc::new(stored) as Arc<dyn DeskKeySource>);
    key.map(|key| DeskKeys::new(&key, read_at, source)).transpose()
}

/// The secret of `DESK_TOKEN_SECRET_ARN`.
#[derive(Debug)]
struct StoredDeskKey {
    sdk: SdkConfig,
    arn: String,
}

#[async_trait]
impl DeskKeySource for StoredDeskKey {
    async fn read(&self) -> Result<DeskTokenKey> {
        let text = fetch(&self.sdk, &self.arn, "DESK_TOKEN_SECRET_ARN").await?;
        DeskTokenKey::parse(text.expose()).map_err(|error| Error::internal(error.to_string()))
    }
}

/// A secret; an error names the variable and AWS's reason.
pub(super) async fn fetch(sdk: &SdkConfig, arn: &str, variable: &str) -> Result<Secret> {
    let timeouts =
        TimeoutConfig::builder().operation_attempt_timeout(ATTEMPT_TIMEOUT).operation_timeout(TIMEOUT).build();
    let client = Client::from_conf(Builder::from(sdk).timeout_config(timeouts).build());
    let answer = client.get_secret_value().secret_id(arn).send().await;
    let answer = answer.map_err(|e| {
        let reason = e.into_service_error();
        Error::internal(format!("The secret of {variable} cannot be read: {reason}."))
    })?;
    let text = answer.secret_string.filter(|text| !text.trim().is_empty());
    text.map(Secret::new).ok_or_else(|| Error::internal(format!("The secret of {variable} contains no text.")))
}
