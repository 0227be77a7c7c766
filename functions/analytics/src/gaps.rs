//! `/analytics/kb-gaps`: lists knowledge gaps, and dismisses or reopens one.

use crate::Analytics;
use app::gaps::triage;
use aws::store::{GapFilter, GapOrder};
use axum::extract::State;
use domain::gaps::Triage;
use domain::models::{Gap, GapId, GapStatus, NearestEntry, Timestamp};
use edge::ApiResult;
use edge::{AnalyticsReader, Fields, FromFields, FromQuery, GapEditor, Json, JsonIn, PageOut, PathIn, Query, QueryIn};
use serde::Serialize;

use crate::report::days;

/// Which gaps to list.
#[derive(Debug)]
pub(crate) struct ListGapsQuery {
    days: u32,
    status: GapStatus,
    order: GapOrder,
    page: usize,
    limit: usize,
}

impl FromQuery for ListGapsQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        let days = days(query);
        let statuses: Vec<_> = GapStatus::ALL.iter().map(|status| status.as_str()).collect();
        let status = query.choice("status", GapStatus::parse, &statuses);
        let order = query.choice("sort", order, &["count", "recent"]);
        let (page, limit) = query.page_and_limit();
        let (status, order) = (status.unwrap_or(GapStatus::Open), order.unwrap_or(GapOrder::Count));
        Some(Self { days, status, order, page, limit })
    }
}

fn order(text: &str) -> Option<GapOrder> {
    match text {
        "count" => Some(GapOrder::Count),
        "recent" => Some(GapOrder::Recent),
        _ => None,
    }
}

/// A gap as its tenant sees it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GapOut {
    gap_id: GapId,
    /// As it was first put; empty once every session that asked it is erased.
    query: String,
    count: u64,
    sessions: u64,
    examples: Vec<String>,
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest_entry: Option<NearestEntry>,
    status: GapStatus,
}

impl From<Gap> for GapOut {
    fn from(gap: Gap) -> Self {
        Self {
            gap_id: gap.gap_id,
            query: gap.query.map(|query| query.text).unwrap_or_default(),
            count: gap.count,
            sessions: gap.sessions,
            examples: gap.examples.into_iter().map(|example| example.text).collect(),
            first_seen_at: gap.first_seen_at,
            last_seen_at: gap.last_seen_at,
            nearest_entry: gap.nearest,
            status: gap.status,
        }
    }
}

/// Lists the gaps that were asked in the last `days` times 24 hours.
pub(crate) async fn list_gaps(
    State(ctx): State<Analytics>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<ListGapsQuery>,
) -> ApiResult<Json<PageOut<GapOut>>> {
    let ListGapsQuery { days, status, order, page, limit } = query;
    let since = ctx.ambient.now().plus_hours(-24 * i64::from(days));
    let filter = GapFilter { status, since, order };
    let found = ctx.store.gaps().list(caller.scope(), &filter, (page - 1) * limit, limit).await?;
    let gaps = found.gaps.into_iter().map(GapOut::from).collect();
    Ok(Json(PageOut::new(gaps, page, limit, found.total)))
}

/// What is decided about a gap.
#[derive(Debug)]
pub(crate) struct GapPatch {
    triage: Triage,
}

impl FromFields for GapPatch {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        fields.require("status");
        let decision = |text: &str| match text {
            "dismissed" => Some(Triage::Dismiss),
            "open" => Some(Triage::Open),
            _ => None,
        };
        Some(Self { triage: fields.choice("status", decision, &["dismissed", "open"])? })
    }
}

/// Dismisses a gap, or opens a dismissed one again.
pub(crate) async fn change_gap(
    State(ctx): State<Analytics>,
    caller: GapEditor,
    PathIn(id): PathIn<GapId>,
    JsonIn(patch): JsonIn<GapPatch>,
) -> ApiResult<Json<GapOut>> {
    let gap = triage(&ctx.store, caller.scope(), &id, patch.triage).await?;
    Ok(Json(gap.into()))
}
