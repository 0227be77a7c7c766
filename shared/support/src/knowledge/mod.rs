//! The work that follows from a change: it is done by a worker, by the reader of the stream, or by the sweeper when it
//! is due.
//!
//! [`delivery`] and [`ingest`] put deliveries and ingest jobs on their queues and give them up; [`indexing`] and
//! [`embedding`] keep the search index and its vectors up to date; [`revisions`] keeps what entries were;
//! [`dead_letters`] keeps changes that cannot be handled.

pub mod drafts;
pub mod dry_run;
pub mod gaps;
