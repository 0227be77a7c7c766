//! Measures the startup of every function's release binary on this machine, beside an empty function, and beside
//! functions in Node and Python that make the same calls if those are found.
//!
//! `cargo build --release --bins && cargo run --release -p startup`. The services are stand-ins behind TLS on loopback;
//! their CPU time is subtracted.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a measurement that fails says where, and measures real time"
)]

mod canned;
mod measure;
mod others;
#[path = "../../lambda/runtime.rs"]
mod runtime;
mod stand_ins;
mod subject;
#[path = "../../lambda/table.rs"]
mod table;

use std::path::PathBuf;

use clap::Parser;

use measure::{Figures, Sessions, Subject, measure};
use runtime::Lambda;
use stand_ins::StandIns;

/// Measures how functions start.
#[derive(Debug, Parser)]
struct Options {
    /// The folder of the release binaries; this program's own by default.
    #[arg(long)]
    binaries: Option<PathBuf>,
    /// How often each function is started.
    #[arg(long, default_value_t = 20)]
    starts: usize,
    /// How many warm invocations follow the last start.
    #[arg(long, default_value_t = 200)]
    warm: usize,
    /// Only these functions; the empty one is always measured.
    #[arg(long)]
    only: Vec<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|first| first == stand_ins::SERVE) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return runtime.block_on(stand_ins::serve(arguments[2].as_ref()));
    }
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(report(&options));
}

/// Prints a table with a row for each function.
async fn report(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("no-certificates")).unwrap();
    let binaries = match &options.binaries {
        Some(binaries) => binaries.clone(),
        None => std::env::current_exe().unwrap().parent().unwrap().to_owned(),
    };
    let stand_ins = StandIns::start(folder.path());
    let key = table::seed(&stand_ins.table_plain).await;
    let variables = subject::variables(&stand_ins);
    let binary = |name: &str| binaries.join(name).display().to_string();
    let pairs: Vec<(&str, &str)> = variables.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let maker = Lambda::start(&binary("sessions"), &pairs).await;
    let sessions = Sessions { maker: &maker, key: &key };

    let empty = Subject {
        name: "empty",
        binary: binary("empty-function"),
        variables: Vec::new(),
        event: Box::new(|_, id| subject::event("wiki", &key, "", id)),
    };
    let counts = (options.starts, options.warm);
    let base = measure(&empty, &stand_ins, &sessions, counts).await;
    println!("| function | init ms (x empty) | first ms | init + first (x empty) | warm p50 / p99 ms | peak MiB |");
    println!("|---|---|---|---|---|---|");
    row("empty", &base, &base);
    for name in subject::FUNCTIONS {
        if !options.only.is_empty() && !options.only.iter().any(|only| only == name) {
            continue;
        }
        let key = key.as_str();
        let event = Box::new(move |session: &str, id: &str| subject::event(name, key, session, id));
        let subject = Subject { name, binary: binary(name), variables: variables.clone(), event };
        row(name, &measure(&subject, &stand_ins, &sessions, counts).await, &base);
    }
    for subject in others::found(folder.path(), &variables) {
        row(subject.name, &measure(&subject, &stand_ins, &sessions, counts).await, &base);
    }
}

fn row(name: &str, figures: &Figures, base: &Figures) {
    let Figures { init, first, warm_p50, warm_p99, peak } = figures;
    let (times_init, times) = (init / base.init, (init + first) / (base.init + base.first));
    println!(
        "| {name} | {init:.2} ({times_init:.1}) | {first:.2} | {:.2} ({times:.1}) | {warm_p50:.2} / {warm_p99:.2} | {peak:.1} |",
        init + first
    );
}
