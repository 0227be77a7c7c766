//! When people of a tenant are there: opening hours, and what callers are told of them.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Day, Timestamp};

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

impl JsonSchema for ClockTime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ClockTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"})
    }
}

impl Serialize for ClockTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ClockTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("no time of a day"))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
