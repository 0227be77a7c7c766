//! Saved replies of the tenant.

use domain::limits::{MESSAGE, saved_reply as limits};
use domain::models::SavedReply;

use super::Rules;
use super::values::{self, Check};

pub(super) fn saved_reply(rules: Rules, reply: &SavedReply) -> Check {
    values::holds(reply.owner.is_none(), "an export has no saved replies of keys and members")?;
    values::text("shortcut", limits::SHORTCUT, &reply.shortcut)?;
    limits::shortcut(&reply.shortcut).map_err(|why| format!("shortcut {why}"))?;
    values::text("title", limits::TITLE, &reply.title)?;
    values::text("content", MESSAGE, &reply.content)?;
    values::past("updatedAt", reply.updated_at, rules)?;
    values::version("version", reply.version)
}
