//! The commands: each calls a use case and says what came of it.

mod dead_letters;
mod desk_key;
mod doctor;
mod figures;
mod keys;
mod members;
mod restore;
mod tenants;
mod transfer;
mod widget_key;

use crate::cli::{Cli, Command};
use crate::clients::Target;
use crate::failure::Failure;
use crate::report::Report;
use figures::Recount;

pub(crate) async fn run(cli: Cli) -> Result<Report, Failure> {
    let target = Target::open(&cli.global).await?;
    let result = run_on(&target, cli.command, cli.global.yes).await;
    target.close().await;
    result
}

async fn run_on(target: &Target, command: Command, yes: bool) -> Result<Report, Failure> {
    match command {
        Command::Tenant(command) => tenants::run(target, command, yes).await,
        Command::Key(command) => keys::run(target, command, yes).await,
        Command::Member(command) => members::run(target, command, yes).await,
        Command::Audit { tenant, limit } => members::audit(target, &tenant, limit.into()).await,
        Command::DeadLetters(command) => dead_letters::run(target, command, yes).await,
        Command::Reindex { tenant: Some(tenant), mode } => figures::reindex(target, &tenant, mode).await,
        Command::Reindex { tenant: None, .. } => figures::rebuild_index(target).await,
        Command::Recount { tenant, mode, days, fix } => {
            figures::recount(target, Recount { tenant, mode, days, fix }).await
        }
        Command::Export { tenant, file } => transfer::export(target, &tenant, &file).await,
        Command::Import { tenant, file, take } => {
            transfer::import(target, &tenant, &file, take.into_iter().collect(), yes).await
        }
        Command::Doctor => Ok(doctor::run(target).await),
        Command::Restore { at, table } => restore::run(target, at, &table, yes).await,
        Command::DeskKey(command) => desk_key::run(target, command).await,
        Command::WidgetKey(command) => widget_key::run(target, command).await,
    }
}
