//! The changes function on AWS Lambda.

use std::process::ExitCode;

use lambda::Needs;

fn main() -> ExitCode {
    let needs = Needs { search: true, webhook_queue: true, embedding_queue: true, set_aside: true, ..Needs::default() };
    lambda::run_stream(needs, changes::handle)
}
