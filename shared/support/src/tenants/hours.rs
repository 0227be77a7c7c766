//! A tenant's opening hours, as a change of its settings names them, and a test of hours before they are saved: the
//! chat's words at a moment.

use axum::extract::State;
use domain::Error;
use domain::error::{Detail, DetailCode};
use domain::hours::moment;
use domain::limits::hours as limits;
use domain::models::{ClockTime, Day, Hours, OpenRange, Presence, Timestamp, Week};
use edge::input::{
    Closed, List, Object, Parse, Parsed, distinct, list, object, optional, or, parsed, required, within,
};
use edge::{Administrator, ApiResult, Json, JsonIn};
use schemars::JsonSchema;
use serde::Serialize;

use crate::auth::{Auth, FunctionState};
use crate::sessions::conversation::classification::handover_text;
use crate::sessions::conversation::handover::presence_by_hours;

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

edge::body! {
    /// The hours to test, and when.
    #[derive(Debug)]
    pub(crate) struct HoursPreviewIn as "HoursPreviewRequest" {
        /// The hours, saved or not.
        hours: HoursIn = "hours" => required(object::<HoursIn>()),
        /// Date and time by the clock of the hours' time zone. Of a time that daylight saving repeats it is the first, and
        /// one that it skips is as much later as the clock moves.
        at: String = "at" => required(
            within(limits::CLOCK).checked(DetailCode::InvalidFormat, limits::parse_clock, limits::CLOCK_PATTERN),
        ),
    }
}

/// The chat's words at a moment.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HoursPreview")]
pub(crate) struct HoursPreviewOut {
    /// The moment.
    at: Timestamp,
    /// Whether people are there, if no member is away.
    #[serde(flatten)]
    presence: Presence,
    /// The answer to a customer who asks for a person at that moment, in the wiki's language.
    text: String,
}

edge::endpoint! {
    /// Test opening hours.
    ///
    /// Says what the chat would say to who asks for a person at a moment. Stores nothing, and ignores `Idempotency-Key`.
    pub(crate) PreviewHours = POST "/api/v1/settings/hours/preview" => preview_hours;
    example: {
        "hours": {"timezone": "Europe/Berlin", "week": {"mon": [{"from": "09:00", "to": "17:00"}]}},
        "at": "2026-12-24T18:00"
    },
}

/// The words of the saved settings, with other hours.
async fn preview_hours(
    State(state): State<Auth>,
    caller: Administrator,
    JsonIn(body): JsonIn<HoursPreviewIn>,
) -> ApiResult<Json<HoursPreviewOut>> {
    let problems = body.hours.problems();
    if !problems.is_empty() {
        return Err(Error::validation(problems).into());
    }
    let hours = Hours::from(body.hours);
    let at = moment(&hours, &body.at);
    let at =
        at.ok_or_else(|| Error::invalid("at", DetailCode::OutOfRange, "must be a moment of the years 1 to 9998"))?;
    let mut settings = state.store.settings().get(caller.scope()).await?;
    settings.hours = Some(hours);
    let presence = presence_by_hours(settings.hours.as_ref(), at);
    Ok(Json(HoursPreviewOut { at, text: handover_text(&settings, &presence, at), presence }))
}
