//! The means by which people improve the wiki: they see what it does not answer and what customers were told, propose
//! changes, and try them on customers' questions.
//!
//! - [`gaps`]: the questions that the wiki does not answer.
//! - [`answers`]: the customers who were told what an entry says.
//! - [`drafts`]: proposed changes of entries, and their publication.
//! - [`dry_run`]: what changes would do to customers' questions.
//! - [`wiki_exchange`]: a wiki out, and entries in.

pub mod answers;
pub mod drafts;
pub mod dry_run;
pub mod gaps;
pub mod wiki_exchange;
