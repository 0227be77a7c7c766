//! The API keys that a member made: they stay when it is removed, or end with it.

use serde_json::{Value, json};

use crate::sign_in::{joined, service, signed_in};
use crate::support::{Actor, TestService};

/// A key that somebody makes: its id, and its calls.
async fn key_of(service: &TestService, maker: &Actor, body: Value) -> (String, Actor) {
    let made = maker.post("/api-keys", body).await;
    made.expect(201);
    (made.text_at("keyId").to_owned(), service.bearer(made.text_at("key")))
}

#[tokio::test]
async fn the_keys_of_a_removed_member_are_listed_and_end_if_that_is_asked_for() {
    let service = service().await;
    let admin = service.admin();
    for deletes in [false, true] {
        let email = format!("ada-{deletes}@company.example");
        let (id, ada) = signed_in(&service, &email, &["admin"]).await;
        let (live, live_key) = key_of(&service, &ada, json!({"name": "live", "role": "admin"})).await;
        let (test, test_key) = key_of(&service, &ada, json!({"name": "test", "mode": "test", "role": "agent"})).await;
        let (_, other_key) = key_of(&service, &admin, json!({"name": "other", "role": "trainer"})).await;
        let listed = admin.list_all(&format!("/api-keys?createdBy={id}")).await;
        assert_eq!(listed.iter().map(|key| key["keyId"].as_str().unwrap()).collect::<Vec<_>>(), [&live, &test]);
        let query = if deletes { "?deleteKeys=true" } else { "" };
        admin.delete(&format!("/members/{id}{query}")).await.expect(204);
        for key in [live_key, test_key] {
            assert_eq!(key.get("/wiki").await.status, if deletes { 401 } else { 200 });
        }
        other_key.get("/wiki").await.expect(200);
        ada.get("/wiki").await.expect_error(401, "SIGN_IN_REQUIRED");
        if deletes {
            let audit = admin.get("/audit").await;
            let ended = audit.items().iter().filter(|entry| entry["action"] == "key.deleted");
            assert_eq!(ended.count(), 2);
        }
    }
    let refused = admin.delete("/members/mem_00000000000000000000000000?deleteKeys=yes").await;
    refused.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_member_whose_keys_include_the_last_admin_key_is_not_removed_with_them() {
    let service = service().await;
    let (id, ada) = signed_in(&service, "ada@company.example", &["admin"]).await;
    signed_in(&service, "eve@company.example", &["admin"]).await;
    let (_, last) = key_of(&service, &ada, json!({"name": "last", "role": "admin"})).await;
    for key in last.list_all("/api-keys?limit=100").await {
        if key["mode"] == "live" && key["role"] == "admin" && key["createdBy"] != id.as_str() {
            last.delete(&format!("/api-keys/{}", key["keyId"].as_str().unwrap())).await.expect(204);
        }
    }
    let refused = last.delete(&format!("/members/{id}?deleteKeys=true")).await;
    refused.expect_error(409, "CONFLICT");
    assert_eq!(refused.json["details"][0]["code"], "LAST_ADMIN_KEY");
    last.get(&format!("/members/{id}")).await.expect(200);
    ada.get("/wiki").await.expect(200);
    last.delete(&format!("/members/{id}?deleteKeys=false")).await.expect(204);
    last.get("/wiki").await.expect(200);
}

#[tokio::test]
async fn a_member_ends_itself_and_its_keys_after_a_recent_sign_in_alone() {
    let service = service().await;
    signed_in(&service, "eve@company.example", &["admin"]).await;
    let (id, signed_in) = joined(&service, &service.admin(), "ada@company.example", &["admin"], 61 * 60).await;
    let ada = service.bearer(signed_in.text_at("token"));
    let path = format!("/members/{id}");
    for query in ["?deleteKeys=true", ""] {
        ada.delete(&format!("{path}{query}")).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    }
}
