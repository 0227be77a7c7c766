//! Receivers of events: registered, listed, changed, deleted; and their secrets, which are never shown.

use serde_json::{Value, json};

use crate::support::{Actor, Reply, TestService};

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn body(url: &str) -> Value {
    json!({"url": url, "events": ["*"], "secret": SECRET})
}

async fn register(actor: &Actor, url: &str) -> Reply {
    let reply = actor.post("/webhooks", body(url)).await;
    reply.expect(201);
    reply
}

#[tokio::test]
async fn a_receiver_is_registered_read_listed_changed_and_deleted() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let new = json!({"url": "https://hooks.example.com/a", "events": ["handover.requested", "entry.updated", "handover.requested"],
        "secret": "my-plain-secret-1234", "description": "CRM", "status": "disabled", "unknown": 1});
    let made = trainer.post("/webhooks", new).await;
    made.expect(201);
    let id = made.text_at("webhookId").to_owned();
    assert!(id.starts_with("whk_"));
    assert_eq!(made.header("location"), format!("/api/v1/webhooks/{id}"));
    let shown = [made.at("events"), made.at("description"), made.at("status"), made.at("secretHint")];
    assert_eq!(shown, [&json!(["handover.requested", "entry.updated"]), &json!("CRM"), &json!("active"), &Value::Null]);
    let fresh = [made.at("lastDeliveryAt"), made.at("lastStatus"), made.at("consecutiveFailures")];
    assert_eq!(fresh, [&Value::Null, &Value::Null, &json!(0)]);
    assert!(made.json.get("disabledReason").is_none() && made.json.get("secret").is_none(), "{}", made.text);
    assert_eq!(trainer.get(&format!("/webhooks/{id}")).await.json, made.json);
    assert_eq!(trainer.get("/webhooks").await.items(), std::slice::from_ref(&made.json));

    let path = format!("/webhooks/{id}");
    let changed =
        trainer.patch(&path, json!({"events": ["*"], "description": "", "url": "https://hooks.example.com/b"})).await;
    changed.expect(200);
    assert_eq!((changed.at("events"), changed.at("description")), (&json!(["*"]), &Value::Null));
    assert_eq!(changed.text_at("url"), "https://hooks.example.com/b");
    trainer.patch(&path, json!({"description": "Help desk"})).await.expect(200);
    assert_eq!(trainer.patch(&path, json!({"description": null})).await.expect(200)["description"], Value::Null);
    for field in ["url", "events", "status"] {
        let refused = trainer.patch(&path, json!({field: null, "description": "X"})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [format!("{field} REQUIRED")]);
    }
    let changed = trainer.get(&path).await;
    let same = trainer.patch(&path, json!({"events": ["*"]})).await;
    assert_eq!(same.json, changed.json, "a change of nothing is none");
    let off = trainer.patch(&path, json!({"status": "disabled"})).await;
    assert_eq!((off.text_at("status"), off.text_at("disabledReason")), ("disabled", "manual"));
    let on = trainer.patch(&path, json!({"status": "active"})).await;
    assert!(on.text_at("status") == "active" && on.json.get("disabledReason").is_none(), "{}", on.text);

    trainer.delete(&path).await.expect(204);
    trainer.delete(&path).await.expect_error(404, "NOT_FOUND");
    trainer.get(&path).await.expect_error(404, "NOT_FOUND");
    assert!(trainer.get("/webhooks").await.items().is_empty());
    register(&trainer, "https://hooks.example.com/b").await;
}

#[tokio::test]
async fn every_problem_of_a_new_receiver_is_told_at_once() {
    let service = TestService::start().await;
    let admin = service.admin();
    let wrong = json!({"url": "https://10.0.0.1/x", "events": ["entry.updated", "Entry.Updated"], "secret": "short",
        "description": 7});
    let reply = admin.post("/webhooks", wrong).await;
    reply.expect_error(400, "VALIDATION_ERROR");
    let expected = ["url INVALID_FORMAT", "events[1] NOT_ALLOWED", "secret TOO_SHORT", "description WRONG_TYPE"];
    assert_eq!(reply.details(), expected);
    let nothing = admin.post("/webhooks", json!({})).await;
    assert_eq!(nothing.details(), ["secret REQUIRED", "url REQUIRED", "events REQUIRED"]);
    for (field, value, code) in [
        ("events", json!([]), "events TOO_FEW"),
        ("events", json!("*"), "events WRONG_TYPE"),
        ("events", json!(vec!["entry.updated"; 51]), "events TOO_MANY"),
        ("events", json!(["webhook.*"]), "events[0] NOT_ALLOWED"),
        ("secret", json!("x".repeat(7)), "secret TOO_SHORT"),
        ("secret", json!("x".repeat(257)), "secret TOO_LONG"),
        ("secret", json!("abcd\nefgh"), "secret INVALID_CHARACTER"),
        ("secret", json!(12345678), "secret WRONG_TYPE"),
        ("url", json!("ftp://hooks.example.com"), "url INVALID_FORMAT"),
        ("url", json!("https://user:pass@hooks.example.com"), "url INVALID_FORMAT"),
        ("url", json!("https://169.254.169.254/latest"), "url INVALID_FORMAT"),
        ("url", json!(format!("https://hooks.example.com/{}", "x".repeat(2_048))), "url INVALID_FORMAT"),
        ("url", json!("not a url"), "url INVALID_FORMAT"),
    ] {
        let mut new = body("https://hooks.example.com/x");
        new[field] = value;
        let reply = admin.post("/webhooks", new).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), [code]);
    }
    for good in ["x".repeat(8), "x".repeat(256), "pässwörd".to_owned()] {
        let mut new = body(&format!("https://hooks.example.com/{}", good.len()));
        new["secret"] = json!(good);
        admin.post("/webhooks", new).await.expect(201);
    }
    assert_eq!(admin.get("/webhooks").await.items().len(), 3, "a refusal changes nothing");
}

#[tokio::test]
async fn plain_http_and_this_machine_are_for_services_that_allow_them() {
    use outbound::OutboundPolicy;
    let strict = TestService::with(|options| {
        options.configure_outbound = Some(Box::new(|mut settings| {
            settings.policy = OutboundPolicy::default();
            settings
        }));
    })
    .await;
    for url in ["http://hooks.example.com/", "https://127.0.0.1/x", "http://localhost:8080/"] {
        let reply = strict.admin().post("/webhooks", body(url)).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), ["url INVALID_FORMAT"], "{url}");
    }
    let id = register(&strict.admin(), "https://hooks.example.com/").await.text_at("webhookId").to_owned();
    let moved = strict.admin().patch(&format!("/webhooks/{id}"), json!({"url": "http://127.0.0.1:1/"})).await;
    moved.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn an_address_is_registered_once() {
    let service = TestService::start().await;
    let admin = service.admin();
    let first = register(&admin, "https://hooks.example.com/a").await;
    let second = register(&admin, "https://hooks.example.com/b").await;
    for again in ["https://hooks.example.com/a", "https://HOOKS.example.com/a", "https://hooks.example.com:443/a"] {
        let refused = admin.post("/webhooks", body(again)).await;
        refused.expect_error(409, "CONFLICT");
        assert_eq!(refused.details(), ["DUPLICATE_URL"]);
    }
    let path = format!("/webhooks/{}", second.text_at("webhookId"));
    admin.patch(&path, json!({"url": "https://hooks.example.com/a"})).await.expect_error(409, "CONFLICT");
    admin.patch(&path, json!({"url": "https://hooks.example.com/b"})).await.expect(200);
    // Somebody else, and the other mode, have addresses of their own.
    register(&service.other_admin(), "https://hooks.example.com/a").await;
    register(&service.test_admin(), "https://hooks.example.com/a").await;
    // An address that is given up is free again.
    admin.delete(&format!("/webhooks/{}", first.text_at("webhookId"))).await.expect(204);
    admin.patch(&path, json!({"url": "https://hooks.example.com/a"})).await.expect(200);
    register(&admin, "https://hooks.example.com/b").await;
}

#[tokio::test]
async fn of_64_registrations_at_once_twenty_succeed() {
    let service = TestService::start().await;
    let admin = service.admin();
    let all = (0..64).map(|n| {
        let admin = admin.clone();
        async move { admin.post("/webhooks", body(&format!("https://hooks.example.com/{n}"))).await }
    });
    let replies = futures::future::join_all(all).await;
    let made = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(made, 20);
    for refused in replies.iter().filter(|reply| reply.status != 201) {
        refused.expect_error(409, "CONFLICT");
        assert_eq!(refused.details(), ["TOO_MANY_WEBHOOKS"]);
    }
    let listed = admin.get("/webhooks?limit=100").await;
    assert_eq!(listed.items().len(), 20);
    let one = listed.text_at("/items/0/webhookId").to_owned();
    admin.delete(&format!("/webhooks/{one}")).await.expect(204);
    register(&admin, "https://hooks.example.com/again").await;
    admin.post("/webhooks", body("https://hooks.example.com/more")).await.expect_error(409, "CONFLICT");
    register(&service.test_admin(), "https://hooks.example.com/more").await;
}

#[tokio::test]
async fn receivers_are_listed_page_by_page_oldest_first() {
    let service = TestService::start().await;
    let admin = service.admin();
    for n in 0..5 {
        register(&admin, &format!("https://hooks.example.com/{n}")).await;
    }
    let urls = |page: &Reply| page.items().iter().map(|w| w["url"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let first = admin.get("/webhooks?limit=3").await;
    assert_eq!((urls(&first).len(), first.at("hasMore")), (3, &json!(true)));
    let rest = admin.get(&format!("/webhooks?limit=3&cursor={}", first.text_at("nextCursor"))).await;
    assert_eq!((rest.at("hasMore"), rest.at("nextCursor")), (&json!(false), &Value::Null));
    let expected: Vec<_> = (0..5).map(|n| format!("https://hooks.example.com/{n}")).collect();
    assert_eq!([urls(&first), urls(&rest)].concat(), expected);
    admin.get("/webhooks?limit=0").await.expect_error(400, "VALIDATION_ERROR");
    admin.get("/webhooks?cursor=x").await.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_receiver_of_somebody_else_or_of_the_other_mode_does_not_exist() {
    let service = TestService::start().await;
    let id = register(&service.admin(), "http://127.0.0.1:9/closed").await.text_at("webhookId").to_owned();
    let test = service.admin().post_empty(&format!("/webhooks/{id}/test")).await;
    let delivery = test.text_at("deliveryId").to_owned();
    for stranger in [service.other_admin(), service.test_admin()] {
        let path = format!("/webhooks/{id}");
        stranger.get(&path).await.expect_error(404, "NOT_FOUND");
        stranger.patch(&path, json!({"events": ["*"]})).await.expect_error(404, "NOT_FOUND");
        stranger.delete(&path).await.expect_error(404, "NOT_FOUND");
        stranger.post(&format!("{path}/rotate"), json!({"secret": "12345678"})).await.expect_error(404, "NOT_FOUND");
        stranger.post_empty(&format!("{path}/test")).await.expect_error(404, "NOT_FOUND");
        stranger.get(&format!("{path}/deliveries")).await.expect_error(404, "NOT_FOUND");
        let resend = format!("{path}/deliveries/{delivery}/resend");
        stranger.post_empty(&resend).await.expect_error(404, "NOT_FOUND");
        let replay = stranger.post(&format!("{path}/replay"), json!({"since": "2026-01-02T03:04:05Z"})).await;
        replay.expect_error(404, "NOT_FOUND");
        assert!(stranger.get("/webhooks").await.items().is_empty());
    }
    for none in ["dlv_00000000000000000000000000", "evt_x", "x"] {
        let path = format!("/webhooks/{id}/deliveries/{none}/resend");
        service.admin().post_empty(&path).await.expect_error(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_secret_is_in_no_answer_and_in_no_stored_byte() {
    let service = TestService::start().await;
    let admin = service.admin();
    let secrets = ["correct-horse-battery-staple", SECRET];
    let mut answers = String::new();
    let mut new = body("http://127.0.0.1:9/closed");
    new["secret"] = json!(secrets[0]);
    let made = admin.post("/webhooks", new).await;
    let path = format!("/webhooks/{}", made.text_at("webhookId"));
    answers.push_str(&made.text);
    let rotated = admin.post(&format!("{path}/rotate"), json!({"secret": secrets[1]})).await;
    assert_eq!(rotated.text_at("secretHint"), "Hh8=");
    for reply in [
        rotated,
        admin.get(&path).await,
        admin.get("/webhooks").await,
        admin.patch(&path, json!({"description": "d", "secret": "ignored-secret-of-a-patch"})).await,
        admin.post_empty(&format!("{path}/test")).await,
        admin.get(&format!("{path}/deliveries")).await,
    ] {
        answers.push_str(&reply.text);
    }
    let stored = service.raw_items().await.concat().into_bytes();
    let keys = [b"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8".as_slice(), &(0..32).collect::<Vec<u8>>()];
    for secret in secrets.iter().map(|secret| secret.as_bytes()).chain(keys) {
        assert!(!contains(answers.as_bytes(), secret), "a secret in an answer: {answers}");
        assert!(!contains(&stored, secret), "a secret in the table");
    }
    assert!(contains(&stored, b"127.0.0.1:9/closed"), "what is stored was not looked at");
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Secrets that begin as one in base64, of which the libraries of Standard Webhooks make another key or none.
fn unsound_secrets() -> Vec<String> {
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    let of = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![0xFB; bytes]));
    let mut unsound = vec![of(16), of(23), of(65), of(25).trim_end_matches('=').to_owned()];
    unsound.push(format!("whsec_{}", URL_SAFE.encode([0xFB; 24])));
    unsound.extend(["whsec_test", "whsec_%%%%%%", "v1,abcdefgh", "V1,g0hM9SsE+OTPJTGt"].map(String::from));
    unsound.push(SECRET.to_uppercase());
    unsound.extend(["WHSEC_", "Whsec_"].map(|prefix| SECRET.replace("whsec_", prefix)));
    let before = ["v1,", " ", "\u{a0}", "\u{feff}", "\u{200b} v1,"].map(|before| format!("{before}{SECRET}"));
    unsound.extend(before);
    unsound.extend([format!("{SECRET} "), format!("{SECRET},{SECRET}"), SECRET.replace('=', "")]);
    unsound
}

#[tokio::test]
async fn a_secret_that_no_library_verifies_is_refused_and_changes_nothing() {
    let service = TestService::start().await;
    let admin = service.admin();
    let made = register(&admin, "https://hooks.example.com/a").await;
    let path = format!("/webhooks/{}", made.text_at("webhookId"));
    for secret in unsound_secrets() {
        let mut new = body("https://hooks.example.com/b");
        new["secret"] = json!(secret);
        let rotated = json!({"secret": secret});
        for refused in [admin.post("/webhooks", new).await, admin.post(&format!("{path}/rotate"), rotated).await] {
            refused.expect_error(400, "VALIDATION_ERROR");
            assert_eq!(refused.details(), ["secret INVALID_SECRET"], "{secret}");
            assert!(!refused.text.contains(SECRET), "{}", refused.text);
        }
    }
    assert_eq!(admin.get("/webhooks").await.items(), std::slice::from_ref(&made.json));
    for sound in ["whsecret", "v1-secret", "my whsec_secret", "whsec-12345678"] {
        let rotated = admin.post(&format!("{path}/rotate"), json!({"secret": sound})).await;
        assert!(rotated.expect(200).get("warnings").is_none(), "{sound}: {}", rotated.text);
    }
}

#[tokio::test]
async fn base64_without_its_prefix_is_taken_with_a_warning() {
    let service = TestService::start().await;
    let admin = service.admin().with_header("idempotency-key", "once");
    let bare = SECRET.trim_start_matches("whsec_");
    let mut new = body("https://hooks.example.com/a");
    new["secret"] = json!(bare);
    let made = admin.post("/webhooks", new.clone()).await;
    assert_eq!(made.expect(201)["warnings"][0]["code"], "UNPREFIXED_BASE64", "{}", made.text);
    assert_eq!(made.at("/warnings/0/field"), "secret");
    assert!(!made.text.contains(bare), "{}", made.text);
    assert_eq!(admin.post("/webhooks", new).await.expect(201), made.expect(201), "a replay");
    let path = format!("/webhooks/{}", made.text_at("webhookId"));
    assert!(admin.get(&path).await.expect(200).get("warnings").is_none());
    for (secret, is_warned) in [
        ("c2VjcmV0LW9mLTI0LWJ5dGVzLTAx", false),
        ("c2VjcmV0LW9mLTI0LWJ5dGVzLTAxMjM0", true),
        ("mzSg9k8xV2d-_QYb1dX7vN5pKc0tRw3hUeJ6LaBfGoI", true),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", false),
        ("5f2d8c0e9b1a7346e0c5d2f8a9b3c4d1", true),
        ("my-plain-secret-chosen-by-user", false),
        ("a sentence of several words, and more of them", false),
        (SECRET, false),
    ] {
        let rotated = service.admin().post(&format!("{path}/rotate"), json!({"secret": secret})).await;
        assert_eq!(rotated.expect(200).get("warnings").is_some(), is_warned, "{secret}: {}", rotated.text);
    }
}

#[tokio::test]
async fn a_hint_is_shown_of_long_secrets_only() {
    let service = TestService::start().await;
    let admin = service.admin();
    let mut shown = Vec::new();
    for (at, length) in [8, 23, 24, 256].into_iter().enumerate() {
        let secret = format!("{}wxyz", "s".repeat(length - 4));
        let new = json!({"url": format!("http://127.0.0.1:9/{at}"), "events": ["*"], "secret": secret});
        let made = admin.post("/webhooks", new).await;
        made.expect(201);
        let path = format!("/webhooks/{}", made.text_at("webhookId"));
        assert_eq!(admin.get(&path).await.at("secretHint"), made.at("secretHint"));
        shown.push(made.at("secretHint").clone());
        let rotated = admin.post(&format!("{path}/rotate"), json!({"secret": "12345678"})).await;
        assert_eq!(rotated.expect(200)["secretHint"], serde_json::Value::Null);
    }
    assert_eq!(json!(shown), json!([null, null, "wxyz", "wxyz"]));
}
