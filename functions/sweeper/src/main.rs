//! The sweeper on AWS Lambda: one run a minute.

use std::process::ExitCode;

use lambda::{Needs, run_schedule};

fn main() -> ExitCode {
    run_schedule(
        Needs {
            search: true,
            model: true,
            embeddings: true,
            webhook_queue: true,
            ingest_queue: true,
            embedding_queue: true,
            set_aside: true,
            ..Needs::default()
        },
        sweeper::sweep,
    )
}
