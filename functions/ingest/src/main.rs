//! The ingest function on AWS Lambda.

use std::process::ExitCode;

use support::functions::ingest;

fn main() -> ExitCode {
    lambda::run(ingest::app, ingest::routes)
}
