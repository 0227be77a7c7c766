//! `GET /analytics`: the figures of the last days, in total and by day. `GET /analytics/confidence`: how answers fared
//! by how sure they were.
//!
//! The file has the formula of every figure, and which figures a plan shows. With a zero denominator a share is 0.

use axum::extract::State;
use domain::Error;
use domain::models::{Day, Plan};
use domain::statistics::{Bin, Cell, Counter, Counts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::query::{Integer, Or, integer};
use crate::edge::{self, AnalyticsReader, ApiResult, App, Json, QueryIn};

/// The fields that only Pro shows, by the names of the answer.
const PRO_FIELDS: &[&str] = &["reactions.helpfulRate", "flaggedForReviewRate", "avgHumanHandleTimeMs"];

/// The fields that a plan does not show.
const fn locked_fields(plan: Plan) -> &'static [&'static str] {
    match plan {
        Plan::Free => PRO_FIELDS,
        Plan::Pro => &[],
    }
}

/// The figures of some days.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FiguresOut {
    /// Sessions with a question and no escalation, of those with a question.
    #[schemars(range(min = 0, max = 1))]
    containment_rate: f64,
    /// Sessions with a question and an escalation, of those with a question.
    #[schemars(range(min = 0, max = 1))]
    escalation_rate: f64,
    /// Sessions created.
    total_sessions: i64,
    /// Questions that the AI dealt with.
    total_queries: i64,
    /// Questions that the wiki answers, of all of them.
    #[schemars(range(min = 0, max = 1))]
    kb_coverage_score: f64,
    /// Milliseconds from receipt to answer, on average.
    avg_latency_ms: i64,
    /// The customers' ratings of the people who helped.
    satisfaction: SatisfactionOut,
    /// From a request for a human to the first answer of a person.
    first_response_ms: FirstResponseOut,
    #[serde(flatten)]
    pro: Option<ProFiguresOut>,
}

/// The ratings, on the days of the ratings.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Satisfaction")]
struct SatisfactionOut {
    /// The mean score, from 1 to 5; 0 without a rating.
    #[schemars(range(min = 0, max = 5))]
    mean: f64,
    /// How many requests for a human are rated.
    count: i64,
}

/// How soon people answer, on the days of their first answers.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "FirstResponse")]
struct FirstResponseOut {
    /// Milliseconds, on average; 0 without an answer.
    mean: i64,
    /// How many requests for a human were answered.
    count: i64,
}

/// The figures that only Pro shows.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProFiguresOut {
    /// On Pro: what customers thought of answers.
    reactions: ReactionsOut,
    /// On Pro: flagged answers, of all answers.
    #[schemars(range(min = 0, max = 1))]
    flagged_for_review_rate: f64,
    /// On Pro: milliseconds from takeover to the end, on average.
    avg_human_handle_time_ms: i64,
}
/// The customers' reactions to answers.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReactionFigures")]
struct ReactionsOut {
    /// `thumbs_up`, of both thumbs.
    #[schemars(range(min = 0, max = 1))]
    helpful_rate: f64,
}

impl FiguresOut {
    /// The figures of `counts`, as far as `plan` shows them.
    pub(crate) fn of(counts: &Counts, plan: Plan) -> Self {
        let of = |counter| counts.of(counter).max(0);
        let (asked, escalated) = (of(Counter::SessionsWithMessage), of(Counter::SessionsEscalated));
        let (queries, unanswered) = (of(Counter::Queries), of(Counter::Unanswered));
        let (up, down) = (of(Counter::ThumbsUp), of(Counter::ThumbsDown));
        Self {
            containment_rate: ratio(asked - escalated, asked),
            escalation_rate: ratio(escalated, asked),
            total_sessions: of(Counter::Sessions),
            total_queries: queries,
            kb_coverage_score: ratio(queries - unanswered, queries),
            avg_latency_ms: average(of(Counter::LatencyMs), of(Counter::Timed)),
            satisfaction: SatisfactionOut {
                mean: mean(of(Counter::RatingSum), of(Counter::Ratings)),
                count: of(Counter::Ratings),
            },
            first_response_ms: FirstResponseOut {
                mean: average(of(Counter::FirstResponseMs), of(Counter::FirstResponses)),
                count: of(Counter::FirstResponses),
            },
            pro: (plan == Plan::Pro).then(|| ProFiguresOut {
                reactions: ReactionsOut { helpful_rate: ratio(up, up + down) },
                flagged_for_review_rate: ratio(of(Counter::Flagged), of(Counter::Answers)),
                avg_human_handle_time_ms: average(of(Counter::HandleMs), of(Counter::Handled)),
            }),
        }
    }
}

/// The numerators and denominators behind the figures.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AnalyticsCounts")]
pub(crate) struct CountsOut {
    /// Sessions created.
    sessions: i64,
    /// With a question.
    sessions_with_message: i64,
    /// With a question and no escalation.
    sessions_contained: i64,
    /// With a question and an escalation.
    sessions_escalated: i64,
    /// Questions that the AI dealt with.
    queries: i64,
    /// Those that the wiki answers.
    queries_covered: i64,
    /// Those that it does not.
    queries_unanswered: i64,
    /// Answers of the AI.
    answers: i64,
    /// Those whose latency is known.
    answers_timed: i64,
    /// Their latencies together, in milliseconds.
    latency_ms_sum: i64,
    /// Requests for a human that are rated.
    ratings: i64,
    /// Their scores together.
    rating_sum: i64,
    /// Requests for a human that a person answered.
    first_responses: i64,
    /// From the request to that, in milliseconds.
    first_response_ms_sum: i64,
    #[serde(flatten)]
    pro: Option<ProCountsOut>,
}

/// Those behind the figures that only Pro shows.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProCountsOut {
    /// On Pro.
    thumbs_up: i64,
    /// On Pro.
    thumbs_down: i64,
    /// On Pro.
    answers_flagged: i64,
    /// On Pro: resolved or handed back.
    escalations_handled: i64,
    /// On Pro: from takeover to their ends, in milliseconds.
    handle_ms_sum: i64,
}

impl CountsOut {
    /// The figures of `counts`, as far as `plan` shows them.
    pub(crate) fn of(counts: &Counts, plan: Plan) -> Self {
        let of = |counter| counts.of(counter).max(0);
        let (asked, escalated) = (of(Counter::SessionsWithMessage), of(Counter::SessionsEscalated));
        let (queries, unanswered) = (of(Counter::Queries), of(Counter::Unanswered));
        Self {
            sessions: of(Counter::Sessions),
            sessions_with_message: asked,
            sessions_contained: (asked - escalated).max(0),
            sessions_escalated: escalated,
            queries,
            queries_covered: (queries - unanswered).max(0),
            queries_unanswered: unanswered,
            answers: of(Counter::Answers),
            answers_timed: of(Counter::Timed),
            latency_ms_sum: of(Counter::LatencyMs),
            ratings: of(Counter::Ratings),
            rating_sum: of(Counter::RatingSum),
            first_responses: of(Counter::FirstResponses),
            first_response_ms_sum: of(Counter::FirstResponseMs),
            pro: (plan == Plan::Pro).then(|| ProCountsOut {
                thumbs_up: of(Counter::ThumbsUp),
                thumbs_down: of(Counter::ThumbsDown),
                answers_flagged: of(Counter::Flagged),
                escalations_handled: of(Counter::Handled),
                handle_ms_sum: of(Counter::HandleMs),
            }),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn ratio(part: i64, whole: i64) -> f64 {
    // A counter may briefly be ahead of its total, between the two records of one reaction.
    if whole > 0 { (part as f64 / whole as f64).clamp(0.0, 1.0) } else { 0.0 }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn mean(sum: i64, count: i64) -> f64 {
    if count > 0 { sum as f64 / count as f64 } else { 0.0 }
}

/// Rounded to the whole millisecond.
const fn average(sum: i64, count: i64) -> i64 {
    if count > 0 { (sum + count / 2) / count } else { 0 }
}

/// How far back to look, in days.
pub(crate) const DAYS: Or<Integer, u32> = integer(1, 90).or(30);

edge::query! {
    /// How far back to look.
    #[derive(Debug)]
    pub(crate) struct AnalyticsQuery {
        /// How many UTC days, today the last of them.
        days: u32 = "days" => DAYS,
    }
}

/// A tenant's figures.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Analytics")]
pub(crate) struct AnalyticsOut {
    /// How many days.
    days: u32,
    /// The first day, UTC.
    from: Day,
    /// The last day, UTC: today.
    to: Day,
    /// The plan of the tenant.
    plan: Plan,
    /// Fields that the plan does not show.
    locked_fields: &'static [&'static str],
    #[serde(flatten)]
    figures: FiguresOut,
    /// The numerators and denominators.
    counts: CountsOut,
    /// Every one of the days, oldest first.
    daily: Vec<DayOut>,
}

/// One day's figures.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AnalyticsDay")]
struct DayOut {
    /// The day, UTC.
    date: Day,
    #[serde(flatten)]
    figures: FiguresOut,
    /// The numerators and denominators.
    counts: CountsOut,
}

edge::endpoint! {
    /// Read the figures.
    ///
    /// Session figures belong to the UTC day the session was created, answer figures to the day of the answer. A share
    /// of nothing is 0.
    pub(crate) GetAnalytics = GET "/api/v1/analytics" => get_analytics;
    rate_class: List,
    example_query: {"days": 7},
}

/// Answers with the figures of the last `days` UTC days, today the last of them.
async fn get_analytics(
    State(app): State<App>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<AnalyticsQuery>,
) -> ApiResult<Json<AnalyticsOut>> {
    let to = Day::of(app.runtime.now());
    let from = to.plus(1 - i64::from(query.days));
    let statistics = app.store.statistics();
    let tenants = app.store.tenants();
    let (counted, tenant) =
        tokio::join!(statistics.list_days(caller.scope(), from, to), tenants.get(&caller.scope().tenant));
    let (mut counted, tenant) = (counted?, tenant?);
    let plan = tenant.ok_or_else(|| Error::internal("a key of a tenant that does not exist"))?.plan;
    let mut whole = Counts::default();
    let mut daily = Vec::new();
    for date in from.to(to) {
        let counts = counted.remove(&date).unwrap_or_default();
        whole.add_all(&counts);
        daily.push(DayOut { date, figures: FiguresOut::of(&counts, plan), counts: CountsOut::of(&counts, plan) });
    }
    Ok(Json(AnalyticsOut {
        days: query.days,
        from,
        to,
        plan,
        locked_fields: locked_fields(plan),
        figures: FiguresOut::of(&whole, plan),
        counts: CountsOut::of(&whole, plan),
        daily,
    }))
}

/// How far back to look, in days.
const CONFIDENCE_DAYS: Or<Integer, u32> = integer(1, 90).or(7);

edge::query! {
    /// How far back to look.
    #[derive(Debug)]
    pub(crate) struct ConfidenceQuery {
        /// How many UTC days, today the last of them.
        days: u32 = "days" => CONFIDENCE_DAYS,
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
async fn get_confidence(
    State(app): State<App>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<ConfidenceQuery>,
) -> ApiResult<Json<ConfidenceOut>> {
    let to = Day::of(app.runtime.now());
    let from = to.plus(1 - i64::from(query.days));
    let counted = app.store.statistics().list_days(caller.scope(), from, to).await?;
    let mut whole = Counts::default();
    counted.values().for_each(|counts| whole.add_all(counts));
    Ok(Json(ConfidenceOut { bins: Bin::all().map(|bin| BinOut::of(&whole, bin)).collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(Counter, i64)]) -> Counts {
        counts.iter().copied().collect()
    }

    #[test]
    fn shares_and_means_of_nothing_are_0() {
        let figures = serde_json::to_value(FiguresOut::of(&Counts::default(), Plan::Pro)).unwrap();
        let zeros = serde_json::json!({
            "containmentRate": 0.0, "escalationRate": 0.0, "totalSessions": 0, "totalQueries": 0,
            "kbCoverageScore": 0.0, "avgLatencyMs": 0, "satisfaction": {"mean": 0.0, "count": 0},
            "firstResponseMs": {"mean": 0, "count": 0}, "reactions": {"helpfulRate": 0.0}, "flaggedForReviewRate": 0.0, "avgHumanHandleTimeMs": 0,
        });
        assert_eq!(figures, zeros);
    }

    #[test]
    fn every_figure_is_its_numerator_by_its_denominator() {
        let counted = counts(&[
            (Counter::Sessions, 9),
            (Counter::SessionsWithMessage, 8),
            (Counter::SessionsEscalated, 2),
            (Counter::Answers, 10),
            (Counter::Queries, 12),
            (Counter::Unanswered, 3),
            (Counter::LatencyMs, 1_005),
            (Counter::Timed, 10),
            (Counter::ThumbsUp, 3),
            (Counter::ThumbsDown, 1),
            (Counter::Flagged, 1),
            (Counter::Handled, 2),
            (Counter::HandleMs, 3_001),
            (Counter::Ratings, 4),
            (Counter::RatingSum, 15),
            (Counter::FirstResponses, 2),
            (Counter::FirstResponseMs, 61_000),
        ]);
        let figures = serde_json::to_value(FiguresOut::of(&counted, Plan::Pro)).unwrap();
        let expected = serde_json::json!({
            "containmentRate": 0.75, "escalationRate": 0.25, "totalSessions": 9, "totalQueries": 12,
            "kbCoverageScore": 0.75, "avgLatencyMs": 101, "satisfaction": {"mean": 3.75, "count": 4},
            "firstResponseMs": {"mean": 30_500, "count": 2}, "reactions": {"helpfulRate": 0.75},
            "flaggedForReviewRate": 0.1, "avgHumanHandleTimeMs": 1_501,
        });
        assert_eq!(figures, expected);
    }

    #[test]
    fn a_free_plan_shows_neither_the_locked_fields_nor_what_they_are_made_of() {
        let counted = counts(&[(Counter::ThumbsUp, 3), (Counter::Answers, 3), (Counter::Handled, 1)]);
        let figures = serde_json::to_value(FiguresOut::of(&counted, Plan::Free)).unwrap();
        let shown = serde_json::to_value(CountsOut::of(&counted, Plan::Free)).unwrap();
        let open = serde_json::to_value(CountsOut::of(&counted, Plan::Pro)).unwrap();
        for field in locked_fields(Plan::Free) {
            assert_eq!(figures.pointer(&format!("/{}", field.replace('.', "/"))), None, "{field}");
        }
        assert!(figures.get("reactions").is_none());
        let hidden = ["thumbsUp", "thumbsDown", "answersFlagged", "escalationsHandled", "handleMsSum"];
        for count in hidden {
            assert!(shown.get(count).is_none() && open.get(count).is_some(), "{count}");
        }
        assert_eq!((locked_fields(Plan::Free).len(), locked_fields(Plan::Pro).len()), (3, 0));
    }
}
