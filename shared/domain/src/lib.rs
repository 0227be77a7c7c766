//! What the service is about: plain data, ids, state machines, and the rules of events, figures, gaps and webhooks. No
//! I/O.
//!
//! - [`models`] is the data, with the state machines; [`access`] says who calls and what they may do.
//! - [`change`] is one committed change of the data; [`events`] says what is to be told of it, [`statistics`] what it
//!   counts for, and [`gaps`] what unanswered questions amount to.
//! - [`wire`] shows resources as callers read them; [`webhooks`] says what receivers of events may rely on.
//! - [`clock`] is time and randomness; [`error`] the one error of the service.

pub mod access;
pub mod change;
pub mod clock;
mod digest;
pub mod error;
pub mod events;
pub mod gaps;
pub mod models;
mod secret;
pub mod statistics;
pub mod webhooks;
pub mod wire;

pub use digest::sha256_hex;
pub use error::{Error, Result};
pub use secret::Secret;
