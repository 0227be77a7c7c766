//! The embedding worker on AWS Lambda.

use std::process::ExitCode;

use support::wiki::embedding_worker;

fn main() -> ExitCode {
    lambda::run_queue(embedding_worker::app, embedding_worker::handle)
}
