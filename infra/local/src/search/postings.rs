//! The posting lists of one query, read once: how many documents that its viewer may see contain each word, and where.

use answer::search::{Bm25, VisibilityFilter};
use tantivy::fastfield::Column;
use tantivy::postings::Postings as _;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet as _, SegmentReader, TERMINATED, Term};

use super::schema::scoped_term;
use super::view::View;
use super::visible::VisibleDocuments;

/// The documents of one segment with a word, and how often they have it; without deleted ones.
type TermDocuments = Vec<(DocId, u32)>;

/// The posting lists of a set of words in one field, over all segments.
#[derive(Debug)]
pub(super) struct Postings {
    /// By segment, then by word.
    segments: Vec<Vec<TermDocuments>>,
    /// The document frequency of each word.
    pub(super) df: Vec<u64>,
}

impl Postings {
    /// Reads the posting lists of `words` of one tenant and mode, as far as `visibility` admits.
    pub(super) fn read(
        view: &View<'_>,
        field: Field,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> tantivy::Result<Self> {
        let mut df = vec![0; words.len()];
        let mut segments = Vec::new();
        for segment in view.state.searcher.segment_readers() {
            let visible = VisibleDocuments::open(view, segment, visibility)?;
            let mut lists = Vec::with_capacity(words.len());
            for (word, df) in words.iter().zip(&mut df) {
                let found = read_term(segment, &scoped_term(field, &view.scope, word), &visible)?;
                *df += super::counts::count(found.len());
                lists.push(found);
            }
            segments.push(lists);
        }
        Ok(Self { segments, df })
    }

    /// Adds each word's score to its documents of a segment; `weights` are those of the words.
    pub(super) fn score(&self, segment: usize, scores: &mut [f64], lengths: &Lengths<'_>, bm25: Bm25, weights: &[f64]) {
        let lists = self.segments.get(segment).into_iter().flatten();
        for ((found, df), weight) in lists.zip(&self.df).zip(weights) {
            let weight = weight * bm25.idf(*df);
            for (doc, tf) in found {
                let Some(score) = scores.get_mut(*doc as usize) else { continue };
                *score += weight * Bm25::frequency(f64::from(*tf), bm25.norm(lengths.of(*doc)));
            }
        }
    }

    /// The documents of a segment with at least one of the words.
    pub(super) fn documents(&self, segment: usize) -> impl Iterator<Item = DocId> {
        self.segments.get(segment).into_iter().flatten().flatten().map(|(doc, _)| *doc)
    }
}

fn read_term(segment: &SegmentReader, term: &Term, visible: &VisibleDocuments<'_>) -> tantivy::Result<TermDocuments> {
    let index = segment.inverted_index(term.field())?;
    let Some(mut postings) = index.read_postings(term, IndexRecordOption::WithFreqs)? else {
        return Ok(TermDocuments::new());
    };
    let mut found = TermDocuments::with_capacity(postings.doc_freq() as usize);
    while postings.doc() != TERMINATED {
        if !segment.is_deleted(postings.doc()) && visible.has(postings.doc()) {
            found.push((postings.doc(), postings.term_freq()));
        }
        postings.advance();
    }
    Ok(found)
}

/// The length of each document in a field, read from a column.
#[derive(Debug)]
pub(super) struct Lengths<'a> {
    column: &'a Column<u64>,
    less: u64,
}

impl<'a> Lengths<'a> {
    /// The length in the column.
    pub(super) const fn of_column(column: &'a Column<u64>) -> Self {
        Self { column, less: 0 }
    }

    /// The length in bigrams, where the column counts words: one fewer.
    pub(super) const fn of_neighbours(column: &'a Column<u64>) -> Self {
        Self { column, less: 1 }
    }

    fn of(&self, doc: DocId) -> u64 {
        self.column.first(doc).unwrap_or_default().saturating_sub(self.less)
    }
}
