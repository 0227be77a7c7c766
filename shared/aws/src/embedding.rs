//! Embedding models: Titan Text Embeddings and Cohere Embed on Amazon Bedrock by InvokeModel, and any endpoint that
//! speaks OpenAI's `/embeddings`.

use std::sync::Arc;
use std::time::Duration;

use answer::embedding::{Embedder, EmbeddingError, EmbeddingModel, EmbeddingSettings, TextKind};
use async_trait::async_trait;
use aws_config::SdkConfig;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::primitives::Blob;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bedrock::{CallError, EmbeddingFamily, retry_broken_connections};
use crate::config::ModelChoice;
use crate::openai::{Endpoint, EndpointError};
use domain::{Result, Secret};

/// Connects to the model of `choice`; none if none is configured. An internal error without TLS.
pub fn configured_embedder(
    choice: &ModelChoice,
    settings: &EmbeddingSettings,
    sdk: &SdkConfig,
) -> Result<Option<Embedder>> {
    let model: Arc<dyn EmbeddingModel> = match choice {
        ModelChoice::None => return Ok(None),
        ModelChoice::Bedrock { id } => {
            let client = aws_sdk_bedrockruntime::Client::new(sdk);
            Arc::new(BedrockEmbeddings::new(client, id, settings.dimensions))
        }
        ModelChoice::OpenAi { id, base_url, api_key } => {
            Arc::new(OpenAiEmbeddings::new(base_url, id, api_key.clone(), settings.dimensions)?)
        }
    };
    Ok(Some(Embedder::new(model, settings.clone())))
}

/// The most texts of one Cohere request.
const COHERE_BATCH: usize = 96;

/// Titan takes one text per call; this many calls run at a time.
const TITAN_CONCURRENCY: usize = 4;

/// An embedding model behind Bedrock.
#[derive(Debug, Clone)]
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
        let answer = call.await.map_err(|error| bedrock_error(CallError::from(&error)))?;
        let unusable = |_| EmbeddingError::Unusable("not the model's JSON".into());
        serde_json::from_slice(answer.body().as_ref()).map_err(unusable)
    }
}

#[async_trait]
impl EmbeddingModel for BedrockEmbeddings {
    fn id(&self) -> &str {
        &self.model_id
    }

    fn batch(&self) -> usize {
        match EmbeddingFamily::of(&self.model_id) {
            Some(EmbeddingFamily::Cohere) => COHERE_BATCH,
            Some(EmbeddingFamily::Titan) | None => TITAN_CONCURRENCY * 4,
        }
    }

    async fn embed(
        &self,
        kind: TextKind,
        texts: &[String],
        timeout: Duration,
    ) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let call = async {
            match EmbeddingFamily::of(&self.model_id) {
                Some(EmbeddingFamily::Titan) => {
                    let calls: Vec<_> = texts.iter().map(|text| self.titan(text)).collect();
                    stream::iter(calls).buffered(TITAN_CONCURRENCY).try_collect().await
                }
                Some(EmbeddingFamily::Cohere) => self.cohere(kind, texts).await,
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

fn bedrock_error(error: CallError) -> EmbeddingError {
    match error {
        CallError::Timeout => EmbeddingError::Timeout,
        CallError::Service { status, code } if code == "ValidationException" => EmbeddingError::Refused(status),
        CallError::Service { status, code } => EmbeddingError::Failed(format!("status {status}, {code}")),
        CallError::Failed(how) => EmbeddingError::Failed(how.into()),
    }
}

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
        let body = self.endpoint.post(&body, timeout, MAX_RESPONSE_BYTES).await.map_err(endpoint_error)?;
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

fn endpoint_error(error: EndpointError) -> EmbeddingError {
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
            assert_eq!(EmbeddingFamily::of(id).is_some(), known, "{id}");
        }
    }

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

    async fn ask_endpoint(
        reply: StubResponse,
        dimensions: Option<u16>,
    ) -> (Result<Vec<Vec<f32>>, EmbeddingError>, Stub) {
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
        let (vectors, stub) = ask_endpoint(json(&body), Some(2)).await;
        assert_eq!(vectors.unwrap(), [[1.0, 0.0], [0.0, 1.0]]);
        let seen = stub.only_request();
        assert_eq!((seen.path.as_str(), seen.authorization.as_deref()), ("/v1/embeddings", Some("Bearer sk-1")));
        let sent = json!({"model": "small", "input": ["a", "b"], "encoding_format": "float", "dimensions": 2});
        assert_eq!(seen.body, sent);
    }

    #[tokio::test]
    async fn dimensions_are_asked_for_only_where_they_are_given() {
        let (_, stub) = ask_endpoint(StubResponse::Json(200, "{}".into()), None).await;
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
            let (vectors, _stub) = ask_endpoint(reply.clone(), None).await;
            assert_eq!(vectors.unwrap_err(), expected, "{reply:?}");
        }
        let (vectors, _stub) = ask_endpoint(StubResponse::Half, None).await;
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
            let (vectors, _stub) = ask_endpoint(StubResponse::Json(200, body), None).await;
            assert!(matches!(vectors, Err(EmbeddingError::Unusable(_))), "{vectors:?}");
        }
    }
}
