//! The rules of a tenant's opening hours.

use super::TextLimit;
use super::problem::problem;
use crate::error::{Detail, DetailCode};
use crate::hours::is_time_zone;
use crate::models::{ClockTime, Day, Hours, OpenRange, Week};

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
        problems.push(problem("hours.timezone", DetailCode::InvalidTimezone, message));
    }
    for (day, ranges) in hours.week.days() {
        if ranges.len() > MAX_RANGES {
            let message = format!("must have at most {MAX_RANGES} items");
            problems.push(problem(format!("hours.week.{day}"), DetailCode::TooMany, message));
        }
    }
    problems.extend(week_problems(&hours.week));
    if hours.closed.len() > MAX_CLOSED {
        let message = format!("must have at most {MAX_CLOSED} items");
        problems.push(problem("hours.closed", DetailCode::TooMany, message));
    }
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
            wrong.map(|message| problem(format!("hours.week.{day}[{i}]"), DetailCode::InvalidRange, message))
        };
        ranges.iter().take(MAX_RANGES).enumerate().filter_map(wrong).collect::<Vec<_>>()
    };
    week.days().into_iter().flat_map(of_day).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{ClockTime, Day};

    fn fields(hours: &Hours) -> Vec<String> {
        problems(hours).into_iter().filter_map(|detail| detail.field).collect()
    }

    #[test]
    fn ranges_end_after_they_begin_and_do_not_overlap() {
        let range = |from: &str, to: &str| OpenRange {
            from: ClockTime::parse(from).unwrap(),
            to: ClockTime::parse(to).unwrap(),
        };
        let week = Week {
            mon: vec![range("12:00", "24:00"), range("00:00", "12:00")],
            tue: vec![range("09:00", "09:00"), range("17:00", "09:00"), range("24:00", "24:00")],
            wed: vec![range("09:00", "12:00"), range("11:59", "13:00"), range("08:00", "14:00")],
            thu: (0..6).map(|i| range(&format!("0{i}:00"), &format!("0{i}:30"))).collect(),
            ..Week::default()
        };
        let first = Day::parse("2026-01-01").unwrap();
        let hours = |closed| Hours {
            timezone: "Europe/Berlin".to_owned(),
            week: week.clone(),
            closed: first.to(first.plus(closed)).collect(),
        };
        let expected = [
            "hours.week.thu",
            "hours.week.tue[0]",
            "hours.week.tue[1]",
            "hours.week.tue[2]",
            "hours.week.wed[1]",
            "hours.week.wed[2]",
        ];
        assert_eq!(fields(&hours(59)), expected);
        assert_eq!(fields(&hours(60)), [&expected[..], &["hours.closed"]].concat());
        let nowhere = Hours { timezone: "Nowhere".to_owned(), week: Week::default(), closed: Vec::new() };
        assert_eq!(fields(&nowhere), ["hours.timezone"]);
    }
}
