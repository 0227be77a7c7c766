//! Embeddings: a question finds entries with the same meaning in other words or another language.
//!
//! [`EmbeddingModel`] is the port; its adapters are in `aws`. [`Embedder`] is the configured model with its prefixes
//! and validates responses. [`query_vector`] embeds a question within 800 ms. Without a vector, or for entries without
//! one of the same space, the ranking uses words only. A queue worker embeds passages.

mod embedder;
mod settings;

use std::time::Duration;

use async_trait::async_trait;

pub use embedder::Embedder;
pub use settings::EmbeddingSettings;

use domain::clock::Ambient;
use domain::models::{QueryVector, Timestamp};

/// How long the vector of a question may take; after that words alone rank.
const QUERY_TIMEOUT: Duration = Duration::from_millis(800);

/// Characters of a text that are embedded: models take some hundred words, and Cohere's refuses more than 2,048
/// characters.
const MAX_CHARS: usize = 2_000;

/// What a text is; some models embed the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// What a customer asks.
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

/// An embedding model.
#[async_trait]
pub trait EmbeddingModel: Send + Sync + std::fmt::Debug {
    /// The model's id.
    fn id(&self) -> &str;

    /// How many texts one call of [`EmbeddingModel::embed`] may hold.
    fn batch(&self) -> usize;

    /// The vectors of `texts`, in their order, within `timeout`, connect to last byte. Asks once; no retries.
    async fn embed(&self, kind: TextKind, texts: &[String], timeout: Duration)
    -> Result<Vec<Vec<f32>>, EmbeddingError>;
}

/// The vector of what a customer asks; none where no model is configured, or where it gave none in 800 ms or by
/// `deadline`, which is logged.
pub async fn query_vector(
    embedder: Option<&Embedder>,
    ambient: &Ambient,
    text: &str,
    deadline: Timestamp,
) -> Option<QueryVector> {
    let embedder = embedder?;
    if text.trim().is_empty() {
        return None;
    }
    let left = u64::try_from(deadline.millis_since(ambient.now())).unwrap_or(0);
    let patience = QUERY_TIMEOUT.min(Duration::from_millis(left));
    match embedder.query(text, patience).await {
        Ok(vector) => Some(vector),
        Err(error) => {
            tracing::warn!(%error, "failed to embed a question; it is answered by words only");
            None
        }
    }
}

/// The text that is embedded for a passage of an entry.
#[must_use]
pub fn passage_text(title: &str, passage: &str) -> String {
    let text = format!("{title}\n{passage}");
    cut(&text).to_owned()
}

/// The first [`MAX_CHARS`] characters.
fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARS).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}
