//! Members: the people of a tenant, invited, changed and removed by admins. What is audited is written with the change.
//! The file also has the effects on the directory of the sign-in provider: the mails to those whom admins name, and the
//! removal of former members.
//!
//! - [`api`]: the endpoints of members.
//! - [`invitation`]: adds and invites members.
//! - [`sign_in`]: the sign-ins of members, by invitation, person or cookie.
//! - [`desk`]: the endpoints by which people sign in to the desk.
//! - [`table`]: members, as they are stored.

pub mod api;
pub mod desk;
pub mod invitation;
pub mod sign_in;
pub mod table;

pub use api::{MemberPatch, NewMember};
pub use invitation::{Invited, create, invitation_url, invite};
pub(crate) use invitation::{create_once, invite_once};

use aws::user_directory::UserDirectory;
use domain::access::Principal;
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{
    AuditAction, AuditChange, AuditEntry, Member, MemberId, MemberStatus, Mode, Role, Scope, TenantId, Timestamp,
};
use domain::rate_limit::{Draw, Quota};
use domain::{Error, Result, sha256_hex};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::edge::allowance::refused;
use crate::edge::table::RequestKey;
use crate::members::table::changes::{MemberChange, MemberDecision, MemberRule};
use crate::requester::Requester;
use crate::table::Store;
use crate::table::transaction::RequestRecord;

/// A member leaves at least one active admin; a key and the operator need not.
const fn rule(by: Requester<'_>) -> MemberRule {
    match by {
        Requester::Caller(Principal::Member(_)) => MemberRule::KeepsAnAdmin,
        Requester::Caller(_) | Requester::Operator => MemberRule::Any,
    }
}

impl MemberPatch {
    /// The member with the change applied.
    ///
    /// # Errors
    /// 409 if a member is to be active who has never signed in.
    fn apply(&self, mut member: Member, now: Timestamp) -> Result<Member> {
        if let Some(name) = &self.name {
            member.name.clone_from(name);
        }
        if let Some(public_name) = &self.public_name {
            member.public_name.clone_from(public_name);
        }
        if let Some(availability) = self.availability {
            member.availability = availability;
        }
        if let Some(roles) = &self.roles {
            member = member.with_roles(in_order(roles));
        }
        match self.status {
            Some(MemberStatus::Suspended) => Ok(member.suspended(now)),
            Some(MemberStatus::Active) if member.status == MemberStatus::Invited => {
                Err(Error::new(Code::InvalidState, "A member becomes active by using the invitation."))
            }
            Some(MemberStatus::Active) => Ok(member.resumed()),
            Some(MemberStatus::Invited) | None => Ok(member),
        }
    }
}

/// Roles in the one order, each once.
fn in_order(roles: &[Role]) -> Vec<Role> {
    Role::ALL.iter().copied().filter(|role| roles.contains(role)).collect()
}

/// Changes a member that `precondition` passes.
///
/// # Errors
/// 404 if there is none; 409 for the last active admin, and if an invited member is to be active; what
/// `precondition` refuses with; 503 if the table does not answer.
pub async fn change(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    (tenant, id): (&TenantId, &MemberId),
    patch: &MemberPatch,
    precondition: impl Fn(&Member) -> Result<()>,
) -> Result<MemberChange> {
    let decide = |before: Member| {
        precondition(&before)?;
        let after = patch.apply(before.clone(), runtime.now())?;
        if after == before {
            return Ok(MemberDecision::Keep);
        }
        let audit = audit_of(by, &before, &after, runtime.now());
        Ok(MemberDecision::Replace(Box::new(after), audit))
    };
    store.members().change(tenant, id, None, rule(by), None, decide).await
}

/// The entries of the audit for what changed; availability is nobody's access.
fn audit_of(by: Requester<'_>, before: &Member, after: &Member, now: Timestamp) -> Vec<AuditEntry> {
    let entry = |action| by.audit(action, before.member_id.as_str(), now);
    let mut entries = Vec::new();
    if (&before.name, &before.public_name) != (&after.name, &after.public_name) {
        entries.push(entry(AuditAction::MemberChanged));
    }
    if before.roles != after.roles {
        let change = AuditChange { name: "roles".into(), from: json!(before.roles), to: json!(after.roles) };
        entries.push(AuditEntry { changes: vec![change], ..entry(AuditAction::MemberRolesChanged) });
    }
    match (before.status, after.status) {
        (before, after) if before == after => {}
        (_, MemberStatus::Suspended) => entries.push(entry(AuditAction::MemberSuspended)),
        (_, MemberStatus::Active | MemberStatus::Invited) => entries.push(entry(AuditAction::MemberResumed)),
    }
    entries
}

/// Removes a member that `precondition` passes, and deletes the keys that it made. Sent again after a failure, it deletes
/// those that are left, and the change is none if the member was gone.
///
/// # Errors
/// As those of [`remove`]; 409 if the last live admin key is among the keys.
pub(crate) async fn remove_with_keys(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    (tenant, id): (&TenantId, &MemberId),
    precondition: impl Fn(&Member) -> Result<()>,
) -> Result<Option<MemberChange>> {
    let keys = store.api_keys().deletable_of(tenant, id.as_str(), runtime.now()).await?;
    let removed = match remove(store, runtime, by, (tenant, id), precondition).await {
        Err(error) if error.code() == Code::NotFound && !keys.is_empty() => None,
        removed => Some(removed?),
    };
    for key in keys {
        let now = runtime.now();
        let audited = by.audited(store, tenant, AuditAction::KeyDeleted, key.as_str(), now);
        match audited.api_keys().delete(tenant, None, &key, now).await {
            Err(error) if error.code() == Code::NotFound => {}
            deleted => deleted?,
        }
    }
    Ok(removed)
}

/// Removes a member that `precondition` passes; its desk tokens are refused from the next request on.
///
/// # Errors
/// As those of [`change`].
pub async fn remove(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    (tenant, id): (&TenantId, &MemberId),
    precondition: impl Fn(&Member) -> Result<()>,
) -> Result<MemberChange> {
    let decide = |before: Member| {
        precondition(&before)?;
        Ok(MemberDecision::Remove(vec![by.audit(AuditAction::MemberRemoved, id.as_str(), runtime.now())]))
    };
    store.members().change(tenant, id, None, rule(by), None, decide).await
}

/// The stored result of a request that returns nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptNothing {}

/// Ends all sign-ins and desk tokens of a member, for a request of a caller in `scope` with the key `request`; whether it
/// was carried out before.
///
/// # Errors
/// As those of [`sign_out_everywhere`]; 422 for a key that was used for another request.
pub(crate) async fn sign_out_everywhere_once(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    (scope, request): (&Scope, Option<&RequestKey>),
    id: &MemberId,
) -> Result<bool> {
    let requests = store.idempotency();
    let work = async {
        let record = requests.completed(scope, request, KeptNothing {})?;
        sign_out_everywhere(store, runtime, by, (&scope.tenant, id), record).await.map(drop)
    };
    let replay = async |_: KeptNothing| {
        let there = store.members().get(&scope.tenant, id).await?;
        there.map(drop).ok_or_else(|| Error::not_found("member"))
    };
    requests.once(scope, request, work, replay).await.map(|((), replayed)| replayed)
}

/// Ends all sign-ins and desk tokens of a member.
///
/// # Errors
/// 404 if there is none; 503 if the table does not answer.
pub async fn sign_out_everywhere(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    (tenant, id): (&TenantId, &MemberId),
    request: Option<RequestRecord>,
) -> Result<MemberChange> {
    let decide = |before: Member| {
        let audit = vec![by.audit(AuditAction::MemberSignedOutEverywhere, id.as_str(), runtime.now())];
        Ok(MemberDecision::Replace(Box::new(before.signed_out_everywhere(runtime.now())), audit))
    };
    store.members().change(tenant, id, None, MemberRule::Any, request, decide).await
}

const DAY_SECONDS: u32 = 86_400;
const MAILS_TO_ADDRESS: Quota = Quota { name: "invitation-mails-to-address", limit: 3, window_seconds: DAY_SECONDS };
const MAILS_OF_TENANT: Quota = Quota { name: "invitation-mails", limit: 20, window_seconds: DAY_SECONDS };

/// A mail of the directory to an address that an admin names. It holds a first password, and all tenants share what the
/// directory may send, so mails are counted by address, over all tenants, and by tenant.
#[derive(Debug)]
#[must_use = "a mail that is not sent is given back"]
pub(crate) struct CountedMail<'a> {
    store: &'a Store,
    scope: Scope,
    of_tenant: Draw,
    to_address: Draw,
}

impl<'a> CountedMail<'a> {
    /// Counts a mail to `email` before it is sent.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` after three mails of a day to the address, by whatever tenants, or twenty of the tenant.
    pub(crate) async fn count(store: &'a Store, tenant: &TenantId, email: &str) -> Result<Self> {
        // A tenant has one number of mails, whatever the mode of its caller.
        let scope = Scope { tenant: tenant.clone(), mode: Mode::Live };
        let of_tenant = Draw { quota: MAILS_OF_TENANT, subject: "all".to_owned(), tokens: 1 };
        let subject = sha256_hex(format!("mail {email}").as_bytes());
        let mail = Self { store, scope, of_tenant, to_address: Draw { quota: MAILS_TO_ADDRESS, subject, tokens: 1 } };
        let (buckets, of_tenant) = (store.rate_buckets(), std::slice::from_ref(&mail.of_tenant));
        buckets.take(&mail.scope, of_tenant).await.map_err(|exhausted| refused(&exhausted))?;
        if let Err(exhausted) = buckets.take_of_address(&mail.to_address).await {
            buckets.give_back(&mail.scope, of_tenant).await;
            return Err(refused(&exhausted));
        }
        Ok(mail)
    }

    /// Gives back a mail that was not sent.
    pub(crate) async fn give_back(self) {
        let buckets = self.store.rate_buckets();
        buckets.give_back(&self.scope, std::slice::from_ref(&self.of_tenant)).await;
        buckets.give_back_of_address(&self.to_address).await;
    }
}

/// Removes the user of a former member from the directory, unless a tenant has a member with that address. If that fails,
/// the user stays, and is nobody's member.
pub async fn remove_user(store: &Store, directory: Option<&dyn UserDirectory>, email: &str) {
    let Some(directory) = directory else { return };
    let removed = async {
        match store.members().is_somewhere(email).await? {
            true => Ok(()),
            false => directory.remove(email).await,
        }
    };
    if let Err(error) = removed.await {
        tracing::warn!(error = %error, "a former member stays a user of the sign-in provider, and cannot use the desk");
    }
}
