//! Why a command failed, with its exit code.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use domain::Error;
use domain::error::Code;
use local::StartError;
use serde_json::json;

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

    /// A file cannot be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        Self { exit_code: FAILED, code: "FILE", message: format!("{}: {error}", path.display()) }
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
        Self { exit_code: UNREACHABLE, code: "UNREACHABLE", message: error.to_string() }
    }
}
