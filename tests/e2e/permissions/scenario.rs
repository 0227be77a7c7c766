//! A tenant's use of the service in which every function sends every request that it has a right for.

use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::clock::Runtime;
use domain::models::{Scope, Timestamp};
use serde_json::{Value, json};
use support::table::keys::SESSION;

use super::deployment::Deployment;
use crate::support::SECRET;

/// Wakes every function once.
pub(crate) async fn wake(it: &Deployment) {
    for target in ["/sessions", "/inbox", "/wiki", "/settings", "/analytics", "/health", "/ingest", "/webhooks"] {
        it.get(target).await;
    }
    for worker in ["changes", "webhook-worker", "ingest-worker", "embedding-worker"] {
        it.invoke(worker, json!({"Records": []})).await;
    }
    it.sweep().await;
}

/// Everything.
pub(crate) async fn run(it: &mut Deployment) {
    wake(it).await;
    keys_and_settings(it).await;
    let webhook = webhooks(it).await;
    it.settle().await;
    wiki(it).await;
    it.settle().await;
    ingest(it).await;
    it.settle().await;
    let session = conversation(it).await;
    it.settle().await;
    gaps(it).await;
    dry_runs(it).await;
    it.settle().await;
    inbox(it).await;
    it.settle().await;
    dead_letters(it, &session).await;
    given_up_batches(it).await;
    overdue_work(it).await;
    other_dimensions(it).await;
    it.get("/health").await;
    it.get("/openapi.json").await;
    // Its receiver is gone before the delivery is made.
    it.send("POST", &format!("/webhooks/{webhook}/test"), Value::Null).await;
    it.send("DELETE", &format!("/webhooks/{webhook}"), Value::Null).await;
    it.settle().await;
}

/// A text of an answer; an answer without it was noted as a failure.
fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or("missing")
}

async fn keys_and_settings(it: &Deployment) {
    let key = it.send("POST", "/api-keys", json!({"name": "k", "role": "agent"})).await;
    it.get("/api-keys").await;
    let at = format!("/api-keys/{}", text(&key, "keyId"));
    it.get(&at).await;
    it.send("DELETE", &at, Value::Null).await;
    it.send("PATCH", "/settings", json!({"maxAiTurns": 9})).await;
    it.send("POST", "/auth/widget-token", json!({"externalUserId": "ann"})).await;
    let member = json!({"email": "ann@company.example", "name": "Ann", "roles": ["agent"]});
    let member = it.send("POST", "/members", member).await;
    assert_eq!(member["providerUser"], "created", "{member}");
    it.send("DELETE", &format!("/members/{}", text(&member, "memberId")), Value::Null).await;
}

/// Two receivers that never answer; the id of the first.
async fn webhooks(it: &Deployment) -> String {
    let new = json!({"url": "https://receiver.example/hook", "events": ["*"], "secret": SECRET});
    let made = it.send("POST", "/webhooks", new).await;
    let second = json!({"url": "https://another.example/hook", "events": ["*"], "secret": SECRET});
    it.send("POST", "/webhooks", second).await;
    let at = |rest: &str| format!("/webhooks/{}{rest}", text(&made, "webhookId"));
    it.get("/webhooks").await;
    it.get(&at("")).await;
    it.send("PATCH", &at(""), json!({"description": "d"})).await;
    it.send("POST", &at("/rotate"), json!({"secret": "another-secret"})).await;
    it.send("POST", &at("/test"), Value::Null).await;
    let deliveries = it.get(&at("/deliveries")).await;
    let delivery = text(&deliveries["items"][0], "deliveryId").to_owned();
    it.send("POST", &at(&format!("/deliveries/{delivery}/resend")), Value::Null).await;
    it.send("POST", &at("/replay"), json!({"since": "2026-01-01T00:00:00Z"})).await;
    text(&made, "webhookId").to_owned()
}

async fn wiki(it: &mut Deployment) {
    for (path, title) in [("help/refunds", "Refunds"), ("help/shipping", "Shipping")] {
        let content = "A refund takes five working days. We ship on Mondays.";
        it.send("POST", "/wiki", json!({"path": path, "title": title, "content": content})).await;
    }
    it.send("PATCH", "/wiki/help/refunds", json!({"title": "Refund"})).await;
    for target in ["/wiki", "/wiki?pathPrefix=help", "/wiki?q=refund", "/wiki/help/refunds"] {
        it.get(target).await;
    }
    it.settle().await;
    it.get("/wiki-revisions?path=help/refunds").await;
    it.get("/wiki/help/refunds?version=1").await;
    let old = json!({"path": "help/refunds", "version": 1, "currentVersion": 2});
    it.send("POST", "/wiki-revisions/restore", old).await;
    drafts(it).await;
    it.send("DELETE", "/wiki/help/shipping", Value::Null).await;
}

async fn drafts(it: &Deployment) {
    for action in ["update", "delete"] {
        let draft = it.send("POST", "/drafts", json!({"path": "help/refunds", "action": action})).await;
        let at = format!("/drafts/{}", text(&draft, "draftId"));
        it.get(&at).await;
        if action == "update" {
            it.send("PATCH", &at, json!({"title": "Money back"})).await;
            it.send("POST", &format!("{at}/publish"), json!({"version": 2})).await;
        } else {
            it.send("DELETE", &at, Value::Null).await;
        }
    }
    it.get("/drafts").await;
    let pin = it.send("POST", "/pins", json!({"path": "help/refunds", "question": "How long does it take?"})).await;
    it.get("/pins?path=help/refunds").await;
    it.send("DELETE", &format!("/pins/{}", text(&pin, "pinId")), Value::Null).await;
}

/// Dry runs of a change on the questions of a gap, of days and of a text.
async fn dry_runs(it: &Deployment) {
    let gap = it.get("/analytics/kb-gaps").await["items"][0]["gapId"].clone();
    let changes = json!([{"path": "help/refunds", "content": "A refund takes six working days."}]);
    it.get("/wiki-answers?path=help/refunds").await;
    let entry = json!({"path": "help/refunds", "days": 1});
    let text = json!({"texts": ["How long does a refund take?"]});
    for questions in [json!({"gapId": gap}), json!({"days": 1}), entry, text, json!({"pins": true})] {
        it.send("POST", "/dry-runs", json!({"changes": changes, "questions": questions})).await;
    }
}

/// A text, the same text once more, and a page that nobody may fetch.
async fn ingest(it: &mut Deployment) {
    for text in ["# One\n\nA first text.\n\n# Two\n\nA second one.", "# One\n\nA first text."] {
        it.send("POST", "/ingest", json!({"text": text, "pathPrefix": "made"})).await;
        it.settle().await;
    }
    let page = it.send("POST", "/ingest", json!({"url": "https://pages.example/a", "pathPrefix": "pages"})).await;
    it.settle().await;
    it.get("/ingest?status=failed").await;
    let at = format!("/ingest/{}", text(&page, "ingestId"));
    it.get(&at).await;
    it.send("POST", &format!("{at}/retry"), Value::Null).await;
    it.settle().await;

    // While the index fails, workers fail, and what it lacks is noted with the entries.
    let failures = it.failures.lock().unwrap().len();
    it.stand_ins.search.lock().unwrap().refuses_writes = true;
    it.send("POST", "/ingest", json!({"text": "# Three\n\nA third text.", "pathPrefix": "late"})).await;
    it.settle().await;
    it.send("PATCH", "/wiki/help/refunds", json!({"tags": ["money"]})).await;
    it.settle().await;
    it.stand_ins.search.lock().unwrap().refuses_writes = false;
    it.failures.lock().unwrap().truncate(failures);
}

async fn ask(it: &Deployment, session: &str, question: &str) -> Value {
    it.send("POST", &format!("/sessions/{session}/messages"), json!({"content": question})).await
}

/// A session with answers and an open request for a human, and another with a question without an answer; the first.
async fn conversation(it: &Deployment) -> String {
    let session = text(&it.send("POST", "/sessions", json!({"externalUserId": "ann"})).await, "sessionId").to_owned();
    let at = |rest: &str| format!("/sessions/{session}{rest}");
    ask(it, &session, "How long does a refund take?").await;
    ask(it, &session, "And why?").await;
    it.send("POST", &at("/reaction"), json!({"reaction": "flag"})).await;
    it.send("POST", &at("/escalate"), json!({"reason": "help"})).await;
    it.send("POST", &at("/cancel-escalation"), Value::Null).await;
    it.send("POST", "/sessions/resume", json!({"externalUserId": "ann"})).await;
    it.send("POST", "/auth/widget-token", json!({"externalUserId": "ann"})).await;
    it.send("PATCH", &at(""), json!({"tags": ["a"]})).await;
    for target in [at(""), at("/messages"), at("/export"), "/sessions?externalUserId=ann".into()] {
        it.get(&target).await;
    }
    it.send("POST", &at("/escalate"), json!({"reason": "help"})).await;

    let other = it.send("POST", "/sessions", json!({})).await;
    it.stand_ins.search.lock().unwrap().finds_nothing = true;
    let answer = ask(it, text(&other, "sessionId"), "Which zebra sings on Jupiter?").await;
    it.stand_ins.search.lock().unwrap().finds_nothing = false;
    assert_eq!(answer["disposition"], "no_answer", "{answer}");
    session
}

async fn inbox(it: &mut Deployment) {
    let case = it.send("POST", "/inbox/takeover", json!({"agentId": "a"})).await;
    let at = |rest: &str| format!("/inbox/{}{rest}", text(&case, "escalationId"));
    it.get("/inbox").await;
    it.get(&at("")).await;
    it.send("PATCH", &at(""), json!({"priority": "high"})).await;
    it.send("POST", &at("/message"), json!({"content": "Hello", "agentId": "a"})).await;
    it.send("POST", &at("/suggestion"), json!({"includeInternal": true})).await;
    it.send("POST", &at("/release"), json!({"agentId": "a"})).await;
    let to_member = json!({"agentId": "a", "toAgentId": it.add_member().await});
    it.send("POST", "/inbox/takeover", json!({"agentId": "a"})).await;
    it.send("POST", &at("/transfer"), to_member).await;
    it.send("POST", &at("/release"), Value::Null).await;
    let reply = json!({"scope": "own", "shortcut": "hello", "title": "Hello", "content": "Hello."});
    let saved = it.send("POST", "/saved-replies", reply).await;
    let reply = format!("/saved-replies/{}", text(&saved, "replyId"));
    it.get("/saved-replies").await;
    it.get("/inbox/agents").await;
    it.get(&reply).await;
    it.send("PATCH", &reply, json!({"shortcut": "welcome"})).await;
    it.send("DELETE", &reply, json!({})).await;
    it.send("POST", "/inbox/takeover", json!({"agentId": "b"})).await;
    ask(it, text(&case, "sessionId"), "How long does a refund take?").await;
    // The function ends before it has answered; the sweeper answers later.
    it.stand_ins.model_hangs.send_replace(true);
    let handback = at("/handback");
    tokio::select! {
        reply = it.request("POST", &handback, json!({"agentId": "b"})) => panic!("the model hangs: {}", reply.body),
        () = it.stand_ins.model_hung.notified() => {}
        () = tokio::time::sleep(Duration::from_secs(60)) => panic!("the hand-back did not ask the model"),
    }
    it.start_function("inbox").await;
    it.stand_ins.model_hangs.send_replace(false);
    it.age("session", 1).await;
    it.sweep().await;
}

async fn gaps(it: &Deployment) {
    it.get("/analytics").await;
    it.get("/analytics/disliked-answers").await;
    let gaps = it.get("/analytics/kb-gaps").await;
    let gap = format!("/analytics/kb-gaps/{}", text(&gaps["items"][0], "gapId"));
    it.get(&gap).await;
    it.send("POST", &format!("{gap}/draft"), Value::Null).await;
    for status in ["dismissed", "open"] {
        it.send("PATCH", &gap, json!({"status": status})).await;
    }
}

/// Batches of the stream that Lambda gave up on: one fails again, one for the last time, and one cannot be read.
async fn given_up_batches(it: &Deployment) {
    let record = unreadable(&it.scope, "ses_none");
    let payload = json!({"Records": [record]}).to_string();
    let bucket = format!("/{}", it.gate.stack.reference("DeadLetterBucket"));
    it.stand_ins.put_object(&format!("{bucket}/aws/lambda/first"), json!({"payload": payload}));
    it.stand_ins.put_object(&format!("{bucket}/aws/lambda/second"), json!("no batch"));
    it.stand_ins.put_object(&format!("{bucket}/replay/2/1/third"), json!({"records": [record]}));
    it.sweep().await;
    for folder in ["/replay/1/", "/unreadable/", "/changes/"] {
        let names = it.stand_ins.objects();
        assert!(names.iter().any(|name| name.contains(folder)), "{folder}: {names:?}");
    }
}

/// The work of the sweeper hours later: sends jobs and deliveries again, reindexes, and asks the gaps again.
async fn overdue_work(it: &mut Deployment) {
    it.send("POST", "/ingest", json!({"text": "# Four\n\nA fourth text.", "pathPrefix": "lost"})).await;
    assert!(!it.stand_ins.messages("ingestqueue").is_empty(), "the job's message, which is lost");
    it.send("PATCH", "/settings", json!({"language": "de"})).await;
    it.send("POST", "/wiki", json!({"path": "help/zebras", "title": "Zebra", "content": "A zebra sings on Jupiter."}))
        .await;
    it.settle().await;
    for kind in ["ingest_job", "delivery", "reindexing", "gap_review", "entry"] {
        it.age(kind, 3).await;
    }
    it.sweep().await;
    it.settle().await;
}

/// The embedding model gives other vectors than before.
async fn other_dimensions(it: &mut Deployment) {
    it.stand_ins.dimensions.store(256, Ordering::SeqCst);
    it.send("PATCH", "/wiki/help/refunds", json!({"content": "A refund now takes six working days."})).await;
    it.settle().await;
}

/// A change that no consumer can handle, the erasure of its session, and a due item that ends the sweeper each time.
async fn dead_letters(it: &mut Deployment, session: &str) {
    it.invoke("changes", json!({"Records": [unreadable(&it.scope, session)]})).await;
    assert!(it.stand_ins.objects().iter().any(|name| name.contains("/changes/")), "{:?}", it.stand_ins.objects());
    let about = |session: &str| unreadable(&it.scope, session);
    let batch = json!({"Records": [about(session), about("ses_none")]});
    let bucket = format!("/{}", it.gate.stack.reference("DeadLetterBucket"));
    let due = json!({"item": format!("{}#live#SES#{session} {SESSION}", it.scope.tenant)});
    for (name, content) in [
        ("aws/lambda/u/s/both", json!({"payload": batch.to_string()})),
        ("replay/1/9999999999999/both.json", json!({"records": batch["Records"]})),
        ("due/session.json", due),
        ("unreadable/record.json", about(session)),
    ] {
        it.stand_ins.put_object(&format!("{bucket}/{name}"), content);
    }
    it.send("DELETE", &format!("/sessions/{session}"), Value::Null).await;
    it.sweep().await;
    let left = it.stand_ins.objects();
    let theirs = ["/due/session", "/unreadable/record", "/changes/", "/both"];
    assert!(!left.iter().any(|name| theirs.iter().any(|part| name.contains(part))), "{left:?}");

    let now = Runtime::system().now();
    let later = now.plus_hours(24 * 400);
    let mut found = None;
    for shard in 0..support::table::keys::DUE_SHARDS {
        found = found.or(it.store.due().list(shard, later, None, 10).await.unwrap().items.into_iter().next());
    }
    let mut item = found.unwrap();
    for _ in 0..support::sweeper::crashes::MAX_CRASHES {
        item = it.store.due().begin_attempt(&it.scope, &item, now.plus_hours(-1)).await.unwrap().unwrap();
    }
    it.store.sweep_runs().begin(now.plus_hours(-1)).await.unwrap();
    it.sweep().await;
    assert!(it.stand_ins.objects().iter().any(|name| name.contains("/due/")), "{:?}", it.stand_ins.objects());
}

/// A turn of the session, of which the image says nothing.
fn unreadable(scope: &Scope, session: &str) -> Value {
    let at = Timestamp::from_millis(1_767_225_600_000);
    let keys = json!({"pk": {"S": format!("{}#live#SES#{session}", scope.tenant)}, "sk": {"S": "TURN#0000000099"}});
    let mut image = keys.clone();
    image["kind"] = json!({"S": "turn"});
    json!({
        "eventID": "e1", "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
        "awsRegion": "eu-central-1",
        "dynamodb": {
            "ApproximateCreationDateTime": at.as_millis() / 1_000, "Keys": keys, "NewImage": image,
            "SequenceNumber": "999999999", "SizeBytes": 99, "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    })
}
