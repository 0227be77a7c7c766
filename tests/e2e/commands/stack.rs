//! `--stack`: a stack that a stand-in for AWS describes, over the table of a local service.

use local::Options;
use serde_json::{Value, json};

use super::aws_stub::AwsStub;
use super::support::{Folder, Printed, binary, printed};
use crate::services::output_of;

/// Runs `ops --stack shop` against the stand-in.
pub(crate) async fn ops_of(stub: &AwsStub, arguments: &[&str]) -> Printed {
    let mut command = binary();
    command.args(["--stack", "shop"]).args(arguments);
    command.env("AWS_REGION", "eu-west-1").env("AWS_ACCESS_KEY_ID", "local").env("AWS_SECRET_ACCESS_KEY", "local");
    command.env("AWS_ENDPOINT_URL", &stub.url).env("AWS_EC2_METADATA_DISABLED", "true");
    tokio::task::spawn_blocking(move || printed(output_of(command))).await.unwrap()
}

pub(crate) async fn json_of(stub: &AwsStub, arguments: &[&str]) -> Value {
    ops_of(stub, &[arguments, &["--json"]].concat()).await.json()
}

/// A stand-in whose table is that of a local service.
pub(crate) async fn over_a_service(change: impl FnOnce(&mut Options)) -> (AwsStub, Folder) {
    let folder = Folder::with(change).await;
    let stub = AwsStub::start().await;
    stub.with(|state| state.table = Some(folder.data.join("control.sock")));
    (stub, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_of_a_stack_is_made_in_its_table() {
    let (stub, folder) = over_a_service(|_| {}).await;
    let created = json_of(&stub, &["tenant", "create", "Shop"]).await;
    let key = created["apiKey"]["key"].as_str().unwrap();
    assert_eq!(folder.get(key, "/settings").await.1["name"], "Shop");
    let listed = json_of(&stub, &["tenant", "list"]).await;
    assert_eq!(listed["items"][0]["tenantId"], created["tenant"]["tenantId"]);
}

/// The problems that the doctor finds.
async fn problems(stub: &AwsStub) -> Vec<Value> {
    let printed = ops_of(stub, &["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{printed:?}"));
    assert_eq!(printed.exit_code, if report["problems"] == 0 { 0 } else { 6 }, "{report}");
    let problems = report["checks"].as_array().unwrap().iter().filter(|check| check["status"] == "problem");
    let problems: Vec<Value> = problems.cloned().collect();
    assert!(problems.iter().all(|problem| problem["advice"].as_str().unwrap().len() > 10), "{problems:?}");
    problems
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_a_role_that_may_write_api_keys_or_read_the_key_of_desk_tokens() {
    let (stub, folder) = over_a_service(|options| options.sweep_every = None).await;
    folder.service.as_ref().unwrap().sweep().await.unwrap();
    stub.with(|state| state.writes_keys = Some("role/shop-webhook-worker-role"));
    let found = problems(&stub).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0]["check"], &found[0]["found"]),
        (&json!("rights"), &json!("WebhookWorkerFunction may write API keys"))
    );
    stub.with(|state| (state.writes_keys, state.reads_desk_key) = (None, Some("role/shop-wiki-role")));
    let found = problems(&stub).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["found"], "WikiFunction may read the key of desk tokens");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_each_right_that_is_missing() {
    let (stub, folder) = over_a_service(|options| options.sweep_every = None).await;
    folder.service.as_ref().unwrap().sweep().await.unwrap();
    stub.with(|state| state.models = "bedrock");
    assert_eq!(problems(&stub).await, Vec::<Value>::new());
    for (function, role, action, resource) in [
        ("HealthFunction", "health", "dynamodb:GetItem", "dynamodb:eu-west-1:123456789012:table/support-assistant"),
        ("AuthFunction", "auth", "dynamodb:PutItem", "dynamodb:eu-west-1:123456789012:table/support-assistant"),
        (
            "AuthFunction",
            "auth",
            "secretsmanager:GetSecretValue",
            "secretsmanager:eu-west-1:123456789012:secret:widget-1",
        ),
        (
            "AuthFunction",
            "auth",
            "secretsmanager:GetSecretValue",
            "secretsmanager:eu-west-1:123456789012:secret:desk-1",
        ),
        (
            "AuthFunction",
            "auth",
            "cognito-idp:AdminCreateUser",
            "cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_a",
        ),
        (
            "AuthFunction",
            "auth",
            "cognito-idp:AdminDeleteUser",
            "cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_a",
        ),
        ("ChangesFunction", "changes", "sqs:SendMessage", "sqs:eu-west-1:123456789012:webhooks"),
        ("SessionsFunction", "sessions", "es:ESHttpPost", "es:eu-west-1:123456789012:domain/shared/wiki-0a1b/_msearch"),
        ("WikiFunction", "wiki", "es:ESHttpPost", "es:eu-west-1:123456789012:domain/shared/wiki-0a1b/_doc/doctor"),
        (
            "ChangesFunction",
            "changes",
            "es:ESHttpPost",
            "es:eu-west-1:123456789012:domain/shared/wiki-0a1b/_doc/doctor",
        ),
        ("WebhooksFunction", "webhooks", "kms:Decrypt", "kms:eu-west-1:123456789012:key/0f0f-1"),
        ("WebhookWorkerFunction", "webhook-worker", "kms:Decrypt", "kms:eu-west-1:123456789012:key/0f0f-1"),
        ("SessionsFunction", "sessions", "bedrock:InvokeModel", "bedrock:eu-west-1::foundation-model/m"),
        ("SweeperFunction", "sweeper", "bedrock:InvokeModel", "bedrock:eu-north-1::foundation-model/m"),
        (
            "HealthFunction",
            "health",
            "bedrock:InvokeModel",
            "bedrock:eu-west-1::foundation-model/amazon.titan-embed-text-v2:0",
        ),
        ("ChangesFunction", "changes", "s3:PutObject", "s3:::letters/aws/lambda/doctor.json"),
        ("SweeperFunction", "sweeper", "s3:PutObject", "s3:::letters/replay/doctor.json"),
    ] {
        let role = format!("role/shop-{role}-role").leak();
        stub.with(|state| state.denied = Some([role, action, resource]));
        let found = problems(&stub).await;
        assert_eq!(found.len(), 1, "{function} {action}: {found:?}");
        let told = format!("{function} may not {action} on arn:aws:{resource}");
        assert_eq!((&found[0]["check"], &found[0]["found"]), (&json!("rights"), &json!(told)));
    }
}

/// The secret with a second key of which no time is told.
fn keys_with(second: &str) -> String {
    let mut keys = json!({"kid": "k1", "secret": "ab".repeat(32)});
    keys[format!("{second}Kid")] = "k2".into();
    keys[format!("{second}Secret")] = "cd".repeat(32).into();
    keys.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_each_seeded_fault_and_says_what_to_do() {
    let (stub, folder) = over_a_service(|options| options.sweep_every = None).await;
    let doctor = async || problems(&stub).await;
    let found = doctor().await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["check"], &found[0]["found"]), (&json!("schedule"), &json!("the sweeper has never run")));
    folder.service.as_ref().unwrap().sweep().await.unwrap();
    assert_eq!(doctor().await, Vec::<Value>::new());
    type Seed = fn(&mut super::aws_stub::AwsState);
    let seeds: [(&str, &str, Seed, Seed); 9] = [
        (
            "alarms",
            "ops@example.com has not confirmed",
            |s| s.subscription = "PendingConfirmation",
            |s| {
                s.subscription = "arn:aws:sns:x";
            },
        ),
        ("stream", "90 seconds late", |s| s.iterator_age = 90_000, |s| s.iterator_age = 0),
        ("quota", "10 executions", |s| s.concurrency = 10, |s| s.concurrency = 1_000),
        ("scheduler", "is DISABLED", |s| s.schedule = "DISABLED", |s| s.schedule = "ENABLED"),
        ("language model", "status 403", |s| s.model_status = 403, |s| s.model_status = 200),
        ("embedding model", "status 403", |s| s.embedding_status = 403, |s| s.embedding_status = 200),
        ("index", "the mapping differs in path", |s| s.path_type = "text", |s| s.path_type = "keyword"),
        ("widget keys", "half done", |s| s.secret = keys_with("next"), |s| s.secret = keys_with("unused")),
        ("widget keys", "not known when", |s| s.secret = keys_with("previous"), |s| s.secret = keys_with("unused")),
    ];
    for (check, sentence, seed, mend) in seeds {
        stub.with(seed);
        let found = doctor().await;
        assert_eq!(found.len(), 1, "{check}: {found:?}");
        assert_eq!(found[0]["check"], check);
        assert!(found[0]["found"].as_str().unwrap().contains(sentence), "{found:?}");
        stub.with(mend);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_a_stack_signs_only_after_every_process_knows_it() {
    let stub = AwsStub::start().await;
    let prepared = json_of(&stub, &["widget-key", "rotate", "--no-wait"]).await;
    assert_eq!(prepared["signing"], "k1");
    let next = prepared["next"].as_str().unwrap();
    let again = json_of(&stub, &["widget-key", "rotate", "--no-wait"]).await;
    assert_eq!(again, prepared, "eleven minutes have not passed");
    // The functions of an earlier moment read this form.
    let stored: Value = serde_json::from_str(&stub.with(|state| state.secret.clone())).unwrap();
    assert_eq!((&stored["kid"], &stored["nextKid"]), (&json!("k1"), &json!(next)));
    stub.with(|state| {
        let mut aged = stored.clone();
        aged["changedAt"] = json!(domain::clock::Runtime::system().now().plus_millis(-12 * 60_000));
        state.secret = aged.to_string();
    });
    let active = json_of(&stub, &["widget-key", "rotate", "--no-wait"]).await;
    assert_eq!((&active["signing"], &active["previous"], &active["next"]), (&json!(next), &json!("k1"), &Value::Null));
    let printed = ops_of(&stub, &["widget-key", "show"]).await;
    assert!(!printed.expect(0).stdout.contains(&"ab".repeat(8)), "{printed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_table_gets_back_what_aws_does_not_restore() {
    let stub = AwsStub::start().await;
    let at = ["restore", "--table", "copy", "--at", "2026-11-22T10:00:00Z"];
    let dry = json_of(&stub, &at).await;
    assert!(dry["dryRun"] == true && stub.with(|state| state.dynamodb.is_empty()), "{dry}");
    let done = ops_of(&stub, &[&at[..], &["--yes"]].concat()).await;
    assert!(done.expect(0).stdout.contains("RestoredTableStreamArn=arn:aws:dynamodb:stream"), "{done:?}");
    let calls = stub.with(|state| std::mem::take(&mut state.dynamodb));
    let of = |name: &'static str| calls.iter().filter(move |(operation, _)| operation == name).map(|(_, body)| body);
    let restored = of("RestoreTableToPointInTime").next().unwrap();
    assert_eq!(
        (&restored["SourceTableName"], &restored["TargetTableName"]),
        (&json!("support-assistant"), &json!("copy"))
    );
    assert_eq!(restored["RestoreDateTime"], json!(1_795_341_600));
    let updates: Vec<_> = of("UpdateTable").collect();
    assert_eq!(updates[0]["StreamSpecification"]["StreamViewType"], "NEW_AND_OLD_IMAGES");
    assert_eq!(updates[1]["DeletionProtectionEnabled"], true);
    assert_eq!(of("UpdateTimeToLive").next().unwrap()["TimeToLiveSpecification"]["AttributeName"], "ttl");
    let recovery = &of("UpdateContinuousBackups").next().unwrap()["PointInTimeRecoverySpecification"];
    assert_eq!(recovery["PointInTimeRecoveryEnabled"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_needs_a_stack() {
    let folder = Folder::running().await;
    folder.ops(&["restore", "--table", "copy", "--yes"]).await.expect(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_dead_messages_are_received_once_and_sent_again_and_one_that_is_refused_stays() {
    let (stub, _folder) = over_a_service(|_| {}).await;
    let bodies: Vec<String> = (0..45).map(|number| format!("m{number}")).collect();
    stub.with(|state| {
        state.dead_letters.visible.clone_from(&bodies);
        state.dead_letters.refused = "m7";
    });
    let replayed = ops_of(&stub, &["dead-letters", "replay", "--all", "--json"]).await;
    let replayed: Value = serde_json::from_str(&replayed.expect(6).stdout).unwrap();
    let items = replayed["items"].as_array().unwrap();
    let failed: Vec<_> = items.iter().filter(|item| item["replayed"] == false).map(|item| &item["id"]).collect();
    assert!(items.len() == 45 && failed == ["queue:ingest:m7"], "{replayed}");
    stub.with(|state| {
        let queue = &mut state.dead_letters;
        // Ten at a time, and once more to learn that there are no others.
        assert_eq!((queue.receives, &queue.visible[..], queue.hidden.len()), (6, &["m7".to_owned()][..], 0));
        queue.sent.push("m7".into());
        queue.sent.sort();
        let mut all = bodies;
        all.sort();
        assert_eq!(queue.sent, all);
    });
}
