//! An embedding model that is asked for the vector of a question once, however often the question is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use super::model::{EmbeddingError, EmbeddingModel, TextKind};

/// A model, and the vectors of the questions so far.
#[derive(Debug)]
pub(super) struct Remembering {
    model: Arc<dyn EmbeddingModel>,
    known: Mutex<HashMap<String, Vec<f32>>>,
}

impl Remembering {
    pub(super) fn new(model: Arc<dyn EmbeddingModel>) -> Self {
        Self { model, known: Mutex::default() }
    }

    /// The vectors of `texts`, where all are known.
    fn recall(&self, texts: &[String]) -> Option<Vec<Vec<f32>>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        texts.iter().map(|text| known.get(text).cloned()).collect()
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
            return Ok(known);
        }
        let vectors = self.model.embed(kind, texts, timeout).await?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(texts.iter().cloned().zip(vectors.iter().cloned()));
        Ok(vectors)
    }
}
