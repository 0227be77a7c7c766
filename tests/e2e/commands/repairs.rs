//! `recount`, `reindex` and `doctor`.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::json;

use super::support::{Folder, forget, sessions_counted, with_session};

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
