//! The programs to start: each function with its variables and the event that stands for its first invocation.

use serde_json::{Value, json};

use crate::runtime::Call;
use crate::stand_ins::StandIns;
use crate::table;

/// The 13 functions; `message` of `sessions` is the one that customers wait for.
pub(crate) const FUNCTIONS: [&str; 13] = [
    "sessions",
    "wiki",
    "auth",
    "health",
    "inbox",
    "analytics",
    "webhooks",
    "ingest",
    "changes",
    "webhook-worker",
    "ingest-worker",
    "embedding-worker",
    "sweeper",
];

/// The variables of every function: the services of [`StandIns`], whose certificate is trusted.
pub(crate) fn variables(stand_ins: &StandIns) -> Vec<(String, String)> {
    let queue = |name: &str| format!("{}/123456789012/{name}", stand_ins.others);
    let certificate = stand_ins.certificate.display().to_string();
    // An empty folder: otherwise the system's certificates are read one by one beside the file.
    let folder = stand_ins.certificate.with_file_name("no-certificates").display().to_string();
    let variables = [
        ("TABLE_NAME", table::NAME.to_owned()),
        ("AWS_ENDPOINT_URL", stand_ins.others.clone()),
        ("AWS_ENDPOINT_URL_DYNAMODB", stand_ins.table.clone()),
        ("SEARCH_ENDPOINT", stand_ins.index.clone()),
        ("SEARCH_DOMAIN_NAME", "support".to_owned()),
        ("WIDGET_TOKEN_SECRET_ARN", "arn:aws:secretsmanager:eu-central-1:123456789012:secret:keys".to_owned()),
        ("SECRETS_KMS_KEY_ARN", "arn:aws:kms:eu-central-1:123456789012:key/k".to_owned()),
        ("DEAD_LETTER_BUCKET", "dead-letters".to_owned()),
        ("CHANGES_FUNCTION_NAME", "changes".to_owned()),
        ("WEBHOOK_QUEUE_URL", queue("webhooks")),
        ("INGEST_QUEUE_URL", queue("ingest")),
        ("EMBEDDING_QUEUE_URL", queue("embeddings")),
        ("SSL_CERT_FILE", certificate),
        ("SSL_CERT_DIR", folder),
        // Many invocations follow each other at once.
        ("RATE_LIMIT_PER_MINUTE", "1000000".to_owned()),
        ("LOG_LEVEL", "info".to_owned()),
    ];
    variables.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The event of a function's first invocation: a request if it serves some, else a task or tick that finds nothing.
/// `session` is one that waits for a message.
pub(crate) fn event(function: &str, key: &str, session: &str, id: &str) -> Value {
    let task = |task: &str, more: &str| {
        let body =
            format!(r#"{{"v":1,"task":"{task}","tenantId":"ten_00000000010000000000000002","mode":"live",{more}}}"#);
        json!({"Records": [{
            "messageId": "m", "receiptHandle": "r", "body": body, "attributes": {"ApproximateReceiveCount": "1"},
            "messageAttributes": {}, "eventSource": "aws:sqs", "awsRegion": "eu-central-1",
            "eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:queue",
        }]})
    };
    match function {
        "sessions" => message(key, session, id),
        "wiki" => request("GET", "/api/v1/wiki", key, None, id),
        "auth" => request("POST", "/api/v1/auth/widget-token", key, Some("{}"), id),
        "health" => request("GET", "/api/v1/health", key, None, id),
        "inbox" => request("GET", "/api/v1/inbox", key, None, id),
        "analytics" => request("GET", "/api/v1/analytics", key, None, id),
        "webhooks" => request("GET", "/api/v1/webhooks", key, None, id),
        "ingest" => request("GET", "/api/v1/ingest", key, None, id),
        "webhook-worker" => task(
            "deliver",
            r#""webhookId":"whk_00000000050000000000000006","eventId":"evt_00000000050000000000000007""#,
        ),
        "ingest-worker" => task("ingest", r#""ingestId":"ing_00000000050000000000000006""#),
        "embedding-worker" => task("embed", r#""path":"faq/password""#),
        "changes" => json!({"Records": [marker()]}),
        _ => json!({"version": "0", "id": id, "detail-type": "Scheduled Event", "detail": {}}),
    }
}

/// A customer's question.
pub(crate) fn message(key: &str, session: &str, id: &str) -> Value {
    let path = format!("/api/v1/sessions/{session}/messages");
    request("POST", &path, key, Some(r#"{"content":"How do I reset my password?"}"#), id)
}

/// A new session.
pub(crate) fn session(key: &str, id: &str) -> Value {
    request("POST", "/api/v1/sessions", key, Some("{}"), id)
}

fn request(method: &str, path: &str, key: &str, body: Option<&str>, id: &str) -> Value {
    let authorization = format!("Bearer {key}");
    let headers = vec![("authorization", authorization.as_str()), ("content-type", "application/json")];
    crate::runtime::event(&Call { method, raw_path: path, headers, body, ..Call::default() }, id)
}

/// A stream record of an item kind without consumers.
fn marker() -> Value {
    json!({
        "eventID": "e1", "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
        "awsRegion": "eu-central-1", "eventSourceARN": "arn:aws:dynamodb:eu-central-1:123456789012:table/t/stream/s",
        "dynamodb": {
            "ApproximateCreationDateTime": 1_767_323_045.0, "SequenceNumber": "111", "SizeBytes": 20,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
            "Keys": {"pk": {"S": "p"}, "sk": {"S": "s"}},
            "NewImage": {"pk": {"S": "p"}, "sk": {"S": "s"}, "kind": {"S": "marker"}},
        },
    })
}
