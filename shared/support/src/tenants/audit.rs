//! `GET /audit`: who did what in the tenant.

use axum::extract::State;
use domain::models::{ActorType, AuditAction, AuditChange, AuditEntry, Mode, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::{self, ApiResult, App, CursorPageOut, Json, MemberManager, QueryIn};
use crate::tenants::table::audit::AuditPlace;

/// The author of an act.
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
    /// The roles that a member had and has, and the settings that decide who reads what and for how long it is kept; none
    /// for other acts.
    changes: Vec<AuditChange>,
}

impl From<AuditEntry> for EntryOut {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { at, actor, action, target, mode, changes } = entry;
        let actor = ActorOut { r#type: actor.actor_type, id: actor.id, name: actor.name };
        Self { at, actor, action, target, mode, changes }
    }
}

edge::query! {
    /// The filter of the audit.
    #[derive(Debug)]
    pub(crate) struct ListAuditQuery {}
    cursor: after: AuditPlace, list = ();
    limit: limit;
}

edge::endpoint! {
    /// Read who changed what, newest first.
    ///
    /// Keys, members, sign-ins, settings, webhooks, each page of an export, imports, deletions of sessions, and what became
    /// public: of the last year, in both modes.
    pub(crate) ListAudit = GET "/api/v1/audit" => list_audit;
    rate_class: List,
    example_query: {"limit": 10},
}

/// Lists the audit of the tenant.
async fn list_audit(
    State(app): State<App>,
    caller: MemberManager,
    QueryIn(query): QueryIn<ListAuditQuery>,
) -> ApiResult<Json<CursorPageOut<EntryOut>>> {
    let page = app.store.audit().list(caller.tenant(), query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, EntryOut::from)?))
}
