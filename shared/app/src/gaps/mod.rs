//! Knowledge gaps: the questions that customers ask and the wiki does not answer, for whoever writes the wiki.
//!
//! [`follow`] adds the question of a change of the table to its gap, exactly once per question; [`review`] asks every gap
//! again after the wiki changed, so that gaps close, and open again, by themselves; [`triage`] is what people decide about
//! a gap. The rules are [`domain::gaps`].

mod follow;
mod review;
mod triage;

pub use follow::follow;
pub use review::review;
pub use triage::triage;
