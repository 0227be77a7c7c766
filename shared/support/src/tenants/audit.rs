//! `GET /audit`: who did what in the tenant.

use axum::extract::State;
use domain::models::AuditEntry;

use crate::edge::{self, ApiResult, App, CursorPageOut, Json, MemberManager, QueryIn};
use crate::tenants::table::audit::AuditPlace;

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
) -> ApiResult<Json<CursorPageOut<AuditEntry>>> {
    let page = app.store.audit().list(caller.tenant(), query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, std::convert::identity)?))
}
