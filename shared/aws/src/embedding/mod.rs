//! Embedding models: [`bedrock`] by InvokeModel and [`openai`] by any compatible endpoint.

pub mod bedrock;
pub mod openai;

use std::sync::Arc;

use aws_config::SdkConfig;

use self::bedrock::BedrockEmbeddings;
use self::openai::OpenAiEmbeddings;
use crate::config::ModelChoice;
use answer::embedding::EmbeddingSettings;
use answer::embedding::{Embedder, EmbeddingModel};
use domain::Result;

/// Connects to the model of `choice`; none if none is configured. An internal error without TLS.
pub fn configured_embedder(
    choice: &ModelChoice,
    settings: &EmbeddingSettings,
    sdk: &SdkConfig,
) -> Result<Option<Embedder>> {
    let model: Arc<dyn EmbeddingModel> = match choice {
        ModelChoice::None => return Ok(None),
        ModelChoice::Bedrock { id } => {
            let client = aws_sdk_bedrockruntime::Client::new(sdk);
            Arc::new(BedrockEmbeddings::new(client, id, settings.dimensions))
        }
        ModelChoice::OpenAi { id, base_url, api_key } => {
            Arc::new(OpenAiEmbeddings::new(base_url, id, api_key.clone(), settings.dimensions)?)
        }
    };
    Ok(Some(Embedder::new(model, settings.clone())))
}
