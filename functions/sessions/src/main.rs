//! The sessions function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(sessions::Sessions::new, sessions::routes)
}
