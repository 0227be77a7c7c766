//! Export of a tenant as JSON Lines, and its import into an empty one. An export has the settings and the data of both
//! modes: no API key, no secret, no delivery. A file may come from anybody: each line is read as the one form that an
//! export writes.
//!
//! - [`mod@check`]: holds the lines to the rules of the API, the whole file before anything is written.
//! - [`mod@export`]: writes an export.
//! - [`mod@import`]: reads one into a tenant.
//! - [`erasure`]: erases a tenant.
//! - [`table`]: the items of a tenant, and those that a line of an export becomes.

mod check;
pub mod erasure;
mod export;
mod import;
pub mod table;

pub use check::{Rules, Summary};
pub use export::export;
pub use import::{Imported, import, preview, settings_after};

use std::io::{BufRead, Read};

use domain::error::Code;
use domain::models::{Mode, Settings, Timestamp};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::transfer::table::ItemCopy;

/// The longest line, in bytes: an item has at most 400 KB, and a byte of it at most six as JSON.
const MAX_LINE_BYTES: usize = 2_500_000;
/// How much of what a line says is repeated in a complaint, in characters.
const MAX_COMPLAINT_CHARS: usize = 300;

/// One line of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Line {
    /// The first line.
    Export {
        /// The version of this format.
        format: u32,
        /// A random name.
        export_id: String,
        /// When it began.
        exported_at: Timestamp,
        /// The tenant's name.
        tenant_name: String,
    },
    /// The settings of a mode.
    Settings {
        /// The mode.
        mode: Mode,
        /// The settings.
        settings: Box<Settings>,
    },
    /// Everything else.
    Item {
        /// The mode.
        mode: Mode,
        /// The item.
        item: ItemCopy,
    },
    /// The last line: an export without it is not complete.
    End {
        /// The number of items.
        items: u64,
    },
}

impl Line {
    /// Reads a line. A field that no export has, or another form of a value, is refused with its place.
    ///
    /// # Errors
    /// A message that says what is wrong with the line.
    pub fn parse(line: &[u8]) -> std::result::Result<Self, String> {
        let given: Value = serde_json::from_slice(line).map_err(|e| e.to_string())?;
        let read = Self::deserialize(&given).map_err(|e| e.to_string())?;
        let written = serde_json::to_value(&read).map_err(|e| e.to_string())?;
        match difference(&given, &written) {
            None => Ok(read),
            Some(place) => Err(format!("an export has no such field or value at {place}")),
        }
    }
}

/// Where two values differ; none if they are equal. They are no deeper than `serde_json` reads.
fn difference(given: &Value, written: &Value) -> Option<String> {
    let below = |name: String, rest: String| if rest.is_empty() { name } else { format!("{name}.{rest}") };
    match (given, written) {
        (Value::Object(given), Value::Object(written)) => {
            let missing = || written.keys().find(|name| !given.contains_key(*name)).cloned();
            let differs = |(name, value): (&String, &Value)| match written.get(name) {
                Some(other) => difference(value, other).map(|rest| below(name.clone(), rest)),
                None => Some(name.clone()),
            };
            given.iter().find_map(differs).or_else(missing)
        }
        (Value::Array(given), Value::Array(written)) if given.len() == written.len() => {
            let differs = |(i, (given, written)): (usize, (&Value, &Value))| {
                Some(below(i.to_string(), difference(given, written)?))
            };
            given.iter().zip(written).enumerate().find_map(differs)
        }
        (given, written) => (given != written).then(String::new),
    }
}

/// The lines of a file with their numbers, one in memory at a time.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines from the beginning.
    pub const fn new(reader: R) -> Self {
        Self { reader, number: 0 }
    }

    fn read(&mut self) -> Result<Option<(u64, Line)>> {
        self.number += 1;
        let number = self.number;
        let mut line = Vec::new();
        let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut line);
        if read.map_err(|e| Error::internal(format!("line {number} cannot be read: {e}")))? == 0 {
            return Ok(None);
        }
        if line.len() >= MAX_LINE_BYTES {
            return Err(refused(number, "it is longer than any item"));
        }
        Line::parse(&line).map(|line| Some((number, line))).map_err(|why| refused(number, &why))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<(u64, Line)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A line that no import takes. What it says is shown on a terminal, so nothing of it controls one.
pub(crate) fn refused(number: u64, why: &str) -> Error {
    let why: String = why.chars().take(MAX_COMPLAINT_CHARS).flat_map(printable).collect();
    Error::new(Code::ValidationError, format!("Line {number} is no line of an export: {why}."))
}

/// A character as a terminal shows it and does nothing else.
fn printable(c: char) -> impl Iterator<Item = char> {
    let safe = c == ' ' || (!c.is_control() && !text::is_invisible(c) && !text::is_bidi(c));
    let escaped = (!safe).then(|| c.escape_unicode());
    escaped.into_iter().flatten().chain(safe.then_some(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_an_unknown_field_is_named() {
        let line = |extra: &str| format!(r#"{{"type":"end","items":0{extra}}}"#);
        assert_eq!(Line::parse(line("").as_bytes()), Ok(Line::End { items: 0 }));
        assert!(Line::parse(line(r#","pk":"x""#).as_bytes()).unwrap_err().contains("at pk"));
        assert!(Line::parse(br#"{"type":"end","items":0.0}"#).is_err());
        assert!(Line::parse(format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000)).as_bytes()).is_err());
        let nested = serde_json::json!({"a": [{"b": 1}, {"b": 2, "c": 3}]});
        let known = serde_json::json!({"a": [{"b": 1}, {"b": 2}]});
        assert_eq!(difference(&nested, &known).as_deref(), Some("a.1.c"));
        assert_eq!(difference(&known, &nested).as_deref(), Some("a.1.c"));
    }

    #[test]
    fn a_line_that_never_ends_is_read_no_further_than_an_item_may_be_long() {
        let endless = std::io::BufReader::new(std::io::repeat(b' '));
        let error = Lines::new(endless).next().unwrap().unwrap_err();
        assert_eq!(error.message(), "Line 1 is no line of an export: it is longer than any item.");
    }

    #[test]
    fn a_complaint_controls_no_terminal() {
        let shown = refused(7, "\u{1b}[2J\u{202e}\u{200b}é\n").message().to_owned();
        assert_eq!(shown, "Line 7 is no line of an export: \\u{1b}[2J\\u{202e}\\u{200b}é\\u{a}.");
    }
}
