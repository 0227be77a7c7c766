//! The candidates for a question: every passage with one of its words is scored by the ranking's formula, so the best
//! ten entries are exact. The ten nearest by their vectors are added.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use answer::search::{
    BIGRAM_WEIGHT, Bm25, CANDIDATES, Candidate, CorpusStats, PASSAGES_EACH, Retrieval, TITLE_WEIGHT, VisibilityFilter,
};
use domain::models::QueryVector;
use tantivy::fastfield::Column;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet as _, SegmentReader, TERMINATED, Term};
use text::{Passage, QueryTerms};

use super::postings::{Lengths, Postings};
use super::schema::{KIND_ENTRY, KIND_PASSAGE, StoredEntry, StoredPassage, visibility_number};
use super::state::ScopeState;
use super::view::{ReadError, ReadResult, View, ordinal};

/// The posting lists of a question in the three scored fields.
struct QueryPostings {
    words: Postings,
    bigrams: Postings,
    titles: Postings,
    word_weights: Vec<f64>,
    bigram_weights: Vec<f64>,
    stats: CorpusStats,
}

/// An entry with at least one word of the question.
#[derive(Debug, Clone, PartialEq)]
struct ScoredEntry {
    score: f64,
    block: u64,
    segment: usize,
    /// The best passages, best first.
    passages: Vec<(f64, DocId)>,
    /// Any document of its block.
    seen: DocId,
}

/// Finds the candidates of `query` and its corpus counts.
pub(super) fn retrieve(
    view: &View<'_>,
    query: &QueryTerms,
    vector: Option<&QueryVector>,
    visibility: VisibilityFilter,
) -> ReadResult<Retrieval> {
    let Some(scope_state) = view.state.scope_state(&view.scope) else { return Ok(Retrieval::default()) };
    let postings = read_postings(view, scope_state, query, visibility)?;
    let by_vector = nearest_by_vector(view, scope_state, vector, visibility);
    let wanted = by_vector.iter().copied().collect();
    let mut found = TopEntries { limit: view.candidates, wanted, ..TopEntries::default() };
    for (ordinal, segment) in view.state.searcher.segment_readers().iter().enumerate() {
        add_top_entries(&mut found, segment, ordinal, &postings)?;
    }
    let by_words = found.entries.len();
    let near = found.merge_by_vector(view, scope_state, &by_vector)?;
    let candidates =
        near.iter().map(|near| read_candidate(view, scope_state, near, vector)).collect::<ReadResult<_>>()?;
    Ok(Retrieval { stats: postings.stats, candidates, by_words, ..Retrieval::default() })
}

/// The blocks nearest to the question by vector; empty without a vector.
fn nearest_by_vector(
    view: &View<'_>,
    scope_state: &ScopeState,
    vector: Option<&QueryVector>,
    visibility: VisibilityFilter,
) -> Vec<u64> {
    let admits = |number| match visibility {
        VisibilityFilter::All => true,
        VisibilityFilter::Only(wanted) => number == visibility_number(wanted),
    };
    let sees = |block, number| admits(number) && !view.without.contains(&block);
    let nearest = vector.map(|vector| scope_state.vectors.nearest(vector, CANDIDATES, sees));
    nearest.into_iter().flatten().map(|near| near.block).collect()
}

fn read_postings(
    view: &View<'_>,
    scope_state: &ScopeState,
    query: &QueryTerms,
    visibility: VisibilityFilter,
) -> ReadResult<QueryPostings> {
    let read = |field, words| Postings::read(view, field, words, visibility);
    let totals = scope_state.totals_without(&view.without).within(visibility);
    let words = read(view.fields.words, &query.distinct)?;
    let bigrams = read(view.fields.bigrams, &query.bigrams)?;
    let titles = read(view.fields.title, &query.distinct)?;
    let stats = CorpusStats {
        words: totals.words(),
        bigrams: totals.bigrams(),
        titles: totals.titles(),
        word_df: words.df.clone(),
        bigram_df: bigrams.df.clone(),
        title_df: titles.df.clone(),
    };
    let (word_weights, bigram_weights) = query.search_weights(BIGRAM_WEIGHT);
    Ok(QueryPostings { words, bigrams, titles, word_weights, bigram_weights, stats })
}

/// The columns that scoring reads.
struct Scored {
    kind: Column<u64>,
    block: Column<u64>,
    scores: Vec<f64>,
}

/// Adds the best entries of one segment.
fn add_top_entries(
    top: &mut TopEntries,
    segment: &SegmentReader,
    ordinal: usize,
    postings: &QueryPostings,
) -> tantivy::Result<()> {
    let scored = score(segment, ordinal, postings)?;
    let mut current: Option<ScoredEntry> = None;
    // The documents of a block are adjacent, the entry's own first: one pass sees each entry as a whole.
    for (doc, score) in (0..).zip(&scored.scores) {
        if *score <= 0.0 {
            continue;
        }
        let block = scored.block.first(doc).unwrap_or_default();
        if current.as_ref().is_none_or(|near| near.block != block) {
            top.add(current.take());
            current = Some(ScoredEntry { score: 0.0, block, segment: ordinal, passages: Vec::new(), seen: doc });
        }
        let Some(entry) = &mut current else { continue };
        if scored.kind.first(doc) == Some(KIND_ENTRY) {
            entry.score += *score;
        } else {
            entry.passages.push((*score, doc));
        }
    }
    top.add(current);
    top.keep_best();
    Ok(())
}

/// Scores passages by words and bigrams, and entries by their titles.
fn score(segment: &SegmentReader, ordinal: usize, postings: &QueryPostings) -> tantivy::Result<Scored> {
    let columns = segment.fast_fields();
    let length = columns.u64("length")?;
    let mut scores = vec![0.0; segment.max_doc() as usize];
    let stats = &postings.stats;
    let (plain, one_fewer) = (Lengths::of_column(&length), Lengths::of_neighbours(&length));
    postings.words.score(ordinal, &mut scores, &plain, Bm25::new(stats.words), &postings.word_weights);
    postings.bigrams.score(ordinal, &mut scores, &one_fewer, Bm25::new(stats.bigrams), &postings.bigram_weights);
    let title_weights: Vec<f64> = postings.word_weights.iter().map(|times| times * TITLE_WEIGHT).collect();
    postings.titles.score(ordinal, &mut scores, &plain, Bm25::new(stats.titles), &title_weights);
    Ok(Scored { kind: columns.u64("kind")?, block: columns.u64("block")?, scores })
}

/// Reads a candidate with its best passages and the one nearest by vector.
fn read_candidate(
    view: &View<'_>,
    scope_state: &ScopeState,
    near: &ScoredEntry,
    vector: Option<&QueryVector>,
) -> ReadResult<Candidate> {
    let first = first_of_block(view, near)?;
    let stored: StoredEntry = view.stored(near.segment, first)?;
    let entry = stored.entry;
    let nearest = vector.and_then(|vector| scope_state.vectors.nearest_passage(vector, near.block));
    let nearest = nearest.and_then(|passage| DocId::try_from(passage).ok()).map(|passage| first + 1 + passage);
    let mut docs: Vec<DocId> = near.passages.iter().map(|(_, doc)| *doc).collect();
    docs.extend(nearest.filter(|doc| !near.passages.iter().any(|(_, chosen)| chosen == doc)));
    let cosine = |doc: &DocId| {
        let passage = usize::try_from(doc.checked_sub(first + 1)?).ok()?;
        scope_state.vectors.cosine(vector?, near.block, passage)
    };
    let passage = |doc| view.stored(near.segment, doc).map(|p: StoredPassage| Passage { text: p.text, terms: p.terms });
    Ok(Candidate {
        cosines: docs.iter().map(cosine).collect(),
        path: entry.path,
        version: entry.version,
        title: entry.title,
        content: entry.content,
        visibility: entry.visibility,
        title_terms: stored.title_terms,
        passages: docs.into_iter().map(passage).collect::<ReadResult<_>>()?,
    })
}

/// The entry's own document comes before its passages.
fn first_of_block(view: &View<'_>, near: &ScoredEntry) -> tantivy::Result<DocId> {
    let segment = view.state.searcher.segment_reader(ordinal(near.segment));
    let kind = segment.fast_fields().u64("kind")?;
    let mut doc = near.seen;
    while doc > 0 && kind.first(doc) == Some(KIND_PASSAGE) {
        doc -= 1;
    }
    Ok(doc)
}

/// The best entries so far.
#[derive(Debug, Default)]
struct TopEntries {
    limit: usize,
    entries: Vec<ScoredEntry>,
    /// The minimum score to be among the best.
    floor: f64,
    /// Blocks that are kept whatever their score.
    wanted: HashSet<u64>,
    /// Those of them with a word of the question that are not among the best.
    others: HashMap<u64, ScoredEntry>,
}

impl TopEntries {
    /// Adds a complete entry: its best passage counts. Without one only the title matched, and every passage has the
    /// title.
    fn add(&mut self, entry: Option<ScoredEntry>) {
        let Some(mut entry) = entry else { return };
        let Some(best) = entry.passages.iter().map(|(score, _)| *score).max_by(f64::total_cmp) else { return };
        entry.score += best;
        let wanted = self.wanted.contains(&entry.block);
        if entry.score < self.floor && !wanted {
            return;
        }
        entry.passages.sort_by(|a, b| by_score(a.0, b.0).then(a.1.cmp(&b.1)));
        entry.passages.truncate(PASSAGES_EACH);
        if wanted {
            self.others.insert(entry.block, entry.clone());
        }
        self.entries.push(entry);
        if self.entries.len() >= 8 * self.limit {
            self.keep_best();
            self.floor = self.entries.last().map_or(0.0, |last| last.score);
        }
    }

    fn keep_best(&mut self) {
        self.entries.sort_by(|a, b| by_score(a.score, b.score).then(a.block.cmp(&b.block)));
        self.entries.truncate(self.limit);
    }

    /// The best entries, followed by the others of `by_vector`, in its order.
    fn merge_by_vector(
        self,
        view: &View<'_>,
        scope_state: &ScopeState,
        by_vector: &[u64],
    ) -> ReadResult<Vec<ScoredEntry>> {
        let Self { entries: mut near, mut others, .. } = self;
        let best: HashSet<u64> = near.iter().map(|near| near.block).collect();
        for block in by_vector.iter().filter(|block| !best.contains(block)) {
            let other = match others.remove(block) {
                Some(other) => Some(other),
                None => without_words(view, scope_state, *block)?,
            };
            near.extend(other);
        }
        Ok(near)
    }
}

/// Finds an entry without a word of the question by its key.
fn without_words(view: &View<'_>, scope_state: &ScopeState, block: u64) -> ReadResult<Option<ScoredEntry>> {
    let Some(path) = scope_state.path(block) else { return Ok(None) };
    let key = Term::from_field_text(view.fields.key, &format!("{}#{path}", view.scope));
    for (segment, reader) in view.state.searcher.segment_readers().iter().enumerate() {
        let blocks = reader.fast_fields().u64("block")?;
        let index = reader.inverted_index(view.fields.key)?;
        let Some(mut postings) = index.read_postings(&key, IndexRecordOption::Basic).map_err(ReadError::broken)? else {
            continue;
        };
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if !reader.is_deleted(doc) && blocks.first(doc) == Some(block) {
                return Ok(Some(ScoredEntry { score: 0.0, block, segment, passages: Vec::new(), seen: doc }));
            }
            postings.advance();
        }
    }
    Ok(None)
}

fn by_score(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}
