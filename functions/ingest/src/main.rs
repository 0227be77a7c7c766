//! The ingest function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(ingest::Ingest::new, ingest::routes)
}
