//! The inbox function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::inbox::Inbox::new, support::functions::inbox::routes)
}
