//! A person who is a member of two tenants: which one a sign-in opens, and how the desk switches.

use domain::models::{Mode, Plan};
use serde_json::{Value, json};

use crate::sign_in::{ORIGIN, code, cookie, joined, renew_with, service, sign_in_with};
use crate::support::{Reply, TestService};

const ADA: &str = "ada@company.example";

/// Ada's sign-in, a second after what came before.
async fn sign_in(service: &TestService, body: Value) -> Reply {
    service.clock.advance(1_000);
    sign_in_with(&service.anonymous(), code(service, ADA, ADA, 0), body).await
}

/// The tenant and the member that an answer opens.
#[track_caller]
fn opened(reply: &Reply) -> (String, String) {
    reply.expect(200);
    (reply.text_at("/tenant/tenantId").to_owned(), reply.text_at("/member/memberId").to_owned())
}

/// Ada as a member of both tenants, of the other one since a second: where, and who she is there.
async fn in_both(service: &TestService) -> [(String, String); 2] {
    let (here, _) = joined(service, &service.admin(), ADA, &["agent"], 0).await;
    service.clock.advance(1_000);
    let (there, _) = joined(service, &service.other_admin(), ADA, &["admin"], 0).await;
    let tenant = |keys: &local::TenantKeys| keys.scope(Mode::Live).tenant.to_string();
    [(tenant(&service.tenant), here), (tenant(&service.other_tenant), there)]
}

#[tokio::test]
async fn a_sign_in_opens_the_tenant_signed_in_to_last_or_the_one_it_names() {
    let service = service().await;
    let [here, there] = in_both(&service).await;
    let last = sign_in(&service, json!({})).await;
    assert_eq!(opened(&last), there);
    let mut tenants: Vec<_> =
        last.json["tenants"].as_array().unwrap().iter().map(|it| it["tenantId"].clone()).collect();
    tenants.sort_by_key(Value::to_string);
    let mut both = [json!(here.0), json!(there.0)];
    both.sort_by_key(Value::to_string);
    assert_eq!(tenants, both);
    assert_eq!(opened(&sign_in(&service, json!({"tenantId": here.0})).await), here);
    assert_eq!(opened(&sign_in(&service, json!({})).await), here);
    let third = service.new_tenant(Plan::Free).await.scope(Mode::Live).tenant;
    sign_in(&service, json!({"tenantId": third})).await.expect_error(403, "NOT_A_MEMBER");

    let suspended = json!({"status": "suspended"});
    service.admin().patch(&format!("/members/{}", here.1), suspended).await.expect(200);
    sign_in(&service, json!({"tenantId": here.0})).await.expect_error(403, "NOT_A_MEMBER");
    let left = sign_in(&service, json!({})).await;
    assert_eq!((opened(&left), left.json["tenants"].as_array().unwrap().len()), (there, 1));
}

#[tokio::test]
async fn a_renewal_with_another_tenant_switches_to_it_and_signing_out_ends_both() {
    let service = service().await;
    let [here, there] = in_both(&service).await;
    let signed_in = sign_in(&service, json!({"tenantId": here.0})).await;
    assert_eq!(opened(&signed_in), here);
    let cookie = cookie(&signed_in);
    let renew = |body: Value| renew_with(&service, &cookie, ORIGIN, body);
    let switched = renew(json!({"tenantId": there.0})).await;
    assert_eq!(opened(&switched), there);
    assert_eq!(switched.at("signedInAt"), signed_in.at("signedInAt"));
    assert_eq!(switched.at("signInEndsAt"), signed_in.at("signInEndsAt"));
    let [as_here, as_there] = [&signed_in, &switched].map(|reply| service.bearer(reply.text_at("token")));
    as_here.get(&format!("/members/{}", here.1)).await.expect(200);
    as_there.get(&format!("/members/{}", there.1)).await.expect(200);
    as_there.get(&format!("/members/{}", here.1)).await.expect_error(404, "NOT_FOUND");
    assert_eq!(opened(&renew(json!({"tenantId": here.0, "mode": "test"})).await), here);

    let third = service.new_tenant(Plan::Free).await.scope(Mode::Live).tenant;
    renew(json!({"tenantId": third})).await.expect_error(403, "NOT_A_MEMBER");
    as_here.post_empty("/auth/sign-out").await.expect(204);
    as_there.get("/wiki").await.expect_error(401, "SIGN_IN_REQUIRED");
    for tenant in [&here.0, &there.0] {
        renew(json!({"tenantId": tenant})).await.expect_error(401, "SIGN_IN_REQUIRED");
    }
}
