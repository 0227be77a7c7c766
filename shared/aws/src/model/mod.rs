//! Language models: [`bedrock`] by the Converse API and [`openai`] by any compatible endpoint.

pub mod bedrock;
pub mod openai;

use std::sync::Arc;

use aws_config::SdkConfig;

use self::bedrock::BedrockModel;
use self::openai::OpenAiModel;
use crate::config::ModelChoice;
use answer::model::LanguageModel;
use domain::Result;

/// Connects to the model of `choice`; none if none is configured. An internal error without TLS.
pub fn configured_model(choice: &ModelChoice, sdk: &SdkConfig) -> Result<Option<Arc<dyn LanguageModel>>> {
    Ok(match choice {
        ModelChoice::None => None,
        ModelChoice::Bedrock { id } => Some(Arc::new(BedrockModel::new(aws_sdk_bedrockruntime::Client::new(sdk), id))),
        ModelChoice::OpenAi { id, base_url, api_key } => {
            Some(Arc::new(OpenAiModel::new(base_url, id, api_key.clone())?))
        }
    })
}
