//! The webhooks function on AWS Lambda.

use std::process::ExitCode;

use lambda::{Needs, run};

fn main() -> ExitCode {
    run(Needs { widget_tokens: true, webhook_queue: true, secrets: true, ..Needs::default() }, webhooks::routes)
}
