//! Shared steps of delivery tests: registering, running what is due, reading attempts.

use serde_json::{Value, json};

use super::{Actor, Receiver, TestService};

/// A secret in the form of Standard Webhooks.
pub(crate) const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// How much later than expected a message may come before the due index brings its delivery up, in milliseconds.
const GRACE_MS: i64 = 60_000;

impl Actor {
    /// Registers a receiver of `kinds` with [`SECRET`]; its id.
    pub(crate) async fn webhook(&self, url: &str, kinds: &[&str]) -> String {
        let reply = self.post("/webhooks", json!({"url": url, "events": kinds, "secret": SECRET})).await;
        reply.expect(201);
        reply.text_at("webhookId").to_owned()
    }

    /// Sends a test to a receiver; the delivery's id.
    pub(crate) async fn try_webhook(&self, id: &str) -> String {
        let reply = self.post_empty(&format!("/webhooks/{id}/test")).await;
        reply.expect(200);
        reply.text_at("deliveryId").to_owned()
    }

    /// The deliveries to a receiver, newest first.
    pub(crate) async fn deliveries(&self, id: &str) -> Vec<Value> {
        self.get(&format!("/webhooks/{id}/deliveries?limit=100")).await.items().to_vec()
    }

    /// The only delivery to a receiver.
    pub(crate) async fn delivery(&self, id: &str) -> Value {
        let all = self.deliveries(id).await;
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }

    /// The statuses of what was sent to a receiver, newest first.
    pub(crate) async fn statuses(&self, id: &str) -> Vec<String> {
        self.deliveries(id).await.iter().map(|d| d["status"].as_str().unwrap().to_owned()).collect()
    }
}

impl TestService {
    /// A service with one receiver of everything, registered by the tenant's admin.
    pub(crate) async fn with_receiver() -> (Self, Receiver, String) {
        Self::start().await.and_receiver().await
    }

    /// This service with one receiver of everything.
    pub(crate) async fn and_receiver(self) -> (Self, Receiver, String) {
        let receiver = Receiver::start().await;
        let id = self.admin().webhook(&receiver.url(), &["*"]).await;
        (self, receiver, id)
    }

    /// Moves the clock by `ms` and by what a lost message is waited for, and lets everything happen that is due then.
    pub(crate) async fn later(&self, ms: i64) {
        self.clock.advance(ms + GRACE_MS);
        self.sweep().await;
        self.drain().await;
    }
}
