//! Full-text search over whole entries, for lists: all words of an entry, and those of its title again
//! ([`answer::search::SearchIndex::search`] has the formula). And the number of entries that a list without words
//! shows.

use std::collections::HashSet;

use answer::search::{BIGRAM_WEIGHT, Bm25, EntryFilter, EntryHit, EntryHits, EntryQuery, TITLE_WEIGHT};
use tantivy::{DocId, SegmentReader};

use super::counts::Counts;
use super::postings::{Lengths, Postings};
use super::schema::{KIND_ENTRY, StoredEntry};
use super::state::ScopeState;
use super::view::{ReadResult, View};
use super::visible::VisibleDocuments;

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
    /// Of the entries that the caller may see.
    totals: Counts,
}

/// Finds one page of entries.
pub(super) fn entries(view: &View<'_>, query: &EntryQuery) -> ReadResult<EntryHits> {
    let Some(scope_state) = view.state.scope_state(&view.scope) else { return Ok(EntryHits::default()) };
    let postings = read_postings(view, scope_state, query)?;
    let admitted = Admitted { view, scope_state, tagged: read_tagged(view, &query.filter)?, filter: &query.filter };
    let mut matches = Vec::new();
    for (ordinal, segment) in view.state.searcher.segment_readers().iter().enumerate() {
        matches.extend(matching(segment, ordinal, &postings, &admitted)?);
    }
    let path = |found: &Match| scope_state.path(found.block);
    matches.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| path(a).cmp(&path(b))));
    let page = matches.iter().skip(query.offset).take(query.limit);
    let items = page
        .map(|found| {
            let stored: StoredEntry = view.stored(found.segment, found.doc)?;
            Ok(EntryHit { entry: stored.entry, score: found.score })
        })
        .collect::<ReadResult<Vec<_>>>()?;
    Ok(EntryHits { items, total: super::counts::count(matches.len()) })
}

fn read_postings(view: &View<'_>, scope_state: &ScopeState, query: &EntryQuery) -> ReadResult<QueryPostings> {
    let visibility = query.filter.visibility;
    let read = |field, words: &[String]| Postings::read(view, field, words, visibility);
    let weights = query.terms.search_weights(BIGRAM_WEIGHT).0;
    Ok(QueryPostings {
        all: read(view.fields.all, &query.terms.distinct)?,
        titles: read(view.fields.title, &query.terms.distinct)?,
        title_weights: weights.iter().map(|times| times * TITLE_WEIGHT).collect(),
        weights,
        totals: scope_state.totals.within(visibility),
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
    let scores = score(segment, ordinal, postings)?;
    Ok((0..)
        .zip(scores)
        .filter(|(doc, score)| *score > 0.0 && is_admitted(*doc))
        .map(|(doc, score)| Match { score, block: block.first(doc).unwrap_or_default(), segment: ordinal, doc })
        .collect())
}

/// Counts the entries that pass `filter`.
pub(super) fn count(view: &View<'_>, filter: &EntryFilter) -> ReadResult<u64> {
    let Some(scope_state) = view.state.scope_state(&view.scope) else { return Ok(0) };
    let admitted = Admitted { view, scope_state, tagged: read_tagged(view, filter)?, filter };
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
    let read = |tag| Postings::read(view, view.fields.tags, std::slice::from_ref(tag), filter.visibility);
    Ok(filter.tag.as_ref().map(read).transpose()?)
}

/// The documents that one tenant's filter admits.
struct Admitted<'a> {
    view: &'a View<'a>,
    scope_state: &'a ScopeState,
    tagged: Option<Postings>,
    filter: &'a EntryFilter,
}

impl Admitted<'_> {
    /// Tells of each document of a segment whether it is let through.
    fn of_segment(&self, segment: &SegmentReader, ordinal: usize) -> tantivy::Result<impl Fn(DocId) -> bool> {
        let block = segment.fast_fields().u64("block")?;
        let visible = VisibleDocuments::open(self.view, segment, self.filter.visibility)?;
        let tagged: Option<HashSet<DocId>> = self.tagged.as_ref().map(|tagged| tagged.documents(ordinal).collect());
        Ok(move |doc| {
            let path = block.first(doc).and_then(|block| self.scope_state.path(block));
            let prefix = self.filter.path_prefix.as_deref().unwrap_or_default();
            path.is_some_and(|path| path.starts_with(prefix))
                && tagged.as_ref().is_none_or(|tagged| tagged.contains(&doc))
                && visible.has(doc)
        })
    }
}

fn score(segment: &SegmentReader, ordinal: usize, postings: &QueryPostings) -> tantivy::Result<Vec<f64>> {
    let title = segment.fast_fields().u64("length")?;
    let lengths = Lengths::of_column(&title);
    let of_titles = Bm25::new(postings.totals.titles());
    let mut scores = vec![0.0; segment.max_doc() as usize];
    postings.all.score(ordinal, &mut scores, &lengths, of_titles.without_length(), &postings.weights);
    postings.titles.score(ordinal, &mut scores, &lengths, of_titles, &postings.title_weights);
    Ok(scores)
}
