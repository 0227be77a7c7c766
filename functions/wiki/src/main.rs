//! The wiki function on AWS Lambda.

use std::process::ExitCode;

use support::functions::wiki;

fn main() -> ExitCode {
    lambda::run(wiki::app, wiki::routes)
}
