//! What every function of the Support Assistant Service stands on. Nothing in here knows a function.
//!
//! The cast:
//! - [`models`] is plain data, [`auth`] says who may do what, [`store`] keeps it in DynamoDB.
//! - [`search`] finds wiki entries, [`text`] turns text into terms, [`answer`] turns a question into an answer with
//!   sources and a confidence, [`dialogue`] says what kind of turn a message is, [`conversation`] takes one customer
//!   turn from start to stored.
//! - [`embedding`] turns texts into vectors, by which [`search`] finds what says the same in other words.
//! - [`wire`] shows resources as callers read them.
//! - [`stream`] and [`events`] say what follows from a change.
//! - [`queue`] hands work to the workers, [`webhooks`] says what receivers of events may rely on,
//!   [`delivery`] sends again what they missed, and [`cipher`] keeps their secrets.
//! - [`http`] is the edge: extractors that are the access rules, and one shape for every error.

pub mod answer;
pub mod auth;
pub mod cipher;
pub mod clock;
pub mod config;
pub mod context;
pub mod conversation;
pub mod delivery;
pub mod dialogue;
pub mod embedding;
pub mod error;
pub mod events;
pub mod gaps;
pub mod http;
pub mod indexing;
pub mod ingest;
pub mod lambda;
pub mod models;
pub mod net;
mod openai;
pub mod panics;
pub mod privacy;
pub mod queue;
pub mod revisions;
pub mod search;
pub mod set_aside;
pub mod statistics;
pub mod store;
pub mod stream;
pub mod telemetry;
pub mod text;
pub mod webhooks;
pub mod wire;

pub use context::Ctx;
pub use error::{Error, Result};
