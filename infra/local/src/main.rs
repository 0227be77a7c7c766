//! `cargo run -p local`: starts the service, prints its address, and stops at Ctrl-C or SIGTERM.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use local::{Cli, Service, SmallModel, log_level, startup_banner};
use support::edge::telemetry;
use support::edge::telemetry::LogFormat;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse().checked().unwrap_or_else(|error| error.exit());
    telemetry::init_with_quiet_crates(LogFormat::Readable, &log_level(), &["dynoxide"]);
    let mut stop = std::pin::pin!(stop_signal());
    let mut model = None;
    let start = async {
        if cli.wants_small_model() {
            model = SmallModel::start().await;
        }
        let mut options = cli.into_options();
        options.embeddings = model.as_ref().map(SmallModel::embeddings).or(options.embeddings);
        Service::start(options).await
    };
    let started = tokio::select! {
        started = start => started,
        () = &mut stop => return ExitCode::SUCCESS,
    };
    let service = match started {
        Ok(service) => service,
        Err(error) => {
            // Errors of a closed terminal are ignored.
            writeln!(std::io::stderr(), "error: {error}").ok();
            return ExitCode::FAILURE;
        }
    };
    writeln!(std::io::stdout(), "{}", startup_banner(&service)).ok();
    service.resources().check_embedding_prefixes();
    stop.await;
    service.stop().await;
    ExitCode::SUCCESS
}

/// Completes at Ctrl-C, or at SIGTERM if it exists.
async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => {}
        () = terminate() => {}
    }
}

#[cfg(unix)]
async fn terminate() {
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut signal) => signal.recv().await.unwrap_or_default(),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminate() {
    std::future::pending().await
}
