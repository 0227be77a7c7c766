//! The test harness: a whole service in this process, and actors who call it.
//!
//! [`TestService`] has its own data folder and port, and two tenants with keys of every role. An [`Actor`] is one
//! caller with one credential. A [`Reply`] is a response. Nothing here waits or retries.

#![allow(dead_code, reason = "each theme uses a part of it")]

mod actor;
mod capacity;
mod embedding_stub;
mod faults;
mod files;
mod hooks;
mod index_switch;
mod lambda_answer;
mod model_stub;
mod pages;
mod real_index;
mod receiver;
mod recorder;
mod renamed;
mod reply;
pub(crate) mod scale;
mod search_server;
mod service;
mod service_log;
pub(crate) mod written_files;

use std::time::Duration;

/// A client whose requests end: a service that hangs fails its test, and not the whole run.
pub(crate) fn http_client() -> reqwest::Client {
    reqwest::Client::builder().timeout(Duration::from_secs(300)).build().unwrap()
}

pub(crate) use actor::Actor;
pub(crate) use capacity::{CapacityMeter, Units};
pub(crate) use embedding_stub::{EmbeddingFault, EmbeddingStub};
pub(crate) use faults::{BucketStandIn, Fault, Faults, FaultyEmbeddings, FaultyModel, Kms, Target, sdk_config};
pub(crate) use hooks::SECRET;
pub(crate) use index_switch::IndexSwitch;
pub(crate) use model_stub::{ModelStub, answered, rewrites, rewritten};
pub(crate) use pages::{Pages, Served};
pub(crate) use real_index::RealIndex;
pub(crate) use receiver::{Answers, Caught, Receiver};
pub(crate) use recorder::Recorder;
pub(crate) use reply::Reply;
pub(crate) use search_server::SearchServer;
pub(crate) use service::{StoredItem, TestOptions, TestService};
pub(crate) use service_log::ServiceLog;
