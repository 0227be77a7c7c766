//! The secrets that a function reads at startup. The signing keys of widget tokens can be read again.

use std::sync::Arc;

use async_trait::async_trait;
use aws_config::SdkConfig;
use aws_sdk_secretsmanager::Client;

use super::Needs;
use aws::config::{Config, EmbeddingChoice, ModelChoice, WidgetTokenKey, parse_widget_token_secret};
use aws::widget_keys::{WidgetKeySource, WidgetKeys};
use domain::Secret;
use domain::{Error, Result};

/// Puts into `config` what its ARNs stand for, as far as the function needs it.
pub(super) async fn read(config: &mut Config, needs: Needs, sdk: &SdkConfig) -> Result<()> {
    let arns = config.secret_arns.clone();
    if let Some(arn) = arns.widget_tokens.filter(|_| needs.widget_tokens) {
        config.widget_token_keys = widget_token_keys(sdk, &arn).await?;
    }
    if needs.widget_tokens && config.widget_token_keys.is_empty() {
        return Err(Error::internal("Neither WIDGET_TOKEN_SECRET_ARN nor WIDGET_TOKEN_KEYS is set."));
    }
    if let (Some(arn), ModelChoice::OpenAi { api_key, .. }, true) = (arns.model_api_key, &mut config.model, needs.model)
    {
        *api_key = Some(Secret::new(fetch(sdk, &arn, "MODEL_API_KEY_ARN").await?));
    }
    if let (Some(arn), EmbeddingChoice::OpenAi { api_key, .. }, true) =
        (arns.embedding_api_key, &mut config.embedding, needs.embeddings)
    {
        *api_key = Some(Secret::new(fetch(sdk, &arn, "EMBEDDING_API_KEY_ARN").await?));
    }
    Ok(())
}

/// The keys of widget tokens as far as the function needs them, and where they are read again after a rotation.
pub(super) fn widget_keys(config: &Config, needs: Needs, sdk: &SdkConfig) -> WidgetKeys {
    let arn = config.secret_arns.widget_tokens.clone().filter(|_| needs.widget_tokens);
    let source = arn.map(|arn| Arc::new(StoredKeys { sdk: sdk.clone(), arn }) as Arc<dyn WidgetKeySource>);
    WidgetKeys::new(config.widget_token_keys.clone(), source)
}

/// The secret of `WIDGET_TOKEN_SECRET_ARN`.
#[derive(Debug)]
struct StoredKeys {
    sdk: SdkConfig,
    arn: String,
}

#[async_trait]
impl WidgetKeySource for StoredKeys {
    async fn read(&self) -> Result<Vec<WidgetTokenKey>> {
        widget_token_keys(&self.sdk, &self.arn).await
    }
}

async fn widget_token_keys(sdk: &SdkConfig, arn: &str) -> Result<Vec<WidgetTokenKey>> {
    let text = fetch(sdk, arn, "WIDGET_TOKEN_SECRET_ARN").await?;
    parse_widget_token_secret(&text).map_err(|wrong| Error::internal(wrong.to_string()))
}

/// The text of a secret; an error names the variable and AWS's reason.
async fn fetch(sdk: &SdkConfig, arn: &str, variable: &str) -> Result<String> {
    let answer = Client::new(sdk).get_secret_value().secret_id(arn).send().await;
    let answer = answer.map_err(|e| {
        let reason = e.into_service_error();
        Error::internal(format!("The secret of {variable} cannot be read: {reason}."))
    })?;
    let text = answer.secret_string.filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Error::internal(format!("The secret of {variable} holds no text.")))
}
