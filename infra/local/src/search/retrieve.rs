//! The candidates for a question: every passage that has one of its words is scored by the ranking's own
//! formula, so the best ten entries are the best ten, not a guess at them; the ten nearest by their vectors join them.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use answer::search::{
    BIGRAM_WEIGHT, CANDIDATES, Candidate, CorpusStats, PASSAGES_EACH, Retrieval, TITLE_WEIGHT, VisibilityFilter,
};
use domain::models::{QueryVector, WikiEntry};
use tantivy::fastfield::Column;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet as _, SegmentReader, TERMINATED, Term};
use text::{Passage, QueryTerms};

use super::bm25::Bm25;
use super::postings::{Lengths, Postings};
use super::schema::{KIND_ENTRY, KIND_PASSAGE, StoredEntry, StoredPassage, visibility_number};
use super::state::Tenancy;
use super::view::{Found, Unreadable, View, ordinal};

/// The question's posting lists in the three fields that count.
struct Asked {
    words: Postings,
    bigrams: Postings,
    titles: Postings,
    word_weights: Vec<f64>,
    bigram_weights: Vec<f64>,
    stats: CorpusStats,
}

/// An entry that has a word of the question.
#[derive(Debug, Clone, PartialEq)]
struct Near {
    score: f64,
    block: u64,
    segment: usize,
    /// The best passages, best first.
    passages: Vec<(f64, DocId)>,
    /// A document of its block.
    seen: DocId,
}

/// Finds the candidates and counts of `query`.
pub(super) fn retrieve(
    view: &View<'_>,
    query: &QueryTerms,
    vector: Option<&QueryVector>,
    visibility: VisibilityFilter,
) -> Found<Retrieval> {
    let Some(tenancy) = view.state.tenancy(&view.scope) else { return Ok(Retrieval::default()) };
    let asked = ask(view, tenancy, query)?;
    let by_vector = nearest_by_vector(tenancy, vector, visibility);
    let mut found = Nearest { wanted: by_vector.iter().copied().collect(), ..Nearest::default() };
    for (ordinal, segment) in view.state.searcher.segment_readers().iter().enumerate() {
        add_nearest(&mut found, segment, ordinal, &asked, visibility)?;
    }
    let near = found.and_by_vector(view, tenancy, &by_vector)?;
    let candidates = near.iter().map(|near| read_candidate(view, tenancy, near, vector)).collect::<Found<_>>()?;
    Ok(Retrieval { stats: asked.stats, candidates })
}

/// The blocks nearest to the question by its vector, where it has one.
fn nearest_by_vector(tenancy: &Tenancy, vector: Option<&QueryVector>, visibility: VisibilityFilter) -> Vec<u64> {
    let sees = |number| match visibility {
        VisibilityFilter::All => true,
        VisibilityFilter::Only(wanted) => number == visibility_number(wanted),
    };
    let nearest = vector.map(|vector| tenancy.vectors.nearest(vector, CANDIDATES, sees));
    nearest.into_iter().flatten().map(|near| near.block).collect()
}

fn ask(view: &View<'_>, tenancy: &Tenancy, query: &QueryTerms) -> Found<Asked> {
    let searcher = &view.state.searcher;
    let walk = |field, words| Postings::walk(searcher, field, &view.scope, words);
    let words = walk(view.fields.words, &query.distinct)?;
    let bigrams = walk(view.fields.bigrams, &query.bigrams)?;
    let titles = walk(view.fields.title, &query.distinct)?;
    let stats = CorpusStats {
        words: tenancy.totals.words(),
        bigrams: tenancy.totals.bigrams(),
        titles: tenancy.totals.titles(),
        word_df: words.df.clone(),
        bigram_df: bigrams.df.clone(),
        title_df: titles.df.clone(),
    };
    let (word_weights, bigram_weights) = (query.weights.clone(), query.bigram_weights.clone());
    Ok(Asked { words, bigrams, titles, word_weights, bigram_weights, stats })
}

/// The columns that scoring reads.
struct Scored {
    kind: Column<u64>,
    block: Column<u64>,
    visibility: Column<u64>,
    scores: Vec<f64>,
}

/// Adds the best entries of one segment.
fn add_nearest(
    nearest: &mut Nearest,
    segment: &SegmentReader,
    ordinal: usize,
    asked: &Asked,
    visibility: VisibilityFilter,
) -> tantivy::Result<()> {
    let scored = score(segment, ordinal, asked)?;
    let mut current: Option<Near> = None;
    // A block's documents are neighbours, the entry's own first: one pass over the scores sees each entry whole.
    for (doc, score) in (0..).zip(&scored.scores) {
        if *score <= 0.0 || !is_visible(&scored, doc, visibility) {
            continue;
        }
        let block = scored.block.first(doc).unwrap_or_default();
        if current.as_ref().is_none_or(|near| near.block != block) {
            nearest.close(current.take());
            current = Some(Near { score: 0.0, block, segment: ordinal, passages: Vec::new(), seen: doc });
        }
        let Some(entry) = &mut current else { continue };
        if scored.kind.first(doc) == Some(KIND_ENTRY) {
            entry.score += *score;
        } else {
            entry.passages.push((*score, doc));
        }
    }
    nearest.close(current);
    keep_best(&mut nearest.entries);
    Ok(())
}

fn is_visible(scored: &Scored, doc: DocId, visibility: VisibilityFilter) -> bool {
    match visibility {
        VisibilityFilter::All => true,
        VisibilityFilter::Only(wanted) => scored.visibility.first(doc) == Some(visibility_number(wanted)),
    }
}

/// Passages get words and bigrams, entries their title's share.
fn score(segment: &SegmentReader, ordinal: usize, asked: &Asked) -> tantivy::Result<Scored> {
    let columns = segment.fast_fields();
    let length = columns.u64("length")?;
    let mut scores = vec![0.0; segment.max_doc() as usize];
    let stats = &asked.stats;
    let (plain, one_fewer) = (Lengths::of_column(&length), Lengths::of_neighbours(&length));
    asked.words.score(ordinal, &mut scores, &plain, Bm25::new(stats.words), &asked.word_weights);
    let bigram_weights: Vec<f64> = asked.bigram_weights.iter().map(|times| times * BIGRAM_WEIGHT).collect();
    asked.bigrams.score(ordinal, &mut scores, &one_fewer, Bm25::new(stats.bigrams), &bigram_weights);
    let title_weights: Vec<f64> = asked.word_weights.iter().map(|times| times * TITLE_WEIGHT).collect();
    asked.titles.score(ordinal, &mut scores, &plain, Bm25::new(stats.titles), &title_weights);
    Ok(Scored {
        kind: columns.u64("kind")?,
        block: columns.u64("block")?,
        visibility: columns.u64("visibility")?,
        scores,
    })
}

/// Reads an entry back, with its best passages and the one nearest to the question.
fn read_candidate(view: &View<'_>, tenancy: &Tenancy, near: &Near, vector: Option<&QueryVector>) -> Found<Candidate> {
    let first = first_of_block(view, near)?;
    let stored: StoredEntry = view.stored(near.segment, first)?;
    let entry = WikiEntry::from(stored.entry);
    let nearest = vector.and_then(|vector| tenancy.vectors.nearest_passage(vector, near.block));
    let nearest = nearest.and_then(|passage| DocId::try_from(passage).ok()).map(|passage| first + 1 + passage);
    let mut docs: Vec<DocId> = near.passages.iter().map(|(_, doc)| *doc).collect();
    docs.extend(nearest.filter(|doc| !near.passages.iter().any(|(_, chosen)| chosen == doc)));
    let cosine = |doc: &DocId| {
        let passage = usize::try_from(doc.checked_sub(first + 1)?).ok()?;
        tenancy.vectors.cosine(vector?, near.block, passage)
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
        passages: docs.into_iter().map(passage).collect::<Found<_>>()?,
    })
}

/// The entry's own document stands before its passages.
fn first_of_block(view: &View<'_>, near: &Near) -> tantivy::Result<DocId> {
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
struct Nearest {
    entries: Vec<Near>,
    /// The score that an entry must have to be among the best.
    floor: f64,
    /// Blocks that are wanted whatever their score.
    wanted: HashSet<u64>,
    /// Those of them that have a word of the question and are not among the best.
    others: HashMap<u64, Near>,
}

impl Nearest {
    /// An entry is complete: its best passage counts. Without one, only the title matched, which no passage lacks.
    fn close(&mut self, entry: Option<Near>) {
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
        if self.entries.len() >= 8 * CANDIDATES {
            keep_best(&mut self.entries);
            self.floor = self.entries.last().map_or(0.0, |last| last.score);
        }
    }

    /// The best entries, then the others of `by_vector`, in its order.
    fn and_by_vector(self, view: &View<'_>, tenancy: &Tenancy, by_vector: &[u64]) -> Found<Vec<Near>> {
        let Self { entries: mut near, mut others, .. } = self;
        let best: HashSet<u64> = near.iter().map(|near| near.block).collect();
        for block in by_vector.iter().filter(|block| !best.contains(block)) {
            let other = match others.remove(block) {
                Some(other) => Some(other),
                None => without_words(view, tenancy, *block)?,
            };
            near.extend(other);
        }
        Ok(near)
    }
}

/// An entry that has no word of the question, found by its key.
fn without_words(view: &View<'_>, tenancy: &Tenancy, block: u64) -> Found<Option<Near>> {
    let Some(path) = tenancy.path(block) else { return Ok(None) };
    let key = Term::from_field_text(view.fields.key, &format!("{}#{path}", view.scope));
    for (segment, reader) in view.state.searcher.segment_readers().iter().enumerate() {
        let blocks = reader.fast_fields().u64("block")?;
        let index = reader.inverted_index(view.fields.key)?;
        let Some(mut postings) = index.read_postings(&key, IndexRecordOption::Basic).map_err(Unreadable::broken)?
        else {
            continue;
        };
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if !reader.is_deleted(doc) && blocks.first(doc) == Some(block) {
                return Ok(Some(Near { score: 0.0, block, segment, passages: Vec::new(), seen: doc }));
            }
            postings.advance();
        }
    }
    Ok(None)
}

fn keep_best(near: &mut Vec<Near>) {
    near.sort_by(|a, b| by_score(a.score, b.score).then(a.block.cmp(&b.block)));
    near.truncate(CANDIDATES);
}

fn by_score(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}
