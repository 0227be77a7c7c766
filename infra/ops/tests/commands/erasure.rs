//! `tenant delete`.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::json;

use crate::support::Folder;

/// Items of the table in whose keys `text` is.
async fn items_with(folder: &Folder, text: &str) -> usize {
    let client = folder.service.as_ref().unwrap().database_client();
    let scanned = client.scan().table_name("support-assistant").send().await.unwrap();
    let has = |value: Option<&AttributeValue>| value.is_some_and(|value| value.as_s().unwrap().contains(text));
    scanned.items().iter().filter(|item| has(item.get("pk")) || has(item.get("gsi1pk"))).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_tenant_is_refused_and_nothing_of_it_is_left() {
    let folder = Folder::running().await;
    let (tenant, key) = folder.tenant("Shop").await;
    let (other, other_key) = folder.tenant("Other").await;
    let entry = json!({"path": "help/refunds", "title": "Refunds", "content": "A refund takes five days."});
    for key in [&key, &other_key] {
        assert_eq!(folder.post(key, "/wiki", &entry).await.0, 201);
        let session = folder.post(key, "/sessions", &json!({"externalUserId": "ann"})).await.1;
        let messages = format!("/sessions/{}/messages", session["sessionId"].as_str().unwrap());
        let (status, answer) = folder.post(key, &messages, &json!({"content": "How long does a refund take?"})).await;
        assert_eq!((status, &answer["disposition"]), (200, &json!("answered")), "{answer}");
    }
    folder.service.as_ref().unwrap().drain().await.unwrap();
    let letter = json!({"item": format!("{tenant}#live#REINDEX JOB"), "reason": "a test"}).to_string();
    let letters = folder.data.join("dead-letters/due");
    std::fs::create_dir_all(&letters).unwrap();
    std::fs::write(letters.join("a.json"), letter).unwrap();

    let dry = folder.json(&["tenant", "delete", "Shop"]).await;
    assert!(dry["dryRun"] == true && dry["items"].as_u64() > Some(5) && dry["entries"] == 1, "{dry}");
    assert_eq!(folder.get(&key, "/wiki").await.1["total"], 1);

    let printed = folder.ops(&["tenant", "delete", "Shop", "--yes", "--json"]).await;
    // It takes longer than progress is hidden, but its standard error is no terminal.
    assert_eq!(printed.stderr, "");
    let erased = printed.json();
    assert!(erased["items"].as_u64() > Some(5) && erased["deadLetters"] == 1, "{erased}");
    assert_eq!(folder.get(&key, "/wiki").await.0, 401);
    assert_eq!(items_with(&folder, &tenant).await, 0);
    assert!(!letters.join("a.json").exists());
    folder.ops(&["tenant", "delete", &tenant, "--yes"]).await.expect(3);

    assert!(items_with(&folder, &other).await > 5);
    assert_eq!(folder.get(&other_key, "/wiki?q=refund").await.1["total"], 1);
}
