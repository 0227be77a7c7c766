//! The changes function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_stream(support::changes::Changes::new, support::changes::handle)
}
