//! A replay is judged by today's rights and by what is there today: every POST that takes a key, again after what it is
//! about or its caller's right is gone.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::models::Role;
use serde_json::{Value, json};

use crate::cases::{About, Case, Ids};
use crate::idempotency::{body, is_replayed, keyed, posts, ready};
use crate::support::{Actor, Reply, TestService};

/// The path of a POST, which names the kind of resource that it creates.
fn made(case: &Case) -> &'static str {
    case.operation.path.trim_start_matches("/api/v1")
}

/// Deletes what a POST is about, or what it made.
async fn take_away(case: &Case, service: &TestService, ids: &Ids, first: &Reply) {
    let (admin, id) = (service.admin(), &ids.id);
    let location = first.header("location").trim_start_matches("/api/v1").to_owned();
    let path = match case.about {
        About::Session => format!("/sessions/{id}"),
        About::Escalation => {
            let case = admin.get(&format!("/inbox/{id}")).await;
            format!("/sessions/{}", case.at("sessionId").as_str().unwrap())
        }
        About::Webhook => format!("/webhooks/{id}"),
        About::Member => format!("/members/{id}"),
        About::Job => return service.rewrite_items("ingest_job", id, |_| None).await,
        About::Own if made(case) == "/ingest" => {
            return service.rewrite_items("ingest_job", first.text_at("ingestId"), |_| None).await;
        }
        About::Own if made(case) == "/drafts" => {
            return service.rewrite_items("draft", first.text_at("draftId"), |_| None).await;
        }
        About::Own => location,
        About::Draft => return service.rewrite_items("draft", id, |_| None).await,
        About::Revision => format!("/wiki/{}", first.text_at("path")),
        About::Gap if made(case).ends_with("/draft") => {
            return service.rewrite_items("draft", first.text_at("draftId"), |_| None).await;
        }
        About::Entry if made(case) == "/pins" => location,
        About::Entry | About::Key | About::Gap | About::Reply | About::Pin => {
            panic!("nothing is known of {}", case.operation.path)
        }
    };
    admin.delete(&path).await.expect(204);
}

#[tokio::test]
async fn a_resource_that_is_gone_is_not_replayed() {
    let service = TestService::start().await;
    for (i, case) in posts().iter().enumerate() {
        let name = format!("gone/e{i}");
        let ids = ready(case, &service, &name).await;
        let actor = keyed(&service, &name);
        let first = case.send(&actor, &ids, &name).await;
        assert!(first.status < 300, "{}: {} {}", first.asked, first.status, first.text);
        take_away(case, &service, &ids, &first).await;
        let again = case.send(&actor, &ids, &name).await;
        assert_eq!((again.status, again.text_at("error")), (404, "NOT_FOUND"), "{}: {}", again.asked, again.text);
        assert!(!is_replayed(&again), "{}", again.asked);
        // Erased or not, and however often.
        service.drain().await;
        service.sweep().await;
        let again = case.send(&actor, &ids, &name).await;
        assert_eq!(again.status, 404, "{}: {}", again.asked, again.text);
    }
}

#[tokio::test]
async fn a_path_that_holds_another_entry_is_not_replayed_and_one_that_was_changed_is() {
    let service = TestService::start().await;
    let (trainer, body) = (service.trainer(), json!({"path": "a/b", "title": "First", "content": "One."}));
    let once = trainer.with_header("idempotency-key", "once");
    let first = once.post("/wiki", body.clone()).await;
    trainer.patch("/wiki/a/b", json!({"title": "Other", "visibility": "public"})).await.expect(200);
    let again = once.post("/wiki", body.clone()).await;
    assert_eq!((again.expect(201), again.header("idempotency-replayed")), (first.expect(201), "true"));
    trainer.delete("/wiki/a/b").await.expect(204);
    service.clock.advance(1_000);
    trainer.post("/wiki", json!({"path": "a/b", "title": "Second", "content": "Two."})).await.expect(201);
    once.post("/wiki", body).await.expect_error(404, "NOT_FOUND");
}

/// A role that may not do what a case does.
fn other_role(case: &Case) -> Option<Role> {
    Role::ALL.iter().copied().find(|role| !case.operation.permission.roles().contains(role))
}

#[tokio::test]
async fn a_key_that_lost_its_right_gets_no_replay() {
    let service = TestService::start().await;
    let admin = service.admin();
    for (i, case) in posts().iter().enumerate() {
        let name = format!("lost/e{i}");
        let key = admin.post("/api-keys", json!({"name": name, "role": "admin"})).await;
        let actor = service.bearer(key.text_at("key")).with_header("idempotency-key", &name);
        let ids = ready(case, &service, &name).await;
        let first = case.send(&actor, &ids, &name).await;
        assert!(first.status < 300, "{}: {} {}", first.asked, first.status, first.text);

        let elsewhere = case.send(&service.test_admin().with_header("idempotency-key", &name), &ids, &name).await;
        let reaches = case.about == About::Own;
        if case.operation.permission.needs_live_key() {
            elsewhere.expect_error(403, "FORBIDDEN");
        } else {
            assert_eq!(elsewhere.status == 404, !reaches, "{} {}", elsewhere.asked, elsewhere.text);
        }
        assert!(!is_replayed(&elsewhere), "{}", elsewhere.asked);

        let with_role = |role: Role| {
            move |mut item: crate::support::StoredItem| {
                item.insert("role".into(), AttributeValue::S(role.as_str().into()));
                Some(item)
            }
        };
        if let Some(role) = other_role(case) {
            service.rewrite_items("api_key", key.text_at("keyId"), with_role(role)).await;
            case.send(&actor, &ids, &name).await.expect_error(403, "FORBIDDEN");
            service.rewrite_items("api_key", key.text_at("keyId"), with_role(Role::Admin)).await;
        }
        let again = case.send(&actor, &ids, &name).await;
        assert!(is_replayed(&again) && again.status == first.status, "{} {}", again.asked, again.text);

        admin.delete(&format!("/api-keys/{}", key.text_at("keyId"))).await.expect(204);
        case.send(&actor, &ids, &name).await.expect_error(401, "UNAUTHORIZED");
    }
}

#[tokio::test]
async fn a_widget_that_may_not_read_a_session_gets_no_replay_of_it() {
    let service = TestService::start().await;
    let other = service.admin().session_with(json!({"channel": "widget", "externalUserId": "own"})).await;
    let origins = |origins: Value| json!({"widgetOrigins": origins});
    for (i, case) in posts().iter().enumerate().filter(|(_, case)| case.operation.permission.widget()) {
        let name = format!("widget/e{i}");
        let ids = ready(case, &service, &name).await;
        let once = |actor: Actor| actor.with_header("idempotency-key", &name);
        let own = once(service.widget("own").await);
        // A widget sets no priority.
        let first = case.send(&own, &ids, &name).await;
        assert!(first.status < 300, "{}: {} {}", first.asked, first.status, first.text);

        let elsewhere = once(service.widget_with(json!({"sessionId": other})).await);
        let (status, code) = if case.about == About::Own { (403, "FORBIDDEN") } else { (404, "NOT_FOUND") };
        let refused = case.send(&elsewhere, &ids, &name).await;
        assert_eq!((refused.status, refused.text_at("error")), (status, code), "{} {}", refused.asked, refused.text);
        assert!(!is_replayed(&refused), "{}", refused.asked);

        let stranger = case.send(&once(service.widget("other").await), &ids, &name).await;
        assert_eq!(stranger.status == 404, case.about != About::Own, "{} {}", stranger.asked, stranger.text);
        assert!(!is_replayed(&stranger), "{}", stranger.asked);

        service.admin().patch("/settings", origins(json!(["https://shop.example"]))).await.expect(200);
        let page = own.with_header("origin", "https://elsewhere.example");
        case.send(&page, &ids, &name).await.expect_error(403, "FORBIDDEN");
        service.admin().patch("/settings", origins(json!([]))).await.expect(200);

        let again = case.send(&own, &ids, &name).await;
        assert!(is_replayed(&again), "{}: {}", again.asked, again.text);
        assert_eq!((again.status, body(&again)), (first.status, body(&first)), "{}", again.asked);
    }
}

#[tokio::test]
async fn a_message_replays_what_its_session_shows_once_its_entry_is_internal() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let widget = service.widget("ann").await;
    let session = widget.session().await;
    let message = json!({"content": "How long does a refund take?", "clientMessageId": "1"});
    let path = format!("/sessions/{session}/messages");
    widget.post(&path, message.clone()).await.expect(200);
    service.trainer().patch("/wiki/help/refunds", json!({"visibility": "internal"})).await.expect(200);
    service.trainer().get("/wiki/help/refunds").await.expect(200);
    widget.get("/wiki/help/refunds").await.expect_error(404, "NOT_FOUND");
    let (again, shown) = (widget.post(&path, message).await, widget.turns(&session).await);
    assert!(is_replayed(&again), "{}", again.text);
    assert_eq!((again.at("answer"), again.at("sources")), (&shown[1]["answer"], &shown[1]["sources"]));
}

#[tokio::test]
async fn a_delivery_that_was_erased_with_its_session_is_not_replayed() {
    let service = TestService::start().await;
    let hook = json!({"url": "http://127.0.0.1:9/erased", "events": ["session.created"], "secret": "12345678"});
    let hook = service.admin().post("/webhooks", hook).await.text_at("webhookId").to_owned();
    let session = service.admin().session().await;
    service.drain().await;
    let deliveries = service.admin().get(&format!("/webhooks/{hook}/deliveries")).await;
    let delivery = deliveries.items()[0]["deliveryId"].as_str().unwrap();
    let resend = format!("/webhooks/{hook}/deliveries/{delivery}/resend");
    let once = keyed(&service, "once");
    once.post_empty(&resend).await.expect(200);
    assert!(is_replayed(&once.post_empty(&resend).await));
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    service.drain().await;
    service.sweep().await;
    service.drain().await;
    once.post_empty(&resend).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_replayed_cancellation_shows_no_user_who_was_cleared() {
    let service = TestService::start().await;
    let caller = keyed(&service, "once");
    let session = service.admin().session_with(json!({"user": {"name": "Ann"}, "metadata": {"order": 7}})).await;
    service.admin().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let cancel = format!("/sessions/{session}/cancel-escalation");
    assert_eq!(caller.post_empty(&cancel).await.expect(200)["user"]["name"], "Ann");
    service.admin().patch(&format!("/sessions/{session}"), json!({"user": null, "metadata": {}})).await.expect(200);
    let again = caller.post_empty(&cancel).await;
    assert!(is_replayed(&again) && !again.text.contains("Ann") && !again.text.contains("order"), "{}", again.text);
    let records = service.raw_items().await.into_iter().filter(|item| item.contains(r#""kind": S("idempotency")"#));
    let records: Vec<String> = records.collect();
    assert!(!records.is_empty() && records.iter().all(|record| !record.contains("Ann")), "{records:#?}");
}

#[tokio::test]
async fn a_replayed_session_shows_its_own_user_and_not_that_of_todays_token() {
    let service = TestService::start().await;
    let unnamed = service.widget("ann").await.with_header("idempotency-key", "once");
    let first = unnamed.post("/sessions", json!({})).await;
    assert!(first.expect(201)["user"].is_null());
    let named = service.widget_with(json!({"externalUserId": "ann", "user": {"name": "Ann"}})).await;
    let again = named.with_header("idempotency-key", "once").post("/sessions", json!({})).await;
    assert!(is_replayed(&again), "{}", again.text);
    assert_eq!(again.expect(201), first.expect(201));
}

#[tokio::test]
async fn a_key_that_has_ended_is_replayed_without_the_raw_key() {
    let service = TestService::start().await;
    let ends = service.resources().runtime.now().plus_millis(60_000).to_string();
    let new = json!({"name": "Short", "expiresAt": ends});
    let first = keyed(&service, "once").post("/api-keys", new.clone()).await;
    service.clock.advance(120_000);
    let again = keyed(&service, "once").post("/api-keys", new.clone()).await;
    assert!(is_replayed(&again) && again.at("key").is_null(), "{}", again.text);
    assert_eq!(body(&again), body(&first));
    keyed(&service, "another").post("/api-keys", new).await.expect_error(400, "VALIDATION_ERROR");
}
