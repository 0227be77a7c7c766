//! Entries: their endpoints, and the work that keeps index, vectors and revisions of them up to date. Drafts, dry runs
//! and answers are in `knowledge`.
//!
//! - [`api`]: reads, creates, changes and deletes entries, and indexes each write before the response.
//! - [`input`]: the request bodies.
//! - [`search`]: full-text search, and the highlights of matches.
//! - [`revisions`]: old versions of entries, and the return to one.
//! - [`indexing`]: the index of entries, its repair, and its rebuild.
//! - [`embedding_worker`]: makes the vectors.
//! - [`embedding`]: queues entries for their vectors.
//! - [`table`]: their items.

pub mod api;
pub mod embedding;
pub mod embedding_worker;
pub mod indexing;
pub mod input;
pub mod revisions;
pub mod search;
pub mod table;
