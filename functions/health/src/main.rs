//! The health function, and the gateway's `$default`, on AWS Lambda.

use std::process::ExitCode;

use shared::lambda::{Needs, run};

fn main() -> ExitCode {
    run(Needs { search: true, ..Needs::default() }, health::routes)
}
