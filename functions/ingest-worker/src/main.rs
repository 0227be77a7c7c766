//! The ingest worker on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_queue(ingest_worker::IngestWorker::new, ingest_worker::handle)
}
