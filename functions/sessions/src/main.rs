//! The sessions function on AWS Lambda.

use std::process::ExitCode;

use support::functions::sessions;

fn main() -> ExitCode {
    lambda::run(sessions::app, sessions::routes)
}
