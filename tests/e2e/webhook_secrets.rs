//! A webhook secret that cannot be decrypted, because the key in the data folder was replaced: a failed attempt, a
//! disabled webhook with its reason, and a rotation that needs no old secret.

use serde_json::json;

use crate::support::{Receiver, SECRET, TestService};

const NEW_SECRET: &str = "the-secret-after-the-rotation";
const UNREADABLE: &str = "secret_unreadable";
const HOUR_MS: i64 = 3_600_000;

/// The service after its master key was replaced between two starts.
async fn with_another_master_key(service: TestService) -> TestService {
    service.restart_after(|data| std::fs::remove_file(data.join("secrets.key")).unwrap()).await
}

/// A service that has a receiver whose secret cannot be decrypted any more.
async fn with_an_unreadable_secret() -> (TestService, Receiver, String) {
    let (service, receiver) = (TestService::start().await, Receiver::start().await);
    let id = service.admin().webhook(&receiver.url(), &["webhook.test", "entry.created"]).await;
    (with_another_master_key(service).await, receiver, id)
}

#[tokio::test]
async fn a_secret_that_cannot_be_decrypted_is_a_failed_attempt_and_holds_the_webhook() {
    let (service, receiver, id) = with_an_unreadable_secret().await;
    let admin = service.admin();
    admin.try_webhook(&id).await;
    service.drain().await;
    let delivery = admin.delivery(&id).await;
    assert_eq!((&delivery["status"], &delivery["attemptCount"]), (&json!("held"), &json!(1)), "{delivery}");
    assert_eq!(delivery["attempts"][0]["error"], "SECRET_UNREADABLE", "{delivery}");
    let webhook = admin.get(&format!("/webhooks/{id}")).await;
    assert_eq!((webhook.text_at("status"), webhook.text_at("disabledReason")), ("disabled", UNREADABLE));
    assert_eq!(webhook.at("consecutiveFailures"), 1);
    for _ in 0..5 {
        service.later(HOUR_MS).await;
    }
    assert_eq!(admin.delivery(&id).await["attemptCount"], 1, "it is tried again although the webhook is held");
    service.trainer().wiki_entry("a/b", "Title", "Text").await;
    service.drain().await;
    assert_eq!(admin.statuses(&id).await, ["held"; 2], "what happens meanwhile is held, too");
    assert!(receiver.caught().is_empty(), "something was sent unsigned");
    let waiting = admin.get("/health").await.json["checks"]["queues"]["webhooks"]["depth"].clone();
    assert_eq!(waiting, 0, "messages are left on the queue");
}

#[tokio::test]
async fn a_rotation_replaces_an_unreadable_secret_and_sends_what_was_held() {
    let (service, receiver, id) = with_an_unreadable_secret().await;
    let admin = service.admin();
    admin.try_webhook(&id).await;
    service.drain().await;
    let rotated = admin.post(&format!("/webhooks/{id}/rotate"), json!({"secret": NEW_SECRET})).await;
    assert_eq!(rotated.expect(200)["status"], "active");
    assert!(rotated.json.get("disabledReason").is_none(), "{}", rotated.text);
    service.drain().await;
    let caught = receiver.wait_for(1).await.remove(0);
    assert!(caught.is_signed_by(NEW_SECRET));
    assert_eq!(caught.header("webhook-signature").split(' ').count(), 1, "only the new secret can sign");
    assert_eq!(admin.statuses(&id).await, ["succeeded"]);
}

#[tokio::test]
async fn a_rotation_before_the_first_attempt_also_needs_no_old_secret() {
    let (service, receiver, id) = with_an_unreadable_secret().await;
    let admin = service.admin();
    admin.post(&format!("/webhooks/{id}/rotate"), json!({"secret": SECRET})).await.expect(200);
    admin.try_webhook(&id).await;
    service.drain().await;
    assert!(receiver.wait_for(1).await[0].is_signed_by(SECRET));
}

#[tokio::test]
async fn a_rotation_leaves_a_webhook_disabled_that_was_disabled_by_somebody() {
    let (service, _receiver, id) = TestService::with_receiver().await;
    service.admin().patch(&format!("/webhooks/{id}"), json!({"status": "disabled"})).await.expect(200);
    let service = with_another_master_key(service).await;
    let rotated = service.admin().post(&format!("/webhooks/{id}/rotate"), json!({"secret": NEW_SECRET})).await;
    rotated.expect(200);
    assert_eq!((rotated.text_at("status"), rotated.text_at("disabledReason")), ("disabled", "manual"));
}

#[tokio::test]
async fn an_older_secret_that_cannot_be_decrypted_only_signs_no_longer() {
    let (service, receiver, id) = with_an_unreadable_secret().await;
    // Two rotations: after the second key replacement the current secret is new, and the one before it is unreadable.
    let rotate = |secret: &'static str| {
        let (admin, path) = (service.admin(), format!("/webhooks/{id}/rotate"));
        async move { admin.post(&path, json!({"secret": secret})).await.expect(200).clone() }
    };
    rotate("first-secret-after-the-loss").await;
    rotate("second-secret-after-the-loss").await;
    service.admin().try_webhook(&id).await;
    service.drain().await;
    let caught = receiver.wait_for(1).await.remove(0);
    assert!(caught.is_signed_by("first-secret-after-the-loss"));
    assert!(caught.is_signed_by("second-secret-after-the-loss"));

    let service = with_another_master_key(service).await;
    let rotated = service.admin().post(&format!("/webhooks/{id}/rotate"), json!({"secret": NEW_SECRET})).await;
    rotated.expect(200);
    service.admin().try_webhook(&id).await;
    service.drain().await;
    let caught = receiver.wait_for(2).await.remove(1);
    assert!(caught.is_signed_by(NEW_SECRET));
    assert!(!caught.is_signed_by("first-secret-after-the-loss"));
}
