//! A point in time, RFC 3339 in UTC with milliseconds; and a day, the unit of statistics.

use std::fmt;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since 1970 UTC.
    #[must_use]
    pub const fn from_millis(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since 1970 UTC.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970 UTC, rounded down.
    #[must_use]
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Later by `ms` (earlier when negative), without overflow.
    #[must_use]
    pub const fn plus_millis(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// This time plus whole hours.
    #[must_use]
    pub const fn plus_hours(self, hours: i64) -> Self {
        self.plus_millis(hours.saturating_mul(3_600_000))
    }

    /// Milliseconds from `earlier` to this; negative when `earlier` is later.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Reads any RFC 3339 time; sub-millisecond digits are dropped.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let at = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        i64::try_from(at.unix_timestamp_nanos().div_euclid(1_000_000)).ok().map(Self)
    }

    /// The UTC day, `YYYY-MM-DD`.
    #[must_use]
    pub fn day(self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = i128::from(self.0) * 1_000_000;
        let at = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            at.year(),
            u8::from(at.month()),
            at.day(),
            at.hour(),
            at.minute(),
            at.second(),
            at.millisecond()
        )
    }
}

written_as_text!(Timestamp, "not an RFC 3339 time", {"type": "string", "format": "date-time"});

const DAY_MS: i64 = 86_400_000;

/// Whole days since 1970-01-01 UTC; written `YYYY-MM-DD`, which sorts like time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// The day of a time.
    #[must_use]
    pub const fn of(at: Timestamp) -> Self {
        Self(at.as_millis().div_euclid(DAY_MS))
    }

    /// Later by whole days, earlier when negative.
    #[must_use]
    pub const fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Its first moment.
    #[must_use]
    pub const fn start(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_mul(DAY_MS))
    }

    /// Every day from this one to `last`, both included.
    pub fn to(self, last: Self) -> impl Iterator<Item = Self> {
        (self.0..=last.0).map(Self)
    }

    /// Reads `YYYY-MM-DD`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let day = Self::of(Timestamp::parse(&format!("{text}T00:00:00Z"))?);
        (day.to_string() == text).then_some(day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.start().day())
    }
}

written_as_text!(Day, "no date", {"type": "string", "format": "date"});

/// Makes a type be written as it is shown and read by its `parse`, which refuses the rest with this message; with a schema, it
/// is described by that.
macro_rules! written_as_text {
    ($name:ident, $refusal:expr) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| serde::de::Error::custom($refusal))
            }
        }
    };
    ($name:ident, $refusal:expr, $schema:tt) => {
        $crate::timestamp::written_as_text!($name, $refusal);

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}
pub(crate) use written_as_text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_with_milliseconds_and_read_back() {
        let at = Timestamp::parse("2026-01-02T03:04:05.678Z").unwrap();
        assert_eq!(at.as_millis(), 1_767_323_045_678);
        assert_eq!(at.to_string(), "2026-01-02T03:04:05.678Z");
        assert_eq!(Timestamp::parse("2026-01-02T04:04:05.6789+01:00"), Some(at));
        assert_eq!(at.day(), "2026-01-02");
        assert_eq!(Timestamp::parse("2026-01-02"), None);
    }

    #[test]
    fn a_day_begins_and_ends_at_midnight_in_utc() {
        let day = |text| Day::of(Timestamp::parse(text).unwrap());
        assert_eq!(day("2026-02-28T23:59:59.999Z").to_string(), "2026-02-28");
        assert_eq!(day("2026-02-28T23:59:59.999Z").plus(1), day("2026-03-01T00:00:00Z"));
        assert_eq!(day("2026-03-01T01:00:00+02:00").to_string(), "2026-02-28");
        assert_eq!(day("1969-12-31T23:59:59.999Z").to_string(), "1969-12-31");
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        assert_eq!(Day::parse("2026-11-21").map(|day| day.to_string()).as_deref(), Some("2026-11-21"));
        for bad in ["", "2026-11-31", "2026-1-2", "20261121", "2026-11-21T00:00:00Z"] {
            assert_eq!(Day::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn days_are_walked_with_both_ends() {
        let first = Day::parse("2026-12-31").unwrap();
        let days: Vec<_> = first.to(first.plus(2)).map(|day| day.to_string()).collect();
        assert_eq!(days, ["2026-12-31", "2027-01-01", "2027-01-02"]);
        assert_eq!(first.to(first.plus(-1)).count(), 0);
    }
}
