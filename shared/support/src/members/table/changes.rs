//! The writes of a change of a member: its item, the pointers by which it is found, the numbers of the tenant, and the
//! order to give the member's claims back if it lost the inbox. Each pointer is named in the member's item, so that it
//! goes with the member.
//!
//! No claim of a member follows the transaction that takes the inbox away, because each is conditioned on the member as
//! it was read. The claims before it are found by the index, which may lag, so they are looked for three times. A claim
//! carries the generation of its member: one that the same person makes later, with the inbox again, stays.

use domain::error::{Code, DetailCode};
use domain::limits::MAX_MEMBERS;
use domain::models::{
    AuditEntry, Invitation, Member, MemberId, MemberPlace, Mode, People, Scope, SignIn, SignInId, TenantId, Timestamp,
};
use domain::{Error, Result, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, Item, ItemKind, item, number, set_gsi2_key};
use crate::table::keys::{self, Key};
use crate::table::transaction::{Outcome, Tag, Transaction, Write, version_condition};
use crate::table::{Consistency, repository};

/// An act on a member.
#[derive(Debug, Clone)]
pub enum MemberDecision {
    /// Nothing.
    Keep,
    /// It is replaced, and these entries of the audit tell of it. Its version counts by itself.
    Replace(Box<Member>, Vec<AuditEntry>),
    /// It is removed.
    Remove(Vec<AuditEntry>),
}

/// The condition that a change of members must leave true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberRule {
    /// Nothing in particular.
    Any,
    /// At least one active admin.
    KeepsAnAdmin,
}

/// A member before and after a change; none after it was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberChange {
    /// Before.
    pub before: Member,
    /// After.
    pub after: Option<Member>,
}

impl MemberDecision {
    pub(super) fn after(&self) -> Option<&Member> {
        match self {
            Self::Replace(after, _) => Some(after),
            Self::Keep | Self::Remove(_) => None,
        }
    }

    pub(super) fn audit(&self) -> &[AuditEntry] {
        match self {
            Self::Keep => &[],
            Self::Replace(_, audit) | Self::Remove(audit) => audit,
        }
    }

    /// The same for a member that was of `version`.
    pub(super) fn raised(self, version: u64) -> Self {
        match self {
            Self::Replace(after, audit) => {
                Self::Replace(Box::new(Member { version: version.saturating_add(1), ..*after }), audit)
            }
            other => other,
        }
    }
}

/// The result of an attempt.
pub(super) enum Written {
    /// It is stored.
    Done,
    /// The member has changed meanwhile.
    Changed,
}

/// The writes that give a member's claims back, if the change takes the inbox away; none elsewhere.
pub(super) fn releases(
    tenant: &TenantId,
    before: &Member,
    after: Option<&Member>,
    now: Timestamp,
) -> Result<Vec<Write>> {
    if !before.has_inbox() || after.is_some_and(Member::has_inbox) {
        return Ok(Vec::new());
    }
    // Nobody comes after a member who is removed.
    let generation = after.map_or(u64::MAX >> 1, |member| member.generation);
    release_claims(tenant, &before.member_id, generation, now)
}

/// Everything that changes with a member. None before: it is new; none after: it goes.
pub(super) fn transaction(
    tenant: &TenantId,
    before: Option<&Member>,
    after: Option<&Member>,
    rule: MemberRule,
) -> Result<Transaction> {
    let own = match (before, after) {
        (_, Some(after)) => {
            let stored = item(&member_key(tenant, &after.member_id), ItemKind::Member, after)?;
            Some(Write::replace(stored, before.map_or(0, |member| member.version)))
        }
        (Some(before), None) => Some(Write::Delete {
            key: member_key(tenant, &before.member_id),
            condition: Some(version_condition(before.version)),
        }),
        (None, None) => None,
    };
    let (taken, freed) = beside(tenant, before, after)?;
    let transaction = Transaction::default().with(Tag::Item, own).with(Tag::Taken, taken).beside(freed);
    Ok(transaction.with(Tag::Tenant, numbers(tenant, before, after, rule)))
}

/// The pointers that a change makes, none of which may be there, and the other writes of pointers.
fn beside(tenant: &TenantId, before: Option<&Member>, after: Option<&Member>) -> Result<(Vec<Write>, Vec<Write>)> {
    let (mut made, mut other) = (Vec::new(), Vec::new());
    if let (None, Some(after)) = (before, after) {
        made.push(Write::create(email_item(tenant, after)?));
        other.push(Write::put(of_email_item(tenant, after)?));
    }
    if let (Some(before), None) = (before, after) {
        other.push(Write::delete(email_key(tenant, before)));
        other.push(Write::delete(member_of_email_key(&before.email, tenant)));
    }
    let identity = |member: Option<&Member>| member.and_then(|member| member.identity.clone());
    let (was, is) = (identity(before), identity(after));
    if was != is {
        other.extend(was.map(|was| Write::delete(identity_key(&was, tenant))));
        if let (Some(is), Some(after)) = (is, after) {
            made.push(Write::create(identity_item(tenant, after, &is)?));
        }
    }
    let invitation = |member: Option<&Member>| member.and_then(|member| member.invitation.clone());
    let (was, is) = (invitation(before), invitation(after));
    if was != is {
        other.extend(was.map(|was| Write::delete(invitation_key(&was.secret_hash))));
        if let (Some(is), Some(after)) = (is, after) {
            other.push(Write::create(invitation_item(tenant, after, &is)?));
        }
    }
    let sign_ins = |member: Option<&Member>| member.map(|member| member.sign_ins.clone()).unwrap_or_default();
    let (was, is) = (sign_ins(before), sign_ins(after));
    other.extend(
        was.iter()
            .filter(|sign_in| !is.contains(sign_in))
            .map(|it| Write::delete(sign_in_key(&it.secret_hash, tenant))),
    );
    for sign_in in is.iter().filter(|sign_in| !was.contains(sign_in)) {
        if let Some(after) = after {
            other.push(Write::put(sign_in_item(tenant, after, sign_in)?));
        }
    }
    Ok((made, other))
}

/// The change of the tenant's numbers, if there is one.
fn numbers(tenant: &TenantId, before: Option<&Member>, after: Option<&Member>, rule: MemberRule) -> Option<Write> {
    let people = |member: Option<&Member>| member.map(People::of).unwrap_or_default();
    let (was, is) = (people(before), people(after));
    let grown = i64::from(after.is_some()) - i64::from(before.is_some());
    if was == is && grown == 0 {
        return None;
    }
    let by = |was: u32, is: u32| number(i64::from(is) - i64::from(was));
    // The version is counted as well, because a change of the tenant replaces the whole item.
    let update = Expression::new(
        "ADD keysVersion :one, memberCount :grown, activeAdmins :admins, inboxMembers :inbox, inboxAvailable :available",
    )
    .with(":one", number(1))
    .with(":grown", number(grown))
    .with(":admins", by(was.active_admins, is.active_admins))
    .with(":inbox", by(was.inbox_members, is.inbox_members))
    .with(":available", by(was.inbox_available, is.inbox_available));
    let condition = if grown > 0 {
        Expression::new("attribute_exists(pk) AND (attribute_not_exists(memberCount) OR memberCount < :most)")
            .with(":most", number(MAX_MEMBERS))
    } else if rule == MemberRule::KeepsAnAdmin && is.active_admins < was.active_admins {
        // Only the name of a value that is used already: DynamoDB knows `:one` from the update.
        Expression::new("activeAdmins > :one")
    } else {
        Expression::new("attribute_exists(pk)")
    };
    Some(Write::Update { key: keys::tenant(tenant), update, condition: Some(condition) })
}

/// Whether a change is stored, or why it is not.
pub(super) fn judge(outcome: &Outcome, was_there: bool) -> Result<Written> {
    let refused = |tag| outcome.at(tag).is_some();
    match () {
        () if outcome.is_committed() => Ok(Written::Done),
        () if was_there && refused(Tag::Item) => Ok(Written::Changed),
        () if refused(Tag::Taken) => Err(Error::new(Code::Conflict, "Another member of the tenant has it already.")
            .with_detail(DetailCode::MemberExists, "the e-mail address, or the person, is another member's")),
        () if refused(Tag::Tenant) && was_there => Err(Error::new(
            Code::Conflict,
            "The last active admin cannot be removed, suspended or demoted by a member.",
        )
        .with_detail(DetailCode::LastAdminMember, "make another member an admin first, or use an admin key")),
        () if refused(Tag::Tenant) => Err(too_many(outcome)),
        () => Ok(Written::Changed),
    }
}

fn too_many(outcome: &Outcome) -> Error {
    match outcome.at(Tag::Tenant) {
        Some(None) => Error::not_found("tenant"),
        _ => Error::new(Code::Conflict, format!("A tenant may have at most {MAX_MEMBERS} members."))
            .with_detail(DetailCode::TooManyMembers, "remove one first"),
    }
}

pub(super) fn missing() -> Error {
    Error::not_found("member")
}

/// The deletion of a member of a tenant that is being deleted, with what lies beside it.
pub(super) fn erasing(tenant: &TenantId, member: &Member) -> Vec<Write> {
    let mut keys = vec![member_key(tenant, &member.member_id), email_key(tenant, member)];
    keys.push(member_of_email_key(&member.email, tenant));
    keys.extend(member.identity.iter().map(|identity| identity_key(identity, tenant)));
    keys.extend(member.invitation.iter().map(|invitation| invitation_key(&invitation.secret_hash)));
    keys.extend(member.sign_ins.iter().map(|sign_in| sign_in_key(&sign_in.secret_hash, tenant)));
    keys.into_iter().map(Write::delete).collect()
}

/// Where a sign-in lives: with a member of each tenant that was chosen under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignInPlace {
    /// With whom.
    #[serde(flatten)]
    pub place: MemberPlace,
    /// The sign-in, among the member's.
    pub sign_in_id: SignInId,
    /// The person whom the provider knows: a hash of issuer and subject.
    pub identity: String,
}

fn place(tenant: &TenantId, member: &Member) -> MemberPlace {
    MemberPlace { tenant_id: tenant.clone(), member_id: member.member_id.clone() }
}

/// The table deletes an item some time after its `ttl`, in seconds; until then whoever reads it compares the time.
fn ending(mut item: Item, at: Timestamp) -> Item {
    item.insert("ttl".into(), number(at.as_seconds() + 1));
    item
}

fn email_key(tenant: &TenantId, member: &Member) -> Key {
    member_email_key(tenant, &member.email)
}

fn email_item(tenant: &TenantId, member: &Member) -> Result<Item> {
    item(&email_key(tenant, member), ItemKind::MemberEmail, &place(tenant, member))
}

fn of_email_item(tenant: &TenantId, member: &Member) -> Result<Item> {
    let key = member_of_email_key(&member.email, tenant);
    item(&key, ItemKind::MemberEmail, &place(tenant, member))
}

fn invitation_item(tenant: &TenantId, member: &Member, invitation: &Invitation) -> Result<Item> {
    let key = invitation_key(&invitation.secret_hash);
    let stored = item(&key, ItemKind::Invitation, &place(tenant, member))?;
    Ok(ending(stored, invitation.expires_at))
}

fn identity_item(tenant: &TenantId, member: &Member, identity: &str) -> Result<Item> {
    item(&identity_key(identity, tenant), ItemKind::Identity, &place(tenant, member))
}

fn sign_in_item(tenant: &TenantId, member: &Member, sign_in: &SignIn) -> Result<Item> {
    let stored = SignInPlace {
        place: place(tenant, member),
        sign_in_id: sign_in.sign_in_id.clone(),
        identity: member.identity.clone().unwrap_or_default(),
    };
    let stored = item(&sign_in_key(&sign_in.secret_hash, tenant), ItemKind::SignIn, &stored)?;
    Ok(ending(stored, sign_in.ends_at()))
}

/// The beginning of the sort key of every member.
pub(super) const MEMBERS: &str = "MEMBER#";

/// A person of a tenant.
pub(super) fn member_key(tenant: &TenantId, id: &MemberId) -> Key {
    Key::new(format!("TENANT#{tenant}"), format!("{MEMBERS}{id}"))
}

/// The mark that an e-mail address, in lower case, is a member's.
fn member_email_key(tenant: &TenantId, email: &str) -> Key {
    Key::new(format!("TENANT#{tenant}"), format!("EMAIL#{}", sha256_hex(email.as_bytes())))
}

/// The person whom the provider knows, by a hash of issuer and subject: a member of each tenant at most.
pub(super) fn identities(hash: &str) -> String {
    format!("IDENTITY#{hash}")
}

fn identity_key(hash: &str, tenant: &TenantId) -> Key {
    Key::new(identities(hash), format!("TENANT#{tenant}"))
}

/// The tenants that have a member with an e-mail address, in lower case: an identity known by its address alone.
pub(super) fn members_of_email(email: &str) -> String {
    identities(&sha256_hex(format!("email {email}").as_bytes()))
}

fn member_of_email_key(email: &str, tenant: &TenantId) -> Key {
    Key::new(members_of_email(email), format!("TENANT#{tenant}"))
}

/// An invitation, by the hash of its secret.
pub(super) fn invitation_key(secret_hash: &str) -> Key {
    Key::new(format!("INVITE#{secret_hash}"), "INVITE")
}

/// A sign-in, by the hash of its cookie's secret: with a member of each tenant at most.
pub(super) fn sign_ins(secret_hash: &str) -> String {
    format!("SIGNIN#{secret_hash}")
}

fn sign_in_key(secret_hash: &str, tenant: &TenantId) -> Key {
    Key::new(sign_ins(secret_hash), format!("TENANT#{tenant}"))
}

/// When the claims are looked for again, in milliseconds after the first and the second time.
const NEXT_PASS_MS: [i64; 2] = [60_000, 15 * 60_000];

/// The order to give back a member's claims in one mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimsRelease {
    /// The generation of the member since it lost the inbox: claims of earlier ones are given back.
    pub generation: u64,
    /// How often they were looked for.
    passes: u32,
    /// When that is to be done next.
    pub due_at: Timestamp,
}

repository!(claims_releases: ClaimsReleases);

impl ClaimsReleases<'_> {
    /// Whether a member's claims are to be given back; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(crate) async fn get(&self, scope: &Scope, member: &MemberId) -> Result<Option<ClaimsRelease>> {
        self.0.get(&claims_release_key(scope, member), Consistency::Strong).await
    }

    /// Records that the claims were looked for; after the third time nothing is left to do. Does nothing if another
    /// one was faster.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(crate) async fn record_pass(&self, scope: &Scope, member: &MemberId, seen: &ClaimsRelease) -> Result<()> {
        let unchanged = Expression::new("passes = :seen AND generation = :generation")
            .with(":seen", number(seen.passes))
            .with(":generation", number(seen.generation));
        let next = usize::try_from(seen.passes).ok().and_then(|passes| NEXT_PASS_MS.get(passes));
        let write = match next {
            Some(delay_ms) => {
                let due_at = self.0.runtime.now().plus_millis(*delay_ms);
                let after = ClaimsRelease { passes: seen.passes + 1, due_at, ..seen.clone() };
                Write::Put { item: release_item(scope, member, &after)?, condition: Some(unchanged) }
            }
            None => Write::Delete { key: claims_release_key(scope, member), condition: Some(unchanged) },
        };
        self.0.write_if(write).await.map(drop)
    }
}

/// Makes the claims of a member due to be given back in both modes, at once: for the transaction that takes the inbox
/// away and gives the member `generation`.
fn release_claims(tenant: &TenantId, member: &MemberId, generation: u64, now: Timestamp) -> Result<Vec<Write>> {
    let order = ClaimsRelease { generation, passes: 0, due_at: now };
    let write = |mode: &Mode| {
        let scope = Scope { tenant: tenant.clone(), mode: *mode };
        Ok(Write::put(release_item(&scope, member, &order)?))
    };
    Mode::ALL.iter().map(write).collect()
}

fn release_item(scope: &Scope, member: &MemberId, order: &ClaimsRelease) -> Result<Item> {
    let key = claims_release_key(scope, member);
    let mut stored = item(&key, ItemKind::ClaimsRelease, order)?;
    set_gsi2_key(&mut stored, &keys::due(&key, order.due_at));
    Ok(stored)
}

/// The order to give back a member's claims in one mode.
pub(crate) fn claims_release_key(of: &Scope, member: &MemberId) -> Key {
    Key::new(format!("{}#CLAIMS", keys::scope(of)), member.as_str())
}
