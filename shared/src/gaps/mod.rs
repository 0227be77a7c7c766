//! Knowledge gaps: the questions that customers ask and the wiki does not answer, for whoever writes the wiki.
//!
//! The cast: [`meaning`] says which gap a question belongs to, by its text alone; [`fold`] adds a question to its gap
//! (pure, and the same in whatever order questions come); [`follow`] does both for a change of the table, exactly once
//! per question; [`review`] asks every gap again after the wiki changed, so that gaps close, and open again, by
//! themselves; [`triage`] is what people decide about a gap. Gaps are kept by [`crate::store::Gaps`]. Personal data is
//! masked before anything is kept.

mod fold;
mod follow;
mod meaning;
mod review;
mod triage;

pub use fold::{Asked, forget};
pub use follow::follow;
pub use meaning::gap_of;
pub use review::review;
pub use triage::{Triage, triage};
