//! The service over HTTP, as its users see it, and the promises of its template and its house.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails says where"
)]

mod structure;
mod template;
