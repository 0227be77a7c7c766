//! The webhook worker on AWS Lambda.

use std::process::ExitCode;

use support::webhooks::worker;

fn main() -> ExitCode {
    lambda::run_queue(worker::app, worker::handle)
}
