//! The ingest worker on AWS Lambda.

use std::process::ExitCode;

use lambda::Needs;

fn main() -> ExitCode {
    lambda::run_queue(Needs { search: true, model: true, ..Needs::default() }, ingest_worker::handle)
}
