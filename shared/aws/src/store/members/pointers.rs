//! The items by which a member is found. Each is named in the member's item, so that it goes with the member.

use serde::{Deserialize, Serialize};

use crate::store::item_kind::ItemKind;
use crate::store::keys::{self, Key};
use crate::store::table::{Item, item, number};
use domain::Result;
use domain::models::{Invitation, Member, MemberPlace, SignIn, SignInId, TenantId, Timestamp};

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

pub(super) fn email_key(tenant: &TenantId, member: &Member) -> Key {
    keys::member_email(tenant, &member.email)
}

pub(super) fn email(tenant: &TenantId, member: &Member) -> Result<Item> {
    item(&email_key(tenant, member), ItemKind::MemberEmail, &place(tenant, member))
}

pub(super) fn of_email(tenant: &TenantId, member: &Member) -> Result<Item> {
    let key = keys::member_of_email(&member.email, tenant);
    item(&key, ItemKind::MemberEmail, &place(tenant, member))
}

pub(super) fn invitation(tenant: &TenantId, member: &Member, invitation: &Invitation) -> Result<Item> {
    let key = keys::invitation(&invitation.secret_hash);
    let stored = item(&key, ItemKind::Invitation, &place(tenant, member))?;
    Ok(ending(stored, invitation.expires_at))
}

pub(super) fn identity(tenant: &TenantId, member: &Member, identity: &str) -> Result<Item> {
    item(&keys::identity(identity, tenant), ItemKind::Identity, &place(tenant, member))
}

pub(super) fn sign_in(tenant: &TenantId, member: &Member, sign_in: &SignIn) -> Result<Item> {
    let stored = SignInPlace {
        place: place(tenant, member),
        sign_in_id: sign_in.sign_in_id.clone(),
        identity: member.identity.clone().unwrap_or_default(),
    };
    let stored = item(&keys::sign_in(&sign_in.secret_hash, tenant), ItemKind::SignIn, &stored)?;
    Ok(ending(stored, sign_in.ends_at()))
}
