//! The inbox function on AWS Lambda.

use std::process::ExitCode;

use shared::lambda::{Needs, run};

fn main() -> ExitCode {
    run(Needs { widget_tokens: true, search: true, model: true, ..Needs::default() }, inbox::routes)
}
