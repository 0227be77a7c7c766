//! Full-text search over whole entries, for lists: all words of an entry, those of its title with a higher weight. And
//! the number of entries that a list without words shows.

use std::collections::HashSet;

use answer::search::{EntryFilter, EntryHit, EntryHits, EntryQuery, TITLE_WEIGHT, VisibilityFilter};
use domain::models::Visibility;
use tantivy::fastfield::Column;
use tantivy::{DocId, SegmentReader};

use super::bm25::Bm25;
use super::postings::{Lengths, Postings};
use super::schema::{KIND_ENTRY, StoredEntry, visibility_number};
use super::state::ScopeState;
use super::view::{ReadResult, View};

/// An entry that matches.
struct Match {
    score: f64,
    block: u64,
    segment: usize,
    doc: DocId,
}

/// The query's posting lists.
struct QueryPostings {
    all: Postings,
    titles: Postings,
    weights: Vec<f64>,
    title_weights: Vec<f64>,
}

/// Finds one page of entries.
pub(super) fn entries(view: &View<'_>, query: &EntryQuery) -> ReadResult<EntryHits> {
    let Some(scope_state) = view.state.scope_state(&view.scope) else { return Ok(EntryHits::default()) };
    let postings = read_postings(view, query)?;
    let admitted = Admitted { scope_state, tagged: read_tagged(view, &query.filter)?, filter: &query.filter };
    let mut matches = Vec::new();
    for (ordinal, segment) in view.state.searcher.segment_readers().iter().enumerate() {
        matches.extend(matching(segment, ordinal, &postings, &admitted)?);
    }
    matches.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.block.cmp(&b.block)));
    let page = matches.iter().skip(query.offset).take(query.limit);
    let items = page
        .map(|found| {
            let stored: StoredEntry = view.stored(found.segment, found.doc)?;
            Ok(EntryHit { entry: stored.entry, score: found.score })
        })
        .collect::<ReadResult<Vec<_>>>()?;
    Ok(EntryHits { items, total: super::counts::count(matches.len()) })
}

fn read_postings(view: &View<'_>, query: &EntryQuery) -> ReadResult<QueryPostings> {
    let read = |field, words: &[String]| Postings::read(&view.state.searcher, field, &view.scope, words);
    let weights = query.terms.weights.clone();
    Ok(QueryPostings {
        all: read(view.fields.all, &query.terms.distinct)?,
        titles: read(view.fields.title, &query.terms.distinct)?,
        title_weights: weights.iter().map(|times| times * TITLE_WEIGHT).collect(),
        weights,
    })
}

fn matching(
    segment: &SegmentReader,
    ordinal: usize,
    postings: &QueryPostings,
    admitted: &Admitted<'_>,
) -> tantivy::Result<Vec<Match>> {
    let block = segment.fast_fields().u64("block")?;
    let is_admitted = admitted.of_segment(segment, ordinal)?;
    let scores = score(segment, ordinal, postings, admitted.scope_state)?;
    Ok((0..)
        .zip(scores)
        .filter(|(doc, score)| *score > 0.0 && is_admitted(*doc))
        .map(|(doc, score)| Match { score, block: block.first(doc).unwrap_or_default(), segment: ordinal, doc })
        .collect())
}

/// Counts the entries that pass `filter`.
pub(super) fn count(view: &View<'_>, filter: &EntryFilter) -> ReadResult<u64> {
    let Some(scope_state) = view.state.scope_state(&view.scope) else { return Ok(0) };
    let admitted = Admitted { scope_state, tagged: read_tagged(view, filter)?, filter };
    let mut found = 0;
    for (ordinal, segment) in view.state.searcher.segment_readers().iter().enumerate() {
        let kind = segment.fast_fields().u64("kind")?;
        let is_admitted = admitted.of_segment(segment, ordinal)?;
        let is_counted = |doc: &DocId| kind.first(*doc) == Some(KIND_ENTRY) && is_admitted(*doc);
        found += segment.doc_ids_alive().filter(is_counted).count();
    }
    Ok(super::counts::count(found))
}

/// The documents that have the filter's tag; none where it has no tag.
fn read_tagged(view: &View<'_>, filter: &EntryFilter) -> ReadResult<Option<Postings>> {
    let read = |tag| Postings::read(&view.state.searcher, view.fields.tags, &view.scope, std::slice::from_ref(tag));
    Ok(filter.tag.as_ref().map(read).transpose()?)
}

/// What one tenant's filter lets through.
struct Admitted<'a> {
    scope_state: &'a ScopeState,
    tagged: Option<Postings>,
    filter: &'a EntryFilter,
}

impl Admitted<'_> {
    /// Tells of each document of a segment whether it is let through.
    fn of_segment(&self, segment: &SegmentReader, ordinal: usize) -> tantivy::Result<impl Fn(DocId) -> bool> {
        let columns = segment.fast_fields();
        let (block, visibility) = (columns.u64("block")?, columns.u64("visibility")?);
        let tagged: Option<HashSet<DocId>> = self.tagged.as_ref().map(|tagged| tagged.documents(ordinal).collect());
        Ok(move |doc| {
            let path = block.first(doc).and_then(|block| self.scope_state.path(block));
            let prefix = self.filter.path_prefix.as_deref().unwrap_or_default();
            path.is_some_and(|path| path.starts_with(prefix))
                && tagged.as_ref().is_none_or(|tagged| tagged.contains(&doc))
                && is_visible(&visibility, doc, self.filter.visibility)
        })
    }
}

fn is_visible(column: &Column<u64>, doc: DocId, visibility: VisibilityFilter) -> bool {
    let is = |wanted: Visibility| column.first(doc) == Some(visibility_number(wanted));
    match visibility {
        VisibilityFilter::All => true,
        VisibilityFilter::Only(wanted) => is(wanted),
    }
}

fn score(
    segment: &SegmentReader,
    ordinal: usize,
    postings: &QueryPostings,
    scope_state: &ScopeState,
) -> tantivy::Result<Vec<f64>> {
    let columns = segment.fast_fields();
    let (all, title) = (columns.u64("all_terms")?, columns.u64("length")?);
    let totals = &scope_state.totals;
    let mut scores = vec![0.0; segment.max_doc() as usize];
    let lengths = Lengths::of_column(&all);
    postings.all.score(ordinal, &mut scores, &lengths, Bm25::new(totals.all()), &postings.weights);
    let lengths = Lengths::of_column(&title);
    postings.titles.score(ordinal, &mut scores, &lengths, Bm25::new(totals.titles()), &postings.title_weights);
    Ok(scores)
}
