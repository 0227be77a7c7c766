//! The analytics function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(analytics::Analytics::new, analytics::routes)
}
