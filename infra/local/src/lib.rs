//! The whole service in one process, on 127.0.0.1 only.
//!
//! The functions know only AWS. The embedded services implement the same protocols, so the same code runs as on AWS.
//! [`Service`] starts, wires and stops everything; [`Hooks`] is what tests change of it. `database` is DynamoDB on a SQLite file, not on the network.
//! `data_dir` is the data folder. `demo` creates a tenant with keys and
//! entries for a first question, and `demo_provider` is where its people sign in. `pages` has the chat widget and the demo shop. [`Cli`] is the command line. [`SmallModel`] is the embedding model
//! that it may start. `control` is
//! the socket of the operator's command line. With [`Options::functions_url`] the functions run in processes of their own:
//! `endpoint` opens the services to them, and `functions` invokes them.

mod aws_calls;
mod cli;
mod config;
mod configured;
mod control;
mod data_dir;
mod database;
mod demo;
mod demo_people;
mod demo_provider;
mod desk_key_file;
mod endpoint;
mod folder_lock;
mod functions;
mod functions_env;
mod hooks;
mod html;
pub mod opensearch;
mod options;
mod own_hosts;
mod pages;
pub mod queues;
mod resources;
mod sdk;
mod server;
mod service;
mod small_model;
mod start_error;
mod startup_banner;
mod stream;
mod sweep_timer;
mod tenants;
mod unread_body;
mod widget_key_file;
mod wiki_index;
mod workers;

pub use cli::Cli;
pub use config::log_level;
pub use control::{ControlClient, DataFolder, ServiceInfo};
pub use demo::DemoKeys;
pub use hooks::{BeforeDue, ChangeResources, ConfigureOutbound, Hooks, WrapChanges, WrapIndex, WrapMessages};
pub use options::{Embeddings, Issuer, Options, RateLimits};
pub use resources::Resources;
pub use sdk::WrapHttpClient;
pub use service::{Service, routes};
pub use small_model::SmallModel;
pub use start_error::StartError;
pub use startup_banner::startup_banner;
pub use stream::HandleRecords;
pub use tenants::TenantKeys;
