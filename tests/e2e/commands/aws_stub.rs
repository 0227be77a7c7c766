//! A stand-in for the parts of AWS that a stack is read from. DynamoDB's data are those of a local service.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::{Value, json};

/// The answers of the stand-in, and the requests to it. A test seeds faults in it.
#[derive(Debug, Clone)]
pub(crate) struct AwsStub {
    pub(crate) url: String,
    state: Arc<Mutex<AwsState>>,
}

#[derive(Debug)]
pub(crate) struct AwsState {
    /// The secret of widget tokens.
    pub(crate) secret: String,
    /// The subscription of the alarm topic.
    pub(crate) subscription: &'static str,
    /// The age of the stream's reader, in milliseconds.
    pub(crate) iterator_age: u64,
    /// The quota of concurrent executions.
    pub(crate) concurrency: u64,
    /// The state of the sweeper's schedule.
    pub(crate) schedule: &'static str,
    /// The HTTP status of the language model.
    pub(crate) model_status: u16,
    /// The HTTP status of the embedding model.
    pub(crate) embedding_status: u16,
    /// A denied right: the role, the action, and the end of the resource.
    pub(crate) denied: Option<[&'static str; 3]>,
    /// The role that may write API keys, besides that of `auth`.
    pub(crate) writes_keys: Option<&'static str>,
    /// The end of the role that may read the key of desk tokens, besides that of `auth`.
    pub(crate) reads_desk_key: Option<&'static str>,
    /// The provider of both models: `openai` or `bedrock`.
    pub(crate) models: &'static str,
    /// The type of the field `path` in the index.
    pub(crate) path_type: &'static str,
    /// The control socket of the service that has the table; without one the operations are only recorded.
    pub(crate) table: Option<PathBuf>,
    /// The objects of the dead-letter bucket.
    pub(crate) objects: BTreeMap<String, Vec<u8>>,
    /// The queue of ingest jobs and its dead letters.
    pub(crate) dead_letters: DeadLetterQueue,
    /// The operations on DynamoDB, with their bodies.
    pub(crate) dynamodb: Vec<(String, Value)>,
}

/// A dead-letter queue, and what was asked of it and of the queue that it belongs to.
#[derive(Debug, Default)]
pub(crate) struct DeadLetterQueue {
    /// The bodies that can be received.
    pub(crate) visible: Vec<String>,
    /// Those that were received; the body is the handle.
    pub(crate) hidden: Vec<String>,
    /// The bodies that were sent to the queue.
    pub(crate) sent: Vec<String>,
    /// The body that the queue does not take.
    pub(crate) refused: &'static str,
    /// How often messages were received.
    pub(crate) receives: usize,
}

impl DeadLetterQueue {
    fn answer(&mut self, operation: &str, body: &Value) -> (StatusCode, Value) {
        let handle = body["ReceiptHandle"].as_str().unwrap_or_default();
        match operation {
            "ReceiveMessage" => {
                let some = self.visible.len().min(10);
                let received: Vec<String> = self.visible.drain(..some).collect();
                let message = |id: &String| json!({"MessageId": id, "ReceiptHandle": id, "Body": id});
                let answer = json!({"Messages": received.iter().map(message).collect::<Vec<_>>()});
                self.receives += 1;
                self.hidden.extend(received);
                return (StatusCode::OK, answer);
            }
            "SendMessage" if body["MessageBody"] == self.refused => {
                let error = json!({"__type": "com.amazonaws.sqs#InvalidMessageContents", "message": "no"});
                return (StatusCode::BAD_REQUEST, error);
            }
            "SendMessage" => self.sent.push(body["MessageBody"].as_str().unwrap().to_owned()),
            "DeleteMessage" => self.hidden.retain(|id| id != handle),
            "ChangeMessageVisibility" => {
                self.hidden.retain(|id| id != handle);
                self.visible.push(handle.to_owned());
            }
            other => panic!("{other} {body}"),
        }
        (StatusCode::OK, json!({"MessageId": "m"}))
    }
}

impl AwsStub {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let secret = json!({"kid": "k1", "secret": "ab".repeat(32)}).to_string();
        let state = AwsState {
            secret,
            subscription: "arn:aws:sns:eu-west-1:123456789012:alarms:1",
            iterator_age: 40,
            concurrency: 1_000,
            schedule: "ENABLED",
            model_status: 200,
            embedding_status: 200,
            denied: None,
            writes_keys: None,
            reads_desk_key: None,
            models: "openai",
            path_type: "keyword",
            table: None,
            objects: BTreeMap::new(),
            dead_letters: DeadLetterQueue::default(),
            dynamodb: Vec::new(),
        };
        let stub = Self { url, state: Arc::new(Mutex::new(state)) };
        let router = Router::new().fallback(answer).with_state(stub.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        stub
    }

    /// Changes or reads the state.
    pub(crate) fn with<T>(&self, change: impl FnOnce(&mut AwsState) -> T) -> T {
        change(&mut self.state.lock().unwrap())
    }
}

async fn answer(
    State(stub): State<AwsStub>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    // Search and models on loopback are not signed; every other request is.
    let signed =
        headers.get("authorization").is_some_and(|value| value.to_str().unwrap().starts_with("AWS4-HMAC-SHA256 "));
    let is_unsigned = ["/wiki-0a1b/", "/v1/"].iter().any(|prefix| uri.path().starts_with(prefix));
    assert!(signed || is_unsigned, "{uri}");
    let target = headers.get("x-amz-target").map(|target| target.to_str().unwrap().to_owned());
    let answer = match (target, uri.path()) {
        (Some(target), _) => {
            let table = stub.with(|state| state.table.clone()).filter(|_| target.starts_with("DynamoDB"));
            if let Some(socket) = table {
                return forwarded(socket, &target, body).await;
            }
            let body = serde_json::from_slice(&body).unwrap();
            return json_answer(&stub, &target, body);
        }
        (None, "/2016-08-19/account-settings") => {
            json!({"AccountLimit": {"ConcurrentExecutions": stub.with(|state| state.concurrency)}}).to_string()
        }
        (None, "/schedules/shop-every-minute") => json!({"State": stub.with(|state| state.schedule)}).to_string(),
        (None, "/v1/chat/completions") => {
            let choice = json!({"message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"});
            let status = StatusCode::from_u16(stub.with(|state| state.model_status)).unwrap();
            return (status, json!({"choices": [choice]}).to_string());
        }
        (None, "/v1/embeddings") => {
            let status = StatusCode::from_u16(stub.with(|state| state.embedding_status)).unwrap();
            return (status, json!({"data": [{"index": 0, "embedding": [0.6, 0.8]}]}).to_string());
        }
        (None, path) if path.ends_with("/converse") => {
            let message = json!({"role": "assistant", "content": [{"text": "Yes."}]});
            let usage = json!({"inputTokens": 1, "outputTokens": 1, "totalTokens": 2});
            let answer = json!({"output": {"message": message}, "stopReason": "end_turn", "usage": usage});
            answer.to_string()
        }
        (None, path) if path.ends_with("/invoke") => json!({"embedding": [0.6, 0.8]}).to_string(),
        (None, path) if path.starts_with("/letters") => {
            return stub.with(|state| bucket_answer(&mut state.objects, &method, &uri));
        }
        (None, "/wiki-0a1b/_mapping") => mapping(stub.with(|state| state.path_type)),
        (None, "/") => query_answer(&stub, std::str::from_utf8(&body).unwrap()),
        _ => json!({"responses": [{"status": 200, "timed_out": false, "hits": {"hits": []}}]}).to_string(),
    };
    (StatusCode::OK, answer)
}

/// The answer of the dead-letter bucket; a token of a page is the last name before it.
fn bucket_answer(objects: &mut BTreeMap<String, Vec<u8>>, method: &Method, uri: &Uri) -> (StatusCode, String) {
    let name = uri.path().trim_start_matches("/letters/");
    if name.is_empty() {
        let fields: BTreeMap<_, _> =
            url::form_urlencoded::parse(uri.query().unwrap().as_bytes()).into_owned().collect();
        let most: usize = fields["max-keys"].parse().unwrap();
        assert!((1..=1_000).contains(&most), "{uri}");
        let is_listed = |name: &&String| {
            name.starts_with(&fields["prefix"]) && fields.get("continuation-token").is_none_or(|last| *name > last)
        };
        let mut named: Vec<&String> = objects.keys().filter(is_listed).take(most + 1).collect();
        let is_truncated = named.len() > most;
        named.truncate(most);
        let next = named.last().filter(|_| is_truncated);
        let token = next.map(|last| format!("<NextContinuationToken>{last}</NextContinuationToken>"));
        let keys: String = named.iter().map(|name| format!("<Contents><Key>{name}</Key></Contents>")).collect();
        return (StatusCode::OK, format!("<ListBucketResult>{keys}{}</ListBucketResult>", token.unwrap_or_default()));
    }
    if *method == Method::DELETE {
        objects.remove(name);
        return (StatusCode::NO_CONTENT, String::new());
    }
    assert_eq!(method, Method::GET, "{uri}");
    match objects.get(name) {
        Some(content) => (StatusCode::OK, String::from_utf8(content.clone()).unwrap()),
        None => (StatusCode::NOT_FOUND, String::new()),
    }
}

/// The answer of the service behind the control socket.
async fn forwarded(socket: PathBuf, target: &str, body: Bytes) -> (StatusCode, String) {
    let http = reqwest::Client::builder().unix_socket(socket).build().unwrap();
    let sent = http.post("http://service.invalid/").header("x-amz-target", target).body(body).send().await.unwrap();
    (sent.status(), sent.text().await.unwrap())
}

fn mapping(path_type: &str) -> String {
    let ours = include_str!("../../../infra/search/wiki-index.json");
    let mut ours: Value = serde_json::from_str(ours).unwrap();
    ours["mappings"]["properties"]["path"]["type"] = path_type.into();
    json!({"wiki-0a1b-v1": {"mappings": ours["mappings"]}}).to_string()
}

/// The stack's resources by their names in the template.
fn resources(url: &str) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("WidgetTokenSecret", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:widget-1".into()),
        ("DeskKeySecret", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:desk-1".into()),
        ("UserPool", "eu-west-1_a".into()),
        ("DeskClient", "client".into()),
        ("SecretsKey", "0f0f-1".into()),
        ("DeadLetterBucket", "letters".into()),
        ("WebhookQueue", format!("{url}/123456789012/webhooks")),
        ("IngestQueue", format!("{url}/123456789012/ingest")),
        ("EmbeddingQueue", format!("{url}/123456789012/embeddings")),
        ("AlarmTopic", "arn:aws:sns:eu-west-1:123456789012:alarms".into()),
        ("ChangesFunction", "shop-changes".into()),
        ("ChangesFunctionRole", "shop-changes-role".into()),
        ("SweeperFunctionEveryMinute", "shop-every-minute".into()),
        ("HealthFunction", "shop-health".into()),
        ("HealthFunctionRole", "shop-health-role".into()),
        ("SweeperFunction", "shop-sweeper".into()),
        ("SweeperFunctionRole", "shop-sweeper-role".into()),
        ("WebhookWorkerFunction", "shop-webhook-worker".into()),
        ("WebhookWorkerFunctionRole", "shop-webhook-worker-role".into()),
        ("WebhooksFunction", "shop-webhooks".into()),
        ("WebhooksFunctionRole", "shop-webhooks-role".into()),
        ("WikiFunction", "shop-wiki".into()),
        ("WikiFunctionRole", "shop-wiki-role".into()),
        ("SessionsFunction", "shop-sessions".into()),
        ("SessionsFunctionRole", "shop-sessions-role".into()),
        ("AuthFunction", "shop-auth".into()),
        ("AuthFunctionRole", "shop-auth-role".into()),
    ])
}

fn query_answer(stub: &AwsStub, form: &str) -> String {
    let has = |text: &str| form.contains(text);
    if has("Action=ListStackResources") {
        let member = |(logical, physical): (&str, String)| {
            format!(
                "<member><LogicalResourceId>{logical}</LogicalResourceId>\
                 <PhysicalResourceId>{physical}</PhysicalResourceId></member>"
            )
        };
        let members: String = resources(&stub.url).into_iter().map(member).collect();
        return format!("<R><StackResourceSummaries>{members}</StackResourceSummaries></R>");
    }
    if has("Action=DescribeStacks") {
        let endpoint = format!("{}/v1", stub.url);
        let models = stub.with(|state| state.models);
        let parameters = [
            ("ModelProvider", models),
            ("ModelId", "m"),
            (
                "ModelArns",
                "arn:aws:bedrock:eu-west-1::foundation-model/m,arn:aws:bedrock:eu-north-1::foundation-model/m",
            ),
            ("ModelBaseUrl", &endpoint),
            ("EmbeddingProvider", models),
            ("EmbeddingModelId", "amazon.titan-embed-text-v2:0"),
            ("EmbeddingBaseUrl", &endpoint),
        ];
        let parameter = |(key, value)| {
            format!("<member><ParameterKey>{key}</ParameterKey><ParameterValue>{value}</ParameterValue></member>")
        };
        let parameters: String = parameters.into_iter().map(parameter).collect();
        // An existing search domain, with the stack's own index in it.
        let outputs = [
            ("SearchDomainName", "shared"),
            ("SearchEndpoint", &stub.url),
            ("SearchIndex", "wiki-0a1b"),
            ("TableName", "support-assistant"),
            ("WidgetTokenSecretArn", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:widget-1"),
        ];
        let output =
            |(key, value)| format!("<member><OutputKey>{key}</OutputKey><OutputValue>{value}</OutputValue></member>");
        let outputs: String = outputs.into_iter().map(output).collect();
        return format!(
            "<R><Stacks><member><StackId>arn:aws:cloudformation:eu-west-1:123456789012:stack/shop/1</StackId>\
             <Parameters>{parameters}</Parameters><Outputs>{outputs}</Outputs></member></Stacks></R>"
        );
    }
    if has("Action=SimulatePrincipalPolicy") {
        let fields: BTreeMap<_, _> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        let asked = ["PolicySourceArn", "ActionNames.member.1", "ResourceArns.member.1"];
        let is = |denied: [&str; 3]| asked.iter().zip(denied).all(|(name, end)| fields[*name].ends_with(end));
        let is_of_key = fields.get("ContextEntries.member.1.ContextKeyValues.member.1").is_some_and(|key| {
            assert_eq!(fields["ContextEntries.member.1.ContextKeyName"], "dynamodb:LeadingKeys");
            key.starts_with("KEY#")
        });
        let writes_keys = stub.with(|state| state.writes_keys);
        let reads = fields["ResourceArns.member.1"].ends_with(":secret:desk-1");
        let may_read = [Some("role/shop-auth-role"), stub.with(|state| state.reads_desk_key)];
        let may_read = may_read.into_iter().flatten().any(|role| fields["PolicySourceArn"].ends_with(role));
        let decision = if reads && !may_read {
            "implicitDeny"
        } else if is_of_key && !writes_keys.is_some_and(|role| fields["PolicySourceArn"].ends_with(role)) {
            "explicitDeny"
        } else if !is_of_key && stub.with(|state| state.denied).is_some_and(is) {
            "implicitDeny"
        } else {
            "allowed"
        };
        return format!("<R><EvalDecision>{decision}</EvalDecision></R>");
    }
    if has("Action=GetMetricStatistics") {
        let age = stub.with(|state| state.iterator_age);
        return format!(
            "<R><Datapoints><member><Timestamp>2026-01-01T00:00:00Z</Timestamp><Maximum>{age}</Maximum></member>\
             </Datapoints></R>"
        );
    }
    assert!(has("Action=ListSubscriptionsByTopic"), "{form}");
    let arn = stub.with(|state| state.subscription);
    format!(
        "<R><Subscriptions><member><SubscriptionArn>{arn}</SubscriptionArn><Endpoint>ops@example.com</Endpoint></member>\
         </Subscriptions></R>"
    )
}

fn json_answer(stub: &AwsStub, target: &str, body: Value) -> (StatusCode, String) {
    let ok = |answer: Value| (StatusCode::OK, answer.to_string());
    match target {
        "secretsmanager.GetSecretValue" => ok(json!({"SecretString": stub.with(|state| state.secret.clone())})),
        "secretsmanager.PutSecretValue" => {
            stub.with(|state| state.secret = body["SecretString"].as_str().unwrap().to_owned());
            ok(json!({}))
        }
        "AmazonSQS.GetQueueAttributes" => {
            let mut attributes = json!({
                "ApproximateNumberOfMessages": "0", "ApproximateNumberOfMessagesNotVisible": "0",
                "ApproximateNumberOfMessagesDelayed": "0",
            });
            if body["QueueUrl"].as_str().unwrap().ends_with("/ingest") {
                let policy = json!({"deadLetterTargetArn": "arn:aws:sqs:eu-west-1:123456789012:ingest-dead"});
                attributes["RedrivePolicy"] = policy.to_string().into();
            }
            ok(json!({"Attributes": attributes}))
        }
        "AmazonSQS.GetQueueUrl" => ok(json!({"QueueUrl": format!("{}/123456789012/ingest-dead", stub.url)})),
        target if target.starts_with("AmazonSQS.") => {
            let operation = target.trim_start_matches("AmazonSQS.");
            let (status, answer) = stub.with(|state| state.dead_letters.answer(operation, &body));
            (status, answer.to_string())
        }
        target => {
            let operation = target.strip_prefix("DynamoDB_20120810.").unwrap_or_else(|| panic!("{target} {body}"));
            let first = stub.with(|state| {
                let first = !state.dynamodb.iter().any(|(seen, _)| seen == operation);
                state.dynamodb.push((operation.to_owned(), body));
                first
            });
            // The first look at a restored table finds it being made.
            let status = if first { "CREATING" } else { "ACTIVE" };
            ok(match operation {
                "DescribeTable" => {
                    json!({"Table": {"TableStatus": status, "LatestStreamArn": "arn:aws:dynamodb:stream"}})
                }
                _ => json!({}),
            })
        }
    }
}
