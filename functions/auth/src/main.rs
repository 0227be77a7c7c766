//! The auth function on AWS Lambda.

use std::process::ExitCode;

use support::functions::auth;

fn main() -> ExitCode {
    lambda::run(auth::app, auth::routes)
}
