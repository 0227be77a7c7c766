//! The built binary against a running local service, and against its data folder when none runs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that fails says where"
)]
#![cfg(unix)]

mod aws_stub;
mod dead_letters;
mod erasure;
mod folder;
mod import_attacks;
mod members;
mod repairs;
mod sign_in;
mod stack;
mod support;
mod tenants;
mod transfer;
mod widget_keys;
