//! The analytics function on AWS Lambda.

use std::process::ExitCode;

use lambda::Needs;

fn main() -> ExitCode {
    lambda::run(Needs { widget_tokens: true, ..Needs::default() }, analytics::routes)
}
