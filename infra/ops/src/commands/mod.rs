//! The commands: each calls a use case and says what came of it.

mod keys;
mod tenants;

use crate::cli::{Cli, Command};
use crate::failure::Failure;
use crate::report::Report;
use crate::target;

/// Runs the command.
pub(crate) async fn run(cli: Cli) -> Result<Report, Failure> {
    let folder = target::open(&cli.global).await?;
    let clients = folder.resources();
    let yes = cli.global.yes;
    let result = match cli.command {
        Command::Tenant(command) => tenants::run(clients, command).await,
        Command::Key(command) => keys::run(clients, command, yes).await,
    };
    folder.close().await;
    result
}
