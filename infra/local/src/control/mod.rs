//! The control socket: how the operator's command line reaches a running service.
//!
//! A Unix socket in the data folder, for its owner only, so it needs no secret. [`server`] answers DynamoDB's, SQS's
//! and OpenSearch's protocols as the embedded services do, and a few requests of its own; [`client`] is the other end.
//! [`address`] says where the socket is. [`attach`] opens a data folder for the command line: through the socket while a service runs,
//! otherwise directly, under the lock of the service.

mod address;
mod attach;
mod client;
mod messages;
mod server;

pub use attach::DataFolder;
pub use client::ControlClient;
pub use messages::ServiceInfo;
pub(crate) use server::{ControlServer, ControlState};
