//! The analytics function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::analytics::Analytics::new, support::functions::analytics::routes)
}
