//! The means by which people improve the wiki: they see what it does not answer, propose changes, try them on
//! customers' questions, and publish them.
//!
//! - [`drafts`]: proposed changes of entries, and their publication.
//! - [`gaps`]: the questions that the wiki does not answer.
//! - [`dry_run`]: what changes would do to customers' questions, and the questions that are pinned to be tried on.

pub mod drafts;
pub mod dry_run;
pub mod gaps;
