//! The audit: who did what to the access to a tenant and to its data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use text::wire_enum;

use crate::access::Principal;
use crate::models::{Mode, Timestamp};

wire_enum! {
    /// The kind of a caller.
    pub enum ActorType {
        /// A server with an API key.
        Key => "key",
        /// A member.
        Member => "member",
        /// The operator of the service, by the command line.
        Operator => "operator",
    }
}

wire_enum! {
    /// The kind of an act.
    pub enum AuditAction {
        /// An API key was made.
        KeyCreated => "key.created",
        /// An API key was deleted.
        KeyDeleted => "key.deleted",
        /// A member was added.
        MemberAdded => "member.added",
        /// A member was invited again.
        MemberInvited => "member.invited",
        /// Name or public name of a member changed.
        MemberChanged => "member.changed",
        /// A member got other roles.
        MemberRolesChanged => "member.roles_changed",
        /// A member was suspended.
        MemberSuspended => "member.suspended",
        /// A suspended member may sign in again.
        MemberResumed => "member.resumed",
        /// A member was removed.
        MemberRemoved => "member.removed",
        /// An invitation was used for the first time.
        MemberBound => "member.bound",
        /// Another invitation was used by a member who had signed in before.
        MemberRebound => "member.rebound",
        /// A member signed in.
        MemberSignedIn => "member.signed_in",
        /// A member signed out.
        MemberSignedOut => "member.signed_out",
        /// All sign-ins of a member ended.
        MemberSignedOutEverywhere => "member.signed_out_everywhere",
        /// Settings changed.
        SettingsChanged => "settings.changed",
        /// A receiver of events was made.
        WebhookCreated => "webhook.created",
        /// A receiver of events changed.
        WebhookChanged => "webhook.changed",
        /// A receiver of events got another secret.
        WebhookRotated => "webhook.rotated",
        /// A receiver of events was deleted.
        WebhookDeleted => "webhook.deleted",
        /// A delivery, or all that a receiver of events missed, was sent again.
        WebhookReplayed => "webhook.replayed",
        /// A page of a session's export was read.
        SessionExported => "session.exported",
        /// A session was deleted.
        SessionDeleted => "session.deleted",
        /// A tenant's data was exported.
        TenantExported => "tenant.exported",
        /// A tenant's data was imported.
        TenantImported => "tenant.imported",
        /// An entry became public, or a public one got other words.
        EntryPublished => "entry.published",
        /// An old version of an entry was restored.
        EntryRestored => "entry.restored",
        /// A page or a text was handed in, or tried again, whose entries become public.
        IngestPublished => "ingest.published",
    }
}

/// The author of an act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AuditActor")]
pub struct Actor {
    /// The kind of caller.
    #[serde(rename = "type")]
    pub actor_type: ActorType,
    /// The id of the key or member; `operator` for the operator of the service.
    pub id: String,
    /// Its name at that time.
    pub name: String,
}

impl Actor {
    /// A caller. A widget does nothing that is audited.
    #[must_use]
    pub fn of(caller: &Principal) -> Self {
        let (actor_type, name) = match caller {
            Principal::Member(member) => (ActorType::Member, member.public_name.clone()),
            Principal::Key { name, .. } => (ActorType::Key, name.clone()),
            Principal::Widget(_) => (ActorType::Key, caller.name()),
        };
        Self { actor_type, id: caller.name(), name }
    }

    /// The operator.
    #[must_use]
    pub fn operator() -> Self {
        Self { actor_type: ActorType::Operator, id: "operator".to_owned(), name: "operator".to_owned() }
    }
}

/// A value that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditChange {
    /// Its name: `roles` of a member, or a setting.
    pub name: String,
    /// Before.
    pub from: Value,
    /// After.
    pub to: Value,
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub actor: Actor,
    /// What.
    pub action: AuditAction,
    /// The id of what it was done to; `settings` for settings.
    pub target: String,
    /// In which half of the tenant's data the actor was; null for the operator.
    pub mode: Option<Mode>,
    /// The roles that a member had and has, and the settings that decide who reads what and for how long it is kept; none
    /// for other acts.
    pub changes: Vec<AuditChange>,
}

impl AuditEntry {
    /// The entry of an action of `caller` at `at`.
    #[must_use]
    pub fn new(caller: &Principal, action: AuditAction, target: impl Into<String>, at: Timestamp) -> Self {
        Self {
            at,
            actor: Actor::of(caller),
            action,
            target: target.into(),
            mode: Some(caller.mode()),
            changes: Vec::new(),
        }
    }

    /// The entry of an action of the operator at `at`.
    #[must_use]
    pub fn by_operator(action: AuditAction, target: impl Into<String>, at: Timestamp) -> Self {
        Self { at, actor: Actor::operator(), action, target: target.into(), mode: None, changes: Vec::new() }
    }
}
