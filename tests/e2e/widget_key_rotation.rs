//! The rotation of the key that signs widget tokens, in a running service: its key file changes under it.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use aws::config::{WidgetKeySet, WidgetTokenKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::models::Timestamp;
use serde_json::{Value, json};

use crate::support::{Actor, TestService};

/// A service, and the keys that its file held at first.
struct Rotated {
    service: TestService,
    first: WidgetTokenKey,
}

fn key(kid: &str, byte: u8) -> WidgetTokenKey {
    WidgetTokenKey { kid: kid.into(), secret: vec![byte; 32] }
}

impl Rotated {
    async fn start() -> Self {
        let service = TestService::start().await;
        let text = std::fs::read_to_string(service.data().join("widget-token.key")).unwrap();
        let first = WidgetKeySet::parse_pairs(&text).unwrap().current;
        Self { service, first }
    }

    fn file(&self) -> PathBuf {
        self.service.data().join("widget-token.key")
    }

    fn now(&self) -> Timestamp {
        self.service.resources().runtime.now()
    }

    fn pass(&self, minutes: i64) {
        self.service.clock.advance(minutes * 60_000);
    }

    fn store(&self, set: &WidgetKeySet) {
        std::fs::write(self.file(), set.to_pairs().expose()).unwrap();
    }

    /// Another key signs now, and the first one is the previous.
    fn replace_first(&self) {
        let previous = Some(self.first.clone());
        self.store(&WidgetKeySet { previous, changed_at: Some(self.now()), ..WidgetKeySet::of(key("k2", 2)) });
    }

    /// A visitor with a token by `key`, signed now.
    fn holder(&self, key: &WidgetTokenKey) -> Actor {
        let resources = self.service.resources();
        let scope = self.service.scope();
        let request = support::edge::auth::TokenRequest {
            scope: &scope,
            external_user_id: "ann",
            session_id: None,
            user: None,
            preview_of: None,
            ttl_seconds: 600,
        };
        let issued =
            support::edge::auth::issue(&resources.config.widget_token_issuer, key, &resources.runtime, &request)
                .unwrap();
        self.service.bearer(&issued.token)
    }

    /// The status for a token by `key`, signed now.
    async fn status(&self, key: &WidgetTokenKey) -> u16 {
        self.holder(key).get("/wiki").await.status
    }

    /// Which key signs now; its token is good.
    async fn signing(&self) -> String {
        let body = json!({"externalUserId": "ann"});
        let reply = self.service.integration().post("/auth/widget-token", body).await;
        let token = reply.text_at("token");
        self.service.bearer(token).get("/wiki").await.expect(200);
        let header = URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
        let header: Value = serde_json::from_slice(&header).unwrap();
        header["kid"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn tokens_are_signed_with_a_rotated_key_within_five_minutes_and_without_a_restart() {
    let it = Rotated::start().await;
    let first = it.signing().await;
    assert_eq!(first, it.first.kid);
    let old = it.service.widget_with(json!({"externalUserId": "ann", "ttlSeconds": 3_600})).await;
    it.replace_first();
    it.pass(4);
    assert_eq!(it.signing().await, first);
    it.pass(1);
    assert_eq!(it.signing().await, "k2");
    old.get("/wiki").await.expect(200);
    // A file that cannot be read leaves the keys that are known, until they could all have been replaced.
    std::fs::write(it.file(), "no key").unwrap();
    it.pass(10);
    assert_eq!(it.signing().await, "k2");
    it.pass(66);
    let refused = it.service.integration().post("/auth/widget-token", json!({})).await;
    refused.expect_error(503, "SERVICE_UNAVAILABLE");
    it.holder(&key("k2", 2)).get("/wiki").await.expect_error(503, "SERVICE_UNAVAILABLE");
    it.store(&WidgetKeySet::of(key("k3", 3)));
    it.pass(1);
    assert_eq!(it.signing().await, "k3");
}

#[tokio::test]
async fn the_replaced_key_signs_nothing_new_after_ten_minutes_and_is_dead_after_75() {
    let it = Rotated::start().await;
    let longest = it.service.widget_with(json!({"externalUserId": "ann", "ttlSeconds": 3_600})).await;
    it.replace_first();
    it.pass(9);
    assert_eq!(it.status(&it.first).await, 200, "a process that does not know the new key yet signs with it");
    it.pass(2);
    it.holder(&it.first).get("/wiki").await.expect_error(401, "UNAUTHORIZED");
    longest.get("/wiki").await.expect(200);
    assert_eq!(it.status(&key("k2", 2)).await, 200);
    it.pass(64);
    it.holder(&it.first).get("/wiki").await.expect_error(401, "UNAUTHORIZED");
    longest.get("/wiki").await.expect_error(401, "UNAUTHORIZED");
    assert_eq!(it.status(&key("k2", 2)).await, 200);
}

#[tokio::test]
async fn a_file_of_an_earlier_version_tells_by_its_age_when_the_key_was_replaced() {
    let it = Rotated::start().await;
    let pair = |key: &WidgetTokenKey| WidgetKeySet::of(key.clone()).to_pairs().expose().to_owned();
    let write = |minutes_ago: i64| {
        std::fs::write(it.file(), format!("{},{}", pair(&key("k2", 2)), pair(&it.first))).unwrap();
        let at = u64::try_from(it.now().plus_millis(-minutes_ago * 60_000).as_millis()).unwrap();
        let file = std::fs::File::options().write(true).open(it.file()).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(at)).unwrap();
    };
    for (minutes_ago, status) in [(1, 200), (12, 401), (76, 401), (-60, 401)] {
        write(minutes_ago);
        it.pass(10);
        write(minutes_ago);
        assert_eq!(it.status(&key("k2", 2)).await, 200, "{minutes_ago}");
        assert_eq!(it.status(&it.first).await, status, "{minutes_ago}");
    }
}

#[tokio::test]
async fn a_hostile_key_file_makes_no_dead_key_good() {
    let it = Rotated::start().await;
    let pair = |key: &WidgetTokenKey| WidgetKeySet::of(key.clone()).to_pairs().expose().to_owned();
    let (second, first) = (pair(&key("k2", 2)), pair(&it.first));
    let far = it.now().plus_hours(24 * 365);
    for hostile in [
        // The time of the change is far away, or none.
        format!("{second},{first}@{far}"),
        format!("{second},{first}@9999-12-31T23:59:59Z"),
        format!("{second},{first}@"),
        // The same key under another name, and more keys.
        format!("{second},k9:{}@{far}", second.split_once(':').unwrap().1),
        format!("{second},{first},{first}"),
        String::new(),
    ] {
        it.store(&WidgetKeySet::of(key("k2", 2)));
        it.pass(10);
        assert_eq!(it.signing().await, "k2");
        std::fs::write(it.file(), &hostile).unwrap();
        it.pass(10);
        assert_eq!(it.status(&it.first).await, 401, "{hostile}");
        assert_eq!(it.status(&key("k2", 2)).await, 200, "{hostile}");
    }
}

#[tokio::test]
async fn a_revoked_key_is_refused_within_five_seconds_and_signs_nothing() {
    let it = Rotated::start().await;
    let old = it.service.widget("ann").await;
    old.get("/wiki").await.expect(200);
    it.service.resources().store.revoked_widget_keys().add([&it.first].into_iter()).await.unwrap();
    it.service.clock.advance(5_000);
    old.get("/wiki").await.expect_error(401, "UNAUTHORIZED");
    let nothing_signs = it.service.integration().post("/auth/widget-token", json!({})).await;
    nothing_signs.expect_error(503, "SERVICE_UNAVAILABLE");
    it.store(&WidgetKeySet {
        previous: Some(it.first.clone()),
        changed_at: Some(it.now()),
        ..WidgetKeySet::of(key("k2", 2))
    });
    it.service.clock.advance(5_000);
    assert_eq!(it.signing().await, "k2");
    it.holder(&it.first).get("/wiki").await.expect_error(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_key_that_came_by_a_rotation_is_read_at_most_once_a_minute() {
    let it = Rotated::start().await;
    it.replace_first();
    let (second, third) = (key("k2", 2), key("k3", 3));
    assert_eq!(it.status(&second).await, 200);
    assert_eq!(it.status(&it.first).await, 200);
    it.store(&WidgetKeySet {
        previous: Some(second.clone()),
        changed_at: Some(it.now()),
        ..WidgetKeySet::of(third.clone())
    });
    it.holder(&third).get("/wiki").await.expect_error(401, "UNAUTHORIZED");
    it.pass(1);
    assert_eq!(it.status(&third).await, 200);
    assert_eq!(it.status(&second).await, 200);
    it.holder(&it.first).get("/wiki").await.expect_error(401, "UNAUTHORIZED");
    it.service.widget("ann").await.get("/wiki").await.expect(200);
}
