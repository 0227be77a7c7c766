//! Full-text search over whole entries, for lists: all words of an entry, those of its title with a higher weight.

use std::collections::HashSet;

use answer::search::{EntryHit, EntryHits, EntryQuery, TITLE_WEIGHT, VisibilityFilter};
use domain::models::Visibility;
use tantivy::fastfield::Column;
use tantivy::{DocId, SegmentReader};

use super::bm25::Bm25;
use super::postings::{Lengths, Postings};
use super::schema::{StoredEntry, visibility_number};
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
    tagged: Option<Postings>,
    weights: Vec<f64>,
    title_weights: Vec<f64>,
}

/// Finds one page of entries.
pub(super) fn entries(view: &View<'_>, query: &EntryQuery) -> ReadResult<EntryHits> {
    let Some(scope_state) = view.state.scope_state(&view.scope) else { return Ok(EntryHits::default()) };
    let postings = read_postings(view, query)?;
    let mut matches = Vec::new();
    for (ordinal, segment) in view.state.searcher.segment_readers().iter().enumerate() {
        matches.extend(matching(segment, ordinal, &postings, scope_state, query)?);
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
        tagged: query.tag.as_ref().map(|tag| read(view.fields.tags, std::slice::from_ref(tag))).transpose()?,
        title_weights: weights.iter().map(|times| times * TITLE_WEIGHT).collect(),
        weights,
    })
}

fn matching(
    segment: &SegmentReader,
    ordinal: usize,
    postings: &QueryPostings,
    scope_state: &ScopeState,
    query: &EntryQuery,
) -> tantivy::Result<Vec<Match>> {
    let columns = segment.fast_fields();
    let (block, visibility) = (columns.u64("block")?, columns.u64("visibility")?);
    let scores = score(segment, ordinal, postings, scope_state)?;
    let tagged: Option<HashSet<DocId>> = postings.tagged.as_ref().map(|tagged| tagged.documents(ordinal).collect());
    let admitted = |doc: DocId, block: u64| {
        tagged.as_ref().is_none_or(|tagged| tagged.contains(&doc))
            && is_visible(&visibility, doc, query.visibility)
            && query.path_prefix.as_ref().is_none_or(|prefix| begins_with(scope_state, block, prefix))
    };
    Ok((0..)
        .zip(scores)
        .filter(|(_, score)| *score > 0.0)
        .map(|(doc, score)| Match { score, block: block.first(doc).unwrap_or_default(), segment: ordinal, doc })
        .filter(|found| admitted(found.doc, found.block))
        .collect())
}

fn is_visible(column: &Column<u64>, doc: DocId, visibility: VisibilityFilter) -> bool {
    let is = |wanted: Visibility| column.first(doc) == Some(visibility_number(wanted));
    match visibility {
        VisibilityFilter::All => true,
        VisibilityFilter::Only(wanted) => is(wanted),
    }
}

fn begins_with(scope_state: &ScopeState, block: u64, prefix: &str) -> bool {
    scope_state.path(block).is_some_and(|path| path.starts_with(prefix))
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
