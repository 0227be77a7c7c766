//! The functions in processes of their own, as `cargo lambda watch` serves them. Changes, messages and the schedule reach
//! them as the events that Lambda would send, and a file has their environment.
//!
//! A function that is not built yet answers late or not at all: its work waits and is delivered again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use aws::config::{Config, WidgetKeySet};
use aws::dead_letters::DeadLetters;
use aws::queue::{Message, Queue};
use domain::clock::Runtime;
use domain::{Error, Result, Secret};
use futures::future::BoxFuture;
use serde_json::{Value, json};
use support::table::stream::Record;

use crate::data_dir::{DataDir, write_private};
use crate::endpoint::{AwsCalls, BUCKET, Endpoint};
use crate::opensearch::OpenSearchSubset;
use crate::queues::{EMBEDDED_ENDPOINT, HandleMessages};
use crate::stream::HandleRecords;
use crate::{Options, StartError, config};

/// How long one invocation may take: the first one builds the function.
const TIMEOUT: Duration = Duration::from_secs(15 * 60);
/// The delay before an address is tried again that nothing listens on yet.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The functions of a start, and what lets them in here.
pub(crate) struct Elsewhere {
    functions: RemoteFunctions,
    /// Lets them in at the services of this process.
    secret: Arc<Secret>,
    env: FunctionsEnv,
}

impl Elsewhere {
    /// Makes the secret and writes the environment of functions in processes of their own; none if they run here.
    /// `address` is that of the services of this process, which are the index if no other is configured.
    pub(crate) fn prepare(
        options: &Options,
        data: &DataDir,
        address: &str,
        config: &mut Config,
        runtime: &Runtime,
    ) -> Result<Option<Self>, StartError> {
        let Some(url) = &options.functions_url else { return Ok(None) };
        let functions = RemoteFunctions::at(url).map_err(StartError::while_doing("connecting to the functions"))?;
        let secret = Endpoint::new_secret(runtime)?;
        config.search_endpoint.get_or_insert_with(|| address.to_owned());
        let env = FunctionsEnv::write(data, config, options, address, &secret)?;
        Ok(Some(Self { functions, secret, env }))
    }

    /// The services of this process, for them.
    pub(crate) fn endpoint(&self, calls: AwsCalls, opensearch: &Arc<OpenSearchSubset>, data: &DataDir) -> Endpoint {
        Endpoint {
            secret: Arc::clone(&self.secret),
            calls,
            opensearch: Arc::clone(opensearch),
            dead_letters: DeadLetters::Folder(data.dead_letters()),
        }
    }

    /// The functions, and the file with their environment.
    pub(crate) fn into_parts(self) -> (RemoteFunctions, FunctionsEnv) {
        (self.functions, self.env)
    }
}

/// Invokes functions. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RemoteFunctions {
    http: reqwest::Client,
    url: Arc<str>,
}

impl RemoteFunctions {
    /// The functions behind `url`, such as `http://127.0.0.1:9100`.
    fn at(url: &str) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build();
        let http = http.map_err(|e| Error::internal(format!("no client for the functions: {e}")))?;
        Ok(Self { http, url: url.trim_end_matches('/').into() })
    }

    /// Delivers changes of the table to `changes`.
    pub(crate) fn records_handler(&self) -> HandleRecords {
        let functions = self.clone();
        Arc::new(move |records| {
            let functions = functions.clone();
            Box::pin(async move {
                let first = records.first().map(|record| record.sequence.clone());
                let event = json!({"Records": records.iter().map(stream_record).collect::<Vec<_>>()});
                match functions.invoke("changes", &event).await {
                    Ok(response) => failed_ids(&response).into_iter().next(),
                    Err(error) => {
                        tracing::warn!(error = %error, "changes did not handle a batch; it is delivered again");
                        first
                    }
                }
            })
        })
    }

    /// Delivers the messages of `queue` to its worker.
    pub(crate) fn messages_handler(&self, queue: Queue) -> HandleMessages {
        let functions = self.clone();
        Arc::new(move |messages| {
            let functions = functions.clone();
            Box::pin(async move {
                let event = json!({"Records": messages.iter().map(queue_record).collect::<Vec<_>>()});
                match functions.invoke(worker(queue), &event).await {
                    Ok(response) => failed_ids(&response),
                    Err(error) => {
                        tracing::warn!(error = %error, %queue, "a worker did not handle a batch; it is delivered again");
                        messages.into_iter().map(|message| message.id).collect()
                    }
                }
            })
        })
    }

    /// Runs the sweeper.
    pub(crate) fn sweep(&self) -> BoxFuture<'static, Result<()>> {
        let functions = self.clone();
        Box::pin(async move { functions.invoke("sweeper", &json!({"version": "0"})).await.map(drop) })
    }

    async fn invoke(&self, function: &str, event: &Value) -> Result<Value> {
        let url = format!("{}/2015-03-31/functions/{function}/invocations", self.url);
        loop {
            match self.http.post(&url).json(event).send().await {
                Err(error) if error.is_connect() => tokio::time::sleep(RETRY_DELAY).await,
                Err(error) => return Err(Error::unavailable(format!("{function}: {error}"))),
                Ok(response) => {
                    let status = response.status();
                    let body = response.json::<Value>().await;
                    let body = body.map_err(|e| Error::unavailable(format!("{function}: {status}: {e}")))?;
                    return match status.is_success() && body.get("errorType").is_none() {
                        true => Ok(body),
                        false => Err(Error::unavailable(format!("{function}: the invocation failed with {status}"))),
                    };
                }
            }
        }
    }
}

const fn worker(queue: Queue) -> &'static str {
    match queue {
        Queue::Webhooks => "webhook-worker",
        Queue::Ingest => "ingest-worker",
        Queue::Embeddings => "embedding-worker",
    }
}

/// A record as Lambda's event of a DynamoDB stream has it.
fn stream_record(record: &Record) -> Value {
    let name = match (&record.old, &record.new) {
        (None, _) => "INSERT",
        (_, None) => "REMOVE",
        (Some(_), Some(_)) => "MODIFY",
    };
    #[allow(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit")]
    let seconds = record.at.as_millis() as f64 / 1_000.0;
    json!({
        "eventID": record.event_id, "eventName": name, "eventVersion": "1.1", "eventSource": "aws:dynamodb",
        "dynamodb": {
            "ApproximateCreationDateTime": seconds, "Keys": record.keys, "OldImage": record.old, "NewImage": record.new,
            "SequenceNumber": record.sequence, "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    })
}

fn queue_record(message: &Message) -> Value {
    json!({
        "messageId": message.id, "body": message.body, "eventSource": "aws:sqs",
        "attributes": {"ApproximateReceiveCount": message.receive_count.to_string()},
    })
}

/// The ids of what a worker reports as failed.
fn failed_ids(response: &Value) -> Vec<String> {
    let failures = response.get("batchItemFailures").and_then(Value::as_array).into_iter().flatten();
    failures.filter_map(|failure| failure.get("itemIdentifier")?.as_str().map(str::to_owned)).collect()
}

/// The file; deleted when it is dropped.
#[derive(Debug)]
pub(crate) struct FunctionsEnv(PathBuf);

impl FunctionsEnv {
    /// Writes the file for its owner only. `services` is the address of the services of this process, and `secret` theirs.
    fn write(
        data: &DataDir,
        config: &Config,
        options: &Options,
        services: &str,
        secret: &Secret,
    ) -> Result<Self, StartError> {
        let path = data.functions_env();
        let failed = |source| StartError::DataDir { path: path.clone(), source };
        let read = |path: PathBuf| std::fs::read_to_string(path).map_err(failed);
        let secrets_key = read(data.secrets_key())?;
        let desk_token_key = read(data.desk_token_key())?;
        let widget_keys = config.widget_token_keys.as_ref().map(WidgetKeySet::to_pairs);
        let queue = |queue| {
            let url = config.queue_url(queue).unwrap_or_default();
            // An embedded queue is reached through the services of this process.
            match url.strip_prefix(EMBEDDED_ENDPOINT) {
                Some(path) => format!("{services}{path}"),
                None => url.to_owned(),
            }
        };
        let search = config.search_endpoint.clone().unwrap_or_default();
        let mut variables = vec![
            // Every service that has no address of its own below: no request leaves this machine.
            ("AWS_ENDPOINT_URL", services.to_owned()),
            ("AWS_REGION", config::region().to_string()),
            ("AWS_ACCESS_KEY_ID", "local".into()),
            ("AWS_SECRET_ACCESS_KEY", "local".into()),
            ("AWS_SESSION_TOKEN", secret.expose().to_owned()),
            ("TABLE_NAME", config.table_name.clone()),
            ("SEARCH_SIGNED", (search == services).to_string()),
            ("SEARCH_ENDPOINT", search),
            ("SEARCH_INDEX", config.search_index.clone()),
            ("SEARCH_DOMAIN_NAME", "local".into()),
            ("WEBHOOK_QUEUE_URL", queue(Queue::Webhooks)),
            ("INGEST_QUEUE_URL", queue(Queue::Ingest)),
            ("EMBEDDING_QUEUE_URL", queue(Queue::Embeddings)),
            ("DEAD_LETTER_BUCKET", BUCKET.into()),
            ("CHANGES_FUNCTION_NAME", "changes".into()),
            ("WIDGET_TOKEN_KEYS", widget_keys.as_ref().map(Secret::expose).unwrap_or_default().to_owned()),
            ("DESK_TOKEN_KEY", desk_token_key.trim().to_owned()),
            ("SECRETS_KEY", secrets_key.trim().to_owned()),
            ("OUTBOUND_ALLOW_LOOPBACK", config.outbound.allow_loopback.to_string()),
            ("OUTBOUND_ALLOW_HTTP", config.outbound.allow_http.to_string()),
        ];
        variables.extend(options.dynamodb_url.clone().map(|url| ("AWS_ENDPOINT_URL_DYNAMODB", url)));
        variables.extend(options.sqs_url.clone().map(|url| ("AWS_ENDPOINT_URL_SQS", url)));
        if let Some(embeddings) = &options.embeddings {
            variables.push(("EMBEDDING_PROVIDER", "openai".into()));
            variables.push(("EMBEDDING_BASE_URL", embeddings.base_url.clone()));
            variables.push(("EMBEDDING_MODEL_ID", embeddings.model_id.clone()));
        }
        let lines: String = variables.iter().map(|(name, value)| format!("{name}=\"{value}\"\n")).collect();
        write_private(&path, lines.as_bytes()).map_err(failed)?;
        Ok(Self(path))
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for FunctionsEnv {
    fn drop(&mut self) {
        // It may be gone already.
        std::fs::remove_file(&self.0).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_and_a_message_read_as_the_functions_read_lambdas_events() {
        let item = |version: &str| {
            serde_json::from_value(json!({"pk": {"S": "t"}, "kind": {"S": "entry"}, "version": {"N": version}}))
                .unwrap()
        };
        let record = Record {
            event_id: "e1".into(),
            sequence: "111".into(),
            at: domain::models::Timestamp::parse("2026-01-02T03:04:05.678Z").unwrap(),
            keys: item("1"),
            old: Some(item("1")),
            new: Some(item("2")),
        };
        assert_eq!(Record::of_lambda(stream_record(&record)).unwrap(), record);
        let inserted = Record { old: None, ..record };
        assert_eq!(Record::of_lambda(stream_record(&inserted)).unwrap(), inserted);
        let failed = json!({"batchItemFailures": [{"itemIdentifier": "m2"}]});
        assert_eq!((failed_ids(&failed), failed_ids(&Value::Null)), (vec!["m2".to_owned()], Vec::new()));
    }
}
