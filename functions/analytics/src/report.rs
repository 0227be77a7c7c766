//! `GET /analytics`: the figures of the last days, in total and by day.

use crate::state::Analytics;
use axum::extract::State;
use domain::Error;
use domain::models::{Day, Plan};
use domain::statistics::Counts;
use edge::ApiResult;
use edge::query::{Integer, Or, integer};
use edge::{AnalyticsReader, Json, QueryIn};
use schemars::JsonSchema;
use serde::Serialize;

use crate::figures::{CountsOut, FiguresOut, locked_fields};

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
pub(crate) async fn get_analytics(
    State(state): State<Analytics>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<AnalyticsQuery>,
) -> ApiResult<Json<AnalyticsOut>> {
    let to = Day::of(state.runtime.now());
    let from = to.plus(1 - i64::from(query.days));
    let statistics = state.store.statistics();
    let tenants = state.store.tenants();
    let (counted, tenant) =
        tokio::join!(statistics.list_totals(caller.scope(), from, to), tenants.get(&caller.scope().tenant));
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
