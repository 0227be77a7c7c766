//! API keys, settings and widget tokens.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;

/// The names of the tenant's keys that these tests make.
async fn made(run: &Run<'_>) -> Vec<Value> {
    let keys = run.admin().get("/api-keys").await;
    keys.items().iter().filter(|key| key["name"] == "made").cloned().collect()
}

pub(super) async fn a_key_is_created(run: &Run<'_>) {
    let body = json!({"name": "made", "role": "agent"});
    let caller = run.admin().with_header("idempotency-key", "once");
    let first = run.attempt(&caller, &Method::POST, "/api-keys", Some(&body)).await;
    assert!(first.as_ref().is_none_or(|first| [201, 503].contains(&first.status)), "{first:?}");
    run.world.service.clock.advance(60_000);
    let second = caller.post("/api-keys", body).await;
    let raw = first.iter().chain([&second]).find_map(|reply| reply.at("key").as_str());
    let made = made(run).await;
    assert_eq!((made.len(), &made[0]["keyId"]), (1, &second.expect(201)["keyId"]));
    // A key whose answer was lost is shown to nobody.
    if let Some(raw) = raw {
        run.world.service.bearer(raw).get("/inbox").await.expect(200);
    }
}

pub(super) async fn a_key_is_deleted(run: &Run<'_>) {
    let key = run.admin().post("/api-keys", json!({"name": "made", "role": "agent"})).await;
    run.send(&run.admin(), Method::DELETE, &format!("/api-keys/{}", key.text_at("keyId")), None).await;
    run.world.service.bearer(key.text_at("key")).get("/inbox").await.expect_error(401, "UNAUTHORIZED");
    assert_eq!(made(run).await, Vec::<Value>::new());
}

pub(super) async fn settings_are_changed(run: &Run<'_>) {
    let body = json!({"name": "Acme Ltd", "maxAiTurns": 7});
    run.send(&run.admin(), Method::PATCH, "/settings", Some(&body)).await;
    let settings = run.admin().get("/settings").await;
    assert_eq!((&settings.expect(200)["name"], settings.at("maxAiTurns")), (&json!("Acme Ltd"), &json!(7)));
}

pub(super) async fn a_widget_gets_a_token(run: &Run<'_>) {
    let body = json!({"externalUserId": "ann"});
    let asked = run.attempt(&run.customer(), &Method::POST, "/auth/widget-token", Some(&body)).await;
    assert!(asked.as_ref().is_none_or(|asked| [200, 503].contains(&asked.status)), "{asked:?}");
    let token = run.customer().post("/auth/widget-token", body).await;
    token.expect(200);
    let widget = run.world.service.bearer(token.text_at("token"));
    widget.session_with(json!({})).await;
}
