//! The three people of the demo: the demo's provider signs them in, as members of the demo tenant.

use domain::models::{AuditAction, AuditEntry, Availability, Member, MemberId, MemberStatus, Role, Timestamp};
use domain::{Error, Result};
use support::members::sign_in::identity_of;
use support::members::table::changes::{MemberDecision, MemberRule};

use crate::resources::Resources;
use crate::tenants::{demo_tenant, ignore_conflict};

/// A person with the one role that they have in the demo tenant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DemoPerson {
    /// The person's name at the provider, which never changes.
    pub(crate) subject: &'static str,
    /// The id as a member; a constant, so that the member is found again.
    pub(crate) member_id: &'static str,
    /// The name, for colleagues.
    pub(crate) name: &'static str,
    /// The address, of a domain that nobody has.
    pub(crate) email: &'static str,
    /// The role of the person.
    pub(crate) role: Role,
    /// The duty of that role, in a phrase for the page.
    pub(crate) duty: &'static str,
}

/// Everybody, in the order of the page.
pub(crate) const PEOPLE: [DemoPerson; 3] = [
    DemoPerson {
        subject: "demo-agent",
        member_id: "mem_0000000000000000000000DEM1",
        name: "Bea Agent",
        email: "agent@demo.example",
        role: Role::Agent,
        duty: "answers customers",
    },
    DemoPerson {
        subject: "demo-trainer",
        member_id: "mem_0000000000000000000000DEM2",
        name: "Tom Trainer",
        email: "trainer@demo.example",
        role: Role::Trainer,
        duty: "writes the knowledge base",
    },
    DemoPerson {
        subject: "demo-admin",
        member_id: "mem_0000000000000000000000DEM3",
        name: "Ada Admin",
        email: "admin@demo.example",
        role: Role::Admin,
        duty: "may do everything",
    },
];

impl DemoPerson {
    /// The name that customers see: the first word.
    pub(crate) fn public_name(&self) -> &'static str {
        self.name.split(' ').next().unwrap_or(self.name)
    }

    /// The person of this subject.
    pub(crate) fn of(subject: &str) -> Option<&'static Self> {
        PEOPLE.iter().find(|person| person.subject == subject)
    }
}

/// Makes sure that each person of the provider at `issuer` is an active member of the tenant, bound to that person. What
/// else was changed of a member stays. The issuer's name has the port, so another port binds them anew.
pub(crate) async fn prepare(resources: &Resources, issuer: &str) -> Result<()> {
    let tenant = &demo_tenant()?;
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
