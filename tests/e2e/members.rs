//! Members and the audit, over HTTP: who is added, changed, invited and removed, and what is told of it.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

fn ada() -> Value {
    json!({"email": "Ada@Company.Example", "name": "Ada Lovelace", "roles": ["agent", "admin", "agent"]})
}

async fn actions(admin: &Actor) -> Vec<String> {
    let audit = admin.get("/audit").await;
    audit.items().iter().map(|entry| entry["action"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_member_is_added_changed_and_removed_by_an_admin_key_and_the_audit_tells_of_it() {
    let service = TestService::start().await;
    let admin = service.admin();
    let added = admin.post("/members", ada()).await;
    let member = added.expect(201);
    assert_eq!(member["email"], "ada@company.example");
    assert_eq!((&member["publicName"], &member["status"]), (&json!("Ada"), &json!("invited")));
    assert_eq!(member["roles"], json!(["admin", "agent"]));
    assert_eq!((&member["providerUser"], &member["lastSignInAt"]), (&json!("none"), &json!(null)));
    let path = format!("/members/{}", added.text_at("memberId"));
    assert_eq!(added.header("location"), format!("/api/v1{path}"));

    admin
        .post("/members", json!({"email": "ADA@company.example", "name": "B", "roles": ["agent"]}))
        .await
        .expect_error(409, "CONFLICT");
    let read = admin.get(&path).await;
    let etag = read.header("etag").to_owned();
    let stale = admin
        .bytes(
            "PATCH",
            &path,
            &[("content-type", "application/json"), ("if-match", "\"99\"")],
            br#"{"name":"C"}"#.to_vec(),
        )
        .await;
    stale.expect_error(412, "PRECONDITION_FAILED");
    let changed = admin.patch(&path, json!({"name": "Ada King", "roles": ["trainer"]})).await;
    assert_eq!(changed.expect(200)["roles"], json!(["trainer"]));
    assert_ne!(changed.header("etag"), etag);
    admin.patch(&path, json!({"status": "active"})).await.expect_error(409, "INVALID_STATE");
    admin.patch(&path, json!({"availability": "away"})).await.expect_error(403, "FORBIDDEN");
    assert_eq!(admin.patch(&path, json!({"status": "suspended"})).await.expect(200)["status"], "suspended");
    assert_eq!(admin.patch(&path, json!({"status": "active"})).await.expect(200)["status"], "invited");
    admin.post_empty(&format!("{path}/invite")).await.expect(200);
    admin.post_empty(&format!("{path}/sign-out")).await.expect(204);
    assert_eq!(admin.get("/members").await.items().len(), 1);
    admin.delete(&path).await.expect(204);
    admin.get(&path).await.expect_error(404, "NOT_FOUND");
    admin.post("/members", ada()).await.expect(201);

    let told = actions(&admin).await;
    let expected = [
        "member.added",
        "member.removed",
        "member.signed_out_everywhere",
        "member.invited",
        "member.resumed",
        "member.suspended",
    ];
    assert_eq!(told[..expected.len()], expected);
    let newest = admin.get("/audit?limit=1").await;
    assert_eq!(newest.items()[0]["actor"]["type"], "key");
    assert!(newest.at("hasMore").as_bool().unwrap());
}

#[tokio::test]
async fn an_address_that_may_be_read_as_another_one_is_refused_and_adds_nobody() {
    let service = TestService::start().await;
    let admin = service.admin();
    for email in
        ["\u{212A}im@company.example", "you@company.example.", "\"you\"@company.example", "you", "a(b)@c.example"]
    {
        let body = json!({"email": email, "name": "You", "roles": ["agent"]});
        admin.post("/members", body).await.expect_error(400, "VALIDATION_ERROR");
    }
    for roles in [json!([]), json!(["integration"]), json!("admin")] {
        let body = json!({"email": "you@company.example", "name": "You", "roles": roles});
        admin.post("/members", body).await.expect_error(400, "VALIDATION_ERROR");
    }
    assert!(admin.get("/members").await.items().is_empty());
    service.test_admin().get("/members").await.expect_error(403, "FORBIDDEN");
    service.test_admin().get("/audit").await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn without_a_provider_nobody_signs_in() {
    let service = TestService::start().await;
    service.anonymous().get("/auth/desk").await.expect_error(404, "NOT_FOUND");
    let body = json!({"code": "c", "codeVerifier": "v"});
    service.anonymous().post("/auth/desk-token", body).await.expect_error(404, "NOT_FOUND");
    service.anonymous().post("/auth/desk-token/renew", json!({})).await.expect_error(404, "NOT_FOUND");
    let out = service.anonymous().post_empty("/auth/sign-out").await;
    out.expect(204);
    assert!(out.header("set-cookie").contains("Max-Age=0"), "{}", out.header("set-cookie"));
}
