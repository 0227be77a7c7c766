//! The index's state in memory: every path's version and every tenant's totals, with the searcher for exactly these
//! entries. Read when the index is opened, updated at each commit.

use std::collections::{HashMap, HashSet};

use domain::models::{EmbeddingSpace, Visibility, WikiPath};
use tantivy::schema::IndexRecordOption;
use tantivy::schema::Value as _;
use tantivy::store::StoreReader;
use tantivy::{DocSet as _, Searcher, SegmentReader, TERMINATED, TantivyDocument};

use super::counts::{Counts, Totals};
use super::schema::{Fields, KIND_PASSAGE, KIND_TOMBSTONE, visibility_of_number};
use super::vectors::{BlockVectors, Vectors};

/// The cache of stored blocks while an index is loaded.
const STORE_BLOCKS: usize = 64;

/// The indexed state of a path: an entry or a tombstone.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexedEntryState {
    /// The unique number of its block.
    pub(super) block: u64,
    /// The version of the entry.
    pub(super) version: u64,
    /// Who may read it; none for a tombstone.
    pub(super) visibility: Option<Visibility>,
    /// The counts that it adds to the totals; zero for a tombstone.
    pub(super) counts: Counts,
    /// When it was deleted, in milliseconds since 1970 UTC; for tombstones.
    pub(super) deleted_at: Option<i64>,
}

/// The entries of one tenant and mode.
#[derive(Debug, Default)]
pub(super) struct ScopeState {
    known: HashMap<String, IndexedEntryState>,
    paths: HashMap<u64, String>,
    /// The sums over all entries.
    pub(super) totals: Totals,
    /// The vectors of their passages.
    pub(super) vectors: Vectors,
}

/// A committed block, with its in-memory parts.
#[derive(Debug)]
pub(super) struct Published {
    /// The new state of the path.
    pub(super) known: IndexedEntryState,
    /// The vectors of its passages, if it has any.
    pub(super) vectors: Option<BlockVectors>,
}

impl ScopeState {
    /// The path of a block.
    pub(super) fn path(&self, block: u64) -> Option<&str> {
        self.paths.get(&block).map(String::as_str)
    }

    /// The sums over all entries but those of some blocks.
    pub(super) fn totals_without(&self, blocks: &HashSet<u64>) -> Totals {
        let mut totals = self.totals;
        for known in blocks.iter().filter_map(|block| self.known.get(self.paths.get(block)?)) {
            known.visibility.into_iter().for_each(|visibility| totals.subtract(visibility, known.counts));
        }
        totals
    }

    fn remove(&mut self, path: &str) {
        if let Some(old) = self.known.remove(path) {
            self.forget(&old);
        }
    }

    fn forget(&mut self, old: &IndexedEntryState) {
        self.paths.remove(&old.block);
        self.vectors.remove(old.block);
        if let Some(visibility) = old.visibility {
            self.totals.subtract(visibility, old.counts);
        }
    }

    fn set(&mut self, path: &str, Published { known, vectors }: Published) {
        if let Some(old) = self.known.insert(path.to_owned(), known) {
            self.forget(&old);
        }
        if let Some(vectors) = vectors {
            self.vectors.insert(known.block, vectors);
        }
        self.paths.insert(known.block, path.to_owned());
        if let Some(visibility) = known.visibility {
            self.totals.add(visibility, known.counts);
        }
    }
}

/// Everything that is searchable.
#[derive(Debug)]
pub(super) struct State {
    /// The searcher over exactly these entries.
    pub(super) searcher: Searcher,
    scopes: HashMap<String, ScopeState>,
    next_block: u64,
}

impl State {
    /// Loads versions and counts from an index.
    pub(super) fn load(searcher: Searcher, fields: &Fields) -> tantivy::Result<Self> {
        let mut state = Self { searcher: searcher.clone(), scopes: HashMap::new(), next_block: 1 };
        for segment in searcher.segment_readers() {
            state.load_segment(segment, fields)?;
        }
        Ok(state)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.scopes.is_empty()
    }

    fn load_segment(&mut self, segment: &SegmentReader, fields: &Fields) -> tantivy::Result<()> {
        let columns = EntryColumns::open(segment)?;
        let stored = segment.get_store_reader(STORE_BLOCKS)?;
        let keys = segment.inverted_index(fields.key)?;
        let mut terms = keys.terms().stream()?;
        while let Some((key, info)) = terms.next() {
            let key = String::from_utf8_lossy(key).into_owned();
            let Some((scope, path)) = key.rsplit_once('#') else { continue };
            let mut postings = keys.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while postings.doc() != TERMINATED {
                if !segment.is_deleted(postings.doc()) {
                    if let Some(known) = columns.known(postings.doc()) {
                        let vectors = columns.vectors(postings.doc(), fields, &stored)?;
                        self.next_block = self.next_block.max(known.block + 1);
                        self.set(scope, path, Published { known, vectors });
                    }
                    break;
                }
                postings.advance();
            }
        }
        Ok(())
    }

    /// The state of one tenant and mode; none if it never had an entry.
    pub(super) fn scope_state(&self, scope: &str) -> Option<&ScopeState> {
        self.scopes.get(scope)
    }

    /// The indexed version of an entry or of its deletion.
    pub(super) fn version(&self, scope: &str, path: &str) -> Option<u64> {
        Some(self.scopes.get(scope)?.known.get(path)?.version)
    }

    /// The blocks of some paths.
    pub(super) fn blocks(&self, scope: &str, paths: &[WikiPath]) -> HashSet<u64> {
        let known = self.scopes.get(scope).map(|scope_state| &scope_state.known);
        paths.iter().filter_map(|path| Some(known?.get(path.as_str())?.block)).collect()
    }

    /// The tombstones older than `before`, in milliseconds since 1970 UTC: scope and path.
    pub(super) fn deleted_before(&self, before: i64) -> Vec<(String, String)> {
        let old = |known: &IndexedEntryState| known.deleted_at.is_some_and(|at| at < before);
        let of_scope = |(scope, scope_state): (&String, &ScopeState)| {
            let paths = scope_state.known.iter().filter(|(_, known)| old(known));
            paths.map(|(path, _)| (scope.clone(), path.clone())).collect::<Vec<_>>()
        };
        self.scopes.iter().flat_map(of_scope).collect()
    }

    /// Applies a commit that removed tombstones.
    pub(super) fn remove(&mut self, searcher: Searcher, removed: &[(String, String)]) {
        self.searcher = searcher;
        for (scope, path) in removed {
            if let Some(scope_state) = self.scopes.get_mut(scope) {
                scope_state.remove(path);
            }
        }
    }

    /// A number greater than those of all loaded blocks.
    pub(super) const fn next_block(&self) -> u64 {
        self.next_block
    }

    /// Applies a commit that wrote blocks.
    pub(super) fn publish(
        &mut self,
        searcher: Searcher,
        written: impl IntoIterator<Item = ((String, String), Published)>,
    ) {
        self.searcher = searcher;
        for ((scope, path), published) in written {
            self.set(&scope, &path, published);
        }
    }

    fn set(&mut self, scope: &str, path: &str, published: Published) {
        self.scopes.entry(scope.to_owned()).or_default().set(path, published);
    }

    /// The entries without vectors of a space, each as [`answer::search::EntryAddress::text`], in no order.
    pub(super) fn without_vectors(&self, space: &EmbeddingSpace) -> impl Iterator<Item = String> {
        self.scopes.iter().flat_map(move |(scope, scope_state)| {
            let lacking =
                |known: &IndexedEntryState| known.counts.entries > 0 && !scope_state.vectors.has(known.block, space);
            let paths = scope_state.known.iter().filter(move |(_, known)| lacking(known));
            paths.map(move |(path, _)| format!("{scope}#{path}"))
        })
    }
}

/// The columns of an entry's first document.
struct EntryColumns {
    kind: tantivy::fastfield::Column<u64>,
    block: tantivy::fastfield::Column<u64>,
    version: tantivy::fastfield::Column<u64>,
    deleted_at: tantivy::fastfield::Column<i64>,
    visibility: tantivy::fastfield::Column<u64>,
    dimensions: tantivy::fastfield::Column<u64>,
    length: tantivy::fastfield::Column<u64>,
    passages: tantivy::fastfield::Column<u64>,
    words: tantivy::fastfield::Column<u64>,
    bigrams: tantivy::fastfield::Column<u64>,
}

impl EntryColumns {
    fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = segment.fast_fields();
        Ok(Self {
            kind: columns.u64("kind")?,
            block: columns.u64("block")?,
            version: columns.u64("version")?,
            deleted_at: columns.i64("deleted_at")?,
            visibility: columns.u64("visibility")?,
            dimensions: columns.u64("dimensions")?,
            length: columns.u64("length")?,
            passages: columns.u64("passage_count")?,
            words: columns.u64("word_count")?,
            bigrams: columns.u64("bigram_count")?,
        })
    }

    /// The stored vectors of an entry; none when it has none, or they cannot be read.
    fn vectors(&self, doc: u32, fields: &Fields, stored: &StoreReader) -> tantivy::Result<Option<BlockVectors>> {
        let (Some(dimensions), Some(visibility)) = (self.dimensions.first(doc), self.visibility.first(doc)) else {
            return Ok(None);
        };
        let document: TantivyDocument = stored.get(doc)?;
        let bytes = document.get_first(fields.vectors).and_then(|value| value.as_bytes());
        let dimensions = usize::try_from(dimensions).unwrap_or(0);
        Ok(bytes.and_then(|bytes| BlockVectors::from_bytes(bytes, dimensions, visibility)))
    }

    /// The state in the columns; none for a document that is not the first of its block.
    fn known(&self, doc: u32) -> Option<IndexedEntryState> {
        let kind = self.kind.first(doc)?;
        if kind == KIND_PASSAGE {
            return None;
        }
        let counts = Counts {
            entries: u64::from(kind != KIND_TOMBSTONE),
            title_terms: self.length.first(doc)?,
            passages: self.passages.first(doc)?,
            words: self.words.first(doc)?,
            bigrams: self.bigrams.first(doc)?,
        };
        Some(IndexedEntryState {
            block: self.block.first(doc)?,
            version: self.version.first(doc)?,
            visibility: visibility_of_number(self.visibility.first(doc)?),
            counts,
            deleted_at: self.deleted_at.first(doc),
        })
    }
}
