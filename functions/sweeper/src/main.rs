//! The sweeper on AWS Lambda: one run a minute.

use std::process::ExitCode;

fn main() -> ExitCode {
    lambda::run_schedule(sweeper::Sweeper::new, sweeper::sweep)
}
