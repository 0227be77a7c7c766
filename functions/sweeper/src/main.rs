//! The sweeper on AWS Lambda: one run a minute.

use std::process::ExitCode;

use support::sweeper;

fn main() -> ExitCode {
    lambda::run_schedule(sweeper::app, sweeper::sweep)
}
