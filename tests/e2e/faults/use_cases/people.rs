//! Members, and how they sign in and out.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;
use crate::sign_in::{ORIGIN, VERIFIER, cookie, invited_by, renew_with, sign_in_with};

const ADA: &str = "ada@company.example";

/// The members of the tenant.
async fn members(run: &Run<'_>) -> Vec<Value> {
    run.admin().get("/members").await.items().to_vec()
}

/// A member who has signed in: its id, its first token and its cookie.
async fn signed_in(run: &Run<'_>) -> (String, String, String) {
    let (id, invitation) = invited_by(&run.admin(), ADA, &["agent"]).await;
    let desk = run.world.service.anonymous();
    let entered = sign_in_with(&desk, run.code(ADA), json!({"invitation": invitation})).await;
    entered.expect(200);
    (id, entered.text_at("token").to_owned(), cookie(&entered))
}

pub(super) async fn a_member_is_added(run: &Run<'_>) {
    let body = json!({"email": ADA, "name": "Ada", "roles": ["agent"]});
    let admin = run.admin().with_header("idempotency-key", "once");
    let first = run.attempt(&admin, &Method::POST, "/members", Some(&body)).await;
    assert!(first.as_ref().is_none_or(|first| [201, 503].contains(&first.status)), "{first:?}");
    run.world.service.clock.advance(60_000);
    let second = admin.post("/members", body).await;
    let all = members(run).await;
    assert_eq!((all.len(), &all[0]["memberId"]), (1, &second.expect(201)["memberId"]));
    // An invitation whose answer was lost is made anew.
    let invited = run.admin().post_empty(&format!("/members/{}/invite", second.text_at("memberId"))).await;
    let (_, invitation) = invited.text_at("invitationUrl").split_once("#invitation=").unwrap();
    let desk = run.world.service.anonymous();
    sign_in_with(&desk, run.code(ADA), json!({"invitation": invitation})).await.expect(200);
}

pub(super) async fn a_member_gets_other_roles(run: &Run<'_>) {
    let (id, token, cookie) = signed_in(run).await;
    run.send(&run.admin(), Method::PATCH, &format!("/members/{id}"), Some(&json!({"roles": ["trainer"]}))).await;
    run.world.service.bearer(&token).get("/inbox").await.expect_error(401, "SIGN_IN_REQUIRED");
    let renewed = renew_with(&run.world.service, &cookie, ORIGIN, json!({})).await;
    assert_eq!(renewed.at("/member/roles"), &json!(["trainer"]));
}

pub(super) async fn a_member_is_removed_and_the_customer_waits_again(run: &Run<'_>) {
    let (id, token, _) = signed_in(run).await;
    let session = run.customer().session().await;
    run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let taken = run.world.service.bearer(&token).post_empty("/inbox/takeover").await;
    run.send(&run.admin(), Method::DELETE, &format!("/members/{id}"), None).await;
    assert!(members(run).await.is_empty());
    run.world.service.bearer(&token).get("/inbox").await.expect_error(401, "SIGN_IN_REQUIRED");
    let now = run.agent().get(&format!("/inbox/{}", taken.text_at("escalationId"))).await;
    assert_eq!((now.at("status"), now.at("claimedBy")), (&json!("pending"), &json!(null)));
}

pub(super) async fn a_member_signs_in(run: &Run<'_>) {
    let (id, ..) = signed_in(run).await;
    let body = json!({"code": run.code(ADA), "codeVerifier": VERIFIER});
    let desk = run.world.service.anonymous().with_header("origin", ORIGIN);
    let first = run.attempt(&desk, &Method::POST, "/auth/desk-token", Some(&body)).await;
    assert!(first.as_ref().is_none_or(|first| [200, 503].contains(&first.status)), "{first:?}");
    let again = sign_in_with(&run.world.service.anonymous(), run.code(ADA), json!({})).await;
    for reply in first.iter().filter(|first| first.status == 200).chain([&again]) {
        assert_eq!(reply.expect(200)["member"]["memberId"], id);
        run.world.service.bearer(reply.text_at("token")).get("/inbox").await.expect(200);
    }
}

pub(super) async fn a_member_signs_out(run: &Run<'_>) {
    let (_, token, cookie) = signed_in(run).await;
    let me = run.world.service.bearer(&token);
    let first = run.attempt(&me, &Method::POST, "/auth/sign-out", None).await;
    assert!(first.as_ref().is_none_or(|first| [204, 503].contains(&first.status)), "{first:?}");
    me.with_header("origin", ORIGIN).with_header("cookie", &cookie).post_empty("/auth/sign-out").await.expect(204);
    me.get("/inbox").await.expect_error(401, "SIGN_IN_REQUIRED");
    renew_with(&run.world.service, &cookie, ORIGIN, json!({})).await.expect_error(401, "SIGN_IN_REQUIRED");
}
