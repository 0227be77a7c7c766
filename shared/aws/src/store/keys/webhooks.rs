//! Keys of receivers and their deliveries.

use super::{Key, key, scope};
use domain::models::{EventId, ReplayKind, Scope, SessionId, WebhookId};

/// All receivers of a tenant and mode.
pub(crate) fn webhooks(s: &Scope) -> String {
    format!("{}#WHK", scope(s))
}

pub(crate) fn webhook(s: &Scope, id: &WebhookId) -> Key {
    key(webhooks(s), id.as_str())
}

/// The receivers that there are, with their addresses: what must hold of all of them together is decided here.
pub(crate) fn webhook_registry(s: &Scope) -> Key {
    key(format!("{}#WHKREG", scope(s)), "REGISTRY")
}

/// How every receiver has been doing.
pub(crate) fn webhooks_health(s: &Scope) -> String {
    format!("{}#WHKRUN", scope(s))
}

pub(crate) fn webhook_health(s: &Scope, id: &WebhookId) -> Key {
    key(webhooks_health(s), id.as_str())
}

/// The permits of a slow receiver.
pub(crate) fn webhook_permits(s: &Scope, id: &WebhookId) -> Key {
    key(format!("{}#WHKSLOTS", scope(s)), id.as_str())
}

/// A standing order to send again.
pub(crate) fn replay(s: &Scope, id: &WebhookId, kind: ReplayKind) -> Key {
    key(format!("{}#{REPLAYS}", scope(s)), format!("{id}#{kind}"))
}

pub(super) const REPLAYS: &str = "WHKREPLAY";

/// A receiver's deliveries, by event, which is by time.
pub(crate) fn deliveries(s: &Scope, id: &WebhookId) -> String {
    format!("{}#DLV#{id}", scope(s))
}

pub(crate) fn delivery(s: &Scope, id: &WebhookId, event: &EventId) -> Key {
    key(deliveries(s, id), event.as_str())
}

/// The partition of the pointers to the deliveries about a conversation, which are erased with it.
pub(crate) fn deliveries_of_session(s: &Scope, id: &SessionId) -> String {
    format!("{}#SESDLV#{id}", scope(s))
}

pub(crate) fn delivery_of_session(s: &Scope, id: &SessionId, webhook: &WebhookId, event: &EventId) -> Key {
    key(deliveries_of_session(s, id), format!("{webhook}#{event}"))
}

/// Reads back which delivery such an item points to.
pub(crate) fn pointed_delivery(sk: &str) -> Option<(WebhookId, EventId)> {
    let (webhook, event) = sk.split_once('#')?;
    Some((WebhookId::parse(webhook)?, EventId::parse(event)?))
}
