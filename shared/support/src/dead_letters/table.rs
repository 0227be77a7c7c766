//! The owner of an item that a dead letter is about, by the item's key.

use domain::models::{EscalationId, Scope, SessionId, TenantId};

use crate::table::keys;
use crate::table::stream::{Record, text};

/// The session of a record, also of an unreadable one; none if it belongs to none.
pub(super) fn session_id_of(record: &Record) -> Option<(Scope, SessionId)> {
    let pk = text(&record.keys, "pk")?;
    let named = || [&record.new, &record.old].into_iter().flatten().find_map(|image| text(image, "sessionId"));
    let id = keys::session_of_turn(pk).or_else(|| SessionId::parse(named()?))?;
    Some((keys::scope_of(pk)?, id))
}

/// The tenant of a record, also of an unreadable one.
pub(super) fn tenant_id_of(record: &Record) -> Option<TenantId> {
    keys::tenant_of(text(&record.keys, "pk")?)
}

/// The tenant and mode of a due item, and its session, by its name (`pk sk`); none for any other text.
pub(super) fn owner_of_due_item(name: &str) -> Option<(Scope, Option<SessionId>)> {
    let (pk, sk) = name.split_once(' ')?;
    let session = keys::session_of_turn(pk).filter(|_| sk == keys::SESSION);
    Some((keys::scope_of(pk)?, session))
}

/// The request for a human that a due item is; none if it is something else.
pub(super) fn escalation_of_due_item(name: &str) -> Option<(Scope, EscalationId)> {
    let (pk, _) = name.split_once(' ').filter(|(_, sk)| *sk == "ESCALATION")?;
    let (_, id) = pk.rsplit_once("#ESC#")?;
    Some((keys::scope_of(pk)?, EscalationId::parse(id)?))
}
