//! `dead-letters`, `recount` and `reindex`.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};

use crate::support::Folder;

/// A tenant with one session, whose changes are handled.
async fn with_session(folder: &Folder) -> (String, String) {
    let (tenant, key) = folder.tenant("Shop").await;
    let session = folder.post(&key, "/sessions", &json!({})).await.1;
    let messages = format!("/sessions/{}/messages", session["sessionId"].as_str().unwrap());
    folder.post(&key, &messages, &json!({"content": "Which zebra sings on Jupiter?"})).await;
    folder.service.as_ref().unwrap().drain().await.unwrap();
    (tenant, key)
}

/// Deletes the items of a tenant in whose partition key one of `texts` is.
async fn forget(folder: &Folder, texts: &[&str]) {
    let client = folder.service.as_ref().unwrap().database_client();
    let scanned = client.scan().table_name("support-assistant").send().await.unwrap();
    for item in scanned.items() {
        let [pk, sk] = ["pk", "sk"].map(|name| item[name].as_s().unwrap().clone());
        if texts.iter().any(|text| pk.contains(text)) {
            let request = client.delete_item().table_name("support-assistant");
            request.key("pk", AttributeValue::S(pk)).key("sk", AttributeValue::S(sk)).send().await.unwrap();
        }
    }
}

async fn sessions_counted(folder: &Folder, key: &str) -> Value {
    folder.get(key, "/analytics").await.1["totalSessions"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recount_finds_lost_counters_and_adds_them() {
    let folder = Folder::running().await;
    let (tenant, key) = with_session(&folder).await;
    assert_eq!(folder.json(&["recount", &tenant]).await["differences"], json!([]));
    forget(&folder, &["#STATS#"]).await;
    assert_eq!(sessions_counted(&folder, &key).await, 0);
    let found = folder.ops(&["recount", "Shop"]).await;
    assert!(found.expect(6).stdout.contains("totalSessions"), "{found:?}");
    let fixed = folder.json(&["recount", "Shop", "--fix"]).await;
    assert!(fixed["raised"].as_u64() >= Some(3), "{fixed}");
    assert_eq!(sessions_counted(&folder, &key).await, 1);
    folder.ops(&["recount", "Shop"]).await.expect(0);
    folder.ops(&["recount", "Shop", "--days", "0"]).await.expect(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_change_runs_through_its_consumers_and_one_that_fails_stays() {
    let folder = Folder::running().await;
    let (_, key) = with_session(&folder).await;
    let records = folder.service.as_ref().unwrap().stream_records().await.unwrap();
    let record = records.iter().find(|record| record.kind() == "session" && record.old.is_none()).unwrap();
    let broken = json!({"failures": [{"consumer": "index", "error": "x"}], "record": {"eventId": 7}});
    let good = json!({"failures": [{"consumer": "statistics", "error": "x"}], "record": record});
    let letters = folder.data.join("dead-letters/changes/2026-01-02");
    std::fs::create_dir_all(&letters).unwrap();
    for (name, letter) in [("broken.json", &broken), ("good.json", &good)] {
        std::fs::write(letters.join(name), letter.to_string()).unwrap();
    }
    forget(&folder, &["#STATS#", "#COUNTED#"]).await;

    let listed = folder.ops(&["dead-letters", "list"]).await;
    assert!(listed.expect(0).stdout.contains("changes/2026-01-02/good.json"), "{listed:?}");
    assert!(listed.stdout.contains("failed: statistics"), "{listed:?}");
    let shown = folder.json(&["dead-letters", "show", "changes/2026-01-02/good.json"]).await;
    assert_eq!(shown["content"], good);
    let replayed = folder.ops(&["dead-letters", "replay", "--all", "--json"]).await;
    let replayed: Value = serde_json::from_str(&replayed.expect(6).stdout).unwrap();
    let outcomes: Vec<_> = replayed["items"].as_array().unwrap().iter().map(|item| item["replayed"].clone()).collect();
    assert_eq!(outcomes, [json!(false), json!(true)], "{replayed}");
    assert_eq!(sessions_counted(&folder, &key).await, 1, "the change was counted again");
    assert!(letters.join("broken.json").exists() && !letters.join("good.json").exists());

    folder.ops(&["dead-letters", "discard", "changes/2026-01-02/broken.json"]).await.expect(0);
    assert!(letters.join("broken.json").exists(), "a dry run discards nothing");
    folder.ops(&["dead-letters", "discard", "changes/2026-01-02/broken.json", "--yes"]).await.expect(0);
    assert!(!letters.join("broken.json").exists());
    folder.ops(&["dead-letters", "show", "changes/2026-01-02/broken.json"]).await.expect(3);
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_messages_are_listed_sent_again_and_discarded() {
    let folder = Folder::running().await;
    let sqs = folder.service.as_ref().unwrap().resources().sqs.clone();
    let url =
        sqs.get_queue_url().queue_name("support-assistant-webhooks-dead").send().await.unwrap().queue_url.unwrap();
    for body in ["one", "two"] {
        sqs.send_message().queue_url(&url).message_body(body).send().await.unwrap();
    }
    let listed = folder.json(&["dead-letters", "list"]).await;
    let ids: Vec<_> =
        listed["items"].as_array().unwrap().iter().map(|i| i["id"].as_str().unwrap().to_owned()).collect();
    assert!(ids.len() == 2 && ids.iter().all(|id| id.starts_with("queue:webhooks:")), "{listed}");
    assert_eq!(folder.json(&["dead-letters", "list"]).await, listed, "listing hides nothing");
    let first = folder.json(&["dead-letters", "show", &ids[0]]).await["content"].clone();
    folder.ops(&["dead-letters", "discard", &ids[1], "--yes"]).await.expect(0);
    folder.ops(&["dead-letters", "replay", &ids[0]]).await.expect(0);
    assert!(first == "one" || first == "two");
    assert_eq!(folder.json(&["dead-letters", "list"]).await["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_of_a_local_service_finds_dead_letters_and_a_service_that_does_not_run() {
    let mut folder = Folder::running().await;
    folder.service.as_ref().unwrap().sweep().await.unwrap();
    let well = folder.json(&["doctor"]).await;
    assert_eq!(well["problems"], 0, "{well}");
    let letters = folder.data.join("dead-letters/due");
    std::fs::create_dir_all(&letters).unwrap();
    std::fs::write(letters.join("a.json"), "{}").unwrap();
    let found = folder.ops(&["doctor"]).await;
    assert!(found.expect(6).stdout.contains("ops dead-letters list"), "{found:?}");
    std::fs::remove_file(letters.join("a.json")).unwrap();
    let client = folder.service.as_ref().unwrap().database_client();
    let run = client.scan().table_name("support-assistant").send().await.unwrap();
    let run = run
        .items()
        .iter()
        .find(|item| item["pk"].as_s().unwrap() == "AGENTS" && item["sk"].as_s().unwrap() == "sweeper");
    let mut old = run.unwrap().clone();
    old.insert("finishedAt".into(), AttributeValue::S("2026-01-01T00:00:00.000Z".into()));
    folder.stop().await;
    folder.start_with(|options| options.sweep_every = None).await;
    let client = folder.service.as_ref().unwrap().database_client();
    client.put_item().table_name("support-assistant").set_item(Some(old)).send().await.unwrap();
    let found = folder.ops(&["doctor"]).await;
    assert!(found.expect(6).stdout.contains("the sweeper last ran at 2026-01-01"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reindex_is_done_by_the_service() {
    let folder = Folder::running().await;
    let (tenant, key) = folder.tenant("Shop").await;
    folder.post(&key, "/wiki", &json!({"path": "a/b", "title": "Refunds", "content": "Five days."})).await;
    let ordered = folder.json(&["reindex", "Shop"]).await;
    assert_eq!((&ordered["ordered"], &ordered["tenantId"]), (&json!(true), &json!(tenant)));
    let service = folder.service.as_ref().unwrap();
    let scope = domain::models::Scope {
        tenant: domain::models::TenantId::parse(&tenant).unwrap(),
        mode: domain::models::Mode::Live,
    };
    service.sweep().await.unwrap();
    let progress = service.resources().store.wiki().get_reindexing(&scope).await.unwrap().unwrap();
    assert!(progress.second, "the first pass is done: {progress:?}");
    assert_eq!(folder.get(&key, "/wiki?q=refunds").await.1["total"], 1);
    assert_eq!(folder.json(&["reindex"]).await["records"], json!(null), "the embedded index needs no rebuild");
}
