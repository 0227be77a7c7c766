//! The webhook worker on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_queue(support::webhooks::worker::WebhookWorker::new, support::webhooks::worker::handle)
}
