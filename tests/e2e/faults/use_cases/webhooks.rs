//! Receivers, whose secrets are encrypted with KMS.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;
use crate::support::{Answers, Receiver};

const SECRET: &str = "correct-horse-battery-staple";

/// The tenant's one receiver.
async fn registered(run: &Run<'_>) -> String {
    let all = run.admin().get("/webhooks").await;
    all.text_at("/items/0/webhookId").to_owned()
}

pub(super) async fn a_receiver_is_registered(run: &Run<'_>) {
    let receiver = Receiver::start().await;
    let body = json!({"url": receiver.url(), "events": ["webhook.test"], "secret": SECRET});
    let made = run.send(&run.admin(), Method::POST, "/webhooks", Some(&body)).await;
    assert_eq!(run.admin().get("/webhooks").await.items().len(), 2);
    run.admin().try_webhook(made.text_at("webhookId")).await;
    run.world.service.drain().await;
    let caught = receiver.caught();
    assert!(caught.len() == 1 && caught[0].is_signed_by(SECRET), "{} requests", caught.len());
}

pub(super) async fn a_secret_is_rotated(run: &Run<'_>) {
    let receiver = Receiver::start().await;
    let id = run.admin().webhook(&receiver.url(), &["webhook.test"]).await;
    let body = json!({"secret": SECRET});
    run.send(&run.admin(), Method::POST, &format!("/webhooks/{id}/rotate"), Some(&body)).await;
    run.admin().try_webhook(&id).await;
    run.world.service.drain().await;
    let caught = receiver.caught();
    assert_eq!(caught.len(), 1);
    assert!(caught[0].is_signed_by(SECRET) && caught[0].is_signed_by(crate::support::SECRET));
    assert_eq!(caught[0].header("webhook-signature").split(' ').count(), 2);
}

pub(super) async fn a_receiver_is_tested(run: &Run<'_>) {
    let id = registered(run).await;
    let sent = run.send(&run.admin(), Method::POST, &format!("/webhooks/{id}/test"), None).await;
    let delivery: Value = run.admin().delivery(&id).await;
    assert_eq!((&delivery["deliveryId"], &delivery["status"]), (sent.at("deliveryId"), &json!("succeeded")));
    run.expect_told(&[("webhook.test", 1)]);
}

pub(super) async fn a_receiver_is_changed(run: &Run<'_>) {
    let (before, after) = (Receiver::start().await, Receiver::start().await);
    let id = run.admin().webhook(&before.url(), &["webhook.test"]).await;
    let path = format!("/webhooks/{id}");
    run.send(&run.admin(), Method::PATCH, &path, Some(&json!({"url": after.url()}))).await;
    assert_eq!(run.admin().get(&path).await.expect(200)["url"], after.url());
    run.admin().try_webhook(&id).await;
    run.world.service.drain().await;
    assert_eq!((before.caught().len(), after.caught().len()), (0, 1));
}

pub(super) async fn a_receiver_is_removed(run: &Run<'_>) {
    let receiver = Receiver::start().await;
    let id = run.admin().webhook(&receiver.url(), &["*"]).await;
    let path = format!("/webhooks/{id}");
    run.send(&run.admin(), Method::DELETE, &path, None).await;
    run.admin().get(&path).await.expect_error(404, "NOT_FOUND");
    assert_eq!(run.admin().get("/webhooks").await.items().len(), 1);
    run.customer().session().await;
    run.world.service.drain().await;
    assert_eq!(receiver.caught().len(), 0);
    run.expect_told(&[("session.created", 1)]);
}

/// A receiver that missed so many tests, and its id.
async fn missed(run: &Run<'_>, tests: usize) -> (Receiver, String) {
    let receiver = Receiver::start().await;
    receiver.answer(Answers::status(500));
    let id = run.admin().webhook(&receiver.url(), &["webhook.test"]).await;
    for _ in 0..tests {
        run.admin().try_webhook(&id).await;
    }
    run.world.service.drain().await;
    receiver.answer(Answers::status(200));
    (receiver, id)
}

/// Each test arrived, under its own id, and no delivery waits.
async fn expect_arrived(run: &Run<'_>, receiver: &Receiver, id: &str, tests: usize) {
    assert_eq!(run.admin().statuses(id).await, vec!["succeeded"; tests]);
    let caught = receiver.caught();
    let ids: std::collections::BTreeSet<&str> = caught.iter().map(|caught| caught.id()).collect();
    assert_eq!(ids.len(), tests, "{} requests", caught.len());
}

pub(super) async fn a_delivery_is_sent_again(run: &Run<'_>) {
    let (receiver, id) = missed(run, 1).await;
    let delivery = run.admin().delivery(&id).await;
    let path = format!("/webhooks/{id}/deliveries/{}/resend", delivery["deliveryId"].as_str().unwrap());
    run.send(&run.admin(), Method::POST, &path, None).await;
    expect_arrived(run, &receiver, &id, 1).await;
}

pub(super) async fn a_replay_sends_missed_deliveries(run: &Run<'_>) {
    let since = run.world.service.resources().runtime.now().to_string();
    let (receiver, id) = missed(run, 3).await;
    run.send(&run.admin(), Method::POST, &format!("/webhooks/{id}/replay"), Some(&json!({"since": since}))).await;
    expect_arrived(run, &receiver, &id, 3).await;
}
