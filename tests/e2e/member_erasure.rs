//! Members go with their tenant, and no export has them.

use domain::models::{Mode, TenantId};
use serde_json::json;

use crate::sign_in::{code, invited_by, joined, service, sign_in_with};
use crate::support::TestService;

/// The kinds of items that tell of a member.
const KINDS: [&str; 6] = ["member", "member_email", "identity", "invitation", "sign_in", "audit_entry"];

/// The items that name one of `texts`.
async fn naming(service: &TestService, texts: &[&str]) -> Vec<String> {
    let items = service.raw_items().await.into_iter();
    items.filter(|item| texts.iter().any(|text| item.contains(text))).collect()
}

fn tenant(service: &TestService) -> TenantId {
    service.tenant.scope(Mode::Live).tenant
}

#[tokio::test]
async fn members_identities_invitations_sign_ins_and_the_audit_go_with_their_tenant() {
    let service = service().await;
    let (admin, other) = (service.admin(), service.other_admin());
    let (ada, signed_in) = joined(&service, &admin, "ada@company.example", &["admin"], 0).await;
    let (bob, invitation) = invited_by(&admin, "bob@company.example", &["agent"]).await;
    let (_, of_other) = joined(&service, &other, "ada@umbrella.example", &["agent"], 0).await;
    let me = service.bearer(signed_in.text_at("token"));
    me.patch("/settings", json!({"maxAiTurns": 30})).await.expect(200);
    let texts = [ada.as_str(), &bob, "company.example"];
    let before = naming(&service, &texts).await;
    for kind in KINDS {
        assert!(before.iter().any(|item| item.contains(&format!("S(\"{kind}\")"))), "no {kind}: {before:#?}");
    }

    // Requests under way when it begins are over by its second pass.
    let past_them = |_: u64| {
        service.clock.advance(40_000);
    };
    support::transfer::erasure::erase(service.resources(), &tenant(&service), past_them).await.unwrap();
    let left = naming(&service, &texts).await;
    assert!(left.is_empty(), "{left:#?}");
    me.get("/settings").await.expect_error(401, "SIGN_IN_REQUIRED");
    let code = |subject: &str| code(&service, subject, subject, 0);
    let again = sign_in_with(&service.anonymous(), code("ada@company.example"), json!({})).await;
    again.expect_error(403, "NOT_A_MEMBER");
    let invited = json!({"invitation": invitation});
    let invited = sign_in_with(&service.anonymous(), code("bob@company.example"), invited).await;
    invited.expect_error(403, "NOT_A_MEMBER");
    let stays = sign_in_with(&service.anonymous(), code("ada@umbrella.example"), json!({})).await;
    assert_eq!(stays.expect(200)["member"]["memberId"], of_other.json["member"]["memberId"]);
    assert!(!other.get("/audit").await.items().is_empty());
}

#[tokio::test]
async fn an_export_has_no_member_no_invitation_and_no_audit() {
    let service = service().await;
    let admin = service.admin();
    let (ada, _) = joined(&service, &admin, "ada@company.example", &["admin"], 0).await;
    let (bob, invitation) = invited_by(&admin, "bob@company.example", &["agent"]).await;
    admin.wiki_entry("help/refunds", "Refunds", "A refund takes five days.").await;
    let (store, runtime) = (&service.resources().store, &service.resources().runtime);
    let tenant = store.tenants().get(&tenant(&service)).await.unwrap().unwrap();
    let mut lines = Vec::new();
    let write = |line: &support::transfer::Line| {
        lines.push(serde_json::to_string(line).unwrap());
        Ok(())
    };
    support::transfer::export(store, runtime, &tenant, write, |_| {}).await.unwrap();
    assert!(lines.iter().any(|line| line.contains("help/refunds")), "{lines:#?}");
    for text in [ada.as_str(), &bob, &invitation, "company.example", "member.added"] {
        assert!(lines.iter().all(|line| !line.contains(text)), "{text}: {lines:#?}");
    }
}
