//! The health function, and the gateway's `$default`, on AWS Lambda.

use std::process::ExitCode;

use shared::lambda::{Needs, run};

fn main() -> ExitCode {
    run(Needs { search: true, webhook_queue: true, ingest_queue: true, ..Needs::default() }, health::routes)
}
