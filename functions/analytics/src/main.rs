//! The analytics function on AWS Lambda.

use std::process::ExitCode;

use support::functions::analytics;

fn main() -> ExitCode {
    lambda::run(analytics::app, analytics::routes)
}
