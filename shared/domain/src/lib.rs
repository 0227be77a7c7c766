//! The domain: plain data, ids, state machines, and the rules of events, figures, gaps and webhooks. No I/O.
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
pub mod change;
pub mod clock;
mod digest;
pub mod error;
pub mod events;
pub mod gaps;
pub mod hours;
pub mod limits;
pub mod models;
pub mod rate_limit;
mod secret;
pub mod statistics;
pub mod webhooks;
pub mod wire;

pub use digest::{hmac_sha256_hex, sha256_hex, sha256_hex_of_parts};
pub use error::{Error, Result};
pub use secret::Secret;
