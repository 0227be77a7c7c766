//! The client against a provider on loopback that answers as each test says.
//!
//! [`id_tokens`] has tokens of which one is accepted and every other refused. [`answers`] has providers that are broken,
//! slow or hostile, and what is remembered of one. [`kinds`] has what providers do differently. [`support`] is the
//! provider, with keys of its own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that fails says where"
)]

mod answers;
mod id_tokens;
mod key_names;
mod kinds;
mod support;
