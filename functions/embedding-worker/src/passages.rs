//! Embeds passages: all in one request, and individually if the model rejects that.

use std::time::Duration;

use answer::embedding::{Embedder, EmbeddingError};
use aws::store::TextHash;
use domain::models::Embedding;

use crate::batch::Batch;

/// How long one call of the model may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Passages' texts, each with its hash.
pub(crate) type HashedTexts = Vec<(TextHash, String)>;

/// The vectors of the model, and its errors.
#[derive(Default)]
pub(crate) struct EmbedResult {
    pub(crate) embeddings: Vec<(TextHash, Embedding)>,
    /// The model failed, or no time is left: the missing vectors were not requested, or their request failed.
    pub(crate) error: Option<EmbeddingError>,
    /// The model works but rejected some texts: the error of one of them.
    pub(crate) rejected: Option<EmbeddingError>,
}

/// Requests the vectors of `texts`, at most as many as one call takes. A rejected call is repeated text by text, and a
/// rejected text with its first half, so that a rejected passage does not prevent the vectors of the others.
pub(crate) async fn embed_batch(batch: &Batch<'_>, embedder: &Embedder, texts: &[(TextHash, String)]) -> EmbedResult {
    let inputs: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let error = match embedder.passages(&inputs, CALL_TIMEOUT).await {
        Ok(embeddings) => {
            let embeddings = texts.iter().map(|(hash, _)| hash.clone()).zip(embeddings).collect();
            return EmbedResult { embeddings, ..EmbedResult::default() };
        }
        Err(error) => error,
    };
    if error.is_model_failure() {
        return EmbedResult { error: Some(error), ..EmbedResult::default() };
    }
    // A model that rejects every text is misconfigured; the text is not the cause.
    if embedder.probe(CALL_TIMEOUT).await.is_err() {
        return EmbedResult { error: Some(error), ..EmbedResult::default() };
    }
    embed_individually(batch, embedder, texts).await
}

async fn embed_individually(batch: &Batch<'_>, embedder: &Embedder, texts: &[(TextHash, String)]) -> EmbedResult {
    let mut result = EmbedResult::default();
    for (hash, text) in texts {
        if batch.is_out_of_time() {
            result.error = Some(EmbeddingError::Timeout);
            break;
        }
        match embed_text(embedder, text).await {
            Ok(embedding) => result.embeddings.push((hash.clone(), embedding)),
            Err(error) if error.is_model_failure() => {
                result.error = Some(error);
                break;
            }
            Err(error) => result.rejected = Some(error),
        }
    }
    result
}

/// The vector of a text, or of its first half if the model rejects the whole text.
async fn embed_text(embedder: &Embedder, text: &str) -> Result<Embedding, EmbeddingError> {
    match request_embedding(embedder, text).await {
        Err(error) if !error.is_model_failure() => request_embedding(embedder, first_half(text)).await,
        answer => answer,
    }
}

async fn request_embedding(embedder: &Embedder, text: &str) -> Result<Embedding, EmbeddingError> {
    let mut embeddings = embedder.passages(&[text], CALL_TIMEOUT).await?;
    embeddings.pop().ok_or_else(|| EmbeddingError::Unusable("no vector".into()))
}

/// The first half of a text's characters; the whole of a single one.
fn first_half(text: &str) -> &str {
    let half = text.chars().count().div_ceil(2);
    text.char_indices().nth(half).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_text_is_cut_between_characters() {
        for (text, half) in [("", ""), ("ä", "ä"), ("äö", "ä"), ("äöü", "äö"), ("abcd", "ab")] {
            assert_eq!(first_half(text), half);
        }
    }
}
