//! `GET /analytics`: the figures of the last days, in total and by day.

use crate::Analytics;
use axum::extract::State;
use domain::Error;
use domain::models::{Day, Plan};
use domain::statistics::Counts;
use edge::ApiResult;
use edge::{AnalyticsReader, FromQuery, Json, Query, QueryIn};
use serde::Serialize;

use crate::figures::{CountsOut, FiguresOut, locked_fields};

/// The default number of days.
const DEFAULT_DAYS: u32 = 30;
/// The most days that are shown.
const MAX_DAYS: u32 = 90;

/// How far back to look.
#[derive(Debug)]
pub(crate) struct AnalyticsQuery {
    days: u32,
}

impl FromQuery for AnalyticsQuery {
    fn from_query(query: &mut Query) -> Option<Self> {
        Some(Self { days: days(query) })
    }
}

/// `days`: 1-90, by default 30.
pub(crate) fn days(query: &Query) -> u32 {
    let asked = query.integer("days", 1, u64::from(MAX_DAYS));
    asked.and_then(|days| u32::try_from(days).ok()).unwrap_or(DEFAULT_DAYS)
}

/// A tenant's figures.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalyticsOut {
    days: u32,
    /// The first day, UTC.
    from: Day,
    /// The last day, UTC: today.
    to: Day,
    plan: Plan,
    locked_fields: &'static [&'static str],
    #[serde(flatten)]
    figures: FiguresOut,
    counts: CountsOut,
    daily: Vec<DayOut>,
}

/// One day's figures.
#[derive(Debug, Serialize)]
struct DayOut {
    date: Day,
    #[serde(flatten)]
    figures: FiguresOut,
    counts: CountsOut,
}

/// Answers with the figures of the last `days` UTC days, today the last of them.
pub(crate) async fn read_analytics(
    State(ctx): State<Analytics>,
    caller: AnalyticsReader,
    QueryIn(query): QueryIn<AnalyticsQuery>,
) -> ApiResult<Json<AnalyticsOut>> {
    let to = Day::of(ctx.ambient.now());
    let from = to.plus(1 - i64::from(query.days));
    let statistics = ctx.store.statistics();
    let tenants = ctx.store.tenants();
    let (counted, tenant) =
        tokio::join!(statistics.days(caller.scope(), from, to), tenants.get(&caller.scope().tenant));
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
