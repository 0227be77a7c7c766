//! What a receiver of events may rely on, as pure functions: the [`signature`] of what it gets, the [`schedule`] by
//! which it is tried again, and the [`health`] by which it is given up.

pub mod health;
pub mod schedule;
pub mod signature;
