//! An embedding model that is asked for the vector of a question once, however often the question is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use super::model::{EmbeddingError, EmbeddingModel, TextKind};

/// A model, and the vectors of the questions so far, or why there are none: a question has them every time or never.
#[derive(Debug)]
pub(super) struct Remembering {
    model: Arc<dyn EmbeddingModel>,
    known: Mutex<HashMap<String, Result<Vec<f32>, EmbeddingError>>>,
}

impl Remembering {
    pub(super) fn new(model: Arc<dyn EmbeddingModel>) -> Self {
        Self { model, known: Mutex::default() }
    }

    /// The vectors of `texts`, where all of them were asked for.
    fn recall(&self, texts: &[String]) -> Option<Result<Vec<Vec<f32>>, EmbeddingError>> {
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
            return known;
        }
        let vectors = self.model.embed(kind, texts, timeout).await;
        let each: Vec<_> = match &vectors {
            Ok(vectors) => vectors.iter().cloned().map(Ok).collect(),
            Err(error) => vec![Err(error.clone()); texts.len()],
        };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).extend(texts.iter().cloned().zip(each));
        vectors
    }
}
