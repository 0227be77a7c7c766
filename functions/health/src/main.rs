//! The health function, and the gateway's `$default`, on AWS Lambda.

use std::process::ExitCode;

use lambda::{Needs, run};

fn main() -> ExitCode {
    let needs = Needs {
        search: true,
        search_domain: true,
        embeddings: true,
        webhook_queue: true,
        ingest_queue: true,
        embedding_queue: true,
        ..Needs::default()
    };
    run(needs, health::routes)
}
