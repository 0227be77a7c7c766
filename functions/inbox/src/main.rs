//! The inbox function on AWS Lambda.

use std::process::ExitCode;

use support::functions::inbox;

fn main() -> ExitCode {
    lambda::run(inbox::app, inbox::routes)
}
