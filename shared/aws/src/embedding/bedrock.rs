//! Embedding models on Amazon Bedrock, by InvokeModel: Titan Text Embeddings and Cohere Embed.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::primitives::Blob;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bedrock::{CallError, retry_broken_connections};
use answer::embedding::{EmbeddingError, EmbeddingModel, TextKind};

/// The most texts of one Cohere request.
const COHERE_BATCH: usize = 96;
/// Titan takes one text per call; this many calls run at a time.
const TITAN_CONCURRENCY: usize = 4;

/// Model families, by their request formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Titan,
    Cohere,
}

impl Family {
    /// By the model's id, an inference profile of a region included (`eu.cohere.embed-…`).
    fn of(model_id: &str) -> Option<Self> {
        match () {
            () if model_id.contains("amazon.titan-embed-text-") => Some(Self::Titan),
            () if model_id.contains("cohere.embed-") => Some(Self::Cohere),
            () => None,
        }
    }
}

/// Whether a model of this id can be asked.
#[must_use]
pub fn is_known(model_id: &str) -> bool {
    Family::of(model_id).is_some()
}

/// An embedding model behind Bedrock.
#[derive(Clone)]
pub struct BedrockEmbeddings {
    client: Client,
    model_id: String,
    dimensions: Option<u16>,
}

impl BedrockEmbeddings {
    /// The model `model_id`; `client` brings region and credentials. Titan V2 gives 256, 512 or 1,024 `dimensions`.
    #[must_use]
    pub fn new(client: Client, model_id: &str, dimensions: Option<u16>) -> Self {
        Self { client, model_id: model_id.to_owned(), dimensions }
    }

    async fn titan(&self, text: &str) -> Result<Vec<f32>, EmbeddingError> {
        let mut body = json!({"inputText": text});
        if let (Some(dimensions), Some(fields)) = (self.dimensions, body.as_object_mut()) {
            fields.insert("dimensions".to_owned(), dimensions.into());
            fields.insert("normalize".to_owned(), true.into());
        }
        let answer: TitanAnswer = self.invoke(&body).await?;
        Ok(answer.embedding)
    }

    async fn cohere(&self, kind: TextKind, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let input_type = match kind {
            TextKind::Query => "search_query",
            TextKind::Passage => "search_document",
        };
        let body = json!({"texts": texts, "input_type": input_type, "truncate": "END"});
        let answer: CohereAnswer = self.invoke(&body).await?;
        Ok(answer.embeddings)
    }

    async fn invoke<A: serde::de::DeserializeOwned>(&self, body: &Value) -> Result<A, EmbeddingError> {
        let call = self
            .client
            .invoke_model()
            .model_id(&self.model_id)
            .content_type("application/json")
            .accept("application/json")
            .body(Blob::new(body.to_string()))
            .customize()
            .config_override(retry_broken_connections())
            .send();
        let answer = call.await.map_err(|error| failed(CallError::from(&error)))?;
        let unusable = |_| EmbeddingError::Unusable("not the model's JSON".into());
        serde_json::from_slice(answer.body().as_ref()).map_err(unusable)
    }
}

impl fmt::Debug for BedrockEmbeddings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BedrockEmbeddings").field("model_id", &self.model_id).finish_non_exhaustive()
    }
}

#[async_trait]
impl EmbeddingModel for BedrockEmbeddings {
    fn id(&self) -> &str {
        &self.model_id
    }

    fn batch(&self) -> usize {
        match Family::of(&self.model_id) {
            Some(Family::Cohere) => COHERE_BATCH,
            Some(Family::Titan) | None => TITAN_CONCURRENCY * 4,
        }
    }

    async fn embed(
        &self,
        kind: TextKind,
        texts: &[String],
        timeout: Duration,
    ) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let call = async {
            match Family::of(&self.model_id) {
                Some(Family::Titan) => {
                    let calls: Vec<_> = texts.iter().map(|text| self.titan(text)).collect();
                    stream::iter(calls).buffered(TITAN_CONCURRENCY).try_collect().await
                }
                Some(Family::Cohere) => self.cohere(kind, texts).await,
                None => Err(EmbeddingError::Failed("the model is of no known family".into())),
            }
        };
        tokio::time::timeout(timeout, call).await.map_err(|_elapsed| EmbeddingError::Timeout)?
    }
}

#[derive(Deserialize)]
struct TitanAnswer {
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct CohereAnswer {
    embeddings: Vec<Vec<f32>>,
}

fn failed(error: CallError) -> EmbeddingError {
    match error {
        CallError::Timeout => EmbeddingError::Timeout,
        CallError::Service { status, code } if code == "ValidationException" => EmbeddingError::Refused(status),
        CallError::Service { status, code } => EmbeddingError::Failed(format!("status {status}, {code}")),
        CallError::Failed(how) => EmbeddingError::Failed(how.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bedrock::client;
    use crate::http_stub::{Stub, StubResponse};

    fn model(stub_url: &str, id: &str, dimensions: Option<u16>) -> BedrockEmbeddings {
        BedrockEmbeddings::new(client(stub_url), id, dimensions)
    }

    const TITAN: &str = "amazon.titan-embed-text-v2:0";
    const COHERE: &str = "cohere.embed-multilingual-v3";

    async fn ask(id: &str, kind: TextKind, texts: &[&str], reply: StubResponse) -> (Outcome, Stub) {
        let stub = Stub::start(reply).await;
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let vectors = model(&stub.url, id, Some(512)).embed(kind, &texts, Duration::from_millis(700)).await;
        (vectors, stub)
    }

    type Outcome = Result<Vec<Vec<f32>>, EmbeddingError>;

    #[tokio::test]
    async fn titan_is_asked_for_one_text_with_its_dimensions() {
        let reply = StubResponse::Json(200, json!({"embedding": [0.5, 0.5], "inputTextTokenCount": 3}).to_string());
        let (vectors, stub) = ask(TITAN, TextKind::Query, &["how?"], reply).await;
        assert_eq!(vectors.unwrap(), [[0.5, 0.5]]);
        let seen = stub.only_request();
        assert_eq!(seen.path, "/model/amazon.titan-embed-text-v2%3A0/invoke");
        assert_eq!(seen.body, json!({"inputText": "how?", "dimensions": 512, "normalize": true}));
        assert!(seen.authorization.unwrap().starts_with("AWS4-HMAC-SHA256 "));
    }

    #[tokio::test]
    async fn cohere_is_told_what_the_texts_are() {
        for (kind, input_type) in [(TextKind::Query, "search_query"), (TextKind::Passage, "search_document")] {
            let body = json!({"embeddings": [[1.0], [2.0]], "id": "x", "response_type": "embeddings_floats"});
            let (vectors, stub) = ask(COHERE, kind, &["a", "b"], StubResponse::Json(200, body.to_string())).await;
            assert_eq!(vectors.unwrap(), [[1.0], [2.0]]);
            let seen = stub.only_request();
            assert_eq!(seen.path, "/model/cohere.embed-multilingual-v3/invoke");
            assert_eq!(seen.body, json!({"texts": ["a", "b"], "input_type": input_type, "truncate": "END"}));
        }
    }

    #[tokio::test]
    async fn a_model_without_access_that_fails_or_hangs_gives_no_vectors() {
        for (status, code) in [(403, "AccessDeniedException"), (429, "ThrottlingException")] {
            let body = json!({"__type": code, "message": "what the customer wrote"}).to_string();
            let (vectors, stub) = ask(TITAN, TextKind::Query, &["x"], StubResponse::Json(status, body)).await;
            assert_eq!(vectors.unwrap_err(), EmbeddingError::Failed(format!("status {status}, {code}")));
            stub.only_request();
        }
        for reply in [StubResponse::Hang, StubResponse::HangInBody] {
            let (vectors, _stub) = ask(COHERE, TextKind::Passage, &["x"], reply).await;
            assert_eq!(vectors.unwrap_err(), EmbeddingError::Timeout);
        }
        let (vectors, _stub) = ask(COHERE, TextKind::Query, &["x"], StubResponse::Json(200, "<html>".into())).await;
        assert!(matches!(vectors, Err(EmbeddingError::Unusable(_))), "{vectors:?}");
    }

    #[test]
    fn models_are_known_by_their_ids() {
        for (id, known) in [(TITAN, true), ("eu.cohere.embed-v4:0", true), ("anthropic.claude-3", false), ("", false)] {
            assert_eq!(is_known(id), known, "{id}");
        }
    }
}
