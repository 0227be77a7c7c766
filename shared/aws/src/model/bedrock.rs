//! A Bedrock model through the Converse API, which is the same for every Bedrock model.

use std::fmt;

use async_trait::async_trait;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::operation::converse::ConverseOutput;
use aws_sdk_bedrockruntime::types::{
    ContentBlock, ConversationRole, InferenceConfiguration, Message, StopReason, SystemContentBlock,
};

use crate::bedrock::{CallError, retry_broken_connections};
use answer::model::{LanguageModel, ModelError, ModelRequest};

/// A model behind Bedrock.
#[derive(Clone)]
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
            Ok(answer) => answer.map_err(|error| failed(CallError::from(&error))),
        }
    }
}

impl fmt::Debug for BedrockModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BedrockModel").field("model_id", &self.model_id).finish_non_exhaustive()
    }
}

#[async_trait]
impl LanguageModel for BedrockModel {
    fn name(&self) -> &str {
        &self.model_id
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        text_of(self.converse(request).await?)
    }
}

fn failed(error: CallError) -> ModelError {
    match error {
        CallError::Timeout => ModelError::Timeout,
        CallError::Service { status, code } => ModelError::Failed(format!("status {status}, {code}")),
        CallError::Failed(how) => ModelError::Failed(how.into()),
    }
}

/// The text of a complete message. Reasoning is left out; anything else is refused.
fn text_of(answer: ConverseOutput) -> Result<String, ModelError> {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
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
}
