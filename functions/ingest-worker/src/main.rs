//! The ingest worker on AWS Lambda.

use std::process::ExitCode;

use support::ingest::worker;

fn main() -> ExitCode {
    lambda::run_queue(worker::app, worker::handle)
}
