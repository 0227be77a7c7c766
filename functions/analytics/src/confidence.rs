//! `GET /analytics/confidence`: how answers fared by how sure they were.

use crate::state::Analytics;
use axum::extract::State;
use domain::models::Day;
use domain::statistics::{Bin, Cell, Counter, Counts};
use edge::ApiResult;
use edge::query::{Integer, Or, integer};
use edge::{AnalyticsReader, Json, QueryIn};
use schemars::JsonSchema;
use serde::Serialize;

/// How far back to look, in days.
const DAYS: Or<Integer, u32> = integer(1, 90).or(7);

edge::query! {
    /// How far back to look.
    #[derive(Debug)]
    pub(crate) struct ConfidenceQuery {
        /// How many UTC days, today the last of them.
        days: u32 = "days" => DAYS,
    }
}

/// The answers of some days by their confidence.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ConfidenceFigures")]
pub(crate) struct ConfidenceOut {
    /// The least confidence first.
    #[schemars(length(min = 20, max = 20))]
    bins: Vec<BinOut>,
}

/// The answers of a range of confidence.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ConfidenceBin")]
struct BinOut {
    /// From this confidence on.
    #[schemars(range(min = 0, max = 1))]
    from: f64,
    /// Below this one; the last bin has it.
    #[schemars(range(min = 0, max = 1))]
    to: f64,
    /// Answers whose questions the wiki answers.
    answered: i64,
    /// Answers to questions, of which it does not answer one.
    unanswered: i64,
    /// Of both, those with `thumbs_up`.
    thumbs_up: i64,
    /// Of both, those with `thumbs_down`.
    thumbs_down: i64,
}

impl BinOut {
    fn of(counts: &Counts, bin: Bin) -> Self {
        let of = |counter| counts.of(Cell::in_bin(counter, bin)).max(0);
        let ((from, to), unanswered) = (bin.bounds(), of(Counter::Unanswered));
        Self {
            from,
            to,
            answered: (of(Counter::Answers) - unanswered).max(0),
            unanswered,
            thumbs_up: of(Counter::ThumbsUp),
            thumbs_down: of(Counter::ThumbsDown),
        }
    }
}

edge::endpoint! {
    /// Read how answers did, by their confidence.
    ///
    /// In 20 bins, on the UTC days of the answers. Small talk is in none.
    pub(crate) GetConfidence = GET "/api/v1/analytics/confidence" => get_confidence;
    rate_class: List,
    example_query: {"days": 7},
}

/// Answers with the bins of the last `days` UTC days, today the last of them.
pub(crate) async fn get_confidence(
    State(state): State<Analytics>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<ConfidenceQuery>,
) -> ApiResult<Json<ConfidenceOut>> {
    let to = Day::of(state.runtime.now());
    let from = to.plus(1 - i64::from(query.days));
    let counted = state.store.statistics().list_bins(caller.scope(), from, to).await?;
    let mut whole = Counts::default();
    counted.values().for_each(|counts| whole.add_all(counts));
    Ok(Json(ConfidenceOut { bins: Bin::all().map(|bin| BinOut::of(&whole, bin)).collect() }))
}
