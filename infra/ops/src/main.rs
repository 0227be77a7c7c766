//! `ops`: the operator's command line, for a deployed stack or the data folder of a local service.
//!
//! A thin shell: [`cli`] parses the arguments, [`clients`] makes the clients that the functions use, [`commands`] calls
//! the use cases in `app`, and [`report`] prints what they return. docs/OPERATIONS.md describes every command.
#![cfg(unix)]

mod cli;
mod clients;
mod commands;
#[cfg(test)]
mod documented;
mod failure;
mod progress;
mod report;

use std::process::ExitCode;

use clap::Parser;
use edge::telemetry::{self, LogFormat};

use cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    telemetry::init(LogFormat::Readable, "error");
    let json = cli.global.json;
    match commands::run(cli).await {
        Ok(report) => report.print(json),
        Err(failure) => failure.print(json),
    }
}
