//! The wiki function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(wiki::Wiki::new, wiki::routes)
}
