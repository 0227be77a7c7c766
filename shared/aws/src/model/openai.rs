//! Any endpoint that speaks OpenAI's chat completions.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;

use crate::openai::{Endpoint, EndpointError};
use answer::model::{LanguageModel, ModelError, ModelRequest};
use domain::Secret;

/// Bytes of a response that are read.
const MAX_RESPONSE_BYTES: usize = 1024 * 1024;

/// A model behind an OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct OpenAiModel {
    endpoint: Endpoint,
    model: String,
}

impl OpenAiModel {
    /// The model named `model` at `base_url`, the address up to `/v1`.
    ///
    /// # Errors
    /// An internal error when the process has no TLS to offer.
    pub fn new(base_url: &str, model: &str, api_key: Option<Secret>) -> domain::Result<Self> {
        Ok(Self { endpoint: Endpoint::new(base_url, "/chat/completions", api_key)?, model: model.to_owned() })
    }
}

#[async_trait]
impl LanguageModel for OpenAiModel {
    fn name(&self) -> &str {
        &self.model
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        let body = json!({
            "model": self.model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.user},
            ],
            "temperature": 0,
            "max_tokens": request.max_tokens,
            "stream": false,
        });
        text_of(&self.endpoint.post(&body, request.timeout, MAX_RESPONSE_BYTES).await.map_err(failed)?)
    }
}

fn failed(error: EndpointError) -> ModelError {
    match error {
        EndpointError::Timeout => ModelError::Timeout,
        EndpointError::Status(status) => ModelError::Failed(format!("status {status}")),
        EndpointError::Failed(how) => ModelError::Failed(how),
        EndpointError::TooLong => ModelError::Unusable("a response of more than 1 MiB".into()),
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Vec<serde_json::Value>>,
    function_call: Option<serde_json::Value>,
}

/// The text of the one choice, unless it was cut off, refused, or is a tool call (no tools are offered).
fn text_of(body: &[u8]) -> Result<String, ModelError> {
    let unusable = |why: &str| ModelError::Unusable(why.to_owned());
    let completion: Completion = serde_json::from_slice(body).map_err(|_| unusable("not a chat completion"))?;
    let choice = completion.choices.into_iter().next().ok_or_else(|| unusable("no choice"))?;
    let Message { content, refusal, tool_calls, function_call } = choice.message;
    if tool_calls.is_some_and(|calls| !calls.is_empty()) || function_call.is_some() {
        return Err(unusable("a tool call"));
    }
    if refusal.is_some_and(|text| !text.is_empty()) {
        return Err(unusable("a refusal"));
    }
    match choice.finish_reason.as_deref() {
        Some("length") => return Err(unusable("an answer that was cut off")),
        Some("content_filter") => return Err(unusable("an answer that a filter stopped")),
        Some("tool_calls" | "function_call") => return Err(unusable("a tool call")),
        _ => {}
    }
    content.filter(|text| !text.trim().is_empty()).ok_or_else(|| unusable("no text"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::http_stub::{Stub, StubResponse, request};

    #[test]
    fn fuzzed_responses() {
        let response = json!({"choices": [{"message": {"content": "{}", "refusal": null, "tool_calls": []}, "finish_reason": "stop"}]});
        assert!(text_of(response.to_string().as_bytes()).is_ok());
        fuzz::mutations!(response, |value: &serde_json::Value| {
            if let Ok(text) = text_of(value.to_string().as_bytes()) {
                let choice = &value["choices"][0];
                assert!(!text.trim().is_empty() && choice["message"]["content"] == text.as_str(), "{value}");
                assert!(choice["message"]["refusal"].as_str().is_none_or(str::is_empty), "{value}");
            }
        });
    }

    fn completion(message: &serde_json::Value, finish_reason: &str) -> StubResponse {
        let body = json!({"id": "x", "object": "chat.completion", "choices": [
            {"index": 0, "message": message, "finish_reason": finish_reason}]});
        StubResponse::Json(200, body.to_string())
    }

    async fn ask(reply: StubResponse) -> (Result<String, ModelError>, Stub) {
        let stub = Stub::start(reply).await;
        let key = Some(Secret::new("sk-of-the-test".into()));
        let model = OpenAiModel::new(&format!("{}/v1", stub.url), "some-model", key).unwrap();
        (model.complete(&request(Duration::from_millis(1_500))).await, stub)
    }

    #[tokio::test]
    async fn a_completion_gives_its_text() {
        let (text, stub) = ask(completion(&json!({"role": "assistant", "content": "{\"a\":1}"}), "stop")).await;
        assert_eq!(text.unwrap(), "{\"a\":1}");
        let seen = stub.only_request();
        assert_eq!(seen.path, "/v1/chat/completions");
        assert_eq!(seen.authorization.as_deref(), Some("Bearer sk-of-the-test"));
        assert_eq!(
            seen.body,
            json!({"model": "some-model", "temperature": 0, "max_tokens": 77, "stream": false, "messages": [
                {"role": "system", "content": "be brief"}, {"role": "user", "content": "how?"}]})
        );
    }

    #[tokio::test]
    async fn a_failing_endpoint_is_asked_once_and_is_a_failure() {
        for status in [400, 401, 404, 429, 500, 503] {
            let (text, stub) =
                ask(StubResponse::Json(status, "{\"error\":{\"message\":\"sk-of-the-test\"}}".into())).await;
            assert_eq!(text.unwrap_err(), ModelError::Failed(format!("status {status}")));
            stub.only_request();
        }
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let (text, stub) = ask(StubResponse::Redirect).await;
        assert_eq!(text.unwrap_err(), ModelError::Failed("status 307".into()));
        stub.only_request();
    }

    #[tokio::test]
    async fn an_endpoint_that_hangs_is_given_up_at_the_timeout() {
        for reply in [StubResponse::Hang, StubResponse::HangInBody] {
            let stub = Stub::start(reply).await;
            let model = OpenAiModel::new(&stub.url, "m", None).unwrap();
            let request = request(Duration::from_millis(150));
            // The endpoint never answers: without the model's own timeout this one strikes.
            let text = tokio::time::timeout(Duration::from_secs(60), model.complete(&request)).await;
            assert_eq!(text.expect("it waits for ever").unwrap_err(), ModelError::Timeout);
            assert_eq!(stub.only_request().authorization, None);
        }
    }

    #[tokio::test]
    async fn half_a_response_is_a_failure() {
        let (text, _stub) = ask(StubResponse::Half).await;
        assert!(matches!(text, Err(ModelError::Failed(_))), "{text:?}");
    }

    #[tokio::test]
    async fn nobody_listening_is_a_failure() {
        let model = OpenAiModel::new("http://127.0.0.1:1/v1", "m", None).unwrap();
        let text = model.complete(&request(Duration::from_secs(2))).await;
        assert_eq!(text.unwrap_err(), ModelError::Failed("no connection".into()));
    }

    #[tokio::test]
    async fn a_completion_that_is_not_a_whole_text_is_unusable() {
        let tool = json!({"content": null, "tool_calls": [{"id": "1", "function": {"name": "escalate"}}]});
        for (why, reply) in [
            ("tool", completion(&tool, "tool_calls")),
            ("tool beside text", completion(&json!({"content": "x", "tool_calls": [{}]}), "stop")),
            ("function", completion(&json!({"content": "x", "function_call": {"name": "f"}}), "stop")),
            ("refusal", completion(&json!({"content": null, "refusal": "I cannot"}), "stop")),
            ("filter", completion(&json!({"content": "x"}), "content_filter")),
            ("cut", completion(&json!({"content": "x"}), "length")),
            ("empty", completion(&json!({"content": ""}), "stop")),
            ("null", completion(&json!({"content": null}), "stop")),
            ("parts", completion(&json!({"content": [{"type": "text", "text": "x"}]}), "stop")),
            ("no choice", StubResponse::Json(200, "{\"choices\":[]}".into())),
            ("garbage", StubResponse::Json(200, "<html>".into())),
            ("nothing", StubResponse::Json(200, String::new())),
        ] {
            let (text, _stub) = ask(reply).await;
            assert!(matches!(text, Err(ModelError::Unusable(_))), "{why}: {text:?}");
        }
    }

    #[tokio::test]
    async fn a_response_is_read_up_to_one_mebibyte() {
        let (text, _stub) = ask(completion(&json!({"content": "a".repeat(1_000_000)}), "stop")).await;
        assert_eq!(text.unwrap().len(), 1_000_000);
        let (text, _stub) = ask(completion(&json!({"content": "a".repeat(1024 * 1024)}), "stop")).await;
        assert_eq!(text.unwrap_err(), ModelError::Unusable("a response of more than 1 MiB".into()));
    }

    #[test]
    fn the_key_is_never_printed() {
        let model = OpenAiModel::new("https://x.example/v1/", "m", Some(Secret::new("sk-hidden".into()))).unwrap();
        let printed = format!("{model:?}");
        assert!(
            printed.contains("https://x.example/v1/chat/completions") && !printed.contains("sk-hidden"),
            "{printed}"
        );
    }
}
