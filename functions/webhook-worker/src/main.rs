//! The webhook worker on AWS Lambda.

use std::process::ExitCode;

use lambda::{Needs, run_queue};

fn main() -> ExitCode {
    run_queue(Needs { webhook_queue: true, secrets: true, ..Needs::default() }, webhook_worker::handle)
}
