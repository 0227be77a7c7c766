//! The webhook worker on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_queue(webhook_worker::WebhookWorker::new, webhook_worker::handle)
}
