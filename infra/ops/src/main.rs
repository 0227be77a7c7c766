//! `ops`: the operator's command line, for a deployed stack or the data folder of a local service.
//!
//! A thin shell: [`cli`] parses the arguments, [`target`] makes the clients that the functions use, a module for each kind of
//! command calls the use cases in `support`, and [`output`] prints what they return. docs/OPERATIONS.md describes every command.
#![cfg(unix)]

mod api;
mod cli;
mod dead_letters;
mod doctor;
mod figures;
mod import;
mod listen;
mod members;
mod output;
mod restore;
mod signing_keys;
mod stack;
mod target;
mod tenants;
mod transfer;
mod wiki;

use std::process::ExitCode;

use clap::Parser;
use support::edge::telemetry;
use support::edge::telemetry::LogFormat;

use api::Api;
use cli::{Cli, Command, WikiCommand};
use output::{Failure, Report};
use target::Target;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    telemetry::init(LogFormat::Readable, "error");
    let json = cli.global.json;
    match run(cli).await {
        Ok(report) => report.print(json),
        Err(failure) => failure.print(json),
    }
}

async fn run(cli: Cli) -> Result<Report, Failure> {
    let (global, yes) = (&cli.global, cli.global.yes);
    match &cli.command {
        Command::Wiki(WikiCommand::Pull(options)) => return wiki::pull(&Api::of(global)?, options, yes).await,
        Command::Wiki(WikiCommand::Push(options)) => return wiki::push(&Api::of(global)?, options, yes).await,
        Command::Wiki(WikiCommand::Import(options)) => return import::import(options, yes),
        Command::Listen(options) => return listen::run(&Api::of(global)?, options).await,
        _ => {}
    }
    let target = Target::open(&cli.global).await?;
    let result = run_on(&target, cli.command, cli.global.yes).await;
    target.close().await;
    result
}

async fn run_on(target: &Target, command: Command, yes: bool) -> Result<Report, Failure> {
    match command {
        Command::Tenant(command) => tenants::run(target, command, yes).await,
        Command::Key(command) => tenants::run_keys(target, command, yes).await,
        Command::Member(command) => members::run(target, command, yes).await,
        Command::Audit { tenant, limit } => members::audit(target, &tenant, limit.into()).await,
        Command::DeadLetters(command) => dead_letters::run(target, command, yes).await,
        Command::Reindex { tenant: Some(tenant), mode } => figures::reindex(target, &tenant, mode).await,
        Command::Reindex { tenant: None, .. } => figures::rebuild_index(target).await,
        Command::Recount { tenant, mode, days, fix } => figures::recount(target, &tenant, mode, days, fix).await,
        Command::Export { tenant, file } => transfer::export(target, &tenant, &file).await,
        Command::Import { tenant, file, take } => {
            transfer::import(target, &tenant, &file, take.into_iter().collect(), yes).await
        }
        Command::Doctor => Ok(doctor::run(target).await),
        Command::Restore { at, table } => restore::run(target, at, &table, yes).await,
        Command::DeskKey(command) => signing_keys::run_desk(target, command).await,
        Command::WidgetKey(command) => signing_keys::run_widget(target, command).await,
        Command::Wiki(_) | Command::Listen(_) => Err(Failure::usage("this command calls the API")),
    }
}
