//! The sessions function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::sessions::Sessions::new, support::functions::sessions::routes)
}
