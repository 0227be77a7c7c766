//! The auth function on AWS Lambda.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run(support::auth::Auth::new, support::functions::auth::routes)
}
