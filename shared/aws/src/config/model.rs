//! The language model and the embedding model, if any, and how texts are handed to the second.

use answer::embedding::EmbeddingSettings;
use domain::Secret;

use super::error::ConfigError;
use super::vars::{Vars, missing};

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

struct ModelVariables {
    provider: &'static str,
    id: &'static str,
    base_url: &'static str,
    api_key: &'static str,
    api_key_arn: &'static str,
}

const LANGUAGE_VARIABLES: ModelVariables = ModelVariables {
    provider: "MODEL_PROVIDER",
    id: "MODEL_ID",
    base_url: "MODEL_BASE_URL",
    api_key: "MODEL_API_KEY",
    api_key_arn: "MODEL_API_KEY_ARN",
};

const EMBEDDING_VARIABLES: ModelVariables = ModelVariables {
    provider: "EMBEDDING_PROVIDER",
    id: "EMBEDDING_MODEL_ID",
    base_url: "EMBEDDING_BASE_URL",
    api_key: "EMBEDDING_API_KEY",
    api_key_arn: "EMBEDDING_API_KEY_ARN",
};

/// Reads `MODEL_*`; `key_is_secret` if the key is a secret of its own.
pub(super) fn read_language_model(vars: &Vars<'_>, key_is_secret: bool) -> Result<ModelChoice, ConfigError> {
    read(vars, &LANGUAGE_VARIABLES, key_is_secret)
}

/// Reads `EMBEDDING_*`; `key_is_secret` if the key is a secret of its own.
pub(super) fn read_embedding_model(
    vars: &Vars<'_>,
    key_is_secret: bool,
) -> Result<(ModelChoice, EmbeddingSettings), ConfigError> {
    let choice = read(vars, &EMBEDDING_VARIABLES, key_is_secret)?;
    let id = match &choice {
        ModelChoice::None => return Ok((choice, EmbeddingSettings::default())),
        ModelChoice::Bedrock { id } if !crate::embedding::bedrock::is_known(id) => {
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

fn read(vars: &Vars<'_>, names: &ModelVariables, key_is_secret: bool) -> Result<ModelChoice, ConfigError> {
    let provider = vars.choice(names.provider, &["none", "bedrock", "openai"])?;
    if key_is_secret && provider != "openai" {
        return Err(ConfigError(format!("{} is set, but {} is not openai.", names.api_key_arn, names.provider)));
    }
    Ok(match provider {
        "bedrock" => ModelChoice::Bedrock { id: vars.required(names.id)? },
        "openai" => ModelChoice::OpenAi {
            id: vars.required(names.id)?,
            base_url: vars.endpoint(names.base_url)?.ok_or_else(|| missing(names.base_url))?,
            api_key: vars.get(names.api_key).map(Secret::new),
        },
        _ => ModelChoice::None,
    })
}
