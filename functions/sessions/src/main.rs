//! The sessions function on AWS Lambda.

use std::process::ExitCode;

use lambda::{Needs, run};

fn main() -> ExitCode {
    let needs = Needs { widget_tokens: true, search: true, model: true, embeddings: true, ..Needs::default() };
    run(needs, sessions::routes)
}
