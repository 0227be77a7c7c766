//! `export` and `import`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use super::support::{Folder, binary};

const QUESTIONS: [&str; 4] = [
    "How long does a refund take?",
    "When do you deliver on Saturdays?",
    "Which zebra sings on Jupiter?",
    "Wie lange dauert eine Rückerstattung?",
];

/// The secret address of a Slack channel.
const CHANNEL: &str = "services/T0/B0/xyzzy-channel";
/// The query of a webhook's address, with which its receiver lets it in.
const QUERY: &str = "?key=hunter2";
/// The secret of the webhook.
const SECRET: &str = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=";

/// The secret of the webhook as it is stored, encrypted.
async fn stored_secret(folder: &Folder) -> String {
    let client = folder.service.as_ref().unwrap().database_client();
    let scanned = client.scan().table_name("support-assistant").send().await.unwrap();
    let hook = scanned
        .items()
        .iter()
        .find_map(|item| item.get("secret").filter(|_| item["kind"].as_s().unwrap() == "webhook"));
    hook.unwrap().as_s().unwrap().clone()
}

/// A question's answer, without what names this very message.
async fn answer(folder: &Folder, key: &str, question: &str) -> Value {
    let session = folder.post(key, "/sessions", &json!({})).await.1;
    let messages = format!("/sessions/{}/messages", session["sessionId"].as_str().unwrap());
    let (status, mut answer) = folder.post(key, &messages, &json!({"content": question})).await;
    assert_eq!(status, 200, "{answer}");
    for name in ["messageId", "sessionId", "createdAt", "customerMessageId", "escalation", "latencyMs"] {
        answer.as_object_mut().unwrap().remove(name);
    }
    answer
}

/// A tenant with settings, wiki, sessions, requests for a human, gaps, a receiver, and data of both modes.
async fn filled(folder: &Folder) -> (String, String) {
    let (tenant, key) = folder.tenant("Shop").await;
    let settings = json!({"noMatchThreshold": 0.35, "resumeWindowHours": 48, "synonyms": [["walrus", "sea cow", "tooth walker"]],
            "hours": {"timezone": "Europe/Berlin", "week": {"mon": [{"from": "00:00", "to": "24:00"}]}, "closed": ["2026-12-25"]},
            "suggestions": ["How heavy is product 7?"],
            "appearance": {"color": "#1a7f5a", "name": "Shop", "position": "left"}});
    let patched = folder.http.patch(folder.url("/settings")).bearer_auth(&key).json(&settings).send().await.unwrap();
    assert_eq!(patched.status(), 200, "{}", patched.text().await.unwrap());
    for number in 0..40 {
        let entry = json!({"path": format!("products/{number}"), "title": format!("Product {number}"),
            "content": format!("Product {number} weighs {number} kilograms.")});
        assert_eq!(folder.post(&key, "/wiki", &entry).await.0, 201);
    }
    for (path, title, content) in [
        ("help/refunds", "Refunds", "A refund takes five days."),
        ("help/delivery", "Delivery", "We deliver on Saturdays from nine to noon."),
    ] {
        let entry = json!({"path": path, "title": title, "content": content});
        assert_eq!(folder.post(&key, "/wiki", &entry).await.0, 201);
    }
    for query in ["", QUERY] {
        let url = format!("http://127.0.0.1:9/hook{query}");
        let hook = json!({"url": url, "events": ["*"], "secret": SECRET, "description": "Ours"});
        assert_eq!(folder.post(&key, "/webhooks", &hook).await.0, 201);
    }
    let slack = json!({"url": format!("http://127.0.0.1:9/{CHANNEL}"), "events": ["webhook.test"], "format": "slack"});
    assert_eq!(folder.post(&key, "/webhooks", &slack).await.0, 201);
    for (scope, shortcut) in [("team", "refund-time"), ("own", "xyzzy-mine")] {
        let reply = json!({"scope": scope, "shortcut": shortcut, "title": "Refunds", "content": "Five days."});
        assert_eq!(folder.post(&key, "/saved-replies", &reply).await.0, 201);
    }
    let draft = json!({"path": "help/refunds", "content": "A refund takes four days."});
    assert_eq!(folder.post(&key, "/drafts", &draft).await.0, 201);
    let text = json!({"text": "# Walruses\n\nA walrus eats clams.", "pathPrefix": "sea"});
    assert_eq!(folder.post(&key, "/ingest", &text).await.0, 202);
    for _ in 0..5 {
        for question in QUESTIONS {
            answer(folder, &key, question).await;
        }
    }
    // A text without words: the job fails and keeps it.
    assert_eq!(folder.post(&key, "/ingest", &json!({"text": "<p></p>", "pathPrefix": "none"})).await.0, 202);
    escalated(folder, &key).await;
    let changed = folder.http.patch(folder.url("/wiki/products/1")).json(&json!({"title": "The first product"}));
    assert_eq!(changed.bearer_auth(&key).send().await.unwrap().status(), 200);
    let deleted = folder.http.delete(folder.url("/wiki/products/2")).bearer_auth(&key).send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    let test_key = folder.json(&["key", "create", "Shop", "--mode", "test"]).await["key"].as_str().unwrap().to_owned();
    let entry = json!({"path": "help/tests", "title": "Tests", "content": "A test takes a day."});
    assert_eq!(folder.post(&test_key, "/wiki", &entry).await.0, 201);
    answer(folder, &test_key, "How long does a test take?").await;
    folder.service.as_ref().unwrap().drain().await.unwrap();
    (tenant, key)
}

/// Sessions in which a human was asked for: one waits, one is with an agent, one is resolved, one is handed back.
async fn escalated(folder: &Folder, key: &str) {
    let details = json!({
        "externalUserId": "ann", "user": {"name": "Ann", "email": "ann@example.org"}, "channel": "widget",
        "locale": "en-GB", "metadata": {"order": 7.5, "vip": true, "note": "é"}, "tags": ["vip"],
    });
    // A customer who still waits is due a notice later; one who no longer wants a person is not.
    let notice = folder.http.patch(folder.url("/settings")).bearer_auth(key).json(&json!({"noticeAfterMinutes": 120}));
    assert_eq!(notice.send().await.unwrap().status(), 200);
    let session = folder.post(key, "/sessions", &json!({})).await.1;
    let session = format!("/sessions/{}", session["sessionId"].as_str().unwrap());
    for act in ["escalate", "cancel-escalation"] {
        assert_eq!(folder.post(key, &format!("{session}/{act}"), &json!({"reason": "Help."})).await.0, 200);
    }
    let acts = [Some("message"), Some("resolve"), Some("handback"), Some("release"), None];
    for act in acts {
        let session = folder.post(key, "/sessions", &details).await.1;
        let session = format!("/sessions/{}", session["sessionId"].as_str().unwrap());
        let said = json!({"content": "I want to talk to a human."});
        let answered = folder.post(key, &format!("{session}/messages"), &said).await.1;
        let reaction = json!({"messageId": answered["messageId"], "reaction": "thumbs_down"});
        assert_eq!(folder.post(key, &format!("{session}/reaction"), &reaction).await.0, 200);
        let Some(act) = act else { continue };
        let bob = json!({"agentId": "bob", "agentName": "Bob"});
        let (status, case) = folder.post(key, "/inbox/takeover", &bob).await;
        assert_eq!(status, 200, "{case}");
        let case = format!("/inbox/{}", case["escalationId"].as_str().unwrap());
        let note = json!({"content": "Look at the order.", "internal": true, "agentId": "bob"});
        assert_eq!(folder.post(key, &format!("{case}/message"), &note).await.0, 200);
        let body = json!({"content": "Hello.", "note": "All is well.", "resolution": "Refunded.", "agentId": "bob"});
        let (status, done) = folder.post(key, &format!("{case}/{act}"), &body).await;
        assert_eq!(status, 200, "{done}");
    }
    escalated_by_widget(folder, key).await;
}

/// A session of a widget whose token names the user. The tenant changed the tags that the widget had sent.
async fn escalated_by_widget(folder: &Folder, key: &str) {
    let zoe = json!({"externalUserId": "zoe", "user": {"name": "Zoe", "email": "zoe@example.org", "verified": true}});
    let issued = folder.post(key, "/auth/widget-token", &zoe).await.1;
    let widget = issued["token"].as_str().unwrap();
    let sent = json!({"metadata": {"page": "cart"}, "tags": ["cart"]});
    let (status, session) = folder.post(widget, "/sessions", &sent).await;
    assert_eq!(status, 201, "{session}");
    let session = format!("/sessions/{}", session["sessionId"].as_str().unwrap());
    let patched = folder.http.patch(folder.url(&session)).bearer_auth(key).json(&json!({"tags": ["refund"]}));
    assert_eq!(patched.send().await.unwrap().status(), 200);
    let reason = json!({"reason": "It is urgent."});
    assert_eq!(folder.post(widget, &format!("{session}/escalate"), &reason).await.0, 200);
}

/// The items of an export, in order.
fn items(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut items: Vec<String> =
        text.lines().filter(|line| line.starts_with("{\"type\":\"item\"")).map(sorted).collect();
    items.sort();
    items
}

/// JSON with its fields in order.
fn sorted(line: &str) -> String {
    serde_json::from_str::<Value>(line).unwrap().to_string()
}

/// The settings lines of an export.
fn settings(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().filter(|line| line.starts_with("{\"type\":\"settings\"")).map(sorted).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exported_tenant_gives_the_same_answers_and_figures_where_it_is_imported() {
    let source = Folder::with(|options| options.sweep_every = None).await;
    let (tenant, key) = filled(&source).await;
    let file = source.path().join("shop.jsonl");
    let exported = source.json(&["export", "Shop", file.to_str().unwrap()]).await;
    assert!(exported["items"].as_u64().unwrap() > 100, "{exported}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&file).unwrap();
    for said in ["\"verified\":true", "\"customerVerified\":true", "\"openedByWidget\":true", "\"widgetSent\":{"] {
        assert!(text.contains(said), "the export has no {said}");
    }
    let stored_secret = stored_secret(&source).await;
    assert!(stored_secret.len() > 40, "{stored_secret}");
    let secrets = [SECRET, "whsec_", stored_secret.as_str(), "hunter2"];
    for left_out in [tenant.as_str(), key.as_str(), "xyzzy-mine", CHANNEL, "sha256", "\"kind\":{\"S\":\"idempotency\"}"]
        .iter()
        .chain(&secrets)
    {
        assert!(!text.contains(left_out), "the export has {left_out}");
    }
    source.ops(&["export", "Shop", file.to_str().unwrap()]).await.expect(4);

    // No service runs on the other folder: the command opens the folder itself.
    let mut target = Folder::with(|options| options.sweep_every = None).await;
    let (_, other_key) = target.tenant("New shop").await;
    target.stop().await;
    let imported = target.json(&["import", "New shop", file.to_str().unwrap(), "--yes"]).await;
    assert_eq!(imported["items"], exported["items"], "{imported}");
    target.start_with(|options| options.sweep_every = None).await;
    let service = target.service.as_ref().unwrap();
    service.drain().await.unwrap();
    service.sweep().await.unwrap();

    let again = target.path().join("again.jsonl");
    target.json(&["export", "New shop", again.to_str().unwrap()]).await;
    assert_eq!((items(&again), settings(&again)), (items(&file), settings(&file)));
    for path in [
        "/analytics",
        "/analytics/kb-gaps",
        "/analytics/disliked-answers",
        "/inbox?status=pending",
        "/sessions?limit=100",
        "/drafts",
    ] {
        let (there, here) = (source.get(&key, path).await, target.get(&other_key, path).await);
        assert_eq!((there.0, &there), (200, &here), "{path}");
    }
    let replies = target.get(&other_key, "/saved-replies").await.1;
    assert_eq!(
        (&replies["items"][0]["shortcut"], replies["items"].as_array().unwrap().len()),
        (&json!("refund-time"), 1)
    );
    let taken = json!({"scope": "team", "shortcut": "refund-time", "title": "Refunds", "content": "Five days."});
    assert_eq!(target.post(&other_key, "/saved-replies", &taken).await.0, 409, "its shortcut is taken there, too");
    let by_email = target.get(&other_key, "/sessions?email=ANN@example.org").await.1;
    assert_eq!(by_email["items"].as_array().unwrap().len(), 5, "{by_email}");
    let hooks = target.get(&other_key, "/webhooks").await.1;
    let shown: Vec<_> = hooks["items"].as_array().unwrap().iter().map(|hook| [&hook["status"], &hook["url"]]).collect();
    assert_eq!(json!(shown), json!(vec![["disabled", "http://127.0.0.1:9/hook"]; 2]), "the query is left out");
    let deliveries = format!("/webhooks/{}/deliveries", hooks["items"][0]["webhookId"].as_str().unwrap());
    assert_eq!(target.get(&other_key, &deliveries).await.1["items"], json!([]), "an import sends nothing");
    target.ops(&["recount", "New shop"]).await.expect(0);
    for question in QUESTIONS {
        assert_eq!(answer(&source, &key, question).await, answer(&target, &other_key, question).await, "{question}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_was_killed_continues_and_a_repeated_one_changes_nothing() {
    let source = Folder::with(|options| options.sweep_every = None).await;
    filled(&source).await;
    let file = source.path().join("shop.jsonl");
    source.json(&["export", "Shop", file.to_str().unwrap()]).await;

    let target = Folder::with(|options| options.sweep_every = None).await;
    let (tenant, key) = target.tenant("New shop").await;
    let arguments = ["import", "New shop", file.to_str().unwrap(), "--yes", "--data", target.data.to_str().unwrap()];
    let mut killed = binary().args(arguments).spawn().unwrap();
    let database = target.service.as_ref().unwrap().database_client();
    let imported = async || {
        let key = [("pk", format!("{tenant}#IMPORT")), ("sk", "IMPORT".to_owned())];
        let key = key.map(|(name, value)| (name.to_owned(), aws_sdk_dynamodb::types::AttributeValue::S(value)));
        let request = database.get_item().table_name("support-assistant").set_key(Some(key.into()));
        let item = request.send().await.unwrap().item?;
        Some((item["items"].as_n().unwrap().parse::<u64>().unwrap(), *item["done"].as_bool().unwrap()))
    };
    while imported().await.is_none_or(|(items, _)| items == 0) {
        assert!(killed.try_wait().unwrap().is_none(), "it ended before it could be killed");
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (some, done) = imported().await.unwrap();
    let all = items(&file).len() as u64;
    assert!(!done && some < all, "{some} of {all} items");

    let continued = target.json(&["import", "New shop", file.to_str().unwrap(), "--yes"]).await;
    let written = continued["written"].as_u64().unwrap();
    assert!(continued["items"] == all && written > 0 && written < all, "{continued}");
    let service = target.service.as_ref().unwrap();
    service.drain().await.unwrap();
    service.sweep().await.unwrap();
    let state = || async {
        let again = target.path().join("again.jsonl");
        std::fs::remove_file(&again).ok();
        target.json(&["export", "New shop", again.to_str().unwrap()]).await;
        (items(&again), target.get(&key, "/analytics").await.1)
    };
    let before = state().await;
    assert_eq!(before.0, items(&file));
    let repeated = target.json(&["import", "New shop", file.to_str().unwrap(), "--yes"]).await;
    assert_eq!(repeated["written"], 0, "{repeated}");
    target.service.as_ref().unwrap().drain().await.unwrap();
    assert_eq!(state().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_export_and_a_tenant_with_data_are_refused_and_nothing_changes() {
    let folder = Folder::with(|options| options.sweep_every = None).await;
    let (_, key) = folder.tenant("Shop").await;
    folder.post(&key, "/wiki", &json!({"path": "a/b", "title": "A", "content": "B."})).await;
    let file = folder.path().join("shop.jsonl");
    folder.json(&["export", "Shop", file.to_str().unwrap()]).await;
    folder.tenant("Empty").await;
    let whole = std::fs::read_to_string(&file).unwrap();
    let broken = folder.path().join("broken.jsonl");
    let without_end = whole.lines().take(whole.lines().count() - 1).map(|line| format!("{line}\n")).collect::<String>();
    for (text, why) in [
        (String::new(), "its end is missing"),
        (without_end, "its end is missing"),
        (whole.replacen("\"type\":\"item\"", "\"type\":\"else\"", 1), "Line 4 is no line of an export"),
        (whole.replacen("\"format\":4", "\"format\":3", 1), "another version"),
    ] {
        std::fs::write(&broken, text).unwrap();
        let refused = folder.ops(&["import", "Empty", broken.to_str().unwrap(), "--yes"]).await;
        assert!(refused.expect(4).stderr.contains(why), "{refused:?}");
    }
    folder.ops(&["import", "Empty", "not-there.jsonl", "--yes"]).await.expect(1);
    let refused = folder.ops(&["import", "Shop", file.to_str().unwrap(), "--yes"]).await;
    assert!(refused.expect(4).stderr.contains("has data"), "{refused:?}");
    assert_eq!(folder.json(&["import", "Empty", file.to_str().unwrap(), "--yes"]).await["written"], 1);
}
