//! The port: what an embedding model is asked and what it answers.

use std::time::Duration;

use async_trait::async_trait;

/// Characters of a text that are embedded: models take some hundred words, and Cohere's refuses more than 2,048
/// characters.
const MAX_CHARS: usize = 2_000;

/// The kind of a text; some models embed the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A customer's question.
    Query,
    /// A part of an entry.
    Passage,
}

/// Why there are no vectors; for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbeddingError {
    /// The model took longer than it was given.
    #[error("the embedding model took too long")]
    Timeout,
    /// It, or the way to it, failed.
    #[error("the embedding model failed: {0}")]
    Failed(String),
    /// It does not take these texts.
    #[error("the embedding model refused a text: status {0}")]
    Refused(u16),
    /// It answered something that is not the vectors that were asked for.
    #[error("the embedding model's answer cannot be used: {0}")]
    Unusable(String),
}

impl EmbeddingError {
    /// Whether any other text would have failed as well.
    #[must_use]
    pub const fn is_model_failure(&self) -> bool {
        matches!(self, Self::Timeout | Self::Failed(_))
    }
}

#[async_trait]
pub trait EmbeddingModel: Send + Sync + std::fmt::Debug {
    /// The model's id.
    fn id(&self) -> &str;

    /// How many texts one call of [`EmbeddingModel::embed`] may hold.
    fn batch(&self) -> usize;

    /// The vectors of `texts`, in their order, within `timeout`, connect to last byte. Asks once; no retries.
    async fn embed(&self, kind: TextKind, texts: &[String], timeout: Duration)
    -> Result<Vec<Vec<f32>>, EmbeddingError>;

    /// Whether the endpoint puts a prefix of its own before `text`.
    async fn adds_prefix(&self, _text: &str, _timeout: Duration) -> Result<bool, EmbeddingError> {
        Ok(false)
    }
}

/// The first [`MAX_CHARS`] characters.
pub(super) fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARS).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}
