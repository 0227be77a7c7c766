//! The auth function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(auth::Auth::new, auth::routes)
}
