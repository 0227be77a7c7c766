//! The rules of knowledge gaps. [`gap_id_for`] finds the gap of a question by its text. An [`UnansweredQuestion`] is
//! merged into its gap, with the same result in any order. [`reviewed`] and [`triaged`] apply a review and a trainer's
//! decision. Personal data is masked before anything is stored.

mod canonical_terms;
mod merge;

pub use canonical_terms::gap_id_for;
pub use merge::{EXAMPLE_CHARS, GapTriage, UnansweredQuestion, masked_question, reviewed, triaged, with_query};
