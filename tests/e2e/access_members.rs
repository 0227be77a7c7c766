//! Access of members: every route by every kind of desk token, and what needs a sign-in of the last hour.

use domain::models::Role;
use serde_json::json;

use crate::access::{Caller, Expected, KNOWLEDGE, check_matrix, contract, is_of_trainers};
use crate::cases::{About, Case};
use crate::sign_in::{ORIGIN, cookie, joined, renew_with, service, signed_in};
use crate::support::{Actor, TestService};

/// In seconds: recent until the last caller has called.
const MINUTES_45: i64 = 45 * 60;
/// In seconds: too old.
const MINUTES_61: i64 = 61 * 60;

const ADMIN: &[Role] = &[Role::Admin];
const AGENT: &[Role] = &[Role::Agent];
const TRAINER: &[Role] = &[Role::Trainer];
const BOTH: &[Role] = &[Role::Trainer, Role::Agent];

#[derive(Clone, Copy)]
enum Who {
    /// Refused everywhere.
    Nobody(&'static str),
    Member {
        roles: &'static [Role],
        place: Place,
        is_recent: bool,
    },
}

/// The place that a desk token opens.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The tenant's live half.
    Here,
    /// The same tenant's test half.
    TestMode,
    OtherTenant,
}

/// A new member of the tenant of an admin, by its first desk token.
async fn token_of(service: &TestService, admin: &Actor, email: &str, roles: &[Role], seconds_ago: i64) -> Actor {
    let roles: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
    let (_, signed_in) = joined(service, admin, email, &roles, seconds_ago).await;
    service.bearer(signed_in.text_at("token"))
}

/// Those whose token was good once.
async fn former(service: &TestService) -> Vec<Caller<Who>> {
    let admin = service.admin();
    let (_, expired) = signed_in(service, "expired@company.example", &["admin"]).await;
    service.clock.advance(901_000);
    let (suspended_id, suspended) = signed_in(service, "suspended@company.example", &["admin"]).await;
    admin.patch(&format!("/members/{suspended_id}"), json!({"status": "suspended"})).await.expect(200);
    let (removed_id, removed) = signed_in(service, "removed@company.example", &["admin"]).await;
    admin.delete(&format!("/members/{removed_id}")).await.expect(204);
    let (_, signed_out) = signed_in(service, "out@company.example", &["admin"]).await;
    signed_out.post_empty("/auth/sign-out").await.expect(204);
    let nobody = |name, actor, code| Caller { name, actor, who: Who::Nobody(code) };
    vec![
        nobody("expired", expired, "TOKEN_EXPIRED"),
        nobody("suspended", suspended, "SIGN_IN_REQUIRED"),
        nobody("removed", removed, "SIGN_IN_REQUIRED"),
        nobody("signed out", signed_out, "SIGN_IN_REQUIRED"),
    ]
}

async fn callers(service: &TestService) -> Vec<Caller<Who>> {
    let (here, elsewhere) = (service.admin(), service.other_admin());
    let mut callers = former(service).await;
    let (_, in_live) = joined(service, &here, "test@company.example", &["admin"], 0).await;
    let in_test = renew_with(service, &cookie(&in_live), ORIGIN, json!({"mode": "test"})).await;
    in_test.expect(200);
    let in_test = service.bearer(in_test.text_at("token"));
    let foreign = token_of(service, &elsewhere, "foreign@company.example", ADMIN, 0).await;
    let member =
        |name, actor, roles, place, is_recent| Caller { name, actor, who: Who::Member { roles, place, is_recent } };
    callers.push(member("test mode", in_test, ADMIN, Place::TestMode, true));
    callers.push(member("other tenant", foreign, ADMIN, Place::OtherTenant, true));
    for (name, roles, seconds_ago) in [
        ("agent", AGENT, 0),
        ("trainer", TRAINER, 0),
        ("trainer and agent", BOTH, 0),
        ("admin who signed in long ago", ADMIN, MINUTES_61),
        ("admin", ADMIN, MINUTES_45),
    ] {
        let email = format!("{}@company.example", name.replace(' ', "."));
        let actor = token_of(service, &here, &email, roles, seconds_ago).await;
        callers.push(member(name, actor, roles, Place::Here, seconds_ago != MINUTES_61));
    }
    callers
}

/// Whether the contract wants a sign-in of the last hour. The cases are about other members than their callers, and
/// the example of `PATCH /settings` has none of the settings that need one.
fn needs_recent_sign_in(method: &str, path: &str) -> bool {
    let path = path.trim_start_matches("/api/v1");
    let changes = method != "GET";
    changes && (path.starts_with("/api-keys") || path.starts_with("/members"))
        || matches!(
            (method, path),
            ("POST", "/webhooks" | "/webhooks/{id}/rotate")
                | ("PATCH" | "DELETE", "/webhooks/{id}")
                | ("GET", "/sessions/{id}/export")
                | ("DELETE", "/sessions/{id}")
        )
}

fn expected(case: &Case, who: Who) -> Expected {
    let (roles, place, is_recent) = match who {
        Who::Nobody(code) => return Expected::Unauthorized(code),
        Who::Member { roles, place, is_recent } => (roles, place, is_recent),
    };
    let (method, path) = (case.operation.method, case.operation.path);
    let has_one_of = |wanted: &[Role]| roles.iter().any(|role| wanted.contains(role));
    // A token of a customer would let a member write as one.
    let is_impersonation = path == "/api/v1/auth/widget-token";
    // Saved replies of the team and drafts of others are written by trainers and admins alone.
    let is_of_others = is_of_trainers(case) && !has_one_of(KNOWLEDGE);
    if is_impersonation || is_of_others || !has_one_of(contract(method, path).1) {
        return Expected::Forbidden("REQUIRED_ROLE");
    }
    if !is_recent && needs_recent_sign_in(method, path) {
        return Expected::SignInTooOld;
    }
    let reaches = match place {
        Place::Here => true,
        // Members belong to both modes.
        Place::TestMode => matches!(case.about, About::Own | About::Member),
        Place::OtherTenant => case.about == About::Own,
    };
    if reaches { Expected::LetIn } else { Expected::NotFound }
}

#[tokio::test]
async fn every_route_lets_in_exactly_the_members_whom_the_contract_names() {
    let service = service().await;
    let callers = callers(&service).await;
    check_matrix(&service, &callers, expected).await;
    for caller in &callers {
        let reports = caller.actor.get("/health").await.expect(200).get("checks").is_some();
        assert_eq!(reports, matches!(caller.who, Who::Member { .. }), "{}", caller.name);
    }
}

#[tokio::test]
async fn a_sign_in_is_too_old_an_hour_after_it_and_no_renewal_makes_it_younger() {
    let service = service().await;
    let (_, signed_in) = joined(&service, &service.admin(), "ada@company.example", &["admin"], 50 * 60).await;
    let me = service.bearer(signed_in.text_at("token"));
    me.post("/api-keys", json!({"name": "first"})).await.expect(201);
    service.clock.advance(601_000);
    let refused = me.post("/api-keys", json!({"name": "second"})).await;
    refused.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    let renewed = renew_with(&service, &cookie(&signed_in), ORIGIN, json!({})).await;
    let me = service.bearer(renewed.text_at("token"));
    me.post("/api-keys", json!({"name": "second"})).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    let names: Vec<_> = me.get("/api-keys?limit=100").await.items().iter().map(|key| key["name"].clone()).collect();
    assert!(names.contains(&json!("first")) && !names.contains(&json!("second")), "{names:?}");
}

#[tokio::test]
async fn an_old_sign_in_changes_oneself_and_harmless_settings_and_an_entry_but_none_of_what_lets_others_in() {
    let service = service().await;
    let (id, signed_in) = joined(&service, &service.admin(), "ada@company.example", &["admin"], MINUTES_61).await;
    let me = service.bearer(signed_in.text_at("token"));
    let before = me.get("/settings").await;
    for body in [
        json!({"widgetOrigins": ["https://shop.example"]}),
        json!({"answerVisibility": "public"}),
        json!({"widgetAnswerVisibility": "all"}),
        json!({"sourceUrlTemplate": "https://shop.example/{path}"}),
        json!({"retentionDays": 30}),
        json!({"maxAiTurns": 30, "sourceUrlTemplate": null}),
    ] {
        me.patch("/settings", body).await.expect_error(403, "RECENT_SIGN_IN_REQUIRED");
    }
    assert_eq!(me.get("/settings").await.expect(200), before.expect(200));
    for body in [json!({"maxAiTurns": 30}), json!({"noMatchThreshold": 0.5}), json!({"language": "de"})] {
        me.patch("/settings", body).await.expect(200);
    }
    me.wiki_entry("help/refunds", "Refunds", "A refund takes five days.").await;
    me.patch("/wiki/help/refunds", json!({"visibility": "internal"})).await.expect(200);
    let mine = format!("/members/{id}");
    let changed = me.patch(&mine, json!({"name": "Ada King", "publicName": "A.", "availability": "away"})).await;
    let shown = ["name", "publicName", "availability"].map(|field| changed.expect(200)[field].clone());
    assert_eq!(shown, [json!("Ada King"), json!("A."), json!("away")]);
    me.post_empty(&format!("{mine}/sign-out")).await.expect(204);
    me.get(&mine).await.expect_error(401, "SIGN_IN_REQUIRED");
}

#[tokio::test]
async fn a_member_reads_and_changes_itself_and_no_other_unless_it_is_an_admin() {
    let service = service().await;
    let (ada, as_ada) = signed_in(&service, "ada@company.example", &["trainer"]).await;
    let (bob, as_bob) = signed_in(&service, "bob@company.example", &["agent"]).await;
    let (mine, other) = (format!("/members/{ada}"), format!("/members/{bob}"));
    let before = as_bob.get(&other).await;
    as_ada.get(&mine).await.expect(200);
    for refused in [
        as_ada.get(&other).await,
        as_ada.patch(&other, json!({"name": "X"})).await,
        as_ada.post_empty(&format!("{other}/sign-out")).await,
        as_ada.post_empty(&format!("{other}/invite")).await,
        as_ada.post_empty(&format!("{mine}/invite")).await,
        as_ada.delete(&other).await,
        as_ada.delete(&mine).await,
        as_ada.patch(&mine, json!({"roles": ["admin"]})).await,
        as_ada.patch(&mine, json!({"status": "suspended"})).await,
    ] {
        refused.expect_error(403, "FORBIDDEN");
    }
    assert_eq!(as_bob.get(&other).await.expect(200), before.expect(200));
    assert_eq!(as_ada.get(&mine).await.expect(200)["roles"], json!(["trainer"]));
}

#[tokio::test]
async fn only_an_admin_among_the_members_asks_for_widget_tokens_and_for_previews_alone() {
    let service = service().await;
    let (_, admin) = signed_in(&service, "ada@company.example", &["admin"]).await;
    let (_, agent) = signed_in(&service, "bob@company.example", &["agent", "trainer"]).await;
    let preview = || json!({"externalUserId": "preview_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"});
    let token = admin.post("/auth/widget-token", preview()).await;
    token.expect(200);
    service.bearer(token.text_at("token")).session_with(json!({})).await;
    agent.post("/auth/widget-token", preview()).await.expect_error(403, "FORBIDDEN");
    admin.post("/auth/widget-token", json!({"externalUserId": "ann"})).await.expect_error(403, "FORBIDDEN");
    admin.post("/auth/widget-token", json!({})).await.expect_error(403, "FORBIDDEN");
    service.admin().post("/auth/widget-token", preview()).await.expect_error(400, "VALIDATION_ERROR");
}
