//! The permissions of each function on the table, compared with the store's real requests.
//!
//! Requests to the table are recorded while one function at a time is called. Each must be allowed by a statement of
//! that function's role: action, table or index, and leading key.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{functions, texts};
use crate::support::{Recorder, TestService};

/// Longer than the time in which the use of a key is noted once.
const DAY_MS: i64 = 86_400_000;

/// An action on one partition of the table, or of an index of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TableAction {
    action: String,
    resource: String,
    leading_key: String,
}

fn asked(action: &str, index: Option<&str>, leading_key: &Value) -> TableAction {
    let table = json!({"Fn::GetAtt": "Table.Arn"});
    let resource = index.map_or(table, |index| json!({"Fn::Sub": format!("${{Table.Arn}}/index/{index}")}));
    let leading_key = leading_key.as_str().unwrap_or_else(|| panic!("a {action} without a key")).to_owned();
    TableAction { action: format!("dynamodb:{action}"), resource: resource.to_string(), leading_key }
}

/// The actions of one recorded request; a transaction needs the right to each of its parts.
fn actions(line: &str) -> Vec<TableAction> {
    let (operation, body) = line.split_once(' ').unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let key = |of: &Value| of["Key"]["pk"]["S"].clone();
    match operation.rsplit('.').next().unwrap() {
        action @ ("GetItem" | "UpdateItem" | "DeleteItem") => vec![asked(action, None, &key(&body))],
        "PutItem" => vec![asked("PutItem", None, &body["Item"]["pk"]["S"])],
        "Query" => vec![asked("Query", body["IndexName"].as_str(), &body["ExpressionAttributeValues"][":pk"]["S"])],
        "BatchGetItem" => {
            let tables = body["RequestItems"].as_object().unwrap().values();
            let keys = tables.flat_map(|table| table["Keys"].as_array().unwrap());
            keys.map(|key| asked("BatchGetItem", None, &key["pk"]["S"])).collect()
        }
        "TransactWriteItems" => {
            let parts = body["TransactItems"].as_array().unwrap().iter().flat_map(|part| part.as_object().unwrap());
            let part = |(kind, part): (&String, &Value)| match kind.as_str() {
                "Put" => asked("PutItem", None, &part["Item"]["pk"]["S"]),
                "ConditionCheck" => asked("ConditionCheckItem", None, &key(part)),
                kind => asked(&format!("{kind}Item"), None, &key(part)),
            };
            parts.map(part).collect()
        }
        other => panic!("{other} is read by nobody here"),
    }
}

/// IAM's `StringLike`, of which the template uses `*` alone.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, rest)) => text
            .strip_prefix(before)
            .is_some_and(|text| (0..=text.len()).filter_map(|at| text.get(at..)).any(|tail| is_like(rest, tail))),
    }
}

fn allows(statement: &Value, asked: &TableAction) -> bool {
    let keys = match &statement["Condition"] {
        Value::Null => true,
        condition => {
            assert_eq!(condition.as_object().unwrap().keys().collect::<Vec<_>>(), ["ForAllValues:StringLike"]);
            let patterns = texts(&condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]);
            patterns.iter().any(|pattern| is_like(pattern, &asked.leading_key))
        }
    };
    keys && texts(&statement["Action"]).contains(&asked.action)
        && texts(&statement["Resource"]).contains(&asked.resource)
}

/// Fails where the role of `function` does not allow what was recorded since the last call.
fn expect_allowed(function: &str, wire: &Recorder, needed: &[&str]) {
    let recorded: BTreeSet<TableAction> = wire.take().lines().flat_map(actions).collect();
    for key in needed {
        let written =
            |asked: &TableAction| !["Get", "Query", "BatchGet"].iter().any(|read| asked.action.contains(read));
        let is_there = recorded.iter().any(|asked| written(asked) && is_like(key, &asked.leading_key));
        assert!(is_there, "{function} wrote nothing to {key}: {recorded:#?}");
    }
    let statements = functions()[function].statements();
    let refused = recorded.iter().filter(|asked| !statements.iter().any(|statement| allows(statement, asked)));
    let refused: Vec<_> = refused.collect();
    assert!(refused.is_empty(), "the role of {function} does not allow {refused:#?}");
}

/// A service whose functions' requests to the table are recorded.
async fn recorded() -> (TestService, Recorder) {
    let wire = Recorder::default();
    let wrapped = wire.clone();
    let wrap = Box::new(move |inner| wrapped.wrap(inner));
    (TestService::with(|options| options.wrap_database = Some(wrap)).await, wire)
}

/// Lets uses of keys be noted again, and forgets what was recorded so far.
async fn begin(service: &TestService, wire: &Recorder) {
    service.drain().await;
    service.clock.advance(DAY_MS);
    wire.take();
}

#[test]
fn a_pattern_is_read_as_iam_reads_it() {
    assert!(is_like("*#GAP", "ten_1#live#GAP") && is_like("KEY#*", "KEY#ab") && is_like("HEALTH", "HEALTH"));
    assert!(!is_like("*#GAP", "ten_1#live#GAPSEEN") && !is_like("KEY#*", "HEALTH") && !is_like("HEALTH", "HEALTH#1"));
}

#[tokio::test]
async fn health_and_analytics_may_write_what_they_write_and_only_there() {
    let (service, wire) = recorded().await;
    let session = service.integration().session().await;
    service.integration().ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    let (admin, trainer) = (service.admin(), service.trainer());

    begin(&service, &wire).await;
    admin.get("/health").await.expect(200);
    admin.get("/openapi.json").await.expect(200);
    expect_allowed("health", &wire, &["HEALTH", "KEY#*", "TENANT#*"]);

    begin(&service, &wire).await;
    trainer.get("/analytics").await.expect(200);
    let gaps = trainer.get("/analytics/kb-gaps").await;
    let gap = format!("/analytics/kb-gaps/{}", gaps.items()[0]["gapId"].as_str().unwrap());
    for status in ["dismissed", "open"] {
        trainer.patch(&gap, json!({"status": status})).await.expect(200);
    }
    expect_allowed("analytics", &wire, &["KEY#*", "TENANT#*", "*#GAP", "*#GAPSEEN", "*#GAPREVIEW"]);
}

#[tokio::test]
async fn the_functions_of_conversations_may_do_what_they_do() {
    let (service, wire) = recorded().await;
    let (caller, agent, admin) = (service.integration(), service.agent(), service.admin());
    begin(&service, &wire).await;
    let session = caller.session_with(json!({"externalUserId": "ann"})).await;
    let at = |rest: &str| format!("/sessions/{session}{rest}");
    caller.ask(&session, "How long does a refund take?").await.expect(200);
    caller.post(&at("/reaction"), json!({"reaction": "flag"})).await.expect(200);
    caller.post(&at("/escalate"), json!({"reason": "help"})).await.expect(200);
    caller.post_empty(&at("/cancel-escalation")).await.expect(200);
    caller.post("/sessions/resume", json!({"externalUserId": "ann"})).await.expect(200);
    caller.patch(&at(""), json!({"tags": ["a"]})).await.expect(200);
    for path in [at(""), at("/messages"), "/sessions?externalUserId=ann".into()] {
        admin.get(&path).await.expect(200);
    }
    admin.get("/sessions").await.expect(200);
    caller.post(&at("/escalate"), json!({"reason": "help"})).await.expect(200);
    expect_allowed("sessions", &wire, &["KEY#*", "*#SES#*", "*#ESC#*", "*#USER#*"]);

    begin(&service, &wire).await;
    let case = agent.post("/inbox/takeover", json!({"agentId": "a"})).await;
    let at_case = |rest: &str| format!("/inbox/{}{rest}", case.text_at("escalationId"));
    agent.get("/inbox").await.expect(200);
    agent.get(&at_case("")).await.expect(200);
    agent.patch(&at_case(""), json!({"priority": "high"})).await.expect(200);
    agent.post(&at_case("/message"), json!({"content": "Hello", "agentId": "a"})).await.expect(200);
    agent.post(&at_case("/release"), json!({"agentId": "a"})).await.expect(200);
    agent.post("/inbox/takeover", json!({"agentId": "b"})).await.expect(200);
    agent.post(&at_case("/handback"), json!({"agentId": "b"})).await.expect(200);
    expect_allowed("inbox", &wire, &["KEY#*", "*#SES#*", "*#ESC#*"]);

    begin(&service, &wire).await;
    admin.delete(&at("")).await.expect(204);
    expect_allowed("sessions", &wire, &["*#SES#*", "*#ESC#*", "*#USER#*"]);
    service.sweep().await;
    expect_allowed("sweeper", &wire, &["AGENTS", "*#SES#*"]);
}

#[tokio::test]
async fn the_functions_of_operators_and_what_follows_changes_may_do_what_they_do() {
    let (service, wire) = recorded().await;
    let admin = service.admin();
    begin(&service, &wire).await;
    admin.wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    admin.patch("/wiki/help/refunds", json!({"title": "Refund"})).await.expect(200);
    for path in ["/wiki", "/wiki?q=refund", "/wiki/help/refunds"] {
        admin.get(path).await.expect(200);
    }
    admin.delete("/wiki/help/refunds").await.expect(204);
    expect_allowed("wiki", &wire, &["KEY#*", "*#WIKI"]);

    service.widget("ann").await.session().await;
    begin(&service, &wire).await;
    let key = admin.post("/api-keys", json!({"name": "k", "role": "agent"})).await.text_at("keyId").to_owned();
    admin.get("/api-keys").await.expect(200);
    admin.get(&format!("/api-keys/{key}")).await.expect(200);
    admin.delete(&format!("/api-keys/{key}")).await.expect(204);
    admin.get("/settings").await.expect(200);
    admin.patch("/settings", json!({"maxAiTurns": 9})).await.expect(200);
    admin.post("/auth/widget-token", json!({"externalUserId": "ann"})).await.expect(200);
    expect_allowed("auth", &wire, &["KEY#*", "TENANT#*"]);

    begin(&service, &wire).await;
    let job = admin.post("/ingest", json!({"text": "# One\n\nText.", "pathPrefix": "made"})).await;
    admin.get(&format!("/ingest/{}", job.text_at("ingestId"))).await.expect(200);
    admin.get("/ingest?status=queued").await.expect(200);
    expect_allowed("ingest", &wire, &["KEY#*", "*#ING#*"]);

    begin(&service, &wire).await;
    let webhook = admin.webhook("https://receiver.example/hook", &["*"]).await;
    let at = |rest: &str| format!("/webhooks/{webhook}{rest}");
    admin.patch(&at(""), json!({"description": "d"})).await.expect(200);
    admin.post(&at("/rotate"), json!({"secret": "another-secret"})).await.expect(200);
    admin.patch(&at(""), json!({"status": "disabled"})).await.expect(200);
    admin.post_empty(&at("/test")).await.expect(200);
    let held = admin.get(&at("/deliveries?status=held")).await;
    admin.post_empty(&at(&format!("/deliveries/{}/resend", held.items()[0]["deliveryId"].as_str().unwrap()))).await;
    admin.post(&at("/replay"), json!({"since": "2026-01-01T00:00:00Z"})).await;
    admin.get("/webhooks").await.expect(200);
    admin.get(&at("")).await.expect(200);
    expect_allowed("webhooks", &wire, &["KEY#*", "*#WHK", "*#WHKREG", "*#DLV#*"]);

    // Their deliveries are not there yet for another receiver: the changes are handled again.
    admin.webhook("https://another.example/hook", &["*"]).await;
    let records = service.stream_records().await;
    begin(&service, &wire).await;
    assert_eq!(changes::handle(&service.changes().await, records).await, None);
    expect_allowed("changes", &wire, &["*#DLV#*", "AGENTS"]);

    begin(&service, &wire).await;
    admin.delete(&at("")).await.expect(204);
    expect_allowed("webhooks", &wire, &["*#WHK", "*#WHKREG"]);
}
