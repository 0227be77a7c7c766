//! Knowledge gaps: the questions that the wiki does not answer.
//!
//! `from_change` adds the question of a change to its gap, exactly once. [`mod@review`] asks every gap again after the
//! wiki changed, so that gaps close and open by themselves. [`mod@triage`] applies decisions of trainers. [`mod@material`] has
//! what is known about a gap, and makes a draft of it. The rules are
//! in [`domain::gaps`].

mod from_change;
mod material;
mod review;
mod triage;

pub use from_change::follow;
pub use material::{GapMaterial, MAX_EXAMPLES, MAX_QUESTIONS, Resolution, examples, free_path, material};
pub use review::{GapReview, review};
pub use triage::triage;
