//! The output of a command: a text for people, or the same as JSON.

use std::io::Write;
use std::process::ExitCode;

use serde_json::Value;

/// The exit code of a command that found something to repair.
const FOUND: u8 = 6;

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Report {
    text: String,
    json: Value,
    exit_code: u8,
}

impl Report {
    /// A result of a command that did its work.
    pub(crate) fn new(text: impl Into<String>, json: Value) -> Self {
        Self { text: text.into(), json, exit_code: 0 }
    }

    /// The things that a command would delete; it deletes nothing without `--yes`.
    pub(crate) fn dry_run(text: impl AsRef<str>, mut json: Value) -> Self {
        if let Value::Object(fields) = &mut json {
            fields.insert("dryRun".into(), true.into());
        }
        Self::new(format!("{}\nNothing was changed. Add --yes to do it.", text.as_ref()), json)
    }

    /// The same, with the exit code of a command that found something to repair.
    pub(crate) fn found(self, found: bool) -> Self {
        Self { exit_code: if found { FOUND } else { self.exit_code }, ..self }
    }

    /// Prints it to standard output.
    pub(crate) fn print(&self, json: bool) -> ExitCode {
        let text = if json { self.json.to_string() } else { self.text.clone() };
        // Errors of a closed terminal are ignored.
        writeln!(std::io::stdout(), "{text}").ok();
        ExitCode::from(self.exit_code)
    }
}

/// Rows in columns, each as wide as its widest cell.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
    let lines = || std::iter::once(&header).chain(rows);
    let width = |column: usize| lines().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate();
        let padded: Vec<_> =
            cells.map(|(column, cell)| format!("{cell:<width$}", width = width(column).unwrap_or(0))).collect();
        padded.join("  ").trim_end().to_owned()
    };
    lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "bcd".to_owned()], vec!["é longer".to_owned(), String::new()]];
        assert_eq!(table(&["id", "name"], &rows), "id        name\na         bcd\né longer");
    }
}
