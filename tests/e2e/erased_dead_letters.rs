//! Dead letters lose what they hold of an erased session, in every form and folder, and keep the rest.

use serde_json::{Value, json};
use support::table::keys::SESSION;
use support::table::stream::Record;

use crate::changes::outage::{batch_of_lambda, of_event};
use crate::support::TestService;

const DAY: i64 = 86_400_000;

/// A session in which something was said and a human was requested; its id and that of the request.
async fn session(service: &TestService) -> (String, String) {
    let caller = service.integration();
    let id = caller.session().await;
    caller.ask(&id, "xyzzy").await.expect(200);
    let asked = caller.post(&format!("/sessions/{id}/escalate"), json!({"reason": "xyzzy"})).await;
    (id, asked.text_at("escalationId").to_owned())
}

/// The newest change of a kind about a session.
async fn change(service: &TestService, session: &str, kind: &str) -> Record {
    let about = |record: &Record| record.kind() == kind && json!(record).to_string().contains(session);
    service.stream_records().await.into_iter().rfind(about).unwrap()
}

/// Puts a dead letter where the function that writes its form leaves it.
fn put(service: &TestService, name: &str, content: &str) {
    let file = service.data().join("dead-letters").join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, content).unwrap();
}

/// The names of all dead letters, each with its content.
fn letters(service: &TestService) -> Vec<(String, String)> {
    let root = service.data().join("dead-letters");
    let name = |path: &std::path::Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    let files = service.files("dead-letters").into_iter();
    let mut found: Vec<_> = files.map(|(path, content)| (name(&path), String::from_utf8(content).unwrap())).collect();
    found.sort();
    found
}

/// The dead letters of [`write_all`] that stay when the first session is erased.
const KEPT: [&str; 7] = [
    "changes/2026-01-02/kept.json",
    "due/escalation-kept.json",
    "due/other.json",
    "replay/0/0000000000000/REST",
    "replay/0/0000000000000/REST",
    "unreadable/elsewhere.json",
    "unreadable/kept.json",
];

/// Dead letters about one or both of two sessions, in every form.
async fn write_all(service: &TestService, gone: &(String, String), kept: &(String, String)) {
    let scope = format!("{}#live", service.tenant.tenant_id);
    let ((gone, gone_escalation), (kept, kept_escalation)) = (gone, kept);
    let turn = of_event(&change(service, gone, "turn").await);
    let escalation = of_event(&change(service, gone, "escalation").await);
    let other = of_event(&change(service, kept, "turn").await);
    let more = of_event(&change(service, kept, "session").await);
    // A record that only mentions the session: it is the other's.
    let mut naming = change(service, kept, "turn").await;
    let content = serde_json::from_value(json!({"S": format!("where is {gone}?")})).unwrap();
    naming.new.as_mut().unwrap().inner_mut().insert("content".into(), content);
    let due = |key: String| json!({"item": key, "reason": "x"}).to_string();
    let stored = |record: Record| json!({"failures": [], "record": record}).to_string();
    for (name, content) in [
        ("aws/lambda/u/s/both", batch_of_lambda(&[turn.clone(), other.clone(), escalation.clone()])),
        ("aws/lambda/u/s/gone", batch_of_lambda(&[escalation.clone(), turn.clone()])),
        ("aws/lambda/u/s/broken", format!("{{\"payload\": \"{scope}#SES#{gone}")),
        ("replay/1/0000000000001/both.json", json!({"records": [turn, more]}).to_string()),
        ("replay/2/0000000000001/gone.json", json!({"records": [turn]}).to_string()),
        ("changes/2026-01-02/gone.json", stored(change(service, gone, "session").await)),
        ("changes/2026-01-02/kept.json", stored(naming)),
        ("unreadable/gone.json", turn.to_string()),
        ("unreadable/text.json", format!("said by {scope}#SES#{gone}: xyzzy")),
        // An import keeps the ids of sessions: this one is another tenant's.
        ("unreadable/elsewhere.json", format!("said by {}#live#SES#{gone}: xyzzy", service.other_tenant.tenant_id)),
        ("unreadable/kept.json", other.to_string()),
        ("due/session.json", due(format!("{scope}#SES#{gone} {SESSION}"))),
        ("due/escalation.json", due(format!("{scope}#ESC#{gone_escalation} ESCALATION"))),
        ("due/escalation-kept.json", due(format!("{scope}#ESC#{kept_escalation} ESCALATION"))),
        ("due/other.json", due(format!("{scope}#REINDEX JOB"))),
    ] {
        put(service, name, &content);
    }
}

fn assert_only_the_rest_is_left(service: &TestService, (gone, escalation): &(String, String), kept: &str) {
    let left = letters(service);
    // The rest of a batch is named by its content.
    let known = |(name, _): &(String, String)| match name.rsplit_once('/') {
        Some((folder, _)) if folder.starts_with("replay/0/") => format!("{folder}/REST"),
        _ => name.clone(),
    };
    assert_eq!(left.iter().map(known).collect::<Vec<_>>(), KEPT);
    let mentions = ["changes/2026-01-02/kept.json", "unreadable/elsewhere.json"];
    for (name, content) in left.iter().filter(|(name, _)| !mentions.contains(&name.as_str())) {
        assert!(!content.contains(gone) && !content.contains(escalation), "{name} holds {content}");
    }
    for (_, content) in &left[3..5] {
        let records = serde_json::from_str::<Value>(content).unwrap()["records"].take();
        assert!(
            records.as_array().unwrap().len() == 1 && content.contains(kept),
            "the rest of a batch stays: {content}"
        );
    }
}

#[tokio::test]
async fn dead_letters_of_every_form_lose_what_they_hold_of_a_deleted_session() {
    let service = TestService::start().await;
    let (gone, kept) = (session(&service).await, session(&service).await);
    write_all(&service, &gone, &kept).await;
    // More letters are deleted than a listing of S3 holds.
    for number in 0..1_100 {
        put(&service, &format!("changes/2026-01-01/{number}.json"), "{}");
    }
    service.admin().delete(&format!("/sessions/{}", gone.0)).await.expect(204);
    service.sweep_without_failure().await;
    std::fs::remove_dir_all(service.data().join("dead-letters/changes/2026-01-01")).unwrap();
    assert_only_the_rest_is_left(&service, &gone, &kept.0);
}

#[tokio::test]
async fn sessions_that_have_parts_in_one_batch_are_erased_from_it_in_one_sweep() {
    let service = TestService::start().await;
    let (mut ids, mut records) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        let (id, _) = session(&service).await;
        records.push(of_event(&change(&service, &id, "turn").await));
        ids.push(id);
    }
    put(&service, "aws/lambda/u/s/all", &batch_of_lambda(&records));
    for id in &ids[1..] {
        service.admin().delete(&format!("/sessions/{id}")).await.expect(204);
    }
    service.sweep_without_failure().await;
    let left = letters(&service);
    assert!(left.len() == 1 && left[0].1.contains(&ids[0]), "{left:#?}");
    assert!(!ids[1..].iter().any(|id| left[0].1.contains(id)), "{left:#?}");
}

#[tokio::test]
async fn a_late_dead_letter_is_erased_by_the_next_pass() {
    let service = TestService::start().await;
    let gone = session(&service).await;
    let record = of_event(&change(&service, &gone.0, "turn").await);
    put(&service, "aws/lambda/u/s/first", &batch_of_lambda(std::slice::from_ref(&record)));
    service.admin().delete(&format!("/sessions/{}", gone.0)).await.expect(204);
    service.sweep_without_failure().await;
    assert_eq!(letters(&service), []);
    put(&service, "replay/1/0000000000001/late.json", &json!({"records": [record]}).to_string());
    service.later(15 * 60_000).await;
    assert_eq!(letters(&service), []);
}

#[tokio::test]
async fn dead_letters_lose_what_they_hold_of_a_session_that_is_no_longer_kept() {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"retentionDays": 7})).await.expect(200);
    let gone = session(&service).await;
    service.clock.advance(6 * DAY);
    let kept = session(&service).await;
    write_all(&service, &gone, &kept).await;
    service.clock.advance(DAY + 60_000);
    // The first sweep deletes the session, the second erases what belonged to it.
    service.sweep().await;
    service.sweep_without_failure().await;
    service.admin().get(&format!("/sessions/{}", gone.0)).await.expect_error(404, "NOT_FOUND");
    assert_only_the_rest_is_left(&service, &gone, &kept.0);
}
