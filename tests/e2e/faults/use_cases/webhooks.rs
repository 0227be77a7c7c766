//! Receivers, whose secrets are encrypted with KMS.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;
use crate::support::Receiver;

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
