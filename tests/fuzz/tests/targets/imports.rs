//! The lines of an export, as an import reads them.

use std::io::Cursor;

use domain::models::Timestamp;
use outbound::OutboundPolicy;
use serde_json::Value;
use support::transfer::{Line, Lines, Rules, preview};

/// An export of a tenant with everything in it.
const EXPORT: &str = include_str!("../../../fixtures/tenant-export.jsonl");

const WORDS: &[&str] = &["{", "}", "\"type\":\"item\"", "\"mode\":\"live\"", "\n", ",", "[", "]", "\"item\":", "1e999"];

fn rules() -> Rules {
    let outbound = OutboundPolicy { allow_loopback: true, allow_http: true };
    Rules { now: Timestamp::parse("2030-01-01T00:00:00Z").unwrap(), outbound }
}

/// Each input changes one line, by its first byte, in up to six places.
#[test]
fn lines_of_an_export() {
    let lines: Vec<Value> = EXPORT.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(preview(rules(), Lines::new(Cursor::new(EXPORT))).is_ok());
    let lines = &lines;
    fuzz::bolero::check!().with_max_len(13).for_each(|bytes: &[u8]| {
        let Some((which, changes)) = bytes.split_first() else { return };
        let which = usize::from(*which) % lines.len();
        let changed = fuzz::mutated(&lines[which], changes);
        if let Ok(read) = Line::parse(changed.to_string().as_bytes()) {
            // The line says nothing beside the fields that were read.
            assert_eq!(serde_json::to_value(&read).unwrap(), changed);
        }
        let text = lines.iter().enumerate().map(|(at, line)| if at == which { &changed } else { line });
        let text: String = text.map(|line| format!("{line}\n")).collect();
        if let Err(error) = preview(rules(), Lines::new(Cursor::new(text))) {
            assert!(error.code().status() == 400 && error.message().len() < 5_000, "{error}");
        }
    });
}

#[test]
fn bytes_of_an_export() {
    fuzz::texts!(WORDS, |text| {
        assert!(preview(rules(), Lines::new(Cursor::new(text))).is_err());
    });
}
