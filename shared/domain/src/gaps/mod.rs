//! The rules of knowledge gaps: [`gap_of`] says which gap a question belongs to, by its text alone; an [`UnansweredQuestion`]
//! is added to its gap, the same in whatever order questions come; [`reviewed`] and [`triaged`] are what a review and a
//! person make of one. Personal data is masked before anything is kept.

mod canonical_terms;
mod merge;

pub use canonical_terms::gap_of;
pub use merge::{Triage, UnansweredQuestion, forget, reviewed, triaged};
