//! The changes function on AWS Lambda.

use std::process::ExitCode;

use support::changes;

fn main() -> ExitCode {
    lambda::run_stream(changes::app, changes::handle)
}
