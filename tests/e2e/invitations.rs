//! Invitations: who may make them, what ends them, and whom they bind.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::sign_in::{DESK, ORIGIN, code, cookie, invited, joined, renew_with, service, service_with, sign_in_with};
use crate::support::{Actor, Reply, TestService};

const MINUTES_61: i64 = 61 * 60;

/// Accepts an invitation as the person of this subject and address; without one, the provider names none.
async fn accept(service: &TestService, subject: &str, email: Option<&str>, invitation: &str) -> Reply {
    let now = service.resources().runtime.now().as_seconds();
    let mut claims = json!({"sub": subject, "iat": now, "exp": now + 60, "auth_time": now});
    if let Some(email) = email {
        claims["email"] = json!(email);
    }
    let code = URL_SAFE_NO_PAD.encode(claims.to_string());
    sign_in_with(&service.anonymous(), code, json!({"invitation": invitation})).await
}

/// The secret of a member's new invitation.
async fn invite(by: &Actor, id: &str) -> String {
    let invited = by.post_empty(&format!("/members/{id}/invite")).await;
    invited.expect(200);
    invited.text_at("invitationUrl").strip_prefix(&format!("{DESK}#invitation=")).unwrap().to_owned()
}

#[tokio::test]
async fn an_old_sign_in_changes_not_who_is_bound_to_itself() {
    let service = service().await;
    let (id, old) = joined(&service, &service.admin(), "ada@company.example", &["admin"], MINUTES_61).await;
    let (me, mine) = (service.bearer(old.text_at("token")), format!("/members/{id}"));
    me.post_empty(&format!("{mine}/invite")).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    me.delete(&mine).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    let known: Vec<Value> = me.get("/audit").await.items().iter().map(|entry| entry["action"].clone()).collect();
    assert!(!known.contains(&json!("member.invited")), "{known:?}");
    // Its own name needs none.
    me.patch(&mine, json!({"name": "Ada King"})).await.expect(200);
    let (other, recent) = joined(&service, &service.admin(), "bob@company.example", &["admin"], 0).await;
    let bob = service.bearer(recent.text_at("token"));
    invite(&bob, &other).await;
    bob.delete(&format!("/members/{other}")).await.expect(204);
}

#[tokio::test]
async fn whatever_ends_access_voids_the_open_invitation() {
    let service = service().await;
    let admin = service.admin();
    let (id, signed_in) = joined(&service, &admin, "ada@company.example", &["agent"], 0).await;
    let (me, mine) = (service.bearer(signed_in.text_at("token")), format!("/members/{id}"));
    let refused = async |invitation: &str| {
        let other = accept(&service, "mallory", Some("ada@company.example"), invitation).await;
        other.expect_error(403, "NOT_A_MEMBER");
    };

    let invitation = invite(&admin, &id).await;
    me.post_empty(&format!("{mine}/sign-out")).await.expect(204);
    refused(&invitation).await;

    let invitation = invite(&admin, &id).await;
    admin.patch(&mine, json!({"status": "suspended"})).await.expect(200);
    refused(&invitation).await;
    admin.patch(&mine, json!({"status": "active"})).await.expect(200);
    refused(&invitation).await;

    // Another role voids the invitation of a member who is bound, and keeps that of one who never signed in.
    let invitation = invite(&admin, &id).await;
    admin.patch(&mine, json!({"roles": ["trainer"]})).await.expect(200);
    refused(&invitation).await;
    let (new, invitation) = invited(&service, "cy@company.example", &["agent"]).await;
    admin.patch(&format!("/members/{new}"), json!({"roles": ["trainer"]})).await.expect(200);
    accept(&service, "cy", Some("cy@company.example"), &invitation).await.expect(200);

    // A member who never signed in is invited again, too.
    let (id, invitation) = invited(&service, "bob@company.example", &["agent"]).await;
    admin.patch(&format!("/members/{id}"), json!({"status": "suspended"})).await.expect(200);
    admin.patch(&format!("/members/{id}"), json!({"status": "active"})).await.expect(200);
    accept(&service, "bob", Some("bob@company.example"), &invitation).await.expect_error(403, "NOT_A_MEMBER");
    let invitation = invite(&admin, &id).await;
    admin.delete(&format!("/members/{id}")).await.expect(204);
    accept(&service, "bob", Some("bob@company.example"), &invitation).await.expect_error(403, "NOT_A_MEMBER");

    // The person who was bound is so still.
    let again = code(&service, "ada@company.example", "ada@company.example", 0);
    sign_in_with(&service.anonymous(), again, json!({})).await.expect(200);
}

#[tokio::test]
async fn an_invitation_binds_a_person_without_an_address_where_the_operator_says_so_alone() {
    let without = service().await;
    let (_, invitation) = invited(&without, "ada@company.example", &["agent"]).await;
    let refused = accept(&without, "ada", None, &invitation).await;
    refused.expect_error(403, "NOT_A_MEMBER");
    assert!(!refused.text.contains("SIGNED_IN_AS"), "there is no account to name: {}", refused.text);
    // It is good still.
    accept(&without, "ada", Some("ada@company.example"), &invitation).await.expect(200);

    let with = service_with(|options| {
        let before = options.change_resources.take();
        options.change_resources = Some(Box::new(move |resources| {
            let mut resources = before.map_or_else(|| unreachable!("a desk"), |before| before(resources));
            let mut config = (*resources.config).clone();
            config.desk_invite_without_email = true;
            resources.config = std::sync::Arc::new(config);
            resources
        }));
    })
    .await;
    let (_, invitation) = invited(&with, "ada@company.example", &["agent"]).await;
    let other = accept(&with, "eve", Some("eve@company.example"), &invitation).await;
    other.expect_error(403, "NOT_A_MEMBER");
    assert_eq!(other.json["details"][0], json!({"code": "SIGNED_IN_AS", "message": "eve@company.example"}));
    accept(&with, "ada", None, &invitation).await.expect(200);
}

/// Browsers send every cookie of the host, whatever its bytes are.
#[tokio::test]
async fn a_sign_in_is_renewed_and_ended_beside_a_foreign_cookie_beyond_ascii() {
    let service = service().await;
    let (_, signed_in) = joined(&service, &service.admin(), "ada@company.example", &["agent"], 0).await;
    let mine = cookie(&signed_in);
    assert!(mine.starts_with("desk-4=") && signed_in.header("set-cookie").contains("; Path=/api/v1/auth;"), "{mine}");
    for line in [format!("name=Jürgen; {mine}"), format!("{mine}; 名=値"), format!("a=b;{mine};x=\u{ff}")] {
        renew_with(&service, &line, ORIGIN, json!({})).await.expect(200);
    }
    let line = format!("name=Jürgen; {mine}");
    let desk = service.anonymous().with_header("cookie", &line).with_header("origin", ORIGIN);
    desk.post_empty("/auth/sign-out").await.expect(204);
    renew_with(&service, &mine, ORIGIN, json!({})).await.expect_error(401, "SIGN_IN_REQUIRED");
}
