//! The service over HTTP, as its users see it: one file a theme, all on the harness in `support`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "in a test, a panic is how a wrong answer is told"
)]

mod start;
mod support;
