//! API keys: created, shown once, listed, deleted, expired; and the last admin key, which stays.

use std::collections::BTreeSet;

use domain::models::{Mode, Plan, Role};
use serde_json::json;

use crate::support::{Actor, Fault, Faults, Reply, Target, TestService};

const HOUR_MS: i64 = 3_600_000;

async fn create(admin: &Actor, body: serde_json::Value) -> Reply {
    let reply = admin.post("/api-keys", body).await;
    reply.expect(201);
    reply
}

#[tokio::test]
async fn a_new_key_is_shown_once_and_works_at_once() {
    let service = TestService::start().await;
    let made = create(&service.admin(), json!({"name": "site", "role": "trainer"})).await;
    let (id, raw) = (made.text_at("keyId").to_owned(), made.text_at("key").to_owned());
    assert!(raw.starts_with("pk_live_") && raw.len() == 44, "{raw}");
    assert_eq!(made.header("location"), format!("/api/v1/api-keys/{id}"));
    assert_eq!(made.text_at("prefix"), &raw[..12]);
    let fields: BTreeSet<_> = made.json.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        ["keyId", "name", "role", "mode", "prefix", "createdAt", "createdBy", "expiresAt", "lastUsedAt", "key"];
    assert_eq!(fields, BTreeSet::from(expected));

    service.bearer(&raw).get("/wiki").await.expect(200);
    service.bearer(&raw).get("/settings").await.expect_error(403, "FORBIDDEN");
    let listed = service.admin().get("/api-keys").await;
    assert!(listed.text.contains(&id) && !listed.text.contains(&raw), "the raw key is shown again");
}

#[tokio::test]
async fn the_location_of_a_new_key_leads_to_its_record() {
    let service = TestService::start().await;
    let made = create(&service.admin(), json!({"name": "site", "role": "trainer"})).await;
    let path = made.header("location").strip_prefix("/api/v1").unwrap().to_owned();
    let read = service.admin().get(&path).await;
    let mut record = made.json.clone();
    record.as_object_mut().unwrap().remove("key");
    assert_eq!(read.expect(200), &record);
    for stranger in [service.test_admin(), service.other_admin()] {
        stranger.get(&path).await.expect_error(404, "NOT_FOUND");
    }
    let of_test = create(&service.admin(), json!({"name": "x", "mode": "test"})).await;
    let path = format!("/api-keys/{}", of_test.text_at("keyId"));
    assert_eq!(service.admin().get(&path).await.expect(200)["mode"], "test");
    assert_eq!(service.test_admin().get(&path).await.expect(200)["mode"], "test");
}

#[tokio::test]
async fn a_deleted_key_is_unknown_from_the_next_request_on() {
    let service = TestService::start().await;
    for _ in 0..20 {
        let made = create(&service.admin(), json!({"name": "short-lived"})).await;
        let holder = service.bearer(made.text_at("key"));
        holder.get("/api-keys").await.expect(200);
        let path = format!("/api-keys/{}", made.text_at("keyId"));
        assert_eq!(service.admin().delete(&path).await.expect(204), &serde_json::Value::Null);
        holder.get("/api-keys").await.expect_error(401, "UNAUTHORIZED");
        service.admin().delete(&path).await.expect_error(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_key_expires_to_the_millisecond_of_the_clock() {
    let service = TestService::start().await;
    let end = service.resources().runtime.now().plus_millis(HOUR_MS).to_string();
    let made = create(&service.admin(), json!({"name": "an hour", "expiresAt": end})).await;
    assert_eq!(made.text_at("expiresAt"), end);
    let holder = service.bearer(made.text_at("key"));
    holder.get("/api-keys").await.expect(200);
    service.clock.advance(HOUR_MS);
    let refused = holder.get("/api-keys").await;
    refused.expect_error(401, "API_KEY_EXPIRED");
    assert_eq!(refused.header("www-authenticate"), "Bearer");
    let past = service.resources().runtime.now().to_string();
    let refused = service.admin().post("/api-keys", json!({"name": "x", "expiresAt": past})).await;
    refused.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(refused.details(), ["expiresAt IN_THE_PAST"]);
}

#[tokio::test]
async fn whatever_is_no_credential_is_answered_alike() {
    let service = TestService::start().await;
    let good = service.tenant.key(Mode::Live, Role::Admin).to_owned();
    let reference = service.anonymous().get("/api-keys").await;
    reference.expect_error(401, "UNAUTHORIZED");
    let wrong_checksum = format!("{}{}", &good[..43], if good.ends_with('0') { "1" } else { "0" });
    let headers = [
        "Bearer pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO".to_owned(),
        format!("Bearer {wrong_checksum}"),
        format!("Basic {good}"),
        good.clone(),
        format!("Bearer Bearer {good}"),
        format!("Bearer\t{good}"),
        format!("Bearer {good}x"),
        format!("Bearer {}", "x".repeat(9_000)),
        "Bearer".to_owned(),
    ];
    for header in headers {
        let reply = service.anonymous().with_header("authorization", &header).get("/api-keys").await;
        reply.expect_error(401, "UNAUTHORIZED");
        assert_eq!(reply.header("www-authenticate"), "Bearer", "{header}");
        assert_eq!(reply.text_at("message"), reference.text_at("message"));
    }
    let twice = service.admin().with_header("authorization", &format!("Bearer {good}")).get("/api-keys").await;
    twice.expect_error(401, "UNAUTHORIZED");
    let in_query = service.anonymous().get(&format!("/api-keys?key={good}&access_token={good}")).await;
    in_query.expect_error(401, "UNAUTHORIZED");
    for scheme in ["bearer", "BEARER"] {
        let header = format!("{scheme} {good}");
        service.anonymous().with_header("authorization", &header).get("/api-keys").await.expect(200);
    }
}

#[tokio::test]
async fn a_test_key_manages_test_keys_only() {
    let service = TestService::start().await;
    let (live, test) = (service.admin(), service.test_admin());
    let refused = test.post("/api-keys", json!({"name": "x", "mode": "live"})).await;
    refused.expect_error(403, "FORBIDDEN");
    assert_eq!(create(&test, json!({"name": "x"})).await.text_at("mode"), "test");
    assert_eq!(create(&live, json!({"name": "x", "mode": "test"})).await.text_at("mode"), "test");
    let of_live = create(&live, json!({"name": "x", "role": "agent"})).await;
    let path = format!("/api-keys/{}", of_live.text_at("keyId"));
    test.delete(&path).await.expect_error(404, "NOT_FOUND");
    service.other_admin().delete(&path).await.expect_error(404, "NOT_FOUND");
    assert!(test.get("/api-keys?limit=100").await.items().iter().all(|key| key["mode"] == "test"));
    let both: BTreeSet<_> =
        live.get("/api-keys?limit=100").await.items().iter().map(|key| key["mode"].to_string()).collect();
    assert_eq!(both.len(), 2);
}

#[tokio::test]
async fn the_last_live_admin_key_stays_whoever_deletes_at_once() {
    let service = TestService::start().await;
    let mut keys = Vec::new();
    for _ in 0..7 {
        keys.push(create(&service.admin(), json!({"name": "admin"})).await);
    }
    let soon = service.resources().runtime.now().plus_millis(HOUR_MS).to_string();
    create(&service.admin(), json!({"name": "soon gone", "expiresAt": soon})).await;
    service.clock.advance(HOUR_MS);
    let first = service.admin().get("/api-keys?limit=100").await;
    let first = first
        .items()
        .iter()
        .find(|key| key["name"] == "admin" && key["mode"] == "live" && key["lastUsedAt"].is_string());
    let first = first.unwrap()["keyId"].as_str().unwrap().to_owned();

    let ids: Vec<_> = keys.iter().map(|key| key.text_at("keyId").to_owned()).chain([first]).collect();
    let admins: Vec<_> = keys.iter().map(|key| service.bearer(key.text_at("key"))).chain([service.admin()]).collect();
    // Everybody deletes the next one's key: only a condition keeps one of the eight.
    let deletions = admins.iter().enumerate().map(|(i, admin)| {
        let path = format!("/api-keys/{}", ids[(i + 1) % ids.len()]);
        async move { admin.delete(&path).await.status }
    });
    let statuses = futures::future::join_all(deletions).await;
    assert!(statuses.iter().all(|status| [204, 401, 409].contains(status)), "{statuses:?}");
    let scope = service.tenant.scope(Mode::Live);
    let left = service.resources().store.api_keys().list(&scope.tenant, Some(Mode::Live)).await.unwrap();
    let now = service.resources().runtime.now();
    let good = left.iter().filter(|key| key.role == Role::Admin && key.expires_at.is_none_or(|end| end > now)).count();
    assert!(good >= 1, "{statuses:?}");
}

#[tokio::test]
async fn the_last_live_admin_key_cannot_be_deleted_by_itself() {
    let service = TestService::start().await;
    let admin = service.admin();
    create(&admin, json!({"name": "of test mode", "mode": "test"})).await;
    let all = admin.get("/api-keys?limit=100").await;
    let own = all.items().iter().find(|key| key["role"] == "admin" && key["mode"] == "live").unwrap();
    let path = format!("/api-keys/{}", own["keyId"].as_str().unwrap());
    let refused = admin.delete(&path).await;
    refused.expect_error(409, "CONFLICT");
    create(&admin, json!({"name": "second"})).await;
    admin.delete(&path).await.expect(204);
    admin.get("/api-keys").await.expect_error(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_key_with_an_end_is_not_the_admin_key_that_is_left() {
    let service = TestService::start().await;
    let admin = service.admin();
    let all = admin.get("/api-keys?limit=100").await;
    let own = all.items().iter().find(|key| key["role"] == "admin" && key["mode"] == "live").unwrap();
    let own = format!("/api-keys/{}", own["keyId"].as_str().unwrap());
    let soon = service.resources().runtime.now().plus_millis(HOUR_MS).to_string();
    let ending = create(&admin, json!({"name": "for an hour", "expiresAt": soon})).await;
    let refused = admin.delete(&own).await;
    refused.expect_error(409, "CONFLICT");
    assert_eq!(refused.json["details"][0]["code"], "LAST_ADMIN_KEY");
    // The one with an end may go: one without stays.
    admin.delete(&format!("/api-keys/{}", ending.text_at("keyId"))).await.expect(204);
    create(&admin, json!({"name": "for good"})).await;
    admin.delete(&own).await.expect(204);
}

#[tokio::test]
async fn keys_are_listed_in_pages_that_miss_none() {
    let service = TestService::start().await;
    let whole = service.admin().get("/api-keys?limit=100").await;
    let (mut seen, mut path) = (Vec::new(), "/api-keys?limit=3".to_owned());
    loop {
        let page = service.admin().get(&path).await;
        seen.extend(page.items().to_vec());
        assert_eq!(page.at("hasMore").as_bool().unwrap(), page.at("nextCursor").is_string());
        let Some(cursor) = page.at("nextCursor").as_str() else { break };
        path = format!("/api-keys?limit=3&cursor={cursor}");
    }
    let ids = |items: &[serde_json::Value]| items.iter().map(|key| key["keyId"].to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&seen), ids(whole.items()));
    service.admin().get("/api-keys?cursor=nonsense").await.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn the_last_use_of_a_key_is_noted_to_the_minute() {
    let service = TestService::start().await;
    let made = create(&service.admin(), json!({"name": "noted"})).await;
    let holder = service.bearer(made.text_at("key"));
    let last_use = async || {
        let all = service.admin().get("/api-keys?limit=100").await;
        let key = all.items().iter().find(|key| key["keyId"] == made.json["keyId"]).unwrap();
        key["lastUsedAt"].as_str().map(str::to_owned)
    };
    assert_eq!(last_use().await, None);
    holder.get("/settings").await.expect(200);
    let first = last_use().await.unwrap();
    holder.get("/settings").await.expect(200);
    assert_eq!(last_use().await.unwrap(), first, "noted twice within a minute");
    service.clock.advance(61_000);
    holder.get("/settings").await.expect(200);
    assert!(last_use().await.unwrap() > first);
}

#[tokio::test]
async fn a_key_needs_a_name_and_known_words() {
    let service = TestService::start().await;
    let refused =
        service.admin().post("/api-keys", json!({"role": "Admin", "mode": "prod", "expiresAt": "tomorrow"})).await;
    refused.expect_error(400, "VALIDATION_ERROR");
    let all = ["name REQUIRED", "role NOT_ALLOWED", "expiresAt INVALID_FORMAT", "mode NOT_ALLOWED"];
    assert_eq!(refused.details(), all);
    for (length, status) in [(0, 400), (1, 201), (99, 201), (100, 201), (101, 400)] {
        let reply = service.admin().post("/api-keys", json!({"name": "n".repeat(length)})).await;
        assert_eq!(reply.status, status, "{length}");
    }
    // Fields that a caller may not decide are not read.
    let body = json!({"name": "x", "role": "agent", "tenantId": "ten_x", "keyId": "key_x", "prefix": "pk", "key": "pk_live_x"});
    let made = create(&service.admin(), body).await;
    assert!(made.text_at("keyId").len() == 30 && made.text_at("key").len() == 44);
}

#[tokio::test]
async fn a_key_names_its_maker_by_which_keys_are_listed() {
    let service = TestService::start().await;
    let admin = service.admin();
    let own = admin
        .get("/api-keys")
        .await
        .items()
        .iter()
        .find(|key| key["role"] == "admin" && key["mode"] == "live")
        .unwrap()["keyId"]
        .clone();
    let first = create(&admin, json!({"name": "first", "role": "admin"})).await;
    assert_eq!(first.at("createdBy"), &own);
    let maker = first.text_at("keyId").to_owned();
    let made = create(&service.bearer(first.text_at("key")), json!({"name": "second", "mode": "test"})).await;
    assert_eq!(made.at("createdBy"), first.at("keyId"));
    let listed = admin.list_all(&format!("/api-keys?createdBy={maker}&limit=1")).await;
    assert_eq!(listed.iter().map(|key| key["keyId"].clone()).collect::<Vec<_>>(), [made.at("keyId").clone()]);
    assert!(admin.get("/api-keys?createdBy=mem_nobody").await.items().is_empty());
    let given = admin.list_all("/api-keys?createdBy=operator").await;
    assert!(!given.is_empty() && given.iter().all(|key| key["keyId"] != first.json["keyId"]), "{given:?}");
}

#[tokio::test]
async fn of_a_hundred_and_one_keys_of_a_mode_the_last_is_refused_until_one_is_deleted() {
    let service = TestService::start().await;
    let admin = service.admin();
    let there = admin.list_all("/api-keys?limit=100").await;
    let live = there.iter().filter(|key| key["mode"] == "live").count();
    for n in live..98 {
        create(&admin, json!({"name": format!("key {n}"), "role": "integration"})).await;
    }
    // Two are left for eight at once.
    let body = json!({"name": "raced", "role": "integration"});
    let raced = futures::future::join_all((0..8).map(|_| admin.post("/api-keys", body.clone()))).await;
    let made: Vec<&Reply> = raced.iter().filter(|reply| reply.status == 201).collect();
    assert_eq!(made.len(), 2);
    for refused in raced.iter().filter(|reply| reply.status != 201) {
        refused.expect_error(409, "CONFLICT");
        assert_eq!(refused.json["details"][0]["code"], "TOO_MANY_API_KEYS");
    }
    create(&admin, json!({"name": "of the other mode", "mode": "test"})).await;
    admin.delete(&format!("/api-keys/{}", made[0].text_at("keyId"))).await.expect(204);
    create(&admin, body).await;
}

#[tokio::test]
async fn a_tenant_is_made_with_its_first_key_or_not_at_all() {
    let faults = Faults::default();
    let wire = faults.wrapper(Target::Table);
    let service = TestService::with(|options| options.wrap_database = Some(wire)).await;
    let resources = service.resources();
    faults.arm(2, usize::MAX / 2, Fault::BeforeSend);
    let made = support::tenants::create(&resources.store, &resources.runtime, "Shop", Plan::Free).await.unwrap();
    assert_eq!(faults.disarm(), 1, "calls of the table");
    let admin = service.bearer(made.raw_key.expose());
    let keys = admin.get("/api-keys").await;
    assert_eq!((keys.items().len(), &keys.items()[0]["keyId"]), (1, &json!(made.key.key_id)));
    let audit = admin.get("/audit").await;
    assert_eq!(audit.items()[0]["action"], "key.created", "{}", audit.json);
}
