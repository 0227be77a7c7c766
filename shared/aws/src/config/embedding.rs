//! The configuration of the embedding model and its prefixes.

use super::ConfigError;
use super::vars::{Vars, missing};
use answer::embedding::EmbeddingSettings;
use domain::Secret;

/// Which embedding model, if any, makes vectors of questions and passages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EmbeddingChoice {
    /// None: words alone rank.
    #[default]
    None,
    /// A Bedrock model, by InvokeModel.
    Bedrock {
        /// `EMBEDDING_MODEL_ID`.
        id: String,
    },
    /// An OpenAI-compatible endpoint.
    OpenAi {
        /// `EMBEDDING_MODEL_ID`.
        id: String,
        /// `EMBEDDING_BASE_URL`, without a slash at the end.
        base_url: String,
        /// `EMBEDDING_API_KEY`; `None` where the endpoint wants none, or until its secret is read.
        api_key: Option<Secret>,
    },
}

/// Reads `EMBEDDING_*`.
pub(super) fn read(vars: &Vars<'_>, key_is_secret: bool) -> Result<(EmbeddingChoice, EmbeddingSettings), ConfigError> {
    let provider = vars.choice("EMBEDDING_PROVIDER", &["none", "bedrock", "openai"])?;
    if key_is_secret && provider != "openai" {
        return Err(ConfigError("EMBEDDING_API_KEY_ARN is set, but EMBEDDING_PROVIDER is not openai.".into()));
    }
    if provider == "none" {
        return Ok((EmbeddingChoice::None, EmbeddingSettings::default()));
    }
    let id = vars.required("EMBEDDING_MODEL_ID")?;
    let usual = EmbeddingSettings::default_for(&id);
    let dimensions = vars.integer("EMBEDDING_DIMENSIONS", 0, 4_096, 0)?;
    let settings = EmbeddingSettings {
        dimensions: u16::try_from(dimensions).ok().filter(|dimensions| *dimensions > 0),
        query_prefix: vars.raw("EMBEDDING_QUERY_PREFIX").unwrap_or(usual.query_prefix),
        passage_prefix: vars.raw("EMBEDDING_PASSAGE_PREFIX").unwrap_or(usual.passage_prefix),
    };
    let choice = match provider {
        "bedrock" if crate::embedding::bedrock::is_known(&id) => EmbeddingChoice::Bedrock { id },
        "bedrock" => {
            let families = "EMBEDDING_MODEL_ID must name a model of Amazon Titan Text Embeddings or Cohere Embed.";
            return Err(ConfigError(families.into()));
        }
        _ => EmbeddingChoice::OpenAi {
            id,
            base_url: vars.endpoint("EMBEDDING_BASE_URL")?.ok_or_else(|| missing("EMBEDDING_BASE_URL"))?,
            api_key: vars.get("EMBEDDING_API_KEY").map(Secret::new),
        },
    };
    Ok((choice, settings))
}
