//! How somebody signs in: with an invitation, which binds the person to a member; as the person who is bound; and by
//! the cookie of a sign-in, which renews it and ends it.
//!
//! The provider knows a person by issuer and subject. One sign-in serves every tenant of the person: it is written into
//! the member of each tenant that is chosen under it.

use domain::access::SecretToken;
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::limits::member_email;
use domain::models::{
    Actor, ActorType, AuditAction, AuditEntry, Member, MemberId, MemberPlace, MemberStatus, Mode, SignIn, SignInId,
    TenantId, TenantStatus, Timestamp,
};
use domain::{Error, Result, sha256_hex_of_parts};

use crate::members::table::Membership;
use crate::members::table::changes::{MemberDecision, MemberRule, SignInPlace};
use crate::table::Store;

/// How often what a sign-in was written into is looked for while it ends.
const MAX_ROUNDS: usize = 5;

/// The person for whom the provider vouches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The provider that vouches.
    pub issuer: String,
    /// The person's name at the issuer.
    pub subject: String,
    /// The address, as the issuer wrote it.
    pub email: Option<String>,
    /// Whether the issuer verified the address; none if it says nothing.
    pub email_verified: Option<bool>,
    /// When the person last proved who it is.
    pub(crate) authenticated_at: Timestamp,
}

/// Where somebody wants to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The tenant; none for the one signed in to last.
    pub tenant: Option<TenantId>,
    /// The half of its data.
    pub mode: Mode,
}

/// Somebody who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignedIn {
    /// The member.
    pub(crate) membership: Membership,
    /// The half of the tenant's data.
    pub mode: Mode,
    /// The sign-in.
    pub sign_in: SignIn,
    /// Every tenant where the person may sign in.
    pub memberships: Vec<Membership>,
}

impl Person {
    /// The name under which the person is found.
    fn identity(&self) -> String {
        identity_of(&self.issuer, &self.subject)
    }

    /// The refusal with the account that was refused: the person may have meant another one of its own.
    fn named_in(&self, error: Error) -> Error {
        match &self.email {
            Some(email) if matches!(error.code(), Code::NotAMember | Code::Conflict) => {
                error.with_detail(DetailCode::SignedInAs, email.clone())
            }
            _ => error,
        }
    }

    /// Refuses a person with another address than the invited one, or without one: whoever holds the link would do.
    fn require_invited_email(&self, member: &Member, without_email: bool) -> Result<()> {
        let Some(email) = &self.email else {
            let why = "the provider names no e-mail address, and DESK_INVITE_WITHOUT_EMAIL is not set";
            return if without_email { Ok(()) } else { Err(not_a_member().context(why)) };
        };
        let same = email.is_ascii() && member_email::canonical(email) == member.email;
        if same && self.email_verified != Some(false) {
            Ok(())
        } else {
            Err(not_a_member()
                .context("the provider names another e-mail address than the invited one, or has not verified it"))
        }
    }
}

/// The name under which the person of this subject at this issuer is found.
#[must_use]
pub fn identity_of(issuer: &str, subject: &str) -> String {
    sha256_hex_of_parts(&[issuer, subject])
}

/// 403 with the one body of all who are nobody's member.
fn not_a_member() -> Error {
    Error::new(Code::NotAMember, "Nobody's member signed in. Ask an admin of your team for an invitation.")
}

/// Signs a person in: by the secret of an invitation, beside which the operator says whether it binds a person without an
/// address, too; or if the person is bound. Returns the cookie's secret, too.
///
/// # Errors
/// 403 `NOT_A_MEMBER` for a person who is no active member, and for a bad invitation; 409 if the person is bound to
/// another member of the invitation's tenant; 503 if the table does not answer.
pub(crate) async fn sign_in(
    store: &Store,
    runtime: &Runtime,
    person: &Person,
    (invitation, without_email): (Option<&str>, bool),
    wanted: &Wanted,
) -> Result<(SignedIn, SecretToken)> {
    let (secret, now) = (SecretToken::generate(runtime)?, runtime.now());
    let sign_in = SignIn {
        sign_in_id: SignInId::generate(runtime)?,
        secret_hash: secret.hash(),
        signed_in_at: now,
        authenticated_at: person.authenticated_at,
    };
    let signed_in = match invitation {
        Some(invitation) => accept(store, now, person, (invitation, without_email), wanted, sign_in).await,
        None => return_to(store, now, person, wanted, sign_in).await,
    };
    Ok((signed_in.map_err(|error| person.named_in(error))?, secret))
}

/// Signs a person in who is bound to a member.
async fn return_to(
    store: &Store,
    now: Timestamp,
    person: &Person,
    wanted: &Wanted,
    sign_in: SignIn,
) -> Result<SignedIn> {
    let bound = store.members().find_bound(&person.identity()).await?;
    let memberships = active(store.members().memberships(&bound).await?);
    let chosen = choose(&memberships, wanted.tenant.as_ref()).ok_or_else(not_a_member)?.clone();
    enter(store, now, chosen, memberships, wanted.mode, sign_in).await
}

/// Binds a person to the member whom an invitation is for, and signs in.
async fn accept(
    store: &Store,
    now: Timestamp,
    person: &Person,
    (invitation, without_email): (&str, bool),
    wanted: &Wanted,
    sign_in: SignIn,
) -> Result<SignedIn> {
    let (identity, members) = (person.identity(), store.members());
    let hash = SecretToken::parse(invitation).ok_or_else(not_a_member)?.hash();
    let (invited, bound) = futures::try_join!(members.find_invited(&hash), members.find_bound(&identity))?;
    let invited = invited.filter(|place| wanted.tenant.as_ref().is_none_or(|tenant| *tenant == place.tenant_id));
    let place = invited.ok_or_else(not_a_member)?;
    let others = bound.into_iter().filter(|other| *other != place);
    let places: Vec<MemberPlace> = std::iter::once(place.clone()).chain(others).collect();
    let mut memberships = members.memberships(&places).await?;
    let at = memberships.iter().position(|it| it.member.member_id == place.member_id).ok_or_else(not_a_member)?;
    let Membership { tenant, member } = memberships.remove(at);
    if tenant.status != TenantStatus::Active {
        return Err(not_a_member());
    }
    let decide = |before: Member| {
        let is_open = |open: &domain::models::Invitation| open.secret_hash == hash && now < open.expires_at;
        let may = before.status != MemberStatus::Suspended && before.invitation.as_ref().is_some_and(is_open);
        if !may {
            return Err(not_a_member());
        }
        person.require_invited_email(&before, without_email)?;
        let action = if before.identity.is_some() { AuditAction::MemberRebound } else { AuditAction::MemberBound };
        let audit = [action, AuditAction::MemberSignedIn].map(|action| audit(&before, action, wanted.mode, now));
        let after = before.bound_to(identity.clone(), now).signed_in(sign_in.clone(), now);
        Ok(MemberDecision::Replace(Box::new(after), audit.to_vec()))
    };
    let (tenant_id, id) = (&tenant.tenant_id, &place.member_id);
    let changed = members.change(tenant_id, id, Some(&member), MemberRule::Any, None, decide).await;
    let member = changed.map_err(missing_is_nobody)?.after.ok_or_else(not_a_member)?;
    let membership = Membership { tenant, member };
    let memberships = std::iter::once(membership.clone()).chain(active(memberships)).collect();
    Ok(SignedIn { membership, mode: wanted.mode, sign_in, memberships })
}

/// Writes a sign-in into the member of a tenant.
async fn enter(
    store: &Store,
    now: Timestamp,
    chosen: Membership,
    mut memberships: Vec<Membership>,
    mode: Mode,
    sign_in: SignIn,
) -> Result<SignedIn> {
    let Membership { tenant, member } = chosen;
    let identity = member.identity.clone();
    let decide = |before: Member| {
        if before.status != MemberStatus::Active || before.identity != identity {
            return Err(not_a_member());
        }
        if !before.may_take_up(&sign_in) {
            return Err(Error::sign_in_required());
        }
        // Of two renewals at once, the other was first.
        if before.live_sign_in(&sign_in.sign_in_id, now).is_some() {
            return Ok(MemberDecision::Keep);
        }
        let audit = vec![audit(&before, AuditAction::MemberSignedIn, mode, now)];
        Ok(MemberDecision::Replace(Box::new(before.signed_in(sign_in.clone(), now)), audit))
    };
    let (tenant_id, id) = (&tenant.tenant_id, &member.member_id);
    let changed = store.members().change(tenant_id, id, Some(&member), MemberRule::Any, None, decide).await;
    let member = changed.map_err(missing_is_nobody)?.after.ok_or_else(not_a_member)?;
    let membership = Membership { tenant, member };
    if let Some(old) = memberships.iter_mut().find(|other| other.member.member_id == membership.member.member_id) {
        old.clone_from(&membership);
    }
    Ok(SignedIn { membership, mode, sign_in, memberships })
}

/// Renews by the cookie of a sign-in, also with another tenant of the person.
///
/// # Errors
/// 401 `SIGN_IN_REQUIRED` if the sign-in has ended with every member; 403 `NOT_A_MEMBER` for a tenant where the person
/// is no active member; 503 if the table does not answer.
pub(crate) async fn renew(store: &Store, runtime: &Runtime, cookie: &SecretToken, wanted: &Wanted) -> Result<SignedIn> {
    let (now, members, hash) = (runtime.now(), store.members(), cookie.hash());
    let places = members.find_signed_in(&hash).await?;
    let identity = &places.first().ok_or_else(Error::sign_in_required)?.identity;
    let memberships = active(members.memberships(&members.find_bound(identity).await?).await?);
    let is_here = |membership: &&Membership| live_by_cookie(&membership.member, &hash, now).is_some();
    let live: Vec<Membership> = memberships.iter().filter(is_here).cloned().collect();
    let any = live.iter().find_map(|membership| live_by_cookie(&membership.member, &hash, now).cloned());
    let sign_in = any.ok_or_else(Error::sign_in_required)?;
    if let Some(membership) = choose(&live, wanted.tenant.as_ref()).cloned() {
        return Ok(SignedIn { membership, mode: wanted.mode, sign_in, memberships });
    }
    let chosen = choose(&memberships, wanted.tenant.as_ref()).ok_or_else(not_a_member)?.clone();
    let renewed = enter(store, now, chosen, memberships, wanted.mode, sign_in).await?;
    // It may have been ended everywhere before it was written here.
    let is_left = |place: &SignInPlace| place.place.member_id != renewed.membership.member.member_id;
    if members.find_signed_in(&hash).await?.iter().any(is_left) {
        return Ok(renewed);
    }
    end(store, runtime, &hash, Some(wanted.mode)).await?;
    Err(Error::sign_in_required())
}

fn live_by_cookie<'a>(member: &'a Member, hash: &str, now: Timestamp) -> Option<&'a SignIn> {
    member.sign_ins.iter().find(|sign_in| sign_in.secret_hash == hash && sign_in.is_live(now))
}

/// Ends the sign-in of a cookie, with every member that it was written into. One that is not there has ended.
///
/// # Errors
/// 503 if the table does not answer.
pub(crate) async fn sign_out(store: &Store, runtime: &Runtime, cookie: &SecretToken) -> Result<()> {
    end(store, runtime, &cookie.hash(), None).await
}

/// Ends the sign-in that a desk token of `mode` belongs to.
///
/// # Errors
/// 503 if the table does not answer.
pub(crate) async fn sign_out_of(
    store: &Store,
    runtime: &Runtime,
    (tenant, member, mode): (&TenantId, &MemberId, Mode),
    sign_in: &SignInId,
) -> Result<()> {
    let member = store.members().get(tenant, member).await?;
    let hash = member.and_then(|member| member.live_sign_in(sign_in, runtime.now()).map(|it| it.secret_hash.clone()));
    match hash {
        Some(hash) => end(store, runtime, &hash, Some(mode)).await,
        None => Ok(()),
    }
}

/// Ends a sign-in with every member, also with those that it is being written into meanwhile.
async fn end(store: &Store, runtime: &Runtime, secret_hash: &str, mode: Option<Mode>) -> Result<()> {
    for _ in 0..MAX_ROUNDS {
        let places = store.members().find_signed_in(secret_hash).await?;
        if places.is_empty() {
            break;
        }
        end_at(store, runtime.now(), &places, mode).await?;
    }
    Ok(())
}

async fn end_at(store: &Store, now: Timestamp, places: &[SignInPlace], mode: Option<Mode>) -> Result<()> {
    for there in places {
        let decide = |before: Member| {
            let audit = AuditEntry { mode, ..audit(&before, AuditAction::MemberSignedOut, Mode::Live, now) };
            let after = before.clone().signed_out(&there.sign_in_id);
            if after == before {
                return Ok(MemberDecision::Keep);
            }
            Ok(MemberDecision::Replace(Box::new(after), vec![audit]))
        };
        let MemberPlace { tenant_id, member_id } = &there.place;
        let ended = store.members().change(tenant_id, member_id, None, MemberRule::Any, None, decide).await;
        match ended {
            Err(error) if error.code() != Code::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Those where the person may sign in.
fn active(memberships: Vec<Membership>) -> Vec<Membership> {
    let is_active = |membership: &Membership| {
        membership.member.status == MemberStatus::Active && membership.tenant.status == TenantStatus::Active
    };
    memberships.into_iter().filter(is_active).collect()
}

/// The membership with a tenant; without one, that which was signed in to last.
fn choose<'a>(memberships: &'a [Membership], tenant: Option<&TenantId>) -> Option<&'a Membership> {
    let is_wanted = |membership: &&Membership| tenant.is_none_or(|tenant| *tenant == membership.tenant.tenant_id);
    memberships.iter().filter(is_wanted).max_by_key(|membership| membership.member.last_sign_in_at)
}

fn missing_is_nobody(error: Error) -> Error {
    if error.code() == Code::NotFound { not_a_member() } else { error }
}

/// The audit entry of a member's own sign-in or sign-out.
fn audit(member: &Member, action: AuditAction, mode: Mode, at: Timestamp) -> AuditEntry {
    let id = member.member_id.to_string();
    let actor = Actor { actor_type: ActorType::Member, id: id.clone(), name: member.public_name.clone() };
    AuditEntry { at, actor, action, target: id, mode: Some(mode), changes: Vec::new() }
}
