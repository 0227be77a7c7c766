//! The health function, and the gateway's `$default`, on AWS Lambda.

use std::process::ExitCode;

use support::functions::health;

fn main() -> ExitCode {
    lambda::run(health::app, health::routes)
}
