//! The embedding model that the configuration asks for.

use std::sync::Arc;

use aws_config::SdkConfig;

use super::bedrock::BedrockEmbeddings;
use super::openai::OpenAiEmbeddings;
use crate::config::EmbeddingChoice;
use answer::embedding::EmbeddingSettings;
use answer::embedding::{Embedder, EmbeddingModel};
use domain::Result;

/// Connects to the model of `choice`; none if none is configured. An internal error without TLS.
pub fn configured_embedder(
    choice: &EmbeddingChoice,
    settings: &EmbeddingSettings,
    sdk: &SdkConfig,
) -> Result<Option<Embedder>> {
    let model: Arc<dyn EmbeddingModel> = match choice {
        EmbeddingChoice::None => return Ok(None),
        EmbeddingChoice::Bedrock { id } => {
            let client = aws_sdk_bedrockruntime::Client::new(sdk);
            Arc::new(BedrockEmbeddings::new(client, id, settings.dimensions))
        }
        EmbeddingChoice::OpenAi { id, base_url, api_key } => {
            Arc::new(OpenAiEmbeddings::new(base_url, id, api_key.clone(), settings.dimensions)?)
        }
    };
    Ok(Some(Embedder::new(model, settings.clone())))
}
