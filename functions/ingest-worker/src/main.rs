//! The ingest worker on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_queue(support::ingest::worker::IngestWorker::new, support::ingest::worker::handle)
}
