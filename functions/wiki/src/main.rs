//! The wiki function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::knowledge::Knowledge::new, support::functions::wiki::routes)
}
