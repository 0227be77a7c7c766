//! The rules of knowledge gaps: [`gap_of`] says which gap a question belongs to, by its text alone; an [`Asked`] question
//! is added to its gap, the same in whatever order questions come; [`reviewed`] and [`triaged`] are what a review and a
//! person make of one. Personal data is masked before anything is kept.

mod fold;
mod meaning;

pub use fold::{Asked, Triage, forget, reviewed, triaged};
pub use meaning::gap_of;
