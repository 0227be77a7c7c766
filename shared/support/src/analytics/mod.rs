//! The analytics function: the figures of a tenant. It serves knowledge gaps as well, which are in `knowledge::gaps`.
//!
//! - [`figures`]: the figures of the daily counters, their formulas, and what a plan shows.
//! - [`dislikes`]: the answers that customers disliked.
//! - [`recount`]: the counters, computed from the table again.
//! - [`table`]: the daily counters, as they are stored.

pub mod dislikes;
pub mod figures;
pub mod recount;
pub mod table;
