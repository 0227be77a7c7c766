//! A day in UTC, the unit of statistics; also a date of a tenant's own calendar.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Timestamp;

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

impl JsonSchema for Day {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date"})
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("no date"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
