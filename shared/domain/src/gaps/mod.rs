//! The rules of knowledge gaps. [`gap_of`] finds the gap of a question by its text. An [`UnansweredQuestion`] is merged
//! into its gap, with the same result in any order. [`reviewed`] and [`triaged`] apply a review and a trainer's
//! decision. Personal data is masked before anything is stored.

mod canonical_terms;
mod merge;

pub use canonical_terms::gap_of;
pub use merge::{Triage, UnansweredQuestion, forget, reviewed, triaged};
