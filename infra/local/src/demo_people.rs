//! The members of the demo tenant that the demo's provider signs in.

use aws::store::{MemberDecision, MemberRule};
use domain::models::{AuditAction, AuditEntry, Availability, Member, MemberId, MemberStatus, TenantId, Timestamp};
use domain::{Error, Result};
use support::members::sign_in::identity_of;

use crate::demo::{TENANT_ID, ignore_conflict};
use crate::demo_provider::people::{DemoPerson, PEOPLE};
use crate::resources::Resources;

/// Makes sure that each person of the provider at `issuer` is an active member of the tenant, bound to that person. What
/// else was changed of a member stays. The issuer's name has the port, so another port binds them anew.
pub(crate) async fn prepare(resources: &Resources, issuer: &str) -> Result<()> {
    let tenant = TenantId::parse(TENANT_ID).ok_or_else(|| Error::internal("the demo tenant's id is none"))?;
    let tenant = &tenant;
    for person in &PEOPLE {
        let id = MemberId::parse(person.member_id).ok_or_else(|| Error::internal("a demo member's id is none"))?;
        let identity = identity_of(issuer, person.subject);
        let members = resources.store.members();
        let now = resources.runtime.now();
        match members.get(tenant, &id).await? {
            None => {
                let member = member(person, id, identity, now);
                let audit = AuditEntry::by_operator(AuditAction::MemberAdded, person.member_id, now);
                ignore_conflict(members.create(tenant, &member, audit, None).await)?;
            }
            Some(member) if member.status == MemberStatus::Active && member.identity.as_ref() == Some(&identity) => {}
            Some(_) => {
                let decide = |before: Member| {
                    let after = before.bound_to(identity.clone(), now);
                    let audit = AuditEntry::by_operator(AuditAction::MemberRebound, person.member_id, now);
                    Ok(MemberDecision::Replace(Box::new(after), vec![audit]))
                };
                members.change(tenant, &id, None, MemberRule::Any, None, decide).await?;
            }
        }
    }
    Ok(())
}

fn member(person: &DemoPerson, id: MemberId, identity: String, now: Timestamp) -> Member {
    Member {
        member_id: id,
        email: person.email.to_owned(),
        name: person.name.to_owned(),
        public_name: person.public_name().to_owned(),
        roles: vec![person.role],
        status: MemberStatus::Active,
        availability: Availability::Available,
        generation: 1,
        last_sign_in_at: None,
        created_at: now,
        identity: Some(identity),
        invitation: None,
        sign_ins: Vec::new(),
        signed_out_at: None,
        version: 1,
    }
}
