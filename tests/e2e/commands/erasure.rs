//! `tenant delete`.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};
use support::table::stream::Record;

use super::support::Folder;

/// Items of the table in whose keys `text` is.
async fn items_with(folder: &Folder, text: &str) -> usize {
    let client = folder.service.as_ref().unwrap().database_client();
    let scanned = client.scan().table_name("support-assistant").send().await.unwrap();
    let has = |value: Option<&AttributeValue>| value.is_some_and(|value| value.as_s().unwrap().contains(text));
    scanned.items().iter().filter(|item| has(item.get("pk")) || has(item.get("gsi1pk"))).count()
}

/// The letters of [`write_letters`] that stay.
const KEPT: [&str; 2] = ["changes/2026-01-02/other.json", "replay/0/0000000000000"];

/// A record as it is in Lambda's event, of a tenant.
fn raw(tenant: &str) -> Value {
    let keys = json!({"pk": {"S": format!("{tenant}#live#WIKI")}, "sk": {"S": "help/refunds"}});
    json!({"eventID": "e1", "dynamodb": {
        "ApproximateCreationDateTime": 1_767_323_045, "Keys": keys, "SequenceNumber": "7",
    }})
}

/// Writes dead letters of both tenants in every form, more than a listing of S3 holds, and a dead message of each; the
/// number of those that hold something of the first.
async fn write_letters(folder: &Folder, tenant: &str, other: &str) -> u64 {
    let stored = |tenant: &str| json!({"failures": [], "record": Record::of_lambda(raw(tenant)).unwrap()}).to_string();
    let task = |tenant: &str| {
        let ids = json!({"v": 1, "task": "embed", "tenantId": tenant, "mode": "live", "path": "help/refunds"});
        ids.to_string()
    };
    let batch = |tenants: &[&str]| tenants.iter().map(|tenant| raw(tenant)).collect::<Vec<_>>();
    let payload = |tenants: &[&str]| json!({"payload": json!({"Records": batch(tenants)}).to_string()}).to_string();
    let mut letters = vec![
        ("aws/lambda/u/s/both".to_owned(), payload(&[tenant, other])),
        ("aws/lambda/u/s/gone".to_owned(), payload(&[tenant, tenant])),
        ("replay/1/0000000000001/both.json".to_owned(), json!({"records": batch(&[other, tenant])}).to_string()),
        ("replay/1/0000000000001/gone.json".to_owned(), json!({"records": batch(&[tenant])}).to_string()),
        ("unreadable/gone.json".to_owned(), format!("no JSON of {tenant}")),
        ("unreadable/record.json".to_owned(), raw(tenant).to_string()),
        ("changes/2026-01-02/other.json".to_owned(), stored(other)),
        ("due/a.json".to_owned(), json!({"item": format!("{tenant}#live#REINDEX JOB"), "reason": "x"}).to_string()),
    ];
    letters.extend((0..1_001).map(|n| (format!("changes/2026-01-01/{n}.json"), stored(tenant))));
    for (name, content) in &letters {
        let file = folder.data.join("dead-letters").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    let sqs = folder.service.as_ref().unwrap().resources().sqs.clone();
    let url = sqs.get_queue_url().queue_name("support-assistant-ingest-dead").send().await.unwrap().queue_url.unwrap();
    for tenant in [tenant, other] {
        sqs.send_message().queue_url(&url).message_body(task(tenant)).send().await.unwrap();
    }
    letters.iter().filter(|(_, content)| content.contains(tenant)).count() as u64 + 1
}

fn letters_left(folder: &Folder) -> Vec<String> {
    let root = folder.data.join("dead-letters");
    let (mut folders, mut names) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => names.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    names.sort();
    names
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
    let erased_letters = write_letters(&folder, &tenant, &other).await;

    let dry = folder.json(&["tenant", "delete", "Shop"]).await;
    assert!(dry["dryRun"] == true && dry["items"].as_u64() > Some(5) && dry["entries"] == 1, "{dry}");
    assert_eq!(folder.get(&key, "/wiki").await.1["total"], 1);

    let printed = folder.ops(&["tenant", "delete", "Shop", "--yes", "--json"]).await;
    // It takes longer than progress is hidden, but its standard error is no terminal.
    assert_eq!(printed.stderr, "");
    let erased = printed.json();
    assert!(erased["items"].as_u64() > Some(5) && erased["deadLetters"] == erased_letters, "{erased}");
    assert_eq!(folder.get(&key, "/wiki").await.0, 401);
    assert_eq!(items_with(&folder, &tenant).await, 0);
    let left = letters_left(&folder);
    assert!(left.len() == KEPT.len() && left.iter().zip(KEPT).all(|(name, kept)| name.starts_with(kept)), "{left:?}");
    for name in left {
        let content = std::fs::read_to_string(folder.data.join("dead-letters").join(&name)).unwrap();
        assert!(content.contains(&other) && !content.contains(&tenant), "{name}: {content}");
    }
    let queued = folder.json(&["dead-letters", "list"]).await;
    let queued: Vec<_> = queued["items"].as_array().unwrap().iter().filter_map(|i| i["id"].as_str()).collect();
    assert_eq!(queued.iter().filter(|id| id.starts_with("queue:ingest:")).count(), 1, "{queued:?}");
    folder.ops(&["tenant", "delete", &tenant, "--yes"]).await.expect(3);

    assert!(items_with(&folder, &other).await > 5);
    assert_eq!(folder.get(&other_key, "/wiki?q=refund").await.1["total"], 1);
}
