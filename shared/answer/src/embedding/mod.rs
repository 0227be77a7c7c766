//! Embeddings: a question finds entries with the same meaning in other words or another language.
//!
//! [`EmbeddingModel`] is the port; its adapters are in `aws`. [`Embedder`] is the configured model with its prefixes
//! and validates responses. [`query_vectors`] embeds a question within 800 ms. Without a vector, or for entries without
//! one of the same space, the ranking uses words only. A queue worker embeds passages.

mod embedder;
mod model;
mod remembering;
mod settings;

use std::time::Duration;

pub use embedder::Embedder;
use model::cut;
pub use model::{EmbeddingError, EmbeddingModel, TextKind};
pub use remembering::RecentVectors;
pub use settings::EmbeddingSettings;

use domain::clock::Runtime;
use domain::models::{QueryVector, Timestamp};

/// How long the vector of a question may take; after that words alone rank.
const QUERY_TIMEOUT: Duration = Duration::from_millis(800);

/// The vectors of what a customer asks, one for each of `texts`; none if no model is configured, a text is empty, or
/// if it gave none in 800 ms or by `deadline`, which is logged.
pub async fn query_vectors(
    embedder: Option<&Embedder>,
    runtime: &Runtime,
    texts: &[&str],
    deadline: Timestamp,
) -> Vec<QueryVector> {
    let Some(embedder) = embedder else { return Vec::new() };
    if texts.iter().any(|text| text.trim().is_empty()) {
        return Vec::new();
    }
    let left = u64::try_from(deadline.millis_since(runtime.now())).unwrap_or(0);
    let timeout = QUERY_TIMEOUT.min(Duration::from_millis(left));
    match embedder.queries(texts, timeout).await {
        Ok(vectors) => vectors,
        Err(error) => {
            tracing::warn!(metric.EmbeddingFailures = 1, error = %error, "failed to embed a question; it is answered by words only");
            Vec::new()
        }
    }
}

/// The text that is embedded for a passage of an entry.
#[must_use]
pub fn passage_text(title: &str, passage: &str) -> String {
    let text = format!("{title}\n{passage}");
    cut(&text).to_owned()
}
