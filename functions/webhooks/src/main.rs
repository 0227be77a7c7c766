//! The webhooks function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::webhooks::Webhooks::new, support::functions::webhooks::routes)
}
