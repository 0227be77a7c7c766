//! What a command says: its report on standard output, as a text or as JSON; why it failed, with the exit code; and on a
//! terminal the progress of one that takes longer than two seconds.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use domain::Error;
use domain::error::Code;
use domain::models::Timestamp;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use local::StartError;
use serde_json::{Value, json};

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
    pub(crate) fn dry_run(text: impl Into<String>, json: Value) -> Self {
        Self::new(text, json).of_dry_run()
    }

    /// The same of what a command would do.
    pub(crate) fn of_dry_run(self) -> Self {
        let text = format!("{}\nNothing was changed. Add --yes to do it.", self.text);
        Self { text, json: with(self.json, "dryRun", true), ..self }
    }

    /// A list of things, each as a row and as JSON.
    pub(crate) fn list<T>(header: &[&str], items: &[T], row: fn(&T) -> Vec<String>, json: fn(&T) -> Value) -> Self {
        let (rows, items): (Vec<_>, Vec<_>) = items.iter().map(|item| (row(item), json(item))).unzip();
        Self::new(table(header, &rows), json!({"items": items}))
    }

    /// The same behind more lines, with one more field.
    pub(crate) fn behind(self, lines: &str, field: &str, value: impl Into<Value>) -> Self {
        Self { text: format!("{lines}{}", self.text), json: with(self.json, field, value), ..self }
    }

    /// The same, with the exit code of a command that found something to repair.
    pub(crate) fn found(self, found: bool) -> Self {
        Self { exit_code: if found { FOUND } else { self.exit_code }, ..self }
    }

    /// Prints it to standard output.
    pub(crate) fn print(&self, json: bool) -> ExitCode {
        // Texts of others are shown: none may move the cursor or colour the terminal.
        let is_unsafe = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        let text = if json { self.json.to_string() } else { self.text.replace(is_unsafe, "\u{fffd}") };
        // Errors of a closed terminal are ignored.
        writeln!(std::io::stdout(), "{text}").ok();
        ExitCode::from(self.exit_code)
    }
}

/// A JSON object with one more field.
pub(crate) fn with(mut json: Value, field: &str, value: impl Into<Value>) -> Value {
    if let Value::Object(fields) = &mut json {
        fields.insert(field.to_owned(), value.into());
    }
    json
}

/// A time that there may be.
pub(crate) fn time(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.to_string())
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

/// Something failed that no argument explains.
const FAILED: u8 = 1;
/// The arguments do not fit together; clap exits with the same code.
const USAGE: u8 = 2;
/// The named thing does not exist.
const NOT_FOUND: u8 = 3;
/// The request is refused in the present state.
const REFUSED: u8 = 4;
/// The service, the stack or the data folder cannot be reached.
const UNREACHABLE: u8 = 5;

/// A failed command.
#[derive(Debug)]
pub(crate) struct Failure {
    exit_code: u8,
    code: &'static str,
    message: String,
}

impl Failure {
    /// The arguments do not fit together.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit_code: USAGE, code: "USAGE", message: message.into() }
    }

    /// The service cannot be reached, or does not answer.
    pub(crate) fn unreachable(message: impl Into<String>) -> Self {
        Self { exit_code: UNREACHABLE, code: "UNREACHABLE", message: message.into() }
    }

    /// The request is refused.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { exit_code: REFUSED, code: "REFUSED", message: message.into() }
    }

    /// A file cannot be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        Self { exit_code: FAILED, code: "FILE", message: format!("{}: {error}", path.display()) }
    }

    /// Why, for the operator.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Prints it to standard error.
    pub(crate) fn print(&self, json: bool) -> ExitCode {
        let text = match json {
            true => json!({"error": self.code, "message": self.message}).to_string(),
            false => format!("error: {}", self.message),
        };
        // Errors of a closed terminal are ignored.
        writeln!(std::io::stderr(), "{text}").ok();
        ExitCode::from(self.exit_code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit_code = match error.code() {
            Code::NotFound => NOT_FOUND,
            Code::ServiceUnavailable => UNREACHABLE,
            Code::InternalError => FAILED,
            _ => REFUSED,
        };
        let details = error.details().iter().map(|detail| match &detail.field {
            Some(field) => format!("{field} {}", detail.message),
            None => detail.message.to_string(),
        });
        let mut parts = vec![error.message().to_owned()];
        parts.extend(details);
        // The reader is the operator: the private context says what to do.
        parts.extend(error.causes().iter().cloned());
        Self { exit_code, code: error.code().name(), message: parts.join(" ") }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        Self::unreachable(error.to_string())
    }
}

/// How long a command may take before its progress is shown.
const SHOWN_AFTER: Duration = Duration::from_secs(2);

/// A count, or a wait of a known length.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Where it is drawn.
    target: fn() -> ProgressDrawTarget,
}

impl Progress {
    /// Counts up, with what is counted.
    pub(crate) fn new(what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{spinner} {pos} {msg}, {elapsed}").ok();
        Self::shown_later(ProgressBar::no_length(), style, what)
    }

    /// Counts up to `length`.
    pub(crate) fn up_to(length: u64, what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}").ok();
        Self::shown_later(ProgressBar::new(length), style, what)
    }

    fn shown_later(bar: ProgressBar, style: Option<ProgressStyle>, what: &'static str) -> Self {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        if let Some(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, target: ProgressDrawTarget::stderr }
    }

    /// Sets the count, and what it counts up to.
    pub(crate) fn set_of(&self, count: u64, length: u64) {
        self.bar.set_length(length);
        self.set(count);
    }

    pub(crate) fn set(&self, count: u64) {
        if self.bar.is_hidden() && self.bar.elapsed() >= SHOWN_AFTER {
            self.bar.set_draw_target((self.target)());
        }
        self.bar.set_position(count);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use indicatif::TermLike;

    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [vec!["a".to_owned(), "bcd".to_owned()], vec!["é longer".to_owned(), String::new()]];
        assert_eq!(table(&["id", "name"], &rows), "id        name\na         bcd\né longer");
    }

    /// The text that was written to the terminal.
    static WRITTEN: Mutex<String> = Mutex::new(String::new());

    #[derive(Debug)]
    struct Terminal;

    impl Terminal {
        fn write(text: &str) -> io::Result<()> {
            WRITTEN.lock().unwrap().push_str(text);
            Ok(())
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            Self::write(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            Self::write(text)
        }
        fn clear_line(&self) -> io::Result<()> {
            WRITTEN.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_shows_the_count_after_two_seconds_and_nothing_at_the_end() {
        let mut progress = Progress::new("entries indexed");
        progress.target = || ProgressDrawTarget::term_like(Box::new(Terminal));
        let written = || WRITTEN.lock().unwrap().clone();
        progress.set(3);
        assert_eq!(written(), "");
        drop(progress.bar.clone().with_elapsed(SHOWN_AFTER));
        progress.set(41);
        assert!(written().contains("41 entries indexed"), "{:?}", written());
        drop(progress);
        assert_eq!(written(), "");
    }
}
