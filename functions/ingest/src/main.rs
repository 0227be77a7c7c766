//! The ingest function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::ingest::Ingest::new, support::functions::ingest::routes)
}
