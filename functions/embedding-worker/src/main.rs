//! The embedding worker on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_queue(support::wiki::embedding_worker::EmbeddingWorker::new, support::wiki::embedding_worker::handle)
}
