//! `tenant` and `key`.

use std::time::Duration;

use serde_json::json;

use super::support::{Folder, ops};

/// Longer than a function remembers that a tenant is served.
const STATUS_REMEMBERED: Duration = Duration::from_millis(5_200);

#[tokio::test(flavor = "multi_thread")]
async fn a_new_tenants_first_key_is_printed_once_and_opens_its_live_half() {
    let folder = Folder::running().await;
    let printed = folder.ops(&["tenant", "create", "Shop", "--plan", "pro"]).await;
    printed.expect(0);
    let key = printed.stdout.split_whitespace().find(|word| word.starts_with("pk_live_")).unwrap().to_owned();
    assert!(printed.stderr.is_empty() && printed.stdout.contains("not shown again"), "{printed:?}");
    let (status, settings) = folder.get(&key, "/settings").await;
    assert_eq!((status, &settings["name"], &settings["plan"]), (200, &json!("Shop"), &json!("pro")));
    for arguments in [["tenant", "list"], ["key", "list"]] {
        let named = if arguments[0] == "key" { vec!["Shop"] } else { vec![] };
        let shown = folder.ops(&[&arguments[..], &named].concat()).await;
        assert!(shown.expect(0).stdout.contains("Shop") || shown.stdout.contains("pk_live_"), "{shown:?}");
        assert!(!shown.stdout.contains(&key), "{shown:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_has_its_role_and_mode_and_is_refused_after_its_revocation() {
    let folder = Folder::running().await;
    let (tenant, first) = folder.tenant("Shop").await;
    let create = ["key", "create", &tenant, "--role", "agent", "--mode", "test", "--name", "desk"];
    let made = folder.json(&create).await;
    let (id, raw) = (made["keyId"].as_str().unwrap(), made["key"].as_str().unwrap());
    assert!(raw.starts_with("pk_test_") && made["role"] == "agent" && made["name"] == "desk", "{made}");
    assert_eq!(folder.get(raw, "/inbox").await.0, 200);

    let listed = folder.json(&["key", "list", "Shop"]).await;
    let used = listed["items"].as_array().unwrap().iter().find(|key| key["keyId"] == id).unwrap();
    assert!(used["lastUsedAt"].is_string(), "{listed}");

    let dry = folder.json(&["key", "revoke", &tenant, id]).await;
    assert_eq!((&dry["dryRun"], &dry["keyId"]), (&json!(true), &json!(id)));
    assert_eq!(folder.get(raw, "/inbox").await.0, 200, "a dry run revokes nothing");
    folder.ops(&["key", "revoke", &tenant, id, "--yes"]).await.expect(0);
    assert_eq!(folder.get(raw, "/inbox").await.0, 401);
    folder.ops(&["key", "revoke", &tenant, id, "--yes"]).await.expect(3);

    let listed = folder.json(&["key", "list", "Shop"]).await;
    let last = listed["items"][0]["keyId"].as_str().unwrap();
    let refused = folder.ops(&["key", "revoke", &tenant, last, "--yes"]).await;
    assert!(refused.expect(4).stderr.contains("last live admin key") && refused.stdout.is_empty(), "{refused:?}");
    assert_eq!(folder.get(&first, "/settings").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_tenants_keys_and_widget_tokens_are_refused_until_it_is_resumed() {
    let folder = Folder::running().await;
    let (tenant, key) = folder.tenant("Shop").await;
    let (other, other_key) = folder.tenant("Other").await;
    assert_ne!(tenant, other);
    let (status, token) = folder.post(&key, "/auth/widget-token", &json!({})).await;
    assert_eq!(status, 200, "{token}");
    let token = token["token"].as_str().unwrap().to_owned();
    let session = folder.post(&token, "/sessions", &json!({})).await.1;
    let session = format!("/sessions/{}", session["sessionId"].as_str().unwrap());

    assert_eq!(folder.json(&["tenant", "suspend", "Shop"]).await["status"], "suspended");
    tokio::time::sleep(STATUS_REMEMBERED).await;
    for credential in [&key, &token] {
        let (status, refusal) = folder.get(credential, &session).await;
        assert_eq!((status, &refusal["error"]), (403, &json!("FORBIDDEN")), "{refusal}");
        assert_eq!(refusal["details"][0]["code"], "TENANT_SUSPENDED", "{refusal}");
    }
    assert_eq!(folder.get(&other_key, "/settings").await.0, 200);

    folder.ops(&["tenant", "resume", &tenant]).await.expect(0);
    tokio::time::sleep(STATUS_REMEMBERED).await;
    for credential in [&key, &token] {
        assert_eq!(folder.get(credential, &session).await.0, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_changed_and_what_is_not_there_or_ambiguous_is_refused() {
    let folder = Folder::running().await;
    let (tenant, key) = folder.tenant("Shop").await;
    assert_eq!(folder.json(&["tenant", "plan", "Shop", "free"]).await["plan"], "free");
    assert_eq!(folder.get(&key, "/settings").await.1["plan"], "free");
    folder.tenant("Shop").await;
    let printed = folder.ops(&["tenant", "plan", "Shop", "pro"]).await;
    assert!(printed.expect(4).stderr.contains("use the id"), "{printed:?}");
    folder.ops(&["tenant", "plan", &tenant, "pro"]).await.expect(0);
    folder.ops(&["tenant", "suspend", "Nobody"]).await.expect(3);
    folder.ops(&["tenant", "plan", "Shop", "gold"]).await.expect(2);
    folder.ops(&["tenant", "create", " "]).await.expect(4);
    folder.ops(&["key", "create", &tenant, "--expires", "2020-01-01T00:00:00Z"]).await.expect(2);
    let printed = folder.ops(&["tenant", "suspend", "Nobody", "--json"]).await;
    let error: serde_json::Value = serde_json::from_str(&printed.expect(3).stderr).unwrap();
    assert_eq!(error["error"], "NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limit_of_a_tenants_widgets_is_shown_and_set_for_one_mode() {
    let folder = Folder::running().await;
    let (tenant, key) = folder.tenant("Shop").await;
    assert_eq!(folder.json(&["tenant", "limits", "Shop"]).await["widgetRequestsPerMinute"], 30_000);
    let set = folder.json(&["tenant", "limits", &tenant, "--widget-requests", "1200"]).await;
    assert_eq!((&set["widgetRequestsPerMinute"], &set["mode"]), (&json!(1_200), &json!("live")));
    assert_eq!(folder.get(&key, "/settings").await.1["widgetRequestsPerMinute"], 1_200);
    let test = folder.json(&["tenant", "limits", "Shop", "--mode", "test"]).await;
    assert_eq!(test["widgetRequestsPerMinute"], 30_000);
    folder.ops(&["tenant", "limits", "Shop", "--widget-requests", "0"]).await.expect(2);
}

#[test]
fn a_command_without_a_service_names_the_options() {
    let printed = ops(&["tenant", "list"]);
    assert!(printed.expect(2).stderr.contains("--data"), "{printed:?}");
}
