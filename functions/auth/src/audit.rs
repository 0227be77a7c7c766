//! The audit of the tenant.

use aws::store::AuditPlace;
use axum::extract::State;
use domain::models::{ActorType, AuditAction, AuditEntry, Mode, Timestamp};
use edge::ApiResult;
use edge::{CursorPageOut, Json, MemberManager, QueryIn};
use schemars::JsonSchema;
use serde::Serialize;

use crate::state::Auth;

/// Who did something.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditActor")]
pub(crate) struct ActorOut {
    /// The kind of caller.
    r#type: ActorType,
    /// The id of the key or member; `operator` for the operator of the service.
    id: String,
    /// Its name at that time.
    name: String,
}

/// Something that was done.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditEntry")]
pub(crate) struct EntryOut {
    /// When.
    at: Timestamp,
    /// By whom.
    actor: ActorOut,
    /// What.
    action: AuditAction,
    /// The id of what it was done to; `settings` for settings.
    target: String,
    /// In which half of the tenant's data the actor was; null for the operator.
    mode: Option<Mode>,
}

impl From<AuditEntry> for EntryOut {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { at, actor, action, target, mode } = entry;
        Self { at, actor: ActorOut { r#type: actor.actor_type, id: actor.id, name: actor.name }, action, target, mode }
    }
}

edge::query! {
    /// Which entries to list.
    #[derive(Debug)]
    pub(crate) struct ListAuditQuery {}
    cursor: after: AuditPlace, list = ();
    limit: limit;
}

edge::endpoint! {
    /// Read who changed what, newest first.
    ///
    /// Keys, members, sign-ins, settings, webhooks, exports and deletions of sessions, of the last year, in both modes.
    pub(crate) ListAudit = GET "/api/v1/audit" => list_audit;
    rate_class: List,
    example_query: {"limit": 10},
}

/// Lists the audit of the tenant.
pub(crate) async fn list_audit(
    State(state): State<Auth>,
    caller: MemberManager,
    QueryIn(query): QueryIn<ListAuditQuery>,
) -> ApiResult<Json<CursorPageOut<EntryOut>>> {
    let page = state.store.audit().list(caller.tenant(), query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, EntryOut::from)?))
}
