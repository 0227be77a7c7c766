//! Embeds passages: all in one request, and one by one if the model refuses that.

use std::time::Duration;

use answer::embedding::{Embedder, EmbeddingError};
use aws::store::TextHash;
use domain::models::Embedding;

use crate::batch::Batch;

/// How long one call of the model may take.
const CALL_PATIENCE: Duration = Duration::from_secs(30);

/// Passages' texts, each with its hash.
pub(crate) type Texts = Vec<(TextHash, String)>;

/// What the model gave.
#[derive(Default)]
pub(crate) struct Answered {
    pub(crate) made: Vec<(TextHash, Embedding)>,
    /// The model failed, or no time is left: the missing vectors were not requested, or without success.
    pub(crate) failed: Option<EmbeddingError>,
    /// The model works and gives no vector of some texts; why, of one of them.
    pub(crate) refused: Option<EmbeddingError>,
}

/// Asks for the vectors of `texts`, at most as many as a call takes. A call that is refused is made again text by text,
/// and a text that is refused once more with its first half, so that a refused passage costs no other its vector.
pub(crate) async fn embed(batch: &Batch<'_>, embedder: &Embedder, texts: &[(TextHash, String)]) -> Answered {
    let asked: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let error = match embedder.passages(&asked, CALL_PATIENCE).await {
        Ok(embeddings) => {
            let made = texts.iter().map(|(hash, _)| hash.clone()).zip(embeddings).collect();
            return Answered { made, ..Answered::default() };
        }
        Err(error) => error,
    };
    if error.is_model_failure() {
        return Answered { failed: Some(error), ..Answered::default() };
    }
    // A model that refuses everything is another one or wrongly configured; that is not a fault of a text.
    if embedder.probe(CALL_PATIENCE).await.is_err() {
        return Answered { failed: Some(error), ..Answered::default() };
    }
    one_by_one(batch, embedder, texts).await
}

async fn one_by_one(batch: &Batch<'_>, embedder: &Embedder, texts: &[(TextHash, String)]) -> Answered {
    let mut answered = Answered::default();
    for (hash, text) in texts {
        if batch.is_over() {
            answered.failed = Some(EmbeddingError::Timeout);
            break;
        }
        match embed_one(embedder, text).await {
            Ok(embedding) => answered.made.push((hash.clone(), embedding)),
            Err(error) if error.is_model_failure() => {
                answered.failed = Some(error);
                break;
            }
            Err(error) => answered.refused = Some(error),
        }
    }
    answered
}

/// The vector of a text, or of its first half where the model does not take the whole.
async fn embed_one(embedder: &Embedder, text: &str) -> Result<Embedding, EmbeddingError> {
    match one(embedder, text).await {
        Err(error) if !error.is_model_failure() => one(embedder, first_half(text)).await,
        answer => answer,
    }
}

async fn one(embedder: &Embedder, text: &str) -> Result<Embedding, EmbeddingError> {
    let mut embeddings = embedder.passages(&[text], CALL_PATIENCE).await?;
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
