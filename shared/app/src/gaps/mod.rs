//! Knowledge gaps: the questions that the wiki does not answer.
//!
//! `from_change` adds the question of a change to its gap, exactly once. [`mod@review`] asks every gap again after the
//! wiki changed, so that gaps close and open by themselves. [`mod@triage`] applies decisions of trainers. The rules are
//! in [`domain::gaps`].

mod from_change;
mod review;
mod triage;

pub use from_change::follow;
pub use review::{GapReview, review};
pub use triage::triage;
