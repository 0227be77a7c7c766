//! A tenant's opening hours, as a change of its settings names them, and whether somebody is there.

use domain::Result;
use domain::error::{Detail, DetailCode};
use domain::hours::{Opening, opening};
use domain::limits::hours as limits;
use domain::models::{ClockTime, Day, Hours, OpenRange, Presence, Scope, Settings, Timestamp, Week};

use crate::edge;
use crate::edge::input::{
    Closed, List, Object, Parse, Parsed, distinct, list, object, optional, or, parsed, required, within,
};
use crate::table::Store;

/// The ranges of a day.
const DAY: List<Object<OpenRangeIn>> = list(limits::MAX_RANGES, object::<OpenRangeIn>());

const fn clock_time() -> Parsed<ClockTime, Parse<ClockTime>> {
    parsed(|text| ClockTime::parse(text).ok_or("must be a time of a day such as 09:00, at most 24:00"))
}

const fn date() -> Parsed<Day, Parse<Day>> {
    parsed(|text| Day::parse(text).ok_or("must be a date such as 2026-12-25"))
}

edge::body! {
    /// A part of a day in which people are there.
    #[derive(Debug, Clone)]
    pub(crate) struct OpenRangeIn as "OpenRangeRequest" {
        /// From this time on.
        from: ClockTime = "from" => required(clock_time()),
        /// Until before this time, of the same day; `24:00` is its end, and `23:59` is kept as `24:00`. Hours across
        /// midnight are two ranges: until `24:00`, and from `00:00` of the next day.
        to: ClockTime = "to" => required(clock_time()),
    }
    rules: [Closed]
}

edge::body! {
    /// The ranges of each day of the week, which must not overlap; on a day without any nobody is there.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct WeekIn as "WeekRequest" {
        /// Monday.
        mon: Option<Vec<OpenRangeIn>> = "mon" => optional(DAY),
        /// Tuesday.
        tue: Option<Vec<OpenRangeIn>> = "tue" => optional(DAY),
        /// Wednesday.
        wed: Option<Vec<OpenRangeIn>> = "wed" => optional(DAY),
        /// Thursday.
        thu: Option<Vec<OpenRangeIn>> = "thu" => optional(DAY),
        /// Friday.
        fri: Option<Vec<OpenRangeIn>> = "fri" => optional(DAY),
        /// Saturday.
        sat: Option<Vec<OpenRangeIn>> = "sat" => optional(DAY),
        /// Sunday.
        sun: Option<Vec<OpenRangeIn>> = "sun" => optional(DAY),
    }
    rules: [Closed]
}

edge::body! {
    /// When people are there.
    #[derive(Debug, Clone)]
    pub(crate) struct HoursIn as "HoursRequest" {
        /// The time zone, as the IANA names it.
        timezone: String = "timezone" => required(
            within(limits::TIMEZONE).checked(DetailCode::InvalidTimezone, limits::parse_timezone, limits::TIMEZONE_PATTERN),
        ),
        /// The hours of each day of the week.
        week: WeekIn = "week" => required(object::<WeekIn>()),
        /// Dates of the time zone on which nobody is there all day, each kept once.
        closed: Vec<Day> = "closed" => or(distinct(list(limits::MAX_CLOSED, date())), Vec::new()),
    }
    rules: [Closed]
}

impl HoursIn {
    /// The ranges that end before they begin, or overlap.
    pub(crate) fn problems(&self) -> Vec<Detail> {
        limits::week_problems(&self.week.clone().into())
    }
}

impl From<HoursIn> for Hours {
    fn from(hours: HoursIn) -> Self {
        let HoursIn { timezone, week, closed } = hours;
        Self { timezone, week: week.into(), closed }
    }
}

impl From<WeekIn> for Week {
    fn from(week: WeekIn) -> Self {
        let WeekIn { mon, tue, wed, thu, fri, sat, sun } = week;
        let day = |ranges: Option<Vec<OpenRangeIn>>| ranges.into_iter().flatten().map(OpenRange::from).collect();
        Self { mon: day(mon), tue: day(tue), wed: day(wed), thu: day(thu), fri: day(fri), sat: day(sat), sun: day(sun) }
    }
}

impl From<OpenRangeIn> for OpenRange {
    fn from(range: OpenRangeIn) -> Self {
        let OpenRangeIn { from, to } = range;
        // Fields for a time end at 23:59, and nobody means to close for the last minute of a day.
        let to = if to == ClockTime::LAST_MINUTE && from < to { ClockTime::MIDNIGHT } else { to };
        Self { from, to }
    }
}

/// Whether somebody of a tenant is there at `now`: by its hours and, if it has members with the inbox, by theirs.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn presence(store: &Store, scope: &Scope, settings: &Settings, now: Timestamp) -> Result<Presence> {
    let by_hours = presence_by_hours(settings.hours.as_ref(), now);
    if !by_hours.people_available {
        return Ok(by_hours);
    }
    let people = store.tenants().people(&scope.tenant).await?;
    Ok(Presence { people_available: people.inbox_members == 0 || people.inbox_available > 0, next_open_at: None })
}

/// Whether somebody is there at `now` if no member is away.
#[must_use]
pub(crate) fn presence_by_hours(hours: Option<&Hours>, now: Timestamp) -> Presence {
    match hours.map_or(Opening::Open, |hours| opening(hours, now)) {
        Opening::Open => Presence { people_available: true, next_open_at: None },
        Opening::Closed(next_open_at) => Presence { people_available: false, next_open_at },
    }
}
