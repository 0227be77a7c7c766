//! The whole service in one process, on 127.0.0.1 only.
//!
//! The functions know only AWS. The embedded services implement the same protocols, so the same code runs as on AWS.
//! [`Service`] starts, wires and stops everything; [`Hooks`] is what tests change of it. `database` is DynamoDB on a SQLite
//! file, not on the network. `data_dir` is the data folder, and `keys` its keys. `tenants` creates a tenant with keys and
//! entries for a first question, and `demo_provider` is where its people sign in. `shop` and `desk` are the pages of the two
//! ports. [`Cli`] is the command line. [`SmallModel`] is the embedding model that it may start. `control` is the socket of
//! the operator's command line, which opens a [`DataFolder`]. With [`Options::functions_url`] the functions run in processes
//! of their own: `endpoint` opens the services to them, and `functions` invokes them.

mod config;
mod control;
mod data_dir;
mod data_folder;
mod database;
mod demo_people;
mod demo_provider;
mod desk;
mod endpoint;
mod functions;
mod hooks;
mod keys;
pub mod opensearch;
mod options;
mod pages;
pub mod queues;
mod resources;
mod server;
mod service;
mod shop;
mod small_model;
mod start_error;
mod stream;
mod tenants;
mod wiki_index;
mod workers;

pub use config::{WrapHttpClient, log_level};
pub use data_folder::DataFolder;
pub use hooks::{BeforeDue, ChangeResources, ConfigureOutbound, Hooks, WrapChanges, WrapIndex, WrapMessages};
pub use options::{Cli, Embeddings, Issuer, Options, RateLimits};
pub use resources::Resources;
pub use service::{Service, api, startup_banner};
pub use small_model::SmallModel;
pub use start_error::StartError;
pub use stream::HandleRecords;
pub use tenants::{DemoKeys, TenantKeys};
