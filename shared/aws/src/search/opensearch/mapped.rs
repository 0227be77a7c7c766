//! The fields of vectors that this process has mapped: each by the index that it is mapped in.
//!
//! The name of an index that the alias has named is not used again: a rebuild takes the next number.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The fields that this process has mapped. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct MappedFields(Arc<Mutex<HashMap<String, String>>>);

impl MappedFields {
    /// The index that `field` is mapped in.
    pub(super) fn index_of(&self, field: &str) -> Option<String> {
        self.lock().get(field).cloned()
    }

    /// `field` is mapped in `index`.
    pub(super) fn remember(&self, field: &str, index: String) {
        self.lock().insert(field.to_owned(), index);
    }

    /// The index is gone.
    pub(super) fn forget_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
