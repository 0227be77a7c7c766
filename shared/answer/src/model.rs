//! The port to a language model: text in, text out. Adapters: Bedrock (Converse), any OpenAI-compatible endpoint.

use std::time::Duration;

use async_trait::async_trait;

/// A request to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRequest {
    /// The instructions; never contains text of customers or entries.
    pub system: String,
    /// The question and the passages, inside random delimiters.
    pub user: String,
    /// The most tokens of an answer.
    pub max_tokens: u32,
    /// At most so long, connect to last byte.
    pub timeout: Duration,
}

/// Why a model gave no text; for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// It took longer than [`ModelRequest::timeout`].
    #[error("the model took too long")]
    Timeout,
    /// It, or the way to it, failed.
    #[error("the model failed: {0}")]
    Failed(String),
    /// Its response is not an answer.
    #[error("the model's answer cannot be used: {0}")]
    Unusable(String),
    /// It was not asked: the tenant's calls of the day are made.
    #[error("the tenant's daily budget of model calls is spent")]
    BudgetSpent,
}

#[async_trait]
pub trait LanguageModel: Send + Sync + std::fmt::Debug {
    /// The model's name, for health and the log.
    fn name(&self) -> &str;

    /// Asks once; no retries.
    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError>;
}
