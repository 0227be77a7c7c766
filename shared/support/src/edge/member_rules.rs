//! The rules for changes of members, beyond the permission of the caller.

use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::{MemberId, Mode, Role, Timestamp};
use domain::{Error, Result};

/// How old the sign-in may be with which a member changes access to the tenant, in milliseconds.
const RECENT_MS: i64 = 60 * 60_000;

/// Refuses a key of the test mode: members belong to both modes.
///
/// # Errors
/// 403.
pub fn require_live_key(caller: &Principal) -> Result<()> {
    if caller.mode() == Mode::Test && caller.member().is_none() {
        return Err(Error::new(Code::Forbidden, "A test key does not manage members.")
            .with_detail(DetailCode::RequiredMode, "needs a live admin key, or a member who is an admin"));
    }
    Ok(())
}

/// Refuses a member who is no admin and asks about another one. Whether it is the member itself.
///
/// # Errors
/// 403.
pub fn require_itself_or_admin(caller: &Principal, id: &MemberId) -> Result<bool> {
    let itself = caller.member().is_some_and(|member| member.member_id == *id);
    if itself || caller.has_role(Role::Admin) {
        return Ok(itself);
    }
    Err(Error::new(Code::Forbidden, "This caller lacks the required permission.")
        .with_detail(DetailCode::RequiredRole, "needs the role admin, or the member itself"))
}

/// Refuses a member who proved more than an hour ago who it is. A key has no sign-in.
///
/// # Errors
/// 403 `RECENT_SIGN_IN_REQUIRED`.
pub fn require_recent_sign_in(caller: &Principal, now: Timestamp) -> Result<()> {
    match caller.member() {
        Some(member) if now.millis_since(member.authenticated_at) > RECENT_MS => {
            Err(Error::new(Code::RecentSignInRequired, "This needs a sign-in of the last 60 minutes. Sign in again."))
        }
        _ => Ok(()),
    }
}
