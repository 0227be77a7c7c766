//! Every built function with the environment and the role that the stack gives it, and what Lambda does around them:
//! requests of the HTTP API, batches of the stream and of the queues, the schedule.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use domain::models::{Scope, Timestamp};
use serde_json::{Value, json};
use support::edge::route_list::routes_of;
use support::table::Store;
use support::table::item::ItemKind;
use support::table::stream::CONSUMED_KINDS;

use super::gate::Gate;
use super::runtime::{Call, Lambda, Reply};
use super::stand_ins::StandIns;
use super::table;
use crate::binaries::binary;
use crate::support::http_client;
use crate::template::document::functions;
use crate::template::stack::Stack;

/// The queues, and who takes from them.
const WORKERS: [(&str, &str); 3] =
    [("webhookqueue", "webhook-worker"), ("ingestqueue", "ingest-worker"), ("embeddingqueue", "embedding-worker")];

/// A deployed stack with a tenant.
pub(crate) struct Deployment {
    /// Where every request of the functions passes.
    pub(crate) gate: Gate,
    /// The services behind it.
    pub(crate) stand_ins: StandIns,
    /// The table.
    pub(crate) store: Store,
    /// The tenant's live half.
    pub(crate) scope: Scope,
    /// The calls that failed.
    pub(crate) failures: Mutex<Vec<String>>,
    lambdas: BTreeMap<String, Lambda>,
    variables: BTreeMap<String, BTreeMap<String, String>>,
    /// A key for each function: the first use of a key is noted by the function that it calls.
    keys: BTreeMap<String, String>,
    database_url: String,
    http: reqwest::Client,
    handled: usize,
}

impl Deployment {
    /// Starts every function of `stack`.
    pub(crate) async fn start(stack: Stack<'static>) -> Self {
        let stack = Arc::new(stack);
        let database_url = table::served().await;
        let stand_ins = StandIns::new(&database_url);
        let store = table::store(&database_url, &stack.reference("Table"));
        let scope = table::create_tenant(&store).await;
        let mut keys = BTreeMap::new();
        for name in functions().into_keys() {
            keys.insert(name, table::create_admin_key(&store, &scope).await);
        }
        let gate = Gate::open(stack.clone(), stand_ins.clone()).await;
        let mut all_variables = BTreeMap::new();
        for (name, function) in functions() {
            let variables = stack.resources("AWS::Lambda::Function")[&function.id]["Environment"]["Variables"].clone();
            let mut variables: BTreeMap<String, String> = serde_json::from_value(variables).unwrap();
            variables.insert("AWS_ENDPOINT_URL".into(), gate.url.clone());
            variables.insert("LOG_LEVEL".into(), "trace".into());
            variables.insert("AWS_ACCESS_KEY_ID".into(), name.clone());
            if let Some(endpoint) = variables.get_mut("SEARCH_ENDPOINT") {
                endpoint.clone_from(&gate.url);
                // Requests to loopback are not signed by themselves.
                variables.insert("SEARCH_SIGNED".into(), "true".into());
            }
            all_variables.insert(name, variables);
        }
        let mut deployment = Self {
            gate,
            stand_ins,
            store,
            scope,
            failures: Mutex::default(),
            lambdas: BTreeMap::new(),
            variables: all_variables,
            keys,
            database_url,
            http: http_client(),
            handled: 0,
        };
        for name in functions().into_keys() {
            deployment.start_function(&name).await;
        }
        deployment
    }

    /// Starts a function; one that runs is killed.
    pub(crate) async fn start_function(&mut self, name: &str) {
        let variables = self.variables[name].iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let lambda = Lambda::start(binary(name).to_str().unwrap(), &variables.collect::<Vec<_>>()).await;
        self.lambdas.insert(name.to_owned(), lambda);
    }

    /// A request of the tenant's admin; what does not succeed is noted.
    pub(crate) async fn send(&self, method: &str, target: &str, body: Value) -> Value {
        let reply = self.request(method, target, body).await;
        if reply.status >= 300 {
            self.failures.lock().unwrap().push(format!("{method} {target}: {} {}", reply.status, reply.body));
        }
        reply.body
    }

    pub(crate) async fn get(&self, target: &str) -> Value {
        self.send("GET", target, Value::Null).await
    }

    /// A request of the tenant's admin, to the function that the gateway's routes name.
    pub(crate) async fn request(&self, method: &str, target: &str, body: Value) -> Reply {
        let (path, raw_query) = target.split_once('?').unwrap_or((target, ""));
        let path = format!("/api/v1{path}");
        let route = routes_of(&path).iter().find(|route| route.method == method);
        let function = route.unwrap_or_else(|| panic!("no route for {method} {path}")).function;
        let (authorization, body) = (format!("Bearer {}", self.keys[function]), body.to_string());
        let call = Call {
            method,
            raw_path: &path,
            raw_query,
            headers: vec![("Authorization", &authorization), ("Content-Type", "application/json")],
            body: Some(body.as_str()).filter(|body| *body != "null"),
            base64: false,
        };
        self.lambdas[function].call(call).await
    }

    /// Lets everything happen that follows from what was written: batches of the stream and of the queues until there
    /// are none.
    pub(crate) async fn settle(&mut self) {
        loop {
            let records = self.new_records().await;
            let mut is_at_rest = records.is_empty();
            if !records.is_empty() {
                self.invoke("changes", json!({"Records": records})).await;
            }
            for (queue, worker) in WORKERS {
                for message in self.stand_ins.messages(queue) {
                    is_at_rest = false;
                    self.invoke(worker, json!({"Records": [queued(&message)]})).await;
                }
            }
            if is_at_rest {
                return;
            }
        }
    }

    /// A run of the schedule.
    pub(crate) async fn sweep(&self) {
        self.invoke("sweeper", json!({"version": "0", "detail-type": "Scheduled Event", "detail": {}})).await;
    }

    /// Invokes a function with an event; an error and failed items are noted.
    pub(crate) async fn invoke(&self, function: &str, event: Value) {
        let lambda = &self.lambdas[function];
        let answer = lambda.invoke(|_| event).await;
        let is_done =
            answer.as_ref().is_ok_and(|answer| answer["batchItemFailures"].as_array().is_none_or(Vec::is_empty));
        if !is_done {
            self.failures.lock().unwrap().push(format!("{function}: {answer:?}"));
        }
    }

    /// Everything that the functions logged.
    pub(crate) fn logs(&self) -> String {
        self.lambdas.iter().map(|(name, lambda)| format!("--- {name}\n{}\n", lambda.logs())).collect()
    }

    /// Fails unless every function has started.
    pub(crate) fn assert_started(&self) {
        for (name, lambda) in &self.lambdas {
            assert!(!lambda.logs().contains("failed to start"), "{name}: {}", lambda.logs());
        }
    }

    /// The records of the stream since the last call that the event source's filter passes, as Lambda gives them.
    async fn new_records(&mut self) -> Vec<Value> {
        let streams = self.ask_stream("ListStreams", json!({})).await;
        let stream = streams["Streams"][0]["StreamArn"].clone();
        let described = self.ask_stream("DescribeStream", json!({"StreamArn": stream})).await;
        let shard = described["StreamDescription"]["Shards"][0]["ShardId"].clone();
        let start = json!({"StreamArn": stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"});
        let mut iterator = self.ask_stream("GetShardIterator", start).await["ShardIterator"].clone();
        let mut records = Vec::new();
        loop {
            let page = self.ask_stream("GetRecords", json!({"ShardIterator": iterator})).await;
            let found = page["Records"].as_array().cloned().unwrap_or_default();
            if found.is_empty() {
                break;
            }
            records.extend(found);
            iterator = page["NextShardIterator"].clone();
        }
        let new = records.split_off(self.handled.min(records.len()));
        self.handled += new.len();
        let is_passed = |record: &Value| {
            let kind = record["dynamodb"]["NewImage"]["kind"]["S"].as_str();
            kind.and_then(ItemKind::parse).is_some_and(|kind| CONSUMED_KINDS.contains(&kind))
        };
        new.into_iter().filter(is_passed).collect()
    }

    /// Makes the items of a kind `hours` older: every time in them, and when they are due.
    pub(crate) async fn age(&self, kind: &str, hours: i64) {
        let table = self.gate.stack.reference("Table");
        let found = self.ask_database("DynamoDB_20120810.Scan", json!({"TableName": table})).await;
        for mut item in found["Items"].as_array().cloned().unwrap_or_default() {
            if item["kind"]["S"] == kind {
                make_older(&mut item, hours);
                self.ask_database("DynamoDB_20120810.PutItem", json!({"TableName": table, "Item": item})).await;
            }
        }
    }

    /// Adds an active agent to the tenant, past the service; its id.
    pub(crate) async fn add_member(&self) -> &'static str {
        let id = "mem_01JDB8Q7XKZ3T5V9W2Y4A6C8EG";
        let of = |text: &str| json!({"S": text});
        let item = json!({
            "pk": of(&format!("TENANT#{}", self.scope.tenant)), "sk": of(&format!("MEMBER#{id}")), "kind": of("member"),
            "memberId": of(id), "email": of("eve@example.com"), "name": of("Eve"), "publicName": of("Eve"),
            "roles": {"L": [of("agent")]}, "memberStatus": of("active"), "availability": of("available"),
            "generation": {"N": "1"}, "createdAt": of("2026-01-01T00:00:00.000Z"), "version": {"N": "1"},
        });
        let table = self.gate.stack.reference("Table");
        self.ask_database("DynamoDB_20120810.PutItem", json!({"TableName": table, "Item": item})).await;
        id
    }

    async fn ask_stream(&self, operation: &str, body: Value) -> Value {
        self.ask_database(&format!("DynamoDBStreams_20120810.{operation}"), body).await
    }

    /// A request past the gate.
    async fn ask_database(&self, target: &str, body: Value) -> Value {
        let signature = "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/dynamodb/aws4_request, \
                         SignedHeaders=host;x-amz-date, Signature=0";
        let request = self.http.post(&self.database_url).header("x-amz-target", target);
        let request = request.header("content-type", "application/x-amz-json-1.0").header("authorization", signature);
        let request = request.header("x-amz-date", "20260101T000000Z").body(body.to_string());
        let reply = request.send().await.unwrap();
        assert!(reply.status().is_success(), "{target}: {}", reply.text().await.unwrap());
        reply.json().await.unwrap()
    }
}

fn make_older(value: &mut Value, hours: i64) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(due)) = map.get_mut("gsi2sk").and_then(|due| due.get_mut("S")) {
                let (at, rest) = due.split_at(15);
                let at = Timestamp::from_millis(at.parse().unwrap()).plus_hours(-hours);
                *due = format!("{:015}{rest}", at.as_millis());
            }
            map.values_mut().for_each(|value| make_older(value, hours));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| make_older(value, hours)),
        Value::String(text) => {
            if let Some(at) = Timestamp::parse(text) {
                *text = at.plus_hours(-hours).to_string();
            }
        }
        _ => {}
    }
}

fn queued(body: &str) -> Value {
    json!({"messageId": "m", "receiptHandle": "r", "body": body, "attributes": {"ApproximateReceiveCount": "1"}})
}
