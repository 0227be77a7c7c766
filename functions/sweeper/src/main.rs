//! The sweeper on AWS Lambda: one run a minute.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_schedule(support::sweeper::Sweeper::new, support::sweeper::sweep)
}
