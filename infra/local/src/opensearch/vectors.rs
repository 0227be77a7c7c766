//! Vectors of a field in one flat list. The nearest passages are found by a scan of the tenant's, which needs no index
//! and misses none.

use domain::models::{Embedding, dot_product};

/// The vectors of one field of a shard, which all have the same dimensions.
#[derive(Debug)]
pub(super) struct Vectors {
    dimensions: usize,
    /// Row by row.
    components: Vec<i16>,
    /// The passage of each row.
    passages: Vec<u32>,
}

impl Vectors {
    /// An empty list.
    pub(super) const fn new(dimensions: usize) -> Self {
        Self { dimensions, components: Vec::new(), passages: Vec::new() }
    }

    /// Adds a passage's vector; ignores one of other dimensions.
    pub(super) fn add(&mut self, passage: u32, vector: &Embedding) {
        if vector.dimensions() == self.dimensions {
            self.components.extend_from_slice(vector.components());
            self.passages.push(passage);
        }
    }

    /// Each passage that is `seen`, with the product of its vector and `asked`.
    pub(super) fn products(&self, asked: &Embedding, seen: impl Fn(u32) -> bool) -> Vec<(u32, i32)> {
        if asked.dimensions() != self.dimensions {
            return Vec::new();
        }
        let rows = self.components.chunks_exact(self.dimensions).zip(&self.passages);
        rows.filter(|(_, passage)| seen(**passage))
            .map(|(row, passage)| (*passage, dot_product(asked.components(), row)))
            .collect()
    }

    /// Whether there is none.
    pub(super) const fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// The same of the passages that `renamed` keeps, under their new numbers.
    pub(super) fn renumbered(&self, renamed: impl Fn(u32) -> Option<u32>) -> Self {
        let mut kept = Self::new(self.dimensions);
        for (row, passage) in self.components.chunks_exact(self.dimensions).zip(&self.passages) {
            if let Some(passage) = renamed(*passage) {
                kept.components.extend_from_slice(row);
                kept.passages.push(passage);
            }
        }
        kept
    }
}
