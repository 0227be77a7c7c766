//! `/analytics/kb-gaps`: lists knowledge gaps, shows one, and dismisses or reopens it.

use axum::extract::State;
use domain::Error;
use domain::gaps::GapTriage;
use domain::models::{Gap, GapId, GapStatus, NearestEntry, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use crate::analytics::figures::DAYS;
use crate::edge::input::{choice, required, words};
use crate::edge::query::Parameter;
use crate::edge::{self, AnalyticsReader, ApiResult, App, GapEditor, Json, JsonIn, PageOut, PathIn, QueryIn};
use crate::knowledge::gaps::table::{GapFilter, GapOrder};
use crate::knowledge::gaps::{GapMaterial, MAX_EXAMPLES, MAX_QUESTIONS, Resolution, examples, material, triage};

edge::query! {
    /// The filter of the gaps.
    #[derive(Debug)]
    pub(crate) struct ListGapsQuery {
        /// How many times 24 hours to look back: gaps that were last asked then.
        days: u32 = "days" => DAYS,
        /// Where the gaps stand.
        status: GapStatus = "status" => choice::<GapStatus>().or(GapStatus::Open),
        /// The order: the gaps that were asked most often first, or most recently.
        order: Option<GapOrder> = "sort" => words(&[("count", GapOrder::Count), ("recent", GapOrder::Recent)]),
    }
    pages: page, limit;
}

/// A question that customers ask and the wiki does not answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Gap")]
pub(crate) struct GapOut {
    /// Its id.
    gap_id: GapId,
    /// As it was first put, with personal data masked; empty once every session that asked it is erased.
    query: String,
    /// How often it was asked.
    count: u64,
    /// In how many sessions.
    sessions: u64,
    /// How it was put, newest first, each text once.
    #[schemars(length(max = MAX_EXAMPLES))]
    examples: Vec<String>,
    /// When it was first asked.
    first_seen_at: Timestamp,
    /// When it was last asked.
    last_seen_at: Timestamp,
    /// The entry nearest to it when it was last asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest_entry: Option<NearestEntry>,
    /// Whether the wiki answers it by now, or need not.
    status: GapStatus,
}

impl GapOut {
    fn new(gap: Gap, examples: Vec<String>) -> Self {
        Self {
            gap_id: gap.gap_id,
            // Its first wording may have gone before the list of the others showed one to take its place.
            query: gap.query.map(|query| query.text).or_else(|| examples.last().cloned()).unwrap_or_default(),
            count: gap.count,
            sessions: gap.sessions,
            examples,
            first_seen_at: gap.first_seen_at,
            last_seen_at: gap.last_seen_at,
            nearest_entry: gap.nearest,
            status: gap.status,
        }
    }
}

edge::endpoint! {
    /// List the questions that the wiki does not answer.
    ///
    /// Questions that mean the same are one record.
    pub(crate) ListGaps = GET "/api/v1/analytics/kb-gaps" => list_gaps;
    rate_class: List,
    example_query: {"status": "open", "sort": "recent", "limit": 10},
}

/// Lists the gaps that were asked in the last `days` times 24 hours.
async fn list_gaps(
    State(app): State<App>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<ListGapsQuery>,
) -> ApiResult<Json<PageOut<GapOut>>> {
    let ListGapsQuery { days, status, order, page, limit } = query;
    let since = app.runtime.now().plus_hours(-24 * i64::from(days));
    let filter = GapFilter { status, since, order: order.unwrap_or(GapOrder::Count) };
    let found = app.store.gaps().list(caller.scope(), &filter, (page - 1) * limit, limit).await?;
    let examples = examples(&app.store, caller.scope(), &found.gaps).await?;
    let gaps = found.gaps.into_iter().zip(examples).map(|(gap, examples)| GapOut::new(gap, examples)).collect();
    Ok(Json(PageOut::new(gaps, page, limit, found.total)))
}

/// A gap, and what is known about it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GapDetails")]
pub(crate) struct GapDetailsOut {
    #[serde(flatten)]
    gap: GapOut,
    /// How customers put it, newest first, each text once, with personal data masked.
    #[schemars(length(max = MAX_QUESTIONS))]
    questions: Vec<String>,
    /// People's replies to those customers, of the 20 sessions that asked last; never notes.
    resolutions: Vec<Resolution>,
}

impl From<GapMaterial> for GapDetailsOut {
    fn from(known: GapMaterial) -> Self {
        let questions: Vec<String> = known.questions.into_iter().map(|question| question.text).collect();
        Self {
            gap: GapOut::new(known.gap, questions.iter().take(MAX_EXAMPLES).cloned().collect()),
            questions,
            resolutions: known.resolutions,
        }
    }
}

edge::endpoint! {
    /// Read a gap, and how people answered it by hand.
    pub(crate) GetGap = GET "/api/v1/analytics/kb-gaps/{id}" => get_gap;
    rate_class: List,
}

/// Reads a gap with its questions, and what people wrote to the customers who asked them.
async fn get_gap(
    State(app): State<App>,
    caller: AnalyticsReader,
    PathIn(id): PathIn<GapId>,
) -> ApiResult<Json<GapDetailsOut>> {
    let known = material(&app.store, caller.scope(), &id).await?;
    Ok(Json(known.ok_or_else(|| Error::not_found("knowledge gap"))?.into()))
}

edge::body! {
    /// The decision about a gap.
    #[derive(Debug)]
    pub(crate) struct GapPatch as "GapPatch" {
        /// `open` only for a gap that is dismissed.
        triage: GapTriage = "status" => required(words(&[("dismissed", GapTriage::Dismiss), ("open", GapTriage::Open)])),
    }
}

edge::endpoint! {
    /// Dismiss an unanswered question, or open it again.
    ///
    /// A dismissed gap counts on and is not listed as open; reviews leave it alone. `open` takes a dismissed gap back;
    /// any other gap closes and opens by what the wiki answers: 409 `INVALID_STATE`.
    pub(crate) UpdateGap = PATCH "/api/v1/analytics/kb-gaps/{id}" => update_gap;
    errors: [InvalidState],
    example: {"status": "dismissed"},
}

/// Dismisses a gap, or opens a dismissed one again.
async fn update_gap(
    State(app): State<App>,
    caller: GapEditor,
    PathIn(id): PathIn<GapId>,
    JsonIn(patch): JsonIn<GapPatch>,
) -> ApiResult<Json<GapOut>> {
    let gap = triage(&app.store, caller.scope(), &id, patch.triage).await?;
    let examples = examples(&app.store, caller.scope(), std::slice::from_ref(&gap)).await?;
    Ok(Json(GapOut::new(gap, examples.into_iter().flatten().collect())))
}
