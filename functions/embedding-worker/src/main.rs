//! The embedding worker on AWS Lambda.

use std::process::ExitCode;

use lambda::Needs;

fn main() -> ExitCode {
    let needs = Needs { search: true, embeddings: true, embedding_queue: true, ..Needs::default() };
    lambda::run_queue(needs, embedding_worker::handle)
}
