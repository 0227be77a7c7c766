//! The health function, and the gateway's `$default`, on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(health::Health::new, health::routes)
}
