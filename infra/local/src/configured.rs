//! The clients that the configuration alone decides: models, the cipher of webhook secrets, and the signing keys of
//! widget tokens.

use std::sync::Arc;

use answer::embedding::Embedder;
use answer::model::LanguageModel;
use aws::cipher::{Cipher, MasterKeyProvider};
use aws::config::{Config, ModelChoice, SecretsKey};
use aws::desk_keys::DeskKeys;
use aws::embedding::configured_embedder;
use aws::model::configured_model;
use aws::sdk_http::https_client;
use aws::widget_keys::WidgetKeys;
use domain::clock::Runtime;

use crate::StartError;
use crate::data_dir::DataDir;
use crate::desk_key_file::DeskKeyFile;
use crate::widget_key_file::WidgetKeyFile;

/// The cipher for webhook secrets, with the key in the data folder.
pub(crate) fn cipher(key: &SecretsKey, runtime: &Runtime) -> Result<Cipher, StartError> {
    match key {
        SecretsKey::Local(key) => Ok(Cipher::new(MasterKeyProvider::local(*key.expose()), runtime.clone())),
        SecretsKey::Kms(_) | SecretsKey::None => Err(StartError::Config("SECRETS_KEY is not set.".into())),
    }
}

/// The signing keys of widget tokens, which are in the data folder.
pub(crate) fn widget_keys(data: &DataDir, config: &Config, runtime: &Runtime) -> Result<WidgetKeys, StartError> {
    let keys = config.widget_token_keys.clone();
    let keys = keys.ok_or_else(|| StartError::Config("WIDGET_TOKEN_KEYS is not set.".into()))?;
    Ok(WidgetKeys::new(keys, runtime.now(), Some(Arc::new(WidgetKeyFile(data.widget_token_key())))))
}

/// The key of desk tokens, which is in the data folder.
pub(crate) fn desk_keys(data: &DataDir, config: &Config, runtime: &Runtime) -> Result<DeskKeys, StartError> {
    let key = config.desk_token_key.clone();
    let key = key.ok_or_else(|| StartError::Config("DESK_TOKEN_KEY is not set.".into()))?;
    let source = Arc::new(DeskKeyFile(data.desk_token_key()));
    DeskKeys::new(&key, runtime.now(), Some(source)).map_err(StartError::while_doing("reading the key of desk tokens"))
}

/// The configured language model.
pub(crate) async fn model(choice: &ModelChoice) -> Result<Option<Arc<dyn LanguageModel>>, StartError> {
    let sdk = sdk(matches!(choice, ModelChoice::Bedrock { .. })).await;
    configured_model(choice, &sdk).map_err(StartError::while_doing("connecting to the language model"))
}

/// The configured embedding model.
pub(crate) async fn embedder(config: &Config) -> Result<Option<Embedder>, StartError> {
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
