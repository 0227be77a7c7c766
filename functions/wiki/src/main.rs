//! The wiki function on AWS Lambda.

use std::process::ExitCode;

use lambda::Needs;

fn main() -> ExitCode {
    lambda::run(Needs { widget_tokens: true, search: true, ..Needs::default() }, wiki::routes)
}
