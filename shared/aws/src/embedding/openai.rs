//! Any endpoint that speaks OpenAI's `/embeddings`.

use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;

use crate::openai::{Endpoint, EndpointError};
use answer::embedding::{EmbeddingError, EmbeddingModel, TextKind};
use domain::Secret;

/// Texts of one call.
const BATCH: usize = 16;
/// Bytes of a response that are read: a batch of 4,096 dimensions, each written with 20 characters.
const MAX_RESPONSE_BYTES: usize = 2 * 1024 * 1024;

/// A model behind an OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct OpenAiEmbeddings {
    endpoint: Endpoint,
    model: String,
    dimensions: Option<u16>,
}

impl OpenAiEmbeddings {
    /// The model named `model` at `base_url`, the address up to `/v1`. `dimensions` are asked for if they are given;
    /// not every endpoint knows the field.
    ///
    /// # Errors
    /// An internal error when the process has no TLS to offer.
    pub fn new(base_url: &str, model: &str, api_key: Option<Secret>, dimensions: Option<u16>) -> domain::Result<Self> {
        Ok(Self { endpoint: Endpoint::new(base_url, "/embeddings", api_key)?, model: model.to_owned(), dimensions })
    }

    /// The vectors of `texts`. `input_type` is no field of OpenAI's; some endpoints choose their prefix by it.
    async fn ask(
        &self,
        texts: &[String],
        input_type: Option<&str>,
        timeout: Duration,
    ) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let mut body = json!({"model": self.model, "input": texts, "encoding_format": "float"});
        if let (Some(dimensions), Some(fields)) = (self.dimensions, body.as_object_mut()) {
            fields.insert("dimensions".to_owned(), dimensions.into());
        }
        if let (Some(kind), Some(fields)) = (input_type, body.as_object_mut()) {
            fields.insert("input_type".to_owned(), kind.into());
        }
        let body = self.endpoint.post(&body, timeout, MAX_RESPONSE_BYTES).await.map_err(failed)?;
        vectors_of(&body, texts.len())
    }
}

#[async_trait]
impl EmbeddingModel for OpenAiEmbeddings {
    fn id(&self) -> &str {
        &self.model
    }

    fn batch(&self) -> usize {
        BATCH
    }

    async fn embed(&self, _: TextKind, texts: &[String], timeout: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        self.ask(texts, None, timeout).await
    }

    /// An endpoint that leaves texts alone gives one text one vector, whatever the `input_type`. One that adds a prefix
    /// adds that of a query or of a passage also if no `input_type` is sent. Others, such as Voyage AI's, then add
    /// none.
    async fn adds_prefix(&self, text: &str, timeout: Duration) -> Result<bool, EmbeddingError> {
        let texts = [text.to_owned()];
        let sent = self.ask(&texts, None, timeout).await?;
        let query = self.ask(&texts, Some("query"), timeout).await?;
        let passage = self.ask(&texts, Some("passage"), timeout).await?;
        Ok(is_prefixed(&sent.concat(), &query.concat(), &passage.concat()))
    }
}

/// Whether the vector of a text as it is always `sent` is that of one kind of text, and the other kind has another.
fn is_prefixed(sent: &[f32], query: &[f32], passage: &[f32]) -> bool {
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    // Models round differently from call to call.
    let is_same = |a: &[f32], b: &[f32]| product(a, b) > 0.999 * (product(a, a) * product(b, b)).sqrt();
    !is_same(query, passage) && (is_same(sent, query) || is_same(sent, passage))
}

fn failed(error: EndpointError) -> EmbeddingError {
    match error {
        EndpointError::Timeout => EmbeddingError::Timeout,
        EndpointError::Status(status @ (400 | 413 | 422)) => EmbeddingError::Refused(status),
        EndpointError::Status(status) => EmbeddingError::Failed(format!("status {status}")),
        EndpointError::Failed(how) => EmbeddingError::Failed(how),
        EndpointError::TooLong => EmbeddingError::Unusable("a response of more than 2 MiB".into()),
    }
}

#[derive(Deserialize)]
struct EmbeddingsResponse {
    data: Vec<EmbeddingItem>,
}

#[derive(Deserialize)]
struct EmbeddingItem {
    index: usize,
    embedding: Vec<f32>,
}

/// The vectors by their `index`, each of 0 to `count` once.
fn vectors_of(body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, EmbeddingError> {
    let unusable = |why: &str| EmbeddingError::Unusable(why.to_owned());
    let mut answer: EmbeddingsResponse =
        serde_json::from_slice(body).map_err(|_| unusable("not a list of embeddings"))?;
    answer.data.sort_by_key(|datum| datum.index);
    if answer.data.len() != count || answer.data.iter().enumerate().any(|(at, datum)| at != datum.index) {
        return Err(unusable("not one vector for each text"));
    }
    Ok(answer.data.into_iter().map(|datum| datum.embedding).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http_stub::{Stub, StubResponse};

    #[test]
    fn fuzzed_responses() {
        let response = json!({"data": [{"index": 1, "embedding": [0.5, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]});
        assert!(vectors_of(response.to_string().as_bytes(), 2).is_ok());
        fuzz::mutations!(response, |value: &serde_json::Value| {
            for count in 0..3 {
                let vectors = vectors_of(value.to_string().as_bytes(), count);
                assert!(vectors.is_err() || vectors.is_ok_and(|vectors| vectors.len() == count), "{value}");
            }
        });
    }

    async fn ask(reply: StubResponse, dimensions: Option<u16>) -> (Result<Vec<Vec<f32>>, EmbeddingError>, Stub) {
        let stub = Stub::start(reply).await;
        let key = Some(Secret::new("sk-1".into()));
        let model = OpenAiEmbeddings::new(&format!("{}/v1/", stub.url), "small", key, dimensions).unwrap();
        let texts = ["a".to_owned(), "b".to_owned()];
        let vectors = model.embed(TextKind::Passage, &texts, Duration::from_millis(700)).await;
        (vectors, stub)
    }

    fn json(body: &serde_json::Value) -> StubResponse {
        StubResponse::Json(200, body.to_string())
    }

    #[tokio::test]
    async fn vectors_come_in_the_order_of_the_texts() {
        let body = json!({"data": [
            {"object": "embedding", "index": 1, "embedding": [0.0, 1.0]},
            {"object": "embedding", "index": 0, "embedding": [1.0, 0.0]}]});
        let (vectors, stub) = ask(json(&body), Some(2)).await;
        assert_eq!(vectors.unwrap(), [[1.0, 0.0], [0.0, 1.0]]);
        let seen = stub.only_request();
        assert_eq!((seen.path.as_str(), seen.authorization.as_deref()), ("/v1/embeddings", Some("Bearer sk-1")));
        let sent = json!({"model": "small", "input": ["a", "b"], "encoding_format": "float", "dimensions": 2});
        assert_eq!(seen.body, sent);
    }

    #[tokio::test]
    async fn dimensions_are_asked_for_only_where_they_are_given() {
        let (_, stub) = ask(StubResponse::Json(200, "{}".into()), None).await;
        assert_eq!(stub.only_request().body.get("dimensions"), None);
    }

    #[tokio::test]
    async fn an_endpoint_that_fails_hangs_or_redirects_gives_no_vectors() {
        let status = |code| StubResponse::Json(code, r#"{"error": {"message": "what the customer wrote"}}"#.into());
        for (reply, expected) in [
            (status(500), EmbeddingError::Failed("status 500".into())),
            (status(429), EmbeddingError::Failed("status 429".into())),
            (status(400), EmbeddingError::Refused(400)),
            (StubResponse::Redirect, EmbeddingError::Failed("status 307".into())),
            (StubResponse::Hang, EmbeddingError::Timeout),
            (StubResponse::HangInBody, EmbeddingError::Timeout),
        ] {
            let (vectors, _stub) = ask(reply.clone(), None).await;
            assert_eq!(vectors.unwrap_err(), expected, "{reply:?}");
        }
        let (vectors, _stub) = ask(StubResponse::Half, None).await;
        assert!(matches!(vectors, Err(EmbeddingError::Failed(_))), "{vectors:?}");
    }

    #[test]
    fn an_endpoint_that_chooses_a_prefix_unasked_is_told_from_others() {
        let (one, nearly, other, third) = ([0.6, 0.8], [0.6001, 0.8], [0.8, 0.6], [1.0, 0.0]);
        for (sent, query, passage, expected) in [
            (one, one, one, false),
            (one, nearly, one, false),
            (one, one, other, true),
            (nearly, other, one, true),
            // It adds a prefix if it is told the kind alone.
            (third, one, other, false),
        ] {
            assert_eq!(is_prefixed(&sent, &query, &passage), expected, "{sent:?} {query:?} {passage:?}");
        }
    }

    #[tokio::test]
    async fn a_response_without_a_list_of_vectors_is_unusable() {
        for body in [
            "<html>".to_owned(),
            r#"{"data": []}"#.to_owned(),
            r#"{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}"#.to_owned(),
            r#"{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}]}"#.to_owned(),
            r#"{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}"#.to_owned(),
            r#"{"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}"#.to_owned(),
            " ".repeat(3 * 1024 * 1024),
        ] {
            let (vectors, _stub) = ask(StubResponse::Json(200, body), None).await;
            assert!(matches!(vectors, Err(EmbeddingError::Unusable(_))), "{vectors:?}");
        }
    }
}
