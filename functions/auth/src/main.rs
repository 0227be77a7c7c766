//! The auth function on AWS Lambda.

use std::process::ExitCode;

use lambda::{Needs, run};

fn main() -> ExitCode {
    run(Needs { widget_tokens: true, ..Needs::default() }, auth::routes)
}
