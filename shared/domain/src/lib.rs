//! The domain: plain data, ids, state machines, and the rules of events, figures, gaps and webhooks. No I/O.
//!
//! A file is about one thing: its data, its rules, what callers may store of it, and what they read of it. Others find it by
//! these:
//!
//! - [`models`] is the data with the state machines; [`access`] is callers and permissions.
//! - [`change`] is one committed change; [`events`] derives events from it, [`statistics`] increments of counters, and
//!   [`gaps`] the gap of an unanswered question.
//! - [`hours`] is whether people of a tenant are there.
//! - [`limits`] is what callers may store.
//! - [`wire`] is resources as callers read them; [`webhooks`] is what receivers can rely on.
//! - [`rate_limit`] is quotas and the token bucket that counts them.
//! - [`clock`] is time and randomness; [`error`] is the one error type.

pub mod access;
mod api_key;
pub mod appearance;
mod audit;
pub mod change;
pub mod clock;
mod draft;
mod embedding;
pub mod error;
mod escalation;
pub mod events;
pub mod gaps;
pub mod hours;
mod ids;
mod ingest;
pub mod limits;
mod member;
pub mod models;
pub mod rate_limit;
pub mod saved_reply;
mod secret;
mod session;
mod session_state;
mod session_view;
pub mod settings;
pub mod statistics;
mod tenant;
mod timestamp;
mod turn;
pub mod webhooks;
mod wiki;
pub mod wire;

pub use error::{Error, Result};
pub use secret::{Secret, hmac_sha256_hex, sha256_hex, sha256_hex_of_parts};

/// Whether a field is not stored, because it is read as this value if it is absent.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
