//! An embedding model behind OpenAI's protocol: words are directions, and some words with one meaning are the same
//! direction, so that texts with the same meaning are near each other.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use local::Embeddings;
use serde_json::{Value, json};

use super::TestOptions;

/// Words of one meaning.
const SYNONYMS: &[&[&str]] = &[
    &["holiday", "vacation", "urlaub", "leave"],
    &["money", "refund", "reimbursement", "geld"],
    &["password", "passcode", "passwort", "login"],
    &["parcel", "package", "paket", "shipment"],
];

/// Directions there are, unless a test says otherwise.
const DIMENSIONS: usize = 64;

/// The fault of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmbeddingFault {
    /// It answers 503.
    Down,
    /// It never answers.
    Hangs,
    /// Its vectors have one dimension more than before.
    OtherDimensions,
    /// Likewise, and it answers 503 for passages.
    OtherDimensionsOfQueries,
    /// Its vectors hold something that is no number.
    NotANumber,
    /// It answers a page.
    Html,
    /// It answers so many texts, then 503.
    DownAfter(usize),
    /// It refuses calls with this word in a text.
    Refuses(&'static str),
}

/// The model; ends with the test's runtime.
#[derive(Debug, Clone)]
pub(crate) struct EmbeddingStub {
    url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    fault: Option<EmbeddingFault>,
    embedded: Vec<String>,
    passage_calls: usize,
}

impl EmbeddingStub {
    pub(crate) async fn start() -> Self {
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = Arc::clone(&state);
        let app = axum::Router::new().route(
            "/v1/embeddings",
            axum::routing::post(move |body: Bytes| {
                let answer = answer(&mut shared.lock().unwrap(), &body);
                async move {
                    match answer {
                        Some(answer) => answer,
                        None => std::future::pending().await,
                    }
                }
            }),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, state }
    }

    /// Has a service use it, as the model `e5-small-test`, whose name brings the prefixes of E5 models.
    pub(crate) fn configure(&self, options: &mut TestOptions) {
        self.configure_as("e5-small-test", options);
    }

    /// The same under another name.
    pub(crate) fn configure_as(&self, model_id: &str, options: &mut TestOptions) {
        options.start.embeddings = Some(Embeddings { base_url: self.url.clone(), model_id: model_id.to_owned() });
    }

    /// From now on this is wrong with it; nothing with none.
    pub(crate) fn set_fault(&self, fault: Option<EmbeddingFault>) {
        self.state.lock().unwrap().fault = fault;
    }

    /// The passages it was asked for and gave vectors of, with their prefix, since the last call.
    pub(crate) fn passages(&self) -> Vec<String> {
        self.take("passage: ")
    }

    /// How often it was asked for vectors of passages since the last call, whatever it answered.
    pub(crate) fn passage_calls(&self) -> usize {
        std::mem::take(&mut self.state.lock().unwrap().passage_calls)
    }

    /// The questions likewise.
    pub(crate) fn queries(&self) -> Vec<String> {
        self.take("query: ")
    }

    fn take(&self, prefix: &str) -> Vec<String> {
        let mut state = self.state.lock().unwrap();
        let (taken, left) = std::mem::take(&mut state.embedded).into_iter().partition(|text| text.starts_with(prefix));
        state.embedded = left;
        taken
    }
}

/// None to hang.
fn answer(state: &mut State, body: &[u8]) -> Option<Response> {
    let body: Value = serde_json::from_slice(body).unwrap();
    let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap();
    state.passage_calls += usize::from(texts.iter().any(|text| text.starts_with("passage: ")));
    let down = StatusCode::SERVICE_UNAVAILABLE.into_response();
    let dimensions = match state.fault {
        Some(EmbeddingFault::Hangs) => return None,
        Some(EmbeddingFault::Down) => return Some(down),
        Some(EmbeddingFault::OtherDimensionsOfQueries) if texts.iter().any(|text| text.starts_with("passage: ")) => {
            return Some(down);
        }
        Some(EmbeddingFault::DownAfter(left)) if left < texts.len() => return Some(down),
        Some(EmbeddingFault::DownAfter(left)) => {
            state.fault = Some(EmbeddingFault::DownAfter(left - texts.len()));
            DIMENSIONS
        }
        Some(EmbeddingFault::Refuses(word)) if texts.iter().any(|text| text.contains(word)) => {
            return Some(StatusCode::BAD_REQUEST.into_response());
        }
        Some(EmbeddingFault::Html) => return Some("<html>busy</html>".into_response()),
        Some(EmbeddingFault::NotANumber) => {
            let body = r#"{"data":[{"index":0,"embedding":[NaN,1]}]}"#;
            return Some(([(header::CONTENT_TYPE, "application/json")], body).into_response());
        }
        Some(EmbeddingFault::OtherDimensions | EmbeddingFault::OtherDimensionsOfQueries) => DIMENSIONS + 1,
        Some(EmbeddingFault::Refuses(_)) | None => DIMENSIONS,
    };
    let vectors = texts.iter().enumerate();
    let data: Vec<Value> =
        vectors.map(|(index, text)| json!({"index": index, "embedding": vector(text, dimensions)})).collect();
    state.embedded.extend(texts);
    Some(axum::Json(json!({"data": data, "model": body["model"]})).into_response())
}

pub(super) fn vector_of(text: &str) -> Vec<f32> {
    vector(text, DIMENSIONS)
}

/// The sum of the directions of a text's words.
fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut vector = vec![0.01; dimensions];
    let text = text.to_lowercase();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3) {
        let meaning = SYNONYMS.iter().position(|words| words.contains(&word));
        // The first directions are the meanings', the rest is shared by all other words.
        let other = word.bytes().fold(7_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        let direction = meaning.unwrap_or(SYNONYMS.len() + other % (DIMENSIONS - SYNONYMS.len()));
        vector[direction] += if meaning.is_some() { 3.0 } else { 1.0 };
    }
    vector
}
