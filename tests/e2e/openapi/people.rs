//! The calls of members, of who signs in, of who helps a customer, of who keeps the wiki, and of saved replies.

use serde_json::json;

use super::Caller;
use crate::sign_in::{ORIGIN, VERIFIER, code, invited};
use crate::support::{Actor, TestService};

pub(super) async fn members(caller: &mut Caller, admin: &Actor) {
    let new = json!({"email": "bob@company.example", "name": "Bob Lee", "roles": ["agent"]});
    let added = caller.call(admin, "POST", "/members", "/members", Some(new.clone())).await;
    added.expect(201);
    caller.call(admin, "POST", "/members", "/members", Some(new)).await.expect(409);
    let id = added.text_at("memberId").to_owned();
    let at = |rest: &str| format!("/members/{id}{rest}");
    caller.call(admin, "GET", "/members", "/members?limit=1", None).await.expect(200);
    caller.call(admin, "GET", "/members/{id}", &at(""), None).await.expect(200);
    caller.call(admin, "PATCH", "/members/{id}", &at(""), Some(json!({"name": "Rob Lee"}))).await.expect(200);
    caller.call(admin, "PATCH", "/members/{id}", &at(""), Some(json!({}))).await.expect(400);
    caller.call(admin, "POST", "/members/{id}/invite", &at("/invite"), None).await.expect(200);
    caller.call(admin, "POST", "/members/{id}/sign-out", &at("/sign-out"), None).await.expect(204);
    caller.call(admin, "DELETE", "/members/{id}", &at(""), None).await.expect(204);
    caller.call(admin, "GET", "/members/{id}", &at(""), None).await.expect(404);
    caller.call(admin, "GET", "/audit", "/audit?limit=2", None).await.expect(200);
}

pub(super) async fn signing_in(caller: &mut Caller, service: &TestService) {
    let desk = service.anonymous().with_header("origin", ORIGIN);
    caller.call(&desk, "GET", "/auth/desk", "/auth/desk", None).await.expect(200);
    let (_, invitation) = invited(service, "ada@company.example", &["agent"]).await;
    let code = code(service, "ada", "ada@company.example", 0);
    let body = json!({"code": code, "codeVerifier": VERIFIER, "invitation": invitation});
    let signed_in = caller.call(&desk, "POST", "/auth/desk-token", "/auth/desk-token", Some(body)).await;
    signed_in.expect(200);
    caller.call(&desk, "POST", "/auth/desk-token", "/auth/desk-token", Some(json!({}))).await.expect(400);
    let renew = "/auth/desk-token/renew";
    caller.call(&desk, "POST", renew, renew, Some(json!({}))).await.expect(401);
    let cookie = signed_in.header("set-cookie").split(';').next().unwrap();
    caller.call(&desk.with_header("cookie", cookie), "POST", renew, renew, Some(json!({}))).await.expect(200);
    let me = service.bearer(signed_in.text_at("token"));
    caller.call(&me, "POST", "/auth/sign-out", "/auth/sign-out?now=1", None).await.expect(400);
    caller.call(&me, "POST", "/auth/sign-out", "/auth/sign-out", None).await.expect(204);
    caller.call(&me, "POST", "/auth/sign-out", "/auth/sign-out", None).await.expect(204);
}

pub(super) async fn helping(caller: &mut Caller, admin: &Actor) {
    let session = admin.session().await;
    admin.ask(&session, "How long does a refund take?").await.expect(200);
    let at = |rest: &str| format!("/sessions/{session}{rest}");
    admin.post(&at("/reaction"), json!({"reaction": "copy"})).await.expect(200);
    let taken_back = at("/reaction?reaction=copy");
    caller.call(admin, "DELETE", "/sessions/{id}/reaction", &taken_back, None).await.expect(204);
    let rating = Some(json!({"score": 5, "comment": "That was quick."}));
    caller.call(admin, "POST", "/sessions/{id}/rating", &at("/rating"), rating.clone()).await.expect(409);
    let taken = admin.post(&at("/takeover"), json!({})).await.text_at("escalationId").to_owned();
    admin.ask(&session, "And for a parcel that is lost?").await.expect(200);
    let suggestion = format!("/inbox/{taken}/suggestion");
    let all = Some(json!({"includeInternal": true}));
    caller.call(admin, "POST", "/inbox/{id}/suggestion", &suggestion, all).await.expect(200);
    caller.call(admin, "POST", "/sessions/{id}/rating", &at("/rating"), rating).await.expect(200);
}

pub(super) async fn knowledge(caller: &mut Caller, service: &TestService) {
    let admin = &service.admin();
    let old = Some(json!({"path": "help/refunds", "version": 1, "currentVersion": 2}));
    let restore = "/wiki-revisions/restore";
    service.drain().await;
    caller.call(admin, "GET", "/wiki-revisions", "/wiki-revisions?path=help/refunds&limit=1", None).await.expect(200);
    caller.call(admin, "GET", "/wiki-revisions", "/wiki-revisions?path=help/doomed", None).await.expect(200);
    caller.call(admin, "GET", "/wiki-revisions", "/wiki-revisions", None).await.expect(400);
    caller.call(admin, "GET", "/wiki/{path}", "/wiki/help/refunds?version=1", None).await.expect(200);
    caller.call(admin, "POST", restore, restore, old.clone()).await.expect(200);
    caller.call(admin, "POST", restore, restore, old).await.expect(409);
    let told = "/wiki-answers?path=help/refunds&ownership=open&version=1&limit=1";
    caller.call(admin, "GET", "/wiki-answers", told, None).await.expect(200);
    caller.call(admin, "GET", "/wiki-answers", "/wiki-answers", None).await.expect(400);
    let pin = Some(json!({"path": "help/refunds", "question": "How long does a refund take?"}));
    let made = caller.call(admin, "POST", "/pins", "/pins", pin).await;
    let pinned = format!("/pins/{}", made.expect(201)["pinId"].as_str().unwrap());
    caller.call(admin, "GET", "/pins", "/pins?path=help/refunds&limit=1", None).await.expect(200);
    caller.call(admin, "DELETE", "/pins/{id}", &pinned, None).await.expect(204);
    caller.call(admin, "DELETE", "/pins/{id}", &pinned, None).await.expect(404);
    for (action, visibility) in [("update", Some("internal")), ("delete", None)] {
        let new = json!({"path": "help/refunds", "action": action, "visibility": visibility});
        let made = caller.call(admin, "POST", "/drafts", "/drafts", Some(new)).await;
        made.expect(201);
        let one = ("/drafts/{id}", format!("/drafts/{}", made.text_at("draftId")));
        caller.call(admin, "GET", "/drafts", "/drafts?limit=1&path=help/refunds", None).await.expect(200);
        caller.call(admin, "GET", one.0, &one.1, None).await.expect(200);
        let publish = ("/drafts/{id}/publish", format!("{}/publish", one.1));
        let version = Some(json!({"version": 2}));
        caller.call(admin, "POST", publish.0, &publish.1, version.clone()).await.expect(412);
        if action == "update" {
            caller.call(admin, "PATCH", one.0, &one.1, Some(json!({"title": "Money"}))).await.expect(200);
            caller.call(admin, "POST", publish.0, &publish.1, version.clone()).await.expect(400);
            let named = Some(json!({"version": 2, "visibility": "internal"}));
            caller.call(admin, "POST", publish.0, &publish.1, named).await.expect(200);
        } else {
            caller.call(admin, "DELETE", one.0, &one.1, None).await.expect(204);
        }
        caller.call(admin, "PATCH", one.0, &one.1, Some(json!({"title": "Late"}))).await.expect(409);
    }
}

pub(super) async fn saved_replies(caller: &mut Caller, admin: &Actor) {
    let new = json!({"scope": "team", "shortcut": "refund", "title": "Refunds", "content": "Five days."});
    let made = caller.call(admin, "POST", "/saved-replies", "/saved-replies", Some(new.clone())).await;
    made.expect(201);
    caller.call(admin, "POST", "/saved-replies", "/saved-replies", Some(new)).await.expect(409);
    let one = ("/saved-replies/{id}", format!("/saved-replies/{}", made.text_at("replyId")));
    caller.call(admin, "GET", "/saved-replies", "/saved-replies?limit=1", None).await.expect(200);
    caller.call(admin, "GET", one.0, &one.1, None).await.expect(200);
    caller.call(admin, "PATCH", one.0, &one.1, Some(json!({"title": "A refund"}))).await.expect(200);
    caller.call(admin, "DELETE", one.0, &one.1, None).await.expect(204);
    caller.call(admin, "GET", one.0, &one.1, None).await.expect(404);
}
