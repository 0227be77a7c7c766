//! The configured embedding model with its prefixes, and the validation of its responses.

use std::sync::Arc;
use std::time::Duration;

use super::model::{EmbeddingError, EmbeddingModel, TextKind, cut};
use super::remembering::{RecentVectors, Remembering};
use super::settings::EmbeddingSettings;
use domain::models::{Embedding, EmbeddingSpace, QueryVector};

/// An embedding model as it is used here; cheap to clone.
#[derive(Debug, Clone)]
pub struct Embedder {
    model: Arc<dyn EmbeddingModel>,
    settings: Arc<EmbeddingSettings>,
}

impl Embedder {
    /// `model` with the dimensions and prefixes of `settings`.
    #[must_use]
    pub fn new(model: Arc<dyn EmbeddingModel>, settings: EmbeddingSettings) -> Self {
        Self { model, settings: Arc::new(settings) }
    }

    /// The same, asking its model for the vector of a question once, and for none of `recent`.
    #[must_use]
    pub fn remembering(&self, recent: &RecentVectors) -> Self {
        let model = Arc::new(Remembering::new(Arc::clone(&self.model), recent.clone()));
        Self { model, settings: Arc::clone(&self.settings) }
    }

    /// The dimensions that are asked of the model; none if it decides.
    #[must_use]
    pub fn dimensions(&self) -> Option<usize> {
        self.settings.dimensions.map(usize::from)
    }

    /// The space of its vectors with this many dimensions.
    #[must_use]
    pub fn space_of(&self, dimensions: usize) -> EmbeddingSpace {
        EmbeddingSpace::of(self.model.id(), dimensions, &self.settings.passage_prefix)
    }

    /// Requests the vector of a text that every model accepts, to learn the current number of dimensions. Fails if the
    /// model fails.
    ///
    /// # Errors
    /// As [`Embedder::queries`].
    pub async fn probe(&self, timeout: Duration) -> Result<usize, EmbeddingError> {
        let vectors = self.queries(&[PROBE], timeout).await?;
        vectors.first().map(|vector| vector.embedding.dimensions()).ok_or_else(|| invalid_reply("no vector"))
    }

    /// Whether the model's endpoint puts a prefix of its own before ours, which makes its vectors worse. It asks the
    /// endpoint only if there are prefixes of ours.
    ///
    /// # Errors
    /// As [`Embedder::queries`].
    pub async fn doubles_prefixes(&self, timeout: Duration) -> Result<bool, EmbeddingError> {
        let prefix = &self.settings.query_prefix;
        Ok(!prefix.is_empty() && self.model.adds_prefix(&format!("{prefix}{PROBE}"), timeout).await?)
    }

    /// How many passages one call of [`Embedder::passages`] may hold.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.model.batch().max(1)
    }

    /// The vectors of questions, in their order, of each of which the first 2,000 characters count, within `timeout`; at
    /// most [`Embedder::batch`] texts.
    ///
    /// # Errors
    /// The model failed, took longer, or answered no vector of the configured dimensions.
    pub async fn queries(&self, texts: &[&str], timeout: Duration) -> Result<Vec<QueryVector>, EmbeddingError> {
        let texts: Vec<String> =
            texts.iter().map(|text| format!("{}{}", self.settings.query_prefix, cut(text.trim()))).collect();
        let embeddings = self.embed(TextKind::Query, &texts, timeout).await?;
        let vector = |embedding: Embedding| QueryVector { space: self.space_of(embedding.dimensions()), embedding };
        Ok(embeddings.into_iter().map(vector).collect())
    }

    /// The vectors of passages, in their order, within `timeout`; at most [`Embedder::batch`] texts.
    ///
    /// # Errors
    /// As above.
    pub async fn passages(&self, texts: &[&str], timeout: Duration) -> Result<Vec<Embedding>, EmbeddingError> {
        let texts: Vec<String> =
            texts.iter().map(|text| format!("{}{}", self.settings.passage_prefix, cut(text))).collect();
        self.embed(TextKind::Passage, &texts, timeout).await
    }

    async fn embed(
        &self,
        kind: TextKind,
        texts: &[String],
        timeout: Duration,
    ) -> Result<Vec<Embedding>, EmbeddingError> {
        let answer = tokio::time::timeout(timeout, self.model.embed(kind, texts, timeout)).await;
        let vectors = answer.map_err(|_elapsed| EmbeddingError::Timeout)??;
        if vectors.len() != texts.len() {
            return Err(invalid_reply("not one vector for each text"));
        }
        let dimensions = self.settings.dimensions.map(usize::from).or_else(|| vectors.first().map(Vec::len));
        if vectors.iter().any(|vector| Some(vector.len()) != dimensions || vector.len() > MAX_DIMENSIONS) {
            return Err(invalid_reply("a vector of other dimensions"));
        }
        let embeddings: Option<Vec<Embedding>> = vectors.iter().map(|vector| Embedding::of(vector)).collect();
        embeddings.ok_or_else(|| invalid_reply("a vector that is zero or not finite"))
    }
}

/// The test request that checks whether the model works.
const PROBE: &str = "How do I reset my password?";
/// The most dimensions that are taken.
const MAX_DIMENSIONS: usize = 4_096;

fn invalid_reply(why: &str) -> EmbeddingError {
    EmbeddingError::Unusable(why.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;

    use super::*;

    /// Returns fixed vectors, and records the texts.
    #[derive(Debug)]
    struct Fixed {
        answer: Vec<Vec<f32>>,
        asked: Mutex<Vec<String>>,
    }

    #[async_trait]
    impl EmbeddingModel for Fixed {
        fn id(&self) -> &str {
            "fixed"
        }

        fn batch(&self) -> usize {
            2
        }

        async fn embed(&self, _: TextKind, texts: &[String], _: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
            self.asked.lock().unwrap().extend_from_slice(texts);
            Ok(self.answer.clone())
        }
    }

    fn embedder(answer: &[&[f32]], dimensions: Option<u16>) -> (Embedder, Arc<Fixed>) {
        let answer = answer.iter().map(|vector| vector.to_vec()).collect();
        let model = Arc::new(Fixed { answer, asked: Mutex::default() });
        let settings =
            EmbeddingSettings { dimensions, query_prefix: "query: ".into(), passage_prefix: "passage: ".into() };
        (Embedder::new(model.clone(), settings), model)
    }

    const TIMEOUT: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn texts_get_their_prefix_and_are_cut() {
        let (embedder, model) = embedder(&[&[3.0, 4.0]], None);
        let vectors = embedder.queries(&[&format!(" {}", "ä".repeat(3_000))], TIMEOUT).await.unwrap();
        assert_eq!(vectors[0].embedding, Embedding::of(&[0.6, 0.8]).unwrap());
        embedder.passages(&["Title\ntext"], TIMEOUT).await.unwrap();
        let asked = model.asked.lock().unwrap();
        assert_eq!(asked[0], format!("query: {}", "ä".repeat(2_000)));
        assert_eq!(asked[1], "passage: Title\ntext");
    }

    #[tokio::test]
    async fn an_answer_without_one_usable_vector_for_each_text_is_refused() {
        let long = vec![1.0; 5_000];
        for (answer, dimensions) in [
            (vec![], None),
            (vec![&[1.0][..], &[1.0]], None),
            (vec![&[f32::NAN, 1.0][..]], None),
            (vec![&[0.0, 0.0][..]], None),
            (vec![&[][..]], None),
            (vec![&[1.0, 1.0][..]], Some(3)),
            (vec![&long[..]], None),
        ] {
            let (embedder, _) = embedder(&answer, dimensions);
            let refused = embedder.queries(&["x"], TIMEOUT).await;
            assert!(matches!(refused, Err(EmbeddingError::Unusable(_))), "{dimensions:?}: {refused:?}");
        }
        let (embedder, _) = embedder(&[&[1.0], &[1.0, 2.0]], None);
        assert!(embedder.passages(&["a", "b"], TIMEOUT).await.is_err(), "two dimensions in one answer");
    }
}
