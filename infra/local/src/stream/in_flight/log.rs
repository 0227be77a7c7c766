//! The in-flight log: a line when work begins and a line when it ends, so that work without an end was running when the
//! process crashed.
//!
//! A line is one plain write without `fsync`, a few microseconds. It survives the process; only a failing machine loses
//! lines. The file is started again when it has grown.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::data_dir::append_private;

/// The size, in bytes, from which the file is truncated.
const LARGE_BYTES: usize = 1024 * 1024;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    /// Work of these names began, under this number.
    Begin(u64, Vec<String>),
    /// The work of this number ended.
    End(u64),
}

/// The in-flight log of this process.
#[derive(Debug)]
pub(super) struct InFlightLog {
    file: File,
    written_bytes: usize,
    running: BTreeMap<u64, Vec<String>>,
    next: u64,
    error_reported: bool,
}

impl InFlightLog {
    /// Opens the log at `path`; also returns the names of work that the previous process did not finish.
    pub(super) fn open(path: &Path) -> io::Result<(Self, Vec<String>)> {
        let unfinished = match std::fs::read(path) {
            Ok(bytes) => unfinished(&bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let file = append_private(path)?;
        Ok((Self { file, written_bytes: 0, running: BTreeMap::new(), next: 0, error_reported: false }, unfinished))
    }

    /// Deletes the previous process's lines, after its unfinished work was stored in the quarantine.
    pub(super) fn empty(&mut self) -> io::Result<()> {
        self.file.set_len(0)
    }

    /// Records that work on `names` begins; returns the number that ends it.
    pub(super) fn begin(&mut self, names: Vec<String>) -> u64 {
        let number = self.next;
        self.next += 1;
        let line = Line::Begin(number, names);
        self.write(&line);
        if let Line::Begin(_, names) = line {
            self.running.insert(number, names);
        }
        number
    }

    /// Records that work ended.
    pub(super) fn end(&mut self, number: u64) {
        self.running.remove(&number);
        if self.written_bytes < LARGE_BYTES {
            self.write(&Line::End(number));
        } else {
            self.truncate();
        }
    }

    /// Truncates the file to the running work. After a crash between the two calls nothing is quarantined; the next
    /// crash finds it.
    fn truncate(&mut self) {
        self.written_bytes = 0;
        let emptied = self.file.set_len(0);
        self.report_error(emptied);
        let mut text = Vec::new();
        for (number, names) in &self.running {
            append(&mut text, &Line::Begin(*number, names.clone()));
        }
        self.write_bytes(&text);
    }

    fn write(&mut self, line: &Line) {
        let mut text = Vec::new();
        append(&mut text, line);
        self.write_bytes(&text);
    }

    fn write_bytes(&mut self, text: &[u8]) {
        self.written_bytes += text.len();
        let written = self.file.write_all(text);
        self.report_error(written);
    }

    /// Reports the first failed write; work continues without a record.
    fn report_error(&mut self, result: io::Result<()>) {
        if let Err(error) = result
            && !std::mem::replace(&mut self.error_reported, true)
        {
            tracing::error!(error = %error, "failed to write the in-flight log; work that crashes the process is not detected; free space in the data folder");
        }
    }
}

fn append(text: &mut Vec<u8>, line: &Line) {
    if serde_json::to_writer(&mut *text, line).is_ok() {
        text.push(b'\n');
    }
}

/// The names of work that began and did not end. A line that was cut off by the crash is ignored.
fn unfinished(bytes: &[u8]) -> Vec<String> {
    let mut running = BTreeMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        match serde_json::from_slice(line) {
            Ok(Line::Begin(number, names)) => {
                running.insert(number, names);
            }
            Ok(Line::End(number)) => {
                running.remove(&number);
            }
            Err(_) => {}
        }
    }
    running.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn unfinished_work_is_found_by_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in-flight");
        let (mut first, before) = InFlightLog::open(&path).unwrap();
        assert!(before.is_empty());
        let done = first.begin(names(&["a", "b"]));
        first.begin(names(&["c\nd", "e"]));
        first.end(done);
        drop(first);
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"begin\":[9,[\"cut o").unwrap();
        let (mut second, before) = InFlightLog::open(&path).unwrap();
        assert_eq!(before, ["c\nd", "e"]);
        second.empty().unwrap();
        drop(second);
        assert!(InFlightLog::open(&path).unwrap().1.is_empty());
    }

    #[test]
    fn a_large_file_is_restarted_and_keeps_what_is_running() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in-flight");
        let (mut log, _) = InFlightLog::open(&path).unwrap();
        log.begin(names(&["long"]));
        let name = "x".repeat(1_000);
        for _ in 0..3_000 {
            let number = log.begin(names(&[&name]));
            log.end(number);
        }
        assert!(std::fs::metadata(&path).unwrap().len() < 2 * LARGE_BYTES as u64);
        drop(log);
        assert_eq!(InFlightLog::open(&path).unwrap().1, ["long"]);
    }
}
