//! A language model that replies as a test decides, and records its requests.

use std::sync::{Arc, Mutex};

use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;
use serde_json::json;

type Replies = Box<dyn Fn(&ModelRequest) -> Option<String> + Send + Sync>;

pub(crate) struct ModelStub {
    replies: Replies,
    asked: Mutex<Vec<ModelRequest>>,
}

impl std::fmt::Debug for ModelStub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelStub").finish_non_exhaustive()
    }
}

impl ModelStub {
    /// One that fails if `replies` has nothing to say.
    pub(crate) fn new(replies: impl Fn(&ModelRequest) -> Option<String> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { replies: Box::new(replies), asked: Mutex::default() })
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<ModelRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// How often it was asked to rewrite a question.
    pub(crate) fn rewritings(&self) -> usize {
        self.asked().iter().filter(|request| rewrites(request)).count()
    }
}

/// Whether a question is to be rewritten, not answered.
pub(crate) fn rewrites(request: &ModelRequest) -> bool {
    request.system.starts_with("You rewrite")
}

/// The reply of a model that rewrote a question.
pub(crate) fn rewritten(question: &str) -> String {
    json!({"question": question}).to_string()
}

/// The reply of a model that answers from passages.
pub(crate) fn answered(answer: &str, sources: &[usize]) -> String {
    json!({"answer": answer, "sources": sources, "answerable": true}).to_string()
}

#[async_trait]
impl LanguageModel for ModelStub {
    fn name(&self) -> &str {
        "stub"
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        self.asked.lock().unwrap().push(request.clone());
        (self.replies)(request).ok_or_else(|| ModelError::Failed("down".into()))
    }
}
