//! Startup of every function on AWS Lambda: configuration, secrets, clients, one warm connection each, then events.
//!
//! A function is a type that takes the clients it names from [`LambdaProvider`]. No other client is made or linked, so its role
//! needs no more. [`run`] serves HTTP. Workers start with [`run_queue`], [`run_stream`] and [`run_schedule`]: the same
//! startup, other events. [`gateway`] restores what the gateway and `lambda_http` change.

mod gateway;
mod provider;
mod worker;

use std::process::ExitCode;

use tower::util::MapRequest;

use aws::config::{Config, sdk_config};
use domain::Result;
use edge::telemetry::{self, LogFormat};
use edge::{Edge, Routes, service};

pub use provider::LambdaProvider;
pub use worker::{run_queue, run_schedule, run_stream};

/// Serves the `routes` of a function of type `S` until Lambda ends the process; a start that fails is logged and ends
/// it at once.
#[must_use]
pub fn run<S>(make: impl AsyncFnOnce(&LambdaProvider) -> Result<S>, routes: fn(S) -> Routes) -> ExitCode {
    start_function(make, async |start, function| {
        let router = service(Edge::new(start), vec![routes(function)]);
        lambda_http::run(MapRequest::new(router, gateway::as_sent)).await
    })
}

/// Reads the configuration, creates the function with the clients that it names, and runs `serve` until Lambda ends the
/// process.
fn start_function<S>(
    make: impl AsyncFnOnce(&LambdaProvider) -> Result<S>,
    serve: impl AsyncFnOnce(&LambdaProvider, S) -> Result<(), lambda_runtime::Error>,
) -> ExitCode {
    let config = match Config::from_env() {
        Ok(config) => config,
        Err(error) => {
            telemetry::init(LogFormat::Json, "info");
            return fail_start(&error.to_string());
        }
    };
    telemetry::init_on_lambda(&config.log_level, config.metrics.clone());
    // Boxed: the compiler limits how deep the types of nested futures may be.
    let serving = async {
        let start = LambdaProvider::new(config, sdk_config());
        let function = Box::pin(make(&start)).await?;
        start.warm_up().await;
        Box::pin(serve(&start, function)).await
    };
    // Lambda sends one request at a time: one thread starts faster and is as fast.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(serving)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail_start(&error.to_string()),
    }
}

fn fail_start(reason: &str) -> ExitCode {
    tracing::error!(reason, "the function failed to start");
    ExitCode::FAILURE
}
