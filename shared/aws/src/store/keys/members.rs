//! The keys of members, of what they are found by, and of the audit.

use super::{Key, key, moment, moment_of};
use domain::models::{MemberId, TenantId, Timestamp};
use domain::sha256_hex;

/// The beginning of the sort key of every member.
pub(crate) const MEMBERS: &str = "MEMBER#";

/// A person of a tenant.
pub(crate) fn member(tenant: &TenantId, id: &MemberId) -> Key {
    key(format!("TENANT#{tenant}"), format!("{MEMBERS}{id}"))
}

/// The mark that an e-mail address, in lower case, is a member's.
pub(crate) fn member_email(tenant: &TenantId, email: &str) -> Key {
    key(format!("TENANT#{tenant}"), format!("EMAIL#{}", sha256_hex(email.as_bytes())))
}

/// The person whom the provider knows, by a hash of issuer and subject: a member of each tenant at most.
pub(crate) fn identities(hash: &str) -> String {
    format!("IDENTITY#{hash}")
}

pub(crate) fn identity(hash: &str, tenant: &TenantId) -> Key {
    key(identities(hash), format!("TENANT#{tenant}"))
}

/// The tenants that have a member with an e-mail address, in lower case: an identity known by its address alone.
pub(crate) fn members_of_email(email: &str) -> String {
    identities(&sha256_hex(format!("email {email}").as_bytes()))
}

pub(crate) fn member_of_email(email: &str, tenant: &TenantId) -> Key {
    key(members_of_email(email), format!("TENANT#{tenant}"))
}

/// An invitation, by the hash of its secret.
pub(crate) fn invitation(secret_hash: &str) -> Key {
    key(format!("INVITE#{secret_hash}"), "INVITE")
}

/// A sign-in, by the hash of its cookie's secret: with a member of each tenant at most.
pub(crate) fn sign_ins(secret_hash: &str) -> String {
    format!("SIGNIN#{secret_hash}")
}

pub(crate) fn sign_in(secret_hash: &str, tenant: &TenantId) -> Key {
    key(sign_ins(secret_hash), format!("TENANT#{tenant}"))
}

/// The audit of a tenant. Every function of the API adds to it, and none changes it: not below `TENANT#`, which the roles
/// on AWS keep for the function that manages access.
pub(crate) fn audit(tenant: &TenantId) -> String {
    format!("AUDIT#{tenant}")
}

/// An entry of the audit. `token` has 32 hexadecimal digits.
pub(crate) fn audit_entry(tenant: &TenantId, at: Timestamp, token: &str) -> Key {
    key(audit(tenant), format!("{}{token}", audit_from(at)))
}

/// The beginning of the sort key of the entries of a moment.
fn audit_from(at: Timestamp) -> String {
    format!("{}#", moment(at))
}

/// Whether a text is the sort key of an entry of the audit.
pub(crate) fn is_audit_place(sk: &str) -> bool {
    let Some((at, token)) = sk.split_once('#') else { return false };
    moment_of(at).is_some() && token.len() == 32 && token.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The public keys of desk tokens.
pub(crate) fn desk_public_keys() -> Key {
    key("DESKKEYS".to_owned(), "PUBLIC")
}

/// A rate limit of somebody who is not known, by a hash of the address.
pub(crate) fn failed_sign_ins(hash: &str) -> Key {
    key(format!("ATTEMPTS#{hash}"), "ATTEMPTS")
}
