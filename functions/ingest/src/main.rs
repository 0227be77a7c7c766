//! The ingest function on AWS Lambda.

use std::process::ExitCode;

use lambda::Needs;

fn main() -> ExitCode {
    lambda::run(Needs { widget_tokens: true, ingest_queue: true, ..Needs::default() }, ingest::routes)
}
