//! The health function, and the gateway's `$default`, on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::health::Health::new, support::functions::health::routes)
}
