//! The embedding worker on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_queue(embedding_worker::EmbeddingWorker::new, embedding_worker::handle)
}
