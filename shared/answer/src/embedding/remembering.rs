//! An embedding model that is asked for the vector of a question once, however often the question is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::sha256_hex;

use super::model::{EmbeddingError, EmbeddingModel, TextKind};

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
pub(super) struct Remembering {
    model: Arc<dyn EmbeddingModel>,
    known: Mutex<HashMap<String, Result<Vec<f32>, EmbeddingError>>>,
    recent: RecentVectors,
}

impl Remembering {
    pub(super) fn new(model: Arc<dyn EmbeddingModel>, recent: RecentVectors) -> Self {
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
