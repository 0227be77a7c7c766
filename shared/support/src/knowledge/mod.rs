//! The means by which people improve the wiki: they see what it does not answer, and try changes on customers' questions.
//!
//! - [`gaps`]: the questions that the wiki does not answer.
//! - [`dry_run`]: what changes would do to customers' questions.

pub mod dry_run;
pub mod gaps;
