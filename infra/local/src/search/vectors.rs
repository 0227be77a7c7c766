//! Vectors in memory, in one flat list for each space and number of dimensions. The nearest passages are found by a
//! scan of the tenant's, which needs no index and misses none.

use std::collections::HashMap;

use answer::search::PassageVectors;
use domain::models::{Embedding, EmbeddingSpace, QueryVector, cosine_of_product, dot_product};

/// The minimum number of rows of removed entries before a table is compacted.
const COMPACTION_THRESHOLD: usize = 1_024;

/// The vectors of one entry's passages, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BlockVectors {
    space: EmbeddingSpace,
    /// Zero when no passage has a vector.
    dimensions: usize,
    /// The visibility of the entry, as in its column.
    visibility: u64,
    /// Row by row; zeros for a passage without a vector.
    components: Vec<i16>,
}

impl BlockVectors {
    /// The vectors of an entry with so many `passages`; none when their number or dimensions differ.
    pub(super) fn of(vectors: &PassageVectors, passages: usize, visibility: u64) -> Option<Self> {
        let dimensions = vectors.embeddings.iter().flatten().next().map_or(0, Embedding::dimensions);
        let fit = |embedding: &Embedding| embedding.dimensions() == dimensions;
        if vectors.embeddings.len() != passages || !vectors.embeddings.iter().flatten().all(fit) {
            return None;
        }
        let none = vec![0; dimensions];
        let row = |embedding: &Option<Embedding>| match embedding {
            Some(embedding) => embedding.components().to_vec(),
            None => none.clone(),
        };
        let components = vectors.embeddings.iter().flat_map(row).collect();
        Some(Self { space: vectors.space.clone(), dimensions, visibility, components })
    }

    pub(super) const fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The name of the space, then the components in little-endian order.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.space.as_str().as_bytes().to_vec();
        bytes.extend(self.components.iter().flat_map(|component| component.to_le_bytes()));
        bytes
    }

    /// Reads the result of [`BlockVectors::to_bytes`].
    pub(super) fn from_bytes(bytes: &[u8], dimensions: usize, visibility: u64) -> Option<Self> {
        let (space, components) = bytes.split_at_checked(EmbeddingSpace::LENGTH)?;
        let space = EmbeddingSpace::parse(std::str::from_utf8(space).ok()?)?;
        let (pairs, rest) = components.as_chunks::<2>();
        if !rest.is_empty() || pairs.len().checked_rem(dimensions).unwrap_or(pairs.len()) != 0 {
            return None;
        }
        let components = pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect();
        Some(Self { space, dimensions, visibility, components })
    }
}

/// One tenant's vectors.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    tables: HashMap<(EmbeddingSpace, usize), Table>,
    /// The table of each block.
    table_keys: HashMap<u64, (EmbeddingSpace, usize)>,
}

/// An entry near a question by vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NearBlock {
    pub(super) block: u64,
    /// The index of its nearest passage.
    pub(super) passage: usize,
    product: i32,
}

impl Vectors {
    /// Adds a block's vectors.
    pub(super) fn insert(&mut self, block: u64, vectors: BlockVectors) {
        let table_key = (vectors.space, vectors.dimensions);
        if table_key.1 > 0 {
            let table = self.tables.entry(table_key.clone()).or_insert_with(|| Table::new(table_key.1));
            table.insert(block, vectors.visibility, &vectors.components);
        }
        self.table_keys.insert(block, table_key);
    }

    /// Removes a block's vectors.
    pub(super) fn remove(&mut self, block: u64) {
        let Some(table_key) = self.table_keys.remove(&block) else { return };
        let Some(table) = self.tables.get_mut(&table_key) else { return };
        table.remove(block);
        if table.span_indexes.is_empty() {
            self.tables.remove(&table_key);
        }
    }

    /// Whether a block was embedded in this space.
    pub(super) fn has(&self, block: u64, space: &EmbeddingSpace) -> bool {
        self.table_keys.get(&block).is_some_and(|(table_key, _)| table_key == space)
    }

    /// The entries nearest to `query` whose block and visibility `sees` admits, nearest first, at most `limit`.
    pub(super) fn nearest(&self, query: &QueryVector, limit: usize, sees: impl Fn(u64, u64) -> bool) -> Vec<NearBlock> {
        self.table(query).map_or_else(Vec::new, |table| table.nearest(query.embedding.components(), limit, sees))
    }

    /// The cosine of `query` and a block's passage; none when they cannot be compared.
    pub(super) fn cosine(&self, query: &QueryVector, block: u64, passage: usize) -> Option<f64> {
        let row = self.table(query)?.row(block, passage).filter(|row| is_vector(row))?;
        Some(cosine_of_product(dot_product(query.embedding.components(), row)))
    }

    /// The index of a block's passage that is nearest to `query`.
    pub(super) fn nearest_passage(&self, query: &QueryVector, block: u64) -> Option<usize> {
        let table = self.table(query)?;
        let span = table.spans.get(*table.span_indexes.get(&block)?)?;
        table.best(span, query.embedding.components()).map(|near| near.passage)
    }

    fn table(&self, query: &QueryVector) -> Option<&Table> {
        self.tables.get(&(query.space.clone(), query.embedding.dimensions()))
    }
}

/// The rows of a block.
#[derive(Debug)]
struct Span {
    block: u64,
    visibility: u64,
    first: usize,
    passages: usize,
    live: bool,
}

/// Vectors of one space and number of dimensions.
#[derive(Debug)]
struct Table {
    dimensions: usize,
    /// Row by row.
    components: Vec<i16>,
    /// In the order of their rows, without gaps.
    spans: Vec<Span>,
    /// The index of each live block in `spans`.
    span_indexes: HashMap<u64, usize>,
    removed_rows: usize,
}

impl Table {
    fn new(dimensions: usize) -> Self {
        Self { dimensions, components: Vec::new(), spans: Vec::new(), span_indexes: HashMap::new(), removed_rows: 0 }
    }

    fn insert(&mut self, block: u64, visibility: u64, components: &[i16]) {
        let first = self.components.len() / self.dimensions;
        let passages = components.len() / self.dimensions;
        self.components.extend_from_slice(components);
        self.span_indexes.insert(block, self.spans.len());
        self.spans.push(Span { block, visibility, first, passages, live: true });
    }

    fn remove(&mut self, block: u64) {
        let Some(span) = self.span_indexes.remove(&block).and_then(|place| self.spans.get_mut(place)) else { return };
        span.live = false;
        self.removed_rows += span.passages;
        if self.removed_rows > COMPACTION_THRESHOLD && self.removed_rows * 4 > self.components.len() / self.dimensions {
            self.compact();
        }
    }

    fn compact(&mut self) {
        let mut compacted = Self::new(self.dimensions);
        for span in self.spans.iter().filter(|span| span.live) {
            compacted.insert(span.block, span.visibility, self.rows(span));
        }
        *self = compacted;
    }

    fn rows(&self, span: &Span) -> &[i16] {
        let from = span.first * self.dimensions;
        self.components.get(from..from + span.passages * self.dimensions).unwrap_or_default()
    }

    fn row(&self, block: u64, passage: usize) -> Option<&[i16]> {
        let span = self.spans.get(*self.span_indexes.get(&block)?)?;
        self.rows(span).chunks_exact(self.dimensions).nth(passage)
    }

    fn best(&self, span: &Span, query: &[i16]) -> Option<NearBlock> {
        let rows = self.rows(span).chunks_exact(self.dimensions).enumerate().filter(|(_, row)| is_vector(row));
        let products = rows.map(|(passage, row)| (dot_product(query, row), passage));
        // The first of equally near passages.
        let best = products.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(product, passage)| NearBlock { block: span.block, passage, product })
    }

    fn nearest(&self, query: &[i16], limit: usize, sees: impl Fn(u64, u64) -> bool) -> Vec<NearBlock> {
        let seen = self.spans.iter().filter(|span| span.live && sees(span.block, span.visibility));
        let mut near: Vec<NearBlock> = seen.filter_map(|span| self.best(span, query)).collect();
        let order = |a: &NearBlock, b: &NearBlock| b.product.cmp(&a.product).then(a.block.cmp(&b.block));
        if near.len() > limit {
            near.select_nth_unstable_by(limit, order);
            near.truncate(limit);
        }
        near.sort_by(order);
        near
    }
}

/// Whether a row is a vector: a vector has length 1; zeros mean that the passage has none.
fn is_vector(row: &[i16]) -> bool {
    row.iter().any(|component| *component != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(name: &str) -> EmbeddingSpace {
        EmbeddingSpace::of(name, 2, "")
    }

    fn block(name: &str, visibility: u64, vectors: &[&[f32]]) -> BlockVectors {
        let embeddings = vectors.iter().map(|vector| Some(Embedding::of(vector).unwrap())).collect();
        BlockVectors::of(&PassageVectors { space: space(name), embeddings }, vectors.len(), visibility).unwrap()
    }

    fn query(name: &str, vector: &[f32]) -> QueryVector {
        QueryVector { space: space(name), embedding: Embedding::of(vector).unwrap() }
    }

    #[test]
    fn the_nearest_entries_are_found_by_their_nearest_passage() {
        let mut vectors = Vectors::default();
        vectors.insert(1, block("m", 1, &[&[1.0, 0.0], &[0.0, 1.0]]));
        vectors.insert(2, block("m", 2, &[&[0.6, 0.8]]));
        vectors.insert(3, block("m", 1, &[&[-1.0, 0.0]]));
        let near = vectors.nearest(&query("m", &[0.0, 2.0]), 2, |_, _| true);
        let found: Vec<_> = near.iter().map(|near| (near.block, near.passage)).collect();
        assert_eq!(found, [(1, 1), (2, 0)]);
        let public = vectors.nearest(&query("m", &[0.0, 2.0]), 2, |_, visibility| visibility == 2);
        assert_eq!(public.iter().map(|near| near.block).collect::<Vec<_>>(), [2]);
        let cosine = vectors.cosine(&query("m", &[0.0, 1.0]), 2, 0).unwrap();
        assert!((cosine - 0.8).abs() < 1e-3, "{cosine}");
    }

    #[test]
    fn vectors_of_other_spaces_or_dimensions_are_not_compared() {
        let mut vectors = Vectors::default();
        vectors.insert(1, block("m", 1, &[&[1.0, 0.0]]));
        vectors.insert(2, block("n", 1, &[&[1.0, 0.0]]));
        vectors.insert(3, block("m", 1, &[&[1.0, 0.0, 0.0]]));
        let near = vectors.nearest(&query("m", &[1.0, 0.0]), 10, |_, _| true);
        assert_eq!(near.iter().map(|near| near.block).collect::<Vec<_>>(), [1]);
        assert_eq!(vectors.cosine(&query("m", &[1.0, 0.0]), 2, 0), None);
        assert!(vectors.has(1, &space("m")) && !vectors.has(2, &space("m")));
    }

    #[test]
    fn a_passage_without_a_vector_is_near_nothing() {
        let mut vectors = Vectors::default();
        let of = |embeddings: Vec<Option<Embedding>>| {
            let (space, passages) = (space("m"), embeddings.len());
            BlockVectors::of(&PassageVectors { space, embeddings }, passages, 1).unwrap()
        };
        let half = of(vec![None, Embedding::of(&[-1.0, 0.0])]);
        assert_eq!(BlockVectors::from_bytes(&half.to_bytes(), 2, 1), Some(half.clone()));
        let none = of(vec![None, None]);
        assert_eq!(BlockVectors::from_bytes(&none.to_bytes(), 0, 1), Some(none.clone()));
        vectors.insert(1, half);
        vectors.insert(2, none);
        assert!(vectors.has(1, &space("m")) && vectors.has(2, &space("m")));
        let question = query("m", &[1.0, 0.0]);
        let near = vectors.nearest(&question, 10, |_, _| true);
        assert_eq!(near.iter().map(|near| (near.block, near.passage)).collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!((vectors.cosine(&question, 1, 0), vectors.nearest_passage(&question, 2)), (None, None));
        vectors.remove(2);
        assert!(!vectors.has(2, &space("m")));
    }

    #[test]
    fn a_removed_block_is_found_no_more_however_often_entries_are_replaced() {
        let mut vectors = Vectors::default();
        for number in 0..5_000_u64 {
            vectors.insert(number, block("m", 1, &[&[1.0, 0.0]]));
            if number >= 10 {
                vectors.remove(number - 10);
            }
        }
        let near = vectors.nearest(&query("m", &[1.0, 0.0]), 100, |_, _| true);
        assert_eq!(near.iter().map(|near| near.block).collect::<Vec<_>>(), (4_990..5_000).collect::<Vec<_>>());
        assert!(vectors.tables.values().all(|table| table.components.len() < 2 * 3_000));
    }

    #[test]
    fn a_block_is_read_back_from_its_bytes() {
        let stored = block("m", 2, &[&[1.0, 0.0], &[0.6, 0.8]]);
        assert_eq!(BlockVectors::from_bytes(&stored.to_bytes(), 2, 2), Some(stored.clone()));
        for (bytes, dimensions) in [(&b"short"[..], 2), (&stored.to_bytes()[..], 0), (&stored.to_bytes()[..], 3)] {
            assert_eq!(BlockVectors::from_bytes(bytes, dimensions, 2), None);
        }
    }
}
