//! Models that answer what a test says, unless a fault comes before it.

use std::sync::Arc;
use std::time::Duration;

use answer::embedding::{EmbeddingError, EmbeddingModel, TextKind};
use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;

use super::super::ModelStub;
use super::super::embedding_stub;
use super::{Faults, Target};

/// A language model behind faults.
#[derive(Debug)]
pub(crate) struct FaultyModel {
    pub(crate) inner: Arc<ModelStub>,
    pub(crate) faults: Faults,
}

#[async_trait]
impl LanguageModel for FaultyModel {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        let reply = self.faults.call(Target::Model, self.inner.complete(request)).await;
        reply.unwrap_or_else(|| Err(ModelError::Failed("the connection broke".into())))
    }
}

/// An embedding model behind faults; its vectors are those of the embedding stub.
#[derive(Debug)]
pub(crate) struct FaultyEmbeddings(pub(crate) Faults);

#[async_trait]
impl EmbeddingModel for FaultyEmbeddings {
    fn id(&self) -> &str {
        "faulty"
    }

    fn batch(&self) -> usize {
        8
    }

    async fn embed(&self, _: TextKind, texts: &[String], _: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let vectors = async { texts.iter().map(|text| embedding_stub::vector_of(text)).collect() };
        let vectors = self.0.call(Target::Embeddings, vectors).await;
        vectors.ok_or_else(|| EmbeddingError::Failed("the connection broke".into()))
    }
}
