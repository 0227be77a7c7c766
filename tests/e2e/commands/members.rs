//! `member`, `audit` and `desk-key`.

use local::Issuer;
use serde_json::{Value, json};

use super::support::Folder;

const EMAIL: &str = "you@company.example";

/// A folder whose service has a desk; nobody signs in there.
async fn with_desk() -> Folder {
    let issuer = Issuer { url: "http://127.0.0.1:9".into(), client_id: "desk".into() };
    Folder::with(|options| options.issuer = Some(issuer)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_added_member_gets_an_invitation_whose_address_is_printed_once() {
    let folder = with_desk().await;
    let (tenant, key) = folder.tenant("Shop").await;
    let added = folder.json(&["member", "add", &tenant, EMAIL, "--roles", "admin"]).await;
    let url = added["invitationUrl"].as_str().unwrap().to_owned();
    let (desk, secret) = url.split_once("#invitation=").unwrap();
    assert!(desk.starts_with("http://127.0.0.1:") && desk.ends_with("/desk/"), "{desk}");
    assert_eq!((secret.len(), &added["providerUser"]), (64, &json!("none")));
    let expected = (json!("you"), json!(["admin"]), json!("invited"), json!(EMAIL));
    assert_eq!(
        (added["name"].clone(), added["roles"].clone(), added["status"].clone(), added["email"].clone()),
        expected
    );

    // The API knows the member, and neither it nor any other command the secret.
    let (status, members) = folder.get(&key, "/members").await;
    assert_eq!((status, &members["items"][0]["memberId"]), (200, &added["memberId"]));
    for shown in [folder.ops(&["member", "list", "Shop"]).await, folder.ops(&["audit", "Shop"]).await] {
        assert!(shown.expect(0).stdout.contains(added["memberId"].as_str().unwrap()), "{shown:?}");
        assert!(!shown.stdout.contains(secret) && !members.to_string().contains(secret), "{shown:?}");
    }
    let again = folder.json(&["member", "invite", &tenant, EMAIL]).await;
    assert_ne!(again["invitationUrl"].as_str().unwrap(), url);

    // The address is one, in whatever case; and a member is no server.
    folder.ops(&["member", "add", &tenant, "YOU@company.example", "--roles", "agent"]).await.expect(4);
    for wrong in [["you@company.example.", "agent"], ["you", "agent"], ["ann@company.example", "integration"]] {
        folder.ops(&["member", "add", &tenant, wrong[0], "--roles", wrong[1]]).await.expect(2);
    }
    // Without a desk nobody can accept, and the command says so.
    let without = Folder::running().await;
    let (tenant, _) = without.tenant("Shop").await;
    let nowhere = without.ops(&["member", "add", &tenant, "ann@company.example", "--roles", "agent,trainer"]).await;
    assert!(nowhere.expect(0).stdout.contains("the desk has no address"), "{nowhere:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_is_changed_suspended_and_removed_and_the_audit_names_the_operator() {
    let folder = Folder::running().await;
    let (tenant, key) = folder.tenant("Shop").await;
    let added = folder.json(&["member", "add", &tenant, EMAIL, "--roles", "admin", "--name", "Ann Lee"]).await;
    assert_eq!(added["publicName"], "Ann");
    let id = added["memberId"].as_str().unwrap();
    let at = format!("/members/{id}");
    let changed = folder.json(&["member", "set-roles", &tenant, EMAIL, "trainer,agent"]).await;
    assert_eq!(changed["roles"], json!(["trainer", "agent"]));
    for (command, status) in [("suspend", "suspended"), ("resume", "invited")] {
        assert_eq!(folder.json(&["member", command, &tenant, id]).await["status"], status);
        assert_eq!(folder.get(&key, &at).await.1["status"], status);
    }
    folder.json(&["member", "sign-out", &tenant, EMAIL]).await;
    let dry = folder.json(&["member", "remove", &tenant, EMAIL]).await;
    assert_eq!((&dry["dryRun"], folder.get(&key, &at).await.0), (&json!(true), 200));
    folder.ops(&["member", "remove", &tenant, EMAIL, "--yes"]).await.expect(0);
    assert_eq!(folder.get(&key, &at).await.0, 404);
    folder.ops(&["member", "remove", &tenant, EMAIL, "--yes"]).await.expect(3);

    let audit = folder.json(&["audit", "Shop"]).await;
    let entries = audit["items"].as_array().unwrap();
    let of_member: Vec<&Value> = entries.iter().filter(|entry| entry["target"] == id).collect();
    let actions: Vec<&str> = of_member.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    let changes = ["member.resumed", "member.suspended", "member.roles_changed"];
    let expected = [&["member.removed", "member.signed_out_everywhere"][..], &changes, &["member.added"]].concat();
    assert_eq!(actions, expected);
    assert!(of_member.iter().all(|entry| entry["actor"]["type"] == "operator" && entry["mode"].is_null()), "{audit}");
    let shown = folder.json(&["audit", "Shop", "--limit", "2"]).await;
    assert_eq!((shown["items"].as_array().unwrap(), &shown["hasMore"]), (&entries[..2].to_vec(), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_of_the_desk_key_writes_another_key_and_prints_its_name_alone() {
    let folder = Folder::running().await;
    let file = folder.data.join("desk-token.key");
    let before = std::fs::read_to_string(&file).unwrap();
    let printed = folder.ops(&["desk-key", "rotate", "--json"]).await;
    let after = std::fs::read_to_string(&file).unwrap();
    let (kid, secret) = after.split_once(':').unwrap();
    assert_eq!((printed.json()["signing"].as_str(), before == after), (Some(kid), false));
    assert!(!printed.stdout.contains(secret), "{printed:?}");
    let revoked = folder.json(&["desk-key", "rotate", "--revoke"]).await;
    assert_eq!(revoked["revoked"], true);
    assert_ne!(std::fs::read_to_string(&file).unwrap(), after);
}
