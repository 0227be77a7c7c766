//! Which documents of a segment a viewer may see.

use answer::search::VisibilityFilter;
use tantivy::fastfield::Column;
use tantivy::{DocId, SegmentReader};

use super::schema::visibility_number;

/// The documents of one segment that a filter admits.
#[derive(Debug)]
pub(super) struct VisibleDocuments {
    column: Column<u64>,
    /// The number that a document must have; none where all are admitted.
    only: Option<u64>,
}

impl VisibleDocuments {
    /// Opens the column of a segment.
    pub(super) fn open(segment: &SegmentReader, filter: VisibilityFilter) -> tantivy::Result<Self> {
        let only = match filter {
            VisibilityFilter::All => None,
            VisibilityFilter::Only(visibility) => Some(visibility_number(visibility)),
        };
        Ok(Self { column: segment.fast_fields().u64("visibility")?, only })
    }

    /// Whether a document is one of them.
    pub(super) fn has(&self, doc: DocId) -> bool {
        self.only.is_none_or(|only| self.column.first(doc) == Some(only))
    }
}
