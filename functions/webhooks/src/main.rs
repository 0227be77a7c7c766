//! The webhooks function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(webhooks::Webhooks::new, webhooks::routes)
}
