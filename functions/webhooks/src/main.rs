//! The webhooks function on AWS Lambda.

use std::process::ExitCode;

use support::functions::webhooks;

fn main() -> ExitCode {
    lambda::run(webhooks::app, webhooks::routes)
}
