//! Similar words of a tenant for a misspelt word, by tantivy's Levenshtein automaton over the dictionary of passage
//! words.

use std::collections::HashSet;

use answer::search::{NearWords, VisibilityFilter};
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, SegmentReader, TERMINATED};
use text::{MAX_REPAIRS, max_edits};

use super::schema::scoped_term;
use super::view::{ReadResult, View};
use super::visible::VisibleDocuments;

/// For each word the similar ones that a visible entry has.
pub(super) fn similar_words(
    view: &View<'_>,
    words: &[String],
    visibility: VisibilityFilter,
) -> ReadResult<Vec<NearWords>> {
    let near = words.iter().take(MAX_REPAIRS).map(|word| similar_word(view, word, visibility));
    let mut near = near.collect::<tantivy::Result<Vec<_>>>()?;
    near.resize(words.len(), NearWords::new());
    Ok(near)
}

fn similar_word(view: &View<'_>, word: &str, visibility: VisibilityFilter) -> tantivy::Result<NearWords> {
    let mut known = NearWords::new();
    let Some(first) = word.chars().next() else { return Ok(known) };
    let scope = scoped_term(view.fields.words, &view.scope, "");
    let begin = scoped_term(view.fields.words, &view.scope, first.encode_utf8(&mut [0; 4]));
    let (scope, begin) = (scope.serialized_value_bytes(), begin.serialized_value_bytes());
    // Built once for all segments: building it costs more than the search of a small segment.
    let term = scoped_term(view.fields.words, &view.scope, word);
    let automaton = FuzzyTermQuery::new(term, max_edits(word), true).automaton()?;
    for segment in view.state.searcher.segment_readers() {
        let index = segment.inverted_index(view.fields.words)?;
        let mut near = index.terms().search(&automaton).ge(begin).into_stream()?;
        while let Some((key, info)) = near.next() {
            if !key.starts_with(begin) {
                break;
            }
            let Some(found) = key.get(scope.len()..).and_then(|word| std::str::from_utf8(word).ok()) else { continue };
            let mut postings = index.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            // How many visible entries have it.
            let entries = visible_entries(view, segment, &mut postings, visibility)?;
            if entries > 0 {
                *known.entry(found.to_owned()).or_default() += entries;
            }
        }
    }
    Ok(known)
}

fn visible_entries(
    view: &View<'_>,
    segment: &SegmentReader,
    postings: &mut impl DocSet,
    visibility: VisibilityFilter,
) -> tantivy::Result<u64> {
    let (block, visible) = (segment.fast_fields().u64("block")?, VisibleDocuments::open(view, segment, visibility)?);
    let mut blocks = HashSet::new();
    while postings.doc() != TERMINATED {
        let doc = postings.doc();
        if visible.has(doc) && !segment.is_deleted(doc) {
            blocks.extend(block.first(doc));
        }
        postings.advance();
    }
    Ok(super::counts::count(blocks.len()))
}
