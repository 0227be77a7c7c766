//! Which documents of a segment a viewer may see.

use std::collections::HashSet;

use answer::search::VisibilityFilter;
use tantivy::fastfield::Column;
use tantivy::{DocId, SegmentReader};

use super::schema::visibility_number;
use super::view::View;

/// The documents of one segment that a filter admits, without the blocks that its view leaves out.
#[derive(Debug)]
pub(super) struct VisibleDocuments<'a> {
    column: Column<u64>,
    /// The blocks, where some are left out.
    block: Option<Column<u64>>,
    without: &'a HashSet<u64>,
    /// The number that a document must have; none where all are admitted.
    only: Option<u64>,
}

impl<'a> VisibleDocuments<'a> {
    /// Opens the columns of a segment.
    pub(super) fn open(view: &'a View<'_>, segment: &SegmentReader, filter: VisibilityFilter) -> tantivy::Result<Self> {
        let only = match filter {
            VisibilityFilter::All => None,
            VisibilityFilter::Only(visibility) => Some(visibility_number(visibility)),
        };
        let columns = segment.fast_fields();
        let block = if view.without.is_empty() { None } else { Some(columns.u64("block")?) };
        Ok(Self { column: columns.u64("visibility")?, block, without: &view.without, only })
    }

    /// Whether a document is one of them.
    pub(super) fn has(&self, doc: DocId) -> bool {
        let block = self.block.as_ref().and_then(|blocks| blocks.first(doc));
        self.only.is_none_or(|only| self.column.first(doc) == Some(only))
            && block.is_none_or(|block| !self.without.contains(&block))
    }
}
