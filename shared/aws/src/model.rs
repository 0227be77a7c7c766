//! Language models: on Amazon Bedrock by the Converse API, and any endpoint that speaks OpenAI's `/chat/completions`.

use std::sync::Arc;

use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;
use aws_config::SdkConfig;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::operation::converse::ConverseOutput;
use aws_sdk_bedrockruntime::types::{
    ContentBlock, ConversationRole, InferenceConfiguration, Message, StopReason, SystemContentBlock,
};
use serde::Deserialize;
use serde_json::json;

use crate::bedrock::{CallError, retry_broken_connections};
use crate::config::ModelChoice;
use crate::openai::{Endpoint, EndpointError};
use domain::{Result, Secret};

/// Connects to the model of `choice`; none if none is configured. An internal error without TLS.
pub fn configured_model(choice: &ModelChoice, sdk: &SdkConfig) -> Result<Option<Arc<dyn LanguageModel>>> {
    Ok(match choice {
        ModelChoice::None => None,
        ModelChoice::Bedrock { id } => Some(Arc::new(BedrockModel::new(aws_sdk_bedrockruntime::Client::new(sdk), id))),
        ModelChoice::OpenAi { id, base_url, api_key } => {
            Some(Arc::new(OpenAiModel::new(base_url, id, api_key.clone())?))
        }
    })
}

/// A model behind Bedrock.
#[derive(Debug, Clone)]
pub struct BedrockModel {
    client: Client,
    model_id: String,
}

impl BedrockModel {
    /// The model or inference profile `model_id`; `client` brings region and credentials.
    #[must_use]
    pub fn new(client: Client, model_id: &str) -> Self {
        Self { client, model_id: model_id.to_owned() }
    }

    async fn converse(&self, request: &ModelRequest) -> Result<ConverseOutput, ModelError> {
        let question = Message::builder()
            .role(ConversationRole::User)
            .content(ContentBlock::Text(request.user.clone()))
            .build()
            .map_err(|_| ModelError::Failed("the message could not be made".into()))?;
        let limits = InferenceConfiguration::builder()
            .max_tokens(i32::try_from(request.max_tokens).unwrap_or(i32::MAX))
            .temperature(0.0)
            .build();
        let call = self
            .client
            .converse()
            .model_id(&self.model_id)
            .system(SystemContentBlock::Text(request.system.clone()))
            .messages(question)
            .inference_config(limits)
            .customize()
            .config_override(retry_broken_connections())
            .send();
        match tokio::time::timeout(request.timeout, call).await {
            Err(_elapsed) => Err(ModelError::Timeout),
            Ok(answer) => answer.map_err(|error| bedrock_error(CallError::from(&error))),
        }
    }
}

#[async_trait]
impl LanguageModel for BedrockModel {
    fn name(&self) -> &str {
        &self.model_id
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        text_of_converse(self.converse(request).await?)
    }
}

fn bedrock_error(error: CallError) -> ModelError {
    match error {
        CallError::Timeout => ModelError::Timeout,
        CallError::Service { status, code } => ModelError::Failed(format!("status {status}, {code}")),
        CallError::Failed(how) => ModelError::Failed(how.into()),
    }
}

/// The text of a complete message. Reasoning is left out; anything else is refused.
fn text_of_converse(answer: ConverseOutput) -> Result<String, ModelError> {
    let unusable = |why: &str| ModelError::Unusable(why.to_owned());
    match answer.stop_reason() {
        StopReason::EndTurn | StopReason::StopSequence => {}
        StopReason::MaxTokens | StopReason::ModelContextWindowExceeded => {
            return Err(unusable("an answer that was cut off"));
        }
        StopReason::ContentFiltered | StopReason::GuardrailIntervened => {
            return Err(unusable("an answer that a filter stopped"));
        }
        StopReason::ToolUse | StopReason::MalformedToolUse => return Err(unusable("a tool call")),
        _ => return Err(unusable("an answer that ended in an unknown way")),
    }
    let message = answer.output().and_then(|output| output.as_message().ok()).ok_or_else(|| unusable("no message"))?;
    let mut text = String::new();
    for block in message.content() {
        match block {
            ContentBlock::Text(part) => text.push_str(part),
            ContentBlock::ReasoningContent(_) => {}
            ContentBlock::ToolUse(_) => return Err(unusable("a tool call")),
            _ => return Err(unusable("content that is no text")),
        }
    }
    if text.trim().is_empty() { Err(unusable("no text")) } else { Ok(text) }
}

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
        text_of_completion(
            &self.endpoint.post(&body, request.timeout, MAX_RESPONSE_BYTES).await.map_err(endpoint_error)?,
        )
    }
}

fn endpoint_error(error: EndpointError) -> ModelError {
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
    message: CompletionMessage,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct CompletionMessage {
    content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Vec<serde_json::Value>>,
    function_call: Option<serde_json::Value>,
}

/// The text of the one choice, unless it was cut off, refused, or is a tool call (no tools are offered).
fn text_of_completion(body: &[u8]) -> Result<String, ModelError> {
    let unusable = |why: &str| ModelError::Unusable(why.to_owned());
    let completion: Completion = serde_json::from_slice(body).map_err(|_| unusable("not a chat completion"))?;
    let choice = completion.choices.into_iter().next().ok_or_else(|| unusable("no choice"))?;
    let CompletionMessage { content, refusal, tool_calls, function_call } = choice.message;
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
    use super::*;
    use std::time::Duration;

    use serde_json::{Value, json};

    use crate::bedrock::client;
    use crate::http_stub::{Stub, StubResponse, request};

    fn model(stub_url: &str) -> BedrockModel {
        BedrockModel::new(client(stub_url), "some.model-v1:0")
    }

    async fn ask(reply: StubResponse) -> (Result<String, ModelError>, Stub) {
        let stub = Stub::start(reply).await;
        let text = model(&stub.url).complete(&request(Duration::from_millis(2_500))).await;
        (text, stub)
    }

    fn converse(content: &Value, stop_reason: &str) -> StubResponse {
        let body = json!({
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": stop_reason,
            "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
            "metrics": {"latencyMs": 1},
        });
        StubResponse::Json(200, body.to_string())
    }

    #[tokio::test]
    async fn a_message_gives_its_text_without_the_reasoning() {
        let content = json!([
            {"reasoningContent": {"reasoningText": {"text": "let me think"}}}, {"text": "{\"a\""}, {"text": ":1}"}]);
        let (text, stub) = ask(converse(&content, "end_turn")).await;
        assert_eq!(text.unwrap(), "{\"a\":1}");
        let seen = stub.only_request();
        assert_eq!(seen.path, "/model/some.model-v1%3A0/converse");
        assert!(seen.authorization.unwrap().starts_with("AWS4-HMAC-SHA256 "));
        assert_eq!(
            seen.body,
            json!({"system": [{"text": "be brief"}], "messages": [{"role": "user", "content": [{"text": "how?"}]}],
                "inferenceConfig": {"maxTokens": 77, "temperature": 0.0}})
        );
    }

    #[tokio::test]
    async fn a_failing_service_is_asked_once_and_is_a_failure() {
        for (status, code) in
            [(400, "ValidationException"), (429, "ThrottlingException"), (500, "InternalServerException")]
        {
            let body = json!({"__type": code, "message": "what the customer wrote"}).to_string();
            let (text, stub) = ask(StubResponse::Json(status, body)).await;
            assert_eq!(text.unwrap_err(), ModelError::Failed(format!("status {status}, {code}")));
            stub.only_request();
        }
    }

    #[tokio::test]
    async fn a_service_that_hangs_is_given_up_at_the_timeout() {
        for reply in [StubResponse::Hang, StubResponse::HangInBody] {
            let stub = Stub::start(reply).await;
            let (model, request) = (model(&stub.url), request(Duration::from_millis(400)));
            // The service never answers: without the model's own timeout this one strikes.
            let text = tokio::time::timeout(Duration::from_secs(60), model.complete(&request)).await;
            assert_eq!(text.expect("it waits for ever").unwrap_err(), ModelError::Timeout);
        }
    }

    #[tokio::test]
    async fn a_broken_response_is_a_failure() {
        for reply in [StubResponse::Half, StubResponse::Json(200, "<html>".into()), StubResponse::Redirect] {
            let (text, _stub) = ask(reply).await;
            assert!(matches!(text, Err(ModelError::Failed(_))), "{text:?}");
        }
    }

    #[tokio::test]
    async fn nobody_listening_is_a_failure() {
        let text = model("http://127.0.0.1:1").complete(&request(Duration::from_secs(2))).await;
        assert_eq!(text.unwrap_err(), ModelError::Failed("no connection".into()));
    }

    #[tokio::test]
    async fn a_converse_response_that_is_not_a_whole_text_is_unusable() {
        let tool = json!([{"text": "x"}, {"toolUse": {"toolUseId": "1", "name": "escalate", "input": {}}}]);
        for (why, reply) in [
            ("tool", converse(&tool, "tool_use")),
            ("tool at the end", converse(&tool, "end_turn")),
            ("cut", converse(&json!([{"text": "x"}]), "max_tokens")),
            ("filter", converse(&json!([{"text": "x"}]), "content_filtered")),
            ("guardrail", converse(&json!([{"text": "x"}]), "guardrail_intervened")),
            ("unknown end", converse(&json!([{"text": "x"}]), "something_new")),
            ("image", converse(&json!([{"image": {"format": "png", "source": {"bytes": "AAAA"}}}]), "end_turn")),
            ("empty", converse(&json!([{"text": " "}]), "end_turn")),
            ("no block", converse(&json!([]), "end_turn")),
        ] {
            let (text, _stub) = ask(reply).await;
            assert!(matches!(text, Err(ModelError::Unusable(_))), "{why}: {text:?}");
        }
    }

    #[tokio::test]
    async fn a_long_text_arrives_whole() {
        let (text, _stub) = ask(converse(&json!([{"text": "a".repeat(1_000_000)}]), "end_turn")).await;
        assert_eq!(text.unwrap().len(), 1_000_000);
    }

    #[test]
    fn fuzzed_responses() {
        let response = json!({"choices": [{"message": {"content": "{}", "refusal": null, "tool_calls": []}, "finish_reason": "stop"}]});
        assert!(text_of_completion(response.to_string().as_bytes()).is_ok());
        fuzz::mutations!(response, |value: &serde_json::Value| {
            if let Ok(text) = text_of_completion(value.to_string().as_bytes()) {
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

    async fn ask_endpoint(reply: StubResponse) -> (Result<String, ModelError>, Stub) {
        let stub = Stub::start(reply).await;
        let key = Some(Secret::new("sk-of-the-test".into()));
        let model = OpenAiModel::new(&format!("{}/v1", stub.url), "some-model", key).unwrap();
        (model.complete(&request(Duration::from_millis(1_500))).await, stub)
    }

    #[tokio::test]
    async fn a_completion_gives_its_text() {
        let (text, stub) =
            ask_endpoint(completion(&json!({"role": "assistant", "content": "{\"a\":1}"}), "stop")).await;
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
                ask_endpoint(StubResponse::Json(status, "{\"error\":{\"message\":\"sk-of-the-test\"}}".into())).await;
            assert_eq!(text.unwrap_err(), ModelError::Failed(format!("status {status}")));
            stub.only_request();
        }
    }

    #[tokio::test]
    async fn a_redirect_is_not_followed() {
        let (text, stub) = ask_endpoint(StubResponse::Redirect).await;
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
        let (text, _stub) = ask_endpoint(StubResponse::Half).await;
        assert!(matches!(text, Err(ModelError::Failed(_))), "{text:?}");
    }

    #[tokio::test]
    async fn no_endpoint_listening_is_a_failure() {
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
            let (text, _stub) = ask_endpoint(reply).await;
            assert!(matches!(text, Err(ModelError::Unusable(_))), "{why}: {text:?}");
        }
    }

    #[tokio::test]
    async fn a_response_is_read_up_to_one_mebibyte() {
        let (text, _stub) = ask_endpoint(completion(&json!({"content": "a".repeat(1_000_000)}), "stop")).await;
        assert_eq!(text.unwrap().len(), 1_000_000);
        let (text, _stub) = ask_endpoint(completion(&json!({"content": "a".repeat(1024 * 1024)}), "stop")).await;
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
