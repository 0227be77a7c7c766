//! The inbox function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(inbox::Inbox::new, inbox::routes)
}
