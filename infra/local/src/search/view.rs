//! The view of one query: the state when it began, one tenant and mode.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use tantivy::schema::Value as _;
use tantivy::{DocAddress, DocId, TantivyDocument};

use super::schema::Fields;
use super::state::State;

/// The result of reading the index.
pub(super) type ReadResult<T> = Result<T, ReadError>;

/// Why the index could not be read; for the log.
#[derive(Debug)]
pub(super) struct ReadError {
    /// The reason.
    pub(super) reason: String,
    /// Another process has locked it; nothing else is wrong.
    pub(super) locked: bool,
}

impl ReadError {
    /// An error that is not a lock.
    pub(super) fn broken(reason: impl ToString) -> Self {
        Self { reason: reason.to_string(), locked: false }
    }
}

impl From<tantivy::TantivyError> for ReadError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self { locked: matches!(error, tantivy::TantivyError::LockFailure(..)), reason: error.to_string() }
    }
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> Self {
        Self::broken(format!("a stored document: {:?}", error.classify()))
    }
}

/// One tenant's view of the index.
#[derive(Debug)]
pub(super) struct View<'a> {
    /// The searchable state.
    pub(super) state: &'a State,
    /// The fields.
    pub(super) fields: &'a Fields,
    /// `tenant#mode`.
    pub(super) scope: String,
    /// The blocks that it is as if there were none of.
    pub(super) without: HashSet<u64>,
    /// How many candidates it finds by words.
    pub(super) candidates: usize,
}

impl View<'_> {
    /// Reads the stored part of a document.
    pub(super) fn stored<T: DeserializeOwned>(&self, segment: usize, doc: DocId) -> ReadResult<T> {
        let address = DocAddress::new(ordinal(segment), doc);
        let document: TantivyDocument = self.state.searcher.doc(address)?;
        let text = document.get_first(self.fields.stored).and_then(|value| value.as_str()).unwrap_or_default();
        Ok(serde_json::from_str(text)?)
    }
}

/// A segment's ordinal as the searcher expects it.
pub(super) fn ordinal(segment: usize) -> u32 {
    u32::try_from(segment).unwrap_or(u32::MAX)
}
