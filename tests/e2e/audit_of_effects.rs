//! The audit tells of effects, whichever route has them.

use serde_json::{Value, json};

use crate::sign_in::{joined, service};
use crate::support::{Actor, TestService};

/// Action, target and kind of actor of the entries, oldest first.
async fn told(admin: &Actor) -> Vec<(String, String, String)> {
    let audit = admin.get("/audit?limit=100").await;
    let text = |entry: &Value, at: &str| entry.pointer(at).unwrap().as_str().unwrap().to_owned();
    let told = |entry: &Value| (text(entry, "/action"), text(entry, "/target"), text(entry, "/actor/type"));
    audit.items().iter().rev().map(told).collect()
}

/// The same without those that were there before.
async fn news(admin: &Actor, before: &mut usize) -> Vec<(String, String, String)> {
    let all = told(admin).await;
    let new = all[*before..].to_vec();
    *before = all.len();
    new
}

fn by_key(action: &str, target: &str) -> (String, String, String) {
    (action.into(), target.into(), "key".into())
}

#[tokio::test]
async fn what_becomes_public_is_audited_by_whichever_way_it_comes() {
    let service = TestService::start().await;
    let (admin, trainer) = (service.admin(), service.trainer());
    let mut seen = told(&admin).await.len();
    let path = "/wiki/help/refunds";
    let entry =
        |visibility: &str| json!({"path": "help/refunds", "title": "T", "content": "C", "visibility": visibility});
    let published = vec![by_key("entry.published", "help/refunds")];
    trainer.post("/wiki", entry("internal")).await.expect(201);
    trainer.patch(path, json!({"title": "Refunds"})).await.expect(200);
    assert_eq!(news(&admin, &mut seen).await, []);
    trainer.patch(path, json!({"visibility": "public"})).await.expect(200);
    assert_eq!(news(&admin, &mut seen).await, published);
    trainer.patch(path, json!({"content": "Other words."})).await.expect(200);
    assert_eq!(news(&admin, &mut seen).await, published);
    for silent in [json!({"tags": ["a"]}), json!({"visibility": "public"}), json!({"visibility": "internal"})] {
        trainer.patch(path, silent).await.expect(200);
    }
    trainer.delete(path).await.expect(204);
    assert_eq!(news(&admin, &mut seen).await, []);
    let once = trainer.with_header("idempotency-key", "one");
    for _ in 0..2 {
        once.post("/wiki", entry("public")).await.expect(201);
    }
    assert_eq!(news(&admin, &mut seen).await, published);
    trainer.delete(path).await.expect(204);
    service.drain().await;
    let gone = admin.get("/wiki-revisions?path=help/refunds").await.items()[0]["version"].clone();
    let restore = |visibility: Value| json!({"path": "help/refunds", "version": 3, "currentVersion": gone, "visibility": visibility});
    trainer.post("/wiki-revisions/restore", restore(json!("public"))).await.expect(200);
    let mut both = news(&admin, &mut seen).await;
    both.sort();
    assert_eq!(both, [by_key("entry.published", "help/refunds"), by_key("entry.restored", "help/refunds")]);

    // So are drafts: an internal entry and a deletion are no publication, and what another draft makes public is one.
    let publish = async |draft: Value, visibility: &str| {
        let made = trainer.post("/drafts", draft).await;
        let publication = json!({"version": 1, "visibility": visibility});
        trainer.post(&format!("/drafts/{}/publish", made.text_at("draftId")), publication).await.expect(200);
    };
    let new = json!({"path": "help/new", "action": "create", "title": "T", "content": "C"});
    publish(new, "internal").await;
    assert_eq!(news(&admin, &mut seen).await, []);
    publish(json!({"path": "help/new", "title": "T", "content": "D"}), "public").await;
    assert_eq!(news(&admin, &mut seen).await, [by_key("entry.published", "help/new")]);
    publish(json!({"path": "help/new", "action": "delete"}), "public").await;
    assert_eq!(news(&admin, &mut seen).await, []);

    let text = |visibility: &str| json!({"text": "A text.", "pathPrefix": "texts/one", "visibility": visibility});
    trainer.post("/ingest", text("internal")).await.expect(202);
    service.drain().await;
    assert_eq!(news(&admin, &mut seen).await, []);
    let job = trainer.post("/ingest", text("public")).await;
    service.drain().await;
    let id = job.expect(202)["ingestId"].as_str().unwrap();
    assert_eq!(news(&admin, &mut seen).await, [by_key("ingest.published", id)]);
}

#[tokio::test]
async fn each_change_of_a_members_access_has_its_own_word() {
    let service = service().await;
    let admin = service.admin();
    let (id, signed_in) = joined(&service, &admin, "ada@company.example", &["admin", "agent"], 0).await;
    let (me, mine) = (service.bearer(signed_in.text_at("token")), format!("/members/{id}"));
    let mut seen = told(&admin).await.len();
    me.patch(&mine, json!({"availability": "away"})).await.expect(200);
    assert_eq!(news(&admin, &mut seen).await, [], "who is away has the same access");
    admin.patch(&mine, json!({"name": "Ada King", "roles": ["trainer"]})).await.expect(200);
    let mut both = news(&admin, &mut seen).await;
    both.sort();
    assert_eq!(both, [by_key("member.changed", &id), by_key("member.roles_changed", &id)]);
    let audit = admin.get("/audit").await;
    let of_roles = audit.items().iter().find(|entry| entry["action"] == "member.roles_changed").unwrap();
    assert_eq!(of_roles["changes"], json!([{"name": "roles", "from": ["admin", "agent"], "to": ["trainer"]}]));
    for (status, action) in [("suspended", "member.suspended"), ("active", "member.resumed")] {
        admin.patch(&mine, json!({"status": status})).await.expect(200);
        admin.patch(&mine, json!({"status": status})).await.expect(200);
        assert_eq!(news(&admin, &mut seen).await, [by_key(action, &id)]);
    }
}

#[tokio::test]
async fn the_audit_says_which_sensitive_setting_changed_from_what_to_what() {
    let service = TestService::start().await;
    let admin = service.admin();
    let mut seen = told(&admin).await.len();
    let change =
        json!({"widgetAnswerVisibility": "all", "retentionDays": 30, "maxAiTurns": 7, "answerVisibility": "all"});
    admin.patch("/settings", change.clone()).await.expect(200);
    admin.patch("/settings", change).await.expect(200);
    assert_eq!(news(&admin, &mut seen).await, [by_key("settings.changed", "settings")]);
    let audit = admin.get("/audit?limit=1").await;
    let expected = json!([
        {"name": "widgetAnswerVisibility", "from": "public", "to": "all"},
        {"name": "retentionDays", "from": 365, "to": 30},
    ]);
    assert_eq!(audit.items()[0]["changes"], expected);
    admin.patch("/settings", json!({"maxAiTurns": 8})).await.expect(200);
    assert_eq!(admin.get("/audit?limit=1").await.items()[0]["changes"], json!([]));
}

#[tokio::test]
async fn every_page_of_an_export_and_every_replay_leaves_an_entry() {
    let service = TestService::start().await;
    let admin = service.admin();
    let webhook = admin.webhook("http://127.0.0.1:9/one", &["*"]).await;
    let session = admin.session().await;
    for _ in 0..2 {
        admin.ask(&session, "Hello").await.expect(200);
    }
    let mut seen = told(&admin).await.len();
    let path = format!("/sessions/{session}/export?limit=2");
    let page = admin.get(&path).await;
    let cursor = page.text_at("nextCursor");
    admin.get(&format!("{path}&cursor={cursor}")).await.expect(200);
    assert_eq!(news(&admin, &mut seen).await, vec![by_key("session.exported", &session); 2]);
    // A delivery is stored once the change that it tells of was handled.
    service.drain().await;
    let since = json!({"since": "2026-01-01T00:00:00.000Z"});
    admin.post(&format!("/webhooks/{webhook}/replay"), since).await.expect(202);
    assert_eq!(news(&admin, &mut seen).await, [by_key("webhook.replayed", &webhook)]);
    service.drain().await;
    let deliveries = format!("/webhooks/{webhook}/deliveries");
    let delivery = admin.get(&deliveries).await.items()[0]["deliveryId"].as_str().unwrap().to_owned();
    let once = admin.with_header("idempotency-key", "one");
    for _ in 0..2 {
        once.post_empty(&format!("{deliveries}/{delivery}/resend")).await.expect(200);
    }
    assert_eq!(news(&admin, &mut seen).await, [by_key("webhook.replayed", &webhook)]);
}
