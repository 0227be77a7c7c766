//! The whole service in one process, on 127.0.0.1 only.
//!
//! The functions know only AWS; the embedded twins stand behind the same protocols, so what runs here is what ships.
//! The cast: [`Service`] starts, wires and stops everything; `database` is DynamoDB on a SQLite file, off the network;
//! `data_dir` is the folder that everything is kept in; `in_flight` knows what a process died of; `demo` makes a tenant
//! with keys and a few entries, so that the first question can be asked at once; [`Cli`] is the command line.

mod cli;
mod config;
mod data_dir;
mod database;
mod demo;
mod in_flight;
mod options;
pub mod queues;
mod reconcile;
mod sdk;
pub mod search;
mod server;
mod service;
mod start_error;
mod startup_banner;
mod stream;
mod sweep_timer;
mod tenants;
mod wiki_index;
mod workers;

pub use cli::Cli;
pub use config::log_level;
pub use database::WrapHttpClient;
pub use demo::DemoKeys;
pub use options::{BeforeWork, ConfigureOutbound, Embeddings, Options, Work, WrapChanges, WrapIndex};
pub use service::Service;
pub use start_error::StartError;
pub use startup_banner::startup_banner;
pub use stream::HandleRecords;
pub use tenants::TenantKeys;
