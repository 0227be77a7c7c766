//! The services behind the gate: an embedded DynamoDB, and of every other service as much as the functions ask of it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::http::{HeaderName, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::request::Signed;
use super::search::SearchStandIn;
use crate::support::http_client;

/// The text of every stored secret: keys of widget tokens, and for a model's endpoint any text.
const SECRET: &str = r#"{"kid":"k1","secret":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}"#;

/// All of them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct StandIns {
    /// While it is set, the language model does not answer.
    pub(crate) model_hangs: Arc<watch::Sender<bool>>,
    /// Told when it was asked meanwhile.
    pub(crate) model_hung: Arc<Notify>,
    /// The dimensions of the vectors that the embedding model gives.
    pub(crate) dimensions: Arc<AtomicUsize>,
    /// The search domain.
    pub(crate) search: Arc<Mutex<SearchStandIn>>,
    database_url: String,
    http: reqwest::Client,
    queues: Arc<Mutex<BTreeMap<String, VecDeque<String>>>>,
    objects: Arc<Mutex<BTreeMap<String, Value>>>,
}

impl StandIns {
    /// Stand-ins around the database at `database_url`.
    pub(crate) fn new(database_url: &str) -> Self {
        Self {
            database_url: database_url.to_owned(),
            http: http_client(),
            model_hangs: Arc::default(),
            model_hung: Arc::default(),
            dimensions: Arc::new(AtomicUsize::new(512)),
            search: Arc::default(),
            queues: Arc::default(),
            objects: Arc::default(),
        }
    }

    /// Takes every message from the queue whose name ends so.
    pub(crate) fn messages(&self, queue: &str) -> Vec<String> {
        let mut queues = self.queues.lock().unwrap();
        let taken =
            queues.iter_mut().filter(|(name, _)| name.ends_with(queue)).flat_map(|(_, waiting)| waiting.drain(..));
        taken.collect()
    }

    /// Puts an object past the gate; its name begins with the bucket's.
    pub(crate) fn put_object(&self, name: &str, content: Value) {
        self.objects.lock().unwrap().insert(name.to_owned(), content);
    }

    /// The names of the objects in the bucket, each behind the bucket's.
    pub(crate) fn objects(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }

    /// Answers what a role allowed.
    pub(crate) async fn answer(&self, request: Signed) -> Response {
        match request.service.as_str() {
            "dynamodb" => self.database(request).await,
            "sqs" => Json(self.queue(&request)).into_response(),
            "kms" => Json(key(request.operation(), &request.json())).into_response(),
            "secretsmanager" => {
                Json(json!({"ARN": request.json()["SecretId"], "Name": "s", "SecretString": SECRET})).into_response()
            }
            // A user pool that has nobody yet.
            "cognito-idp" => Json(json!({"User": {"UserStatus": "FORCE_CHANGE_PASSWORD"}})).into_response(),
            "s3" => self.object(&request),
            // The changes function, which cannot handle the first record.
            "lambda" => {
                let first = request.json()["Records"][0]["dynamodb"]["SequenceNumber"].clone();
                Json(json!({"batchItemFailures": [{"itemIdentifier": first}]})).into_response()
            }
            "bedrock" if request.uri.path().ends_with("/converse") => {
                let mut hangs = self.model_hangs.subscribe();
                if *hangs.borrow() {
                    self.model_hung.notify_one();
                }
                hangs.wait_for(|hangs| !hangs).await.unwrap();
                Json(text_of_model()).into_response()
            }
            "bedrock" => {
                let vector = vec![0.1; self.dimensions.load(Ordering::SeqCst)];
                Json(json!({"embedding": vector, "inputTextTokenCount": 1})).into_response()
            }
            "es" if request.uri.path().starts_with("/2021-01-01/") => {
                Json(json!({"ClusterHealth": "Green", "DomainState": "Active"})).into_response()
            }
            _ => self.search.lock().unwrap().answer(&request),
        }
    }

    async fn database(&self, request: Signed) -> Response {
        let sent = self.http.post(&self.database_url).headers(request.headers).body(request.body).send().await.unwrap();
        let status = sent.status();
        let json = [(HeaderName::from_static("content-type"), "application/x-amz-json-1.0")];
        (status, json, sent.bytes().await.unwrap()).into_response()
    }

    fn queue(&self, request: &Signed) -> Value {
        let body = request.json();
        let name = |url: &Value| url.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let mut queues = self.queues.lock().unwrap();
        match request.operation() {
            "SendMessage" => {
                let message = body["MessageBody"].as_str().unwrap().to_owned();
                queues.entry(name(&body["QueueUrl"])).or_default().push_back(message);
                json!({"MessageId": "m"})
            }
            "GetQueueUrl" => {
                json!({"QueueUrl": format!("https://sqs.example/{}", body["QueueName"].as_str().unwrap())})
            }
            "GetQueueAttributes" => {
                let queue = name(&body["QueueUrl"]);
                let waiting = queues.get(&queue).map_or(0, VecDeque::len).to_string();
                let dead = format!("arn:aws:sqs:eu-central-1:123456789012:{}", queue.replace("queue", "deadletters"));
                json!({"Attributes": {
                    "ApproximateNumberOfMessages": waiting,
                    "ApproximateNumberOfMessagesNotVisible": "0",
                    "ApproximateNumberOfMessagesDelayed": "0",
                    "RedrivePolicy": json!({"deadLetterTargetArn": dead, "maxReceiveCount": 5}).to_string(),
                }})
            }
            other => panic!("{other} of SQS is answered by nobody here"),
        }
    }

    fn object(&self, request: &Signed) -> Response {
        let name = request.uri.path().to_owned();
        let mut objects = self.objects.lock().unwrap();
        if let Some(prefix) = request.listed_prefix() {
            let folder = format!("{name}{prefix}");
            let names = objects.keys().filter(|object| object.starts_with(&folder));
            return names
                .map(|object| format!("<Key>{}</Key>", &object[name.len()..]))
                .collect::<String>()
                .into_response();
        }
        if request.method == Method::GET {
            let found = objects.get(&name).map(Value::to_string);
            return found.map_or_else(|| StatusCode::NOT_FOUND.into_response(), IntoResponse::into_response);
        }
        if request.method == Method::PUT {
            objects.insert(name, request.json());
            return StatusCode::OK.into_response();
        }
        objects.remove(&name);
        StatusCode::NO_CONTENT.into_response()
    }
}

/// KMS: the wrapped key is the plain one, behind its owner.
pub(crate) fn key(operation: &str, body: &Value) -> Value {
    let (key, plain) = (&body["KeyId"], STANDARD.encode([7; 32]));
    match operation {
        "GenerateDataKey" => json!({"KeyId": key, "Plaintext": plain, "CiphertextBlob": STANDARD.encode("wrapped")}),
        "Decrypt" => json!({"KeyId": key, "Plaintext": plain}),
        other => panic!("{other} of KMS is answered by nobody here"),
    }
}

fn text_of_model() -> Value {
    let text = json!({"answer": "A refund takes five working days.", "sources": [1]}).to_string();
    json!({
        "output": {"message": {"role": "assistant", "content": [{"text": text}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    })
}
