//! `dead-letters`: of a data folder and of a stack's bucket, in every folder that dead letters are in.

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Value, json};

use super::aws_stub::AwsStub;
use super::stack::{json_of, ops_of, over_a_service};
use super::support::{Folder, forget, sessions_counted, with_session};

/// A record as it is in Lambda's event.
fn of_lambda(record: &Value) -> Value {
    json!({"eventID": record["eventId"], "eventName": "INSERT", "dynamodb": {
        "ApproximateCreationDateTime": 1_767_323_045, "Keys": record["keys"], "NewImage": record["new"],
        "SequenceNumber": record["sequence"],
    }})
}

/// The change that made the tenant's session.
async fn session_change(folder: &Folder) -> Value {
    let records = folder.service.as_ref().unwrap().stream_records().await.unwrap();
    json!(records.iter().find(|record| record.kind() == "session" && record.old.is_none()).unwrap())
}

/// The same change in each folder, as the function that writes there leaves it.
fn letters(record: &Value) -> [(&'static str, Value); 4] {
    let event = of_lambda(record);
    let payload = json!({"Records": [event]}).to_string();
    [
        (
            "changes/2026-01-02/e1.json",
            json!({"failures": [{"consumer": "statistics", "error": "x"}], "record": record}),
        ),
        ("aws/lambda/u/s/e1", json!({"requestContext": {"condition": "RetryAttemptsExhausted"}, "payload": payload})),
        ("replay/1/1767323045000/e1.json", json!({"records": [event]})),
        ("unreadable/e1.json", event),
    ]
}

/// Letters that no version can replay.
fn empty_letters() -> [(&'static str, Value); 6] {
    [
        ("aws/lambda/u/s/list", json!({"payload": []})),
        ("aws/lambda/u/s/number", json!({"payload": "7"})),
        ("aws/lambda/u/s/none", json!({"payload": {"Records": []}})),
        ("replay/1/1767323045000/none.json", json!({"records": []})),
        ("replay/1/1767323045000/unread.json", json!({"records": [{"eventID": 7}]})),
        ("unreadable/none.json", json!({"text": "x"})),
    ]
}

fn put(folder: &Folder, name: &str, content: &Value) -> std::path::PathBuf {
    let file = folder.data.join("dead-letters").join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, content.to_string()).unwrap();
    file
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
async fn a_dead_letter_of_any_folder_is_handled_again_and_then_deleted() {
    let folder = Folder::running().await;
    let (_, key) = with_session(&folder).await;
    let record = session_change(&folder).await;
    for (name, content) in letters(&record) {
        let file = put(&folder, name, &content);
        forget(&folder, &["#STATS#", "#COUNTED#"]).await;
        assert_eq!(sessions_counted(&folder, &key).await, 0, "{name}");
        assert_eq!(folder.json(&["dead-letters", "list"]).await["items"][0]["id"], name);
        folder.ops(&["dead-letters", "replay", name]).await.expect(0);
        assert_eq!(sessions_counted(&folder, &key).await, 1, "{name}");
        assert!(!file.exists(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_letter_without_a_change_stays_and_the_replay_says_so() {
    let folder = Folder::running().await;
    let files = empty_letters().map(|(name, content)| put(&folder, name, &content));
    for (name, _) in empty_letters() {
        let printed = folder.ops(&["dead-letters", "replay", name]).await;
        assert!(printed.expect(6).stdout.contains("it holds no change"), "{name}: {printed:?}");
    }
    folder.ops(&["dead-letters", "replay", "--all"]).await.expect(6);
    assert!(files.iter().all(|file| file.exists()), "{files:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_due_item_is_due_again_and_one_that_is_gone_stays() {
    let folder = Folder::running().await;
    with_session(&folder).await;
    let client = folder.service.as_ref().unwrap().database_client();
    let due = async || {
        let scanned = client.scan().table_name("support-assistant").send().await.unwrap();
        let due = scanned
            .items()
            .iter()
            .find(|item| item.contains_key("gsi2pk") && item["kind"].as_s().unwrap() == "session");
        due.map(|item| ["pk", "sk"].map(|name| item[name].as_s().unwrap().clone()))
    };
    let [pk, sk] = due().await.expect("an open session is due when it is idle");
    let request = client.update_item().table_name("support-assistant").update_expression("REMOVE gsi2pk, gsi2sk");
    let request = request.key("pk", AttributeValue::S(pk.clone())).key("sk", AttributeValue::S(sk.clone()));
    request.send().await.unwrap();
    assert_eq!(due().await, None);

    let file = put(&folder, "due/e1.json", &json!({"reason": "x", "item": format!("{pk} {sk}")}));
    folder.ops(&["dead-letters", "replay", "due/e1.json"]).await.expect(0);
    assert_eq!(due().await, Some([pk.clone(), sk.clone()]));
    assert!(!file.exists());

    let gone = put(&folder, "due/e2.json", &json!({"reason": "x", "item": format!("{pk}0 {sk}")}));
    let printed = folder.ops(&["dead-letters", "replay", "due/e2.json"]).await;
    assert!(printed.expect(6).stdout.contains("discard it") && gone.exists(), "{printed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_with_more_than_a_listing_holds_is_listed_whole() {
    let stub = AwsStub::start().await;
    let folders = [("aws/lambda/u/s", 2_001), ("changes/2026-01-02", 1_000), ("replay/1/1767323045000", 1)];
    let names = folders.iter().flat_map(|(folder, count)| (0..*count).map(move |n| format!("{folder}/{n:04}.json")));
    let names: Vec<String> = names.collect();
    stub.with(|state| state.objects.extend(names.iter().map(|name| (name.clone(), b"{}".to_vec()))));
    let listed = json_of(&stub, &["dead-letters", "list"]).await;
    let listed: Vec<_> = listed["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    assert_eq!(listed, names);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bucket_of_a_stack_is_listed_shown_replayed_and_discarded() {
    let (stub, folder) = over_a_service(|_| {}).await;
    let (_, key) = with_session(&folder).await;
    let record = session_change(&folder).await;
    let all: Vec<_> = letters(&record).into_iter().chain(empty_letters()).collect();
    stub.with(|state| {
        state.objects.extend(all.iter().map(|(name, content)| ((*name).to_owned(), content.to_string().into_bytes())));
    });
    let ids = async |stub: &AwsStub| -> Vec<String> {
        let listed = json_of(stub, &["dead-letters", "list"]).await;
        listed["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut expected: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    expected.sort_unstable();
    assert_eq!(ids(&stub).await, expected);

    for (name, content) in letters(&record) {
        assert_eq!(json_of(&stub, &["dead-letters", "show", name]).await["content"], content);
        forget(&folder, &["#STATS#", "#COUNTED#"]).await;
        ops_of(&stub, &["dead-letters", "replay", name]).await.expect(0);
        assert_eq!(sessions_counted(&folder, &key).await, 1, "{name}");
        assert!(!stub.with(|state| state.objects.contains_key(name)), "{name}");
    }
    let left = ids(&stub).await;
    ops_of(&stub, &["dead-letters", "replay", "--all"]).await.expect(6);
    assert_eq!((ids(&stub).await, left.len()), (left.clone(), empty_letters().len()), "what holds no change stays");
    ops_of(&stub, &["dead-letters", "discard", &left[0]]).await.expect(0);
    assert_eq!(ids(&stub).await, left, "a dry run discards nothing");
    for id in &left {
        ops_of(&stub, &["dead-letters", "discard", id, "--yes"]).await.expect(0);
    }
    assert_eq!(ids(&stub).await, Vec::<String>::new());
}
