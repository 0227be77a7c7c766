//! One number of a day: a counter of the whole day, or of the answers in one bin of confidence.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Counter;

/// A twentieth of the range of confidence: 0 is below 0.05, 19 from 0.95 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bin(u8);

impl Bin {
    /// How many there are.
    pub const COUNT: u8 = 20;

    /// Every bin, the least confidence first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The bin of a confidence from 0 to 1.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 20 fits")]
    pub fn of(confidence: f64) -> Self {
        let bin = (confidence.clamp(0.0, 1.0) * f64::from(Self::COUNT)).floor() as u8;
        Self(bin.min(Self::COUNT - 1))
    }

    /// Where it begins and where the next one does.
    #[must_use]
    pub fn bounds(self) -> (f64, f64) {
        let of = |bin: u8| f64::from(bin) / f64::from(Self::COUNT);
        (of(self.0), of(self.0 + 1))
    }
}

/// The key of a number in the statistics: a counter, and perhaps a bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The counter.
    pub counter: Counter,
    /// Of the answers in this bin alone.
    pub bin: Option<Bin>,
}

impl Cell {
    /// A counter of the answers in a bin.
    #[must_use]
    pub const fn in_bin(counter: Counter, bin: Bin) -> Self {
        Self { counter, bin: Some(bin) }
    }

    /// Reads a name as it is written.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some(counter) = Counter::parse(name) {
            return Some(counter.into());
        }
        let (counter, bin) = name.rsplit_once('_')?;
        let counted = Self::in_bin(Counter::parse(counter)?, Bin(bin.parse().ok().filter(|bin| *bin < Bin::COUNT)?));
        (counted.to_string() == name).then_some(counted)
    }
}

impl From<Counter> for Cell {
    fn from(counter: Counter) -> Self {
        Self { counter, bin: None }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bin {
            None => self.counter.fmt(f),
            Some(Bin(bin)) => write!(f, "{}_{bin:02}", self.counter),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::custom("no counter"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_has_one_bin_of_twenty() {
        for (confidence, bin) in [(0.0, 0), (0.049, 0), (0.05, 1), (0.5, 10), (0.949, 18), (0.95, 19), (1.0, 19)] {
            assert_eq!(Bin::of(confidence), Bin(bin), "{confidence}");
        }
        assert_eq!((Bin(0).bounds(), Bin(19).bounds()), ((0.0, 0.05), (0.95, 1.0)));
        assert_eq!(Bin::all().count(), 20);
    }

    #[test]
    fn a_cell_is_read_as_it_is_written_and_nothing_else_is() {
        let cells = Counter::ALL.iter().flat_map(|counter| {
            std::iter::once(Cell::from(*counter)).chain(Bin::all().map(|bin| Cell::in_bin(*counter, bin)))
        });
        for cell in cells {
            assert_eq!(Cell::parse(&cell.to_string()), Some(cell));
        }
        for bad in ["", "nothing", "aiAnswers_20", "aiAnswers_7", "aiAnswers_007", "aiAnswers_", "_07"] {
            assert_eq!(Cell::parse(bad), None, "{bad}");
        }
    }
}
