//! An index with changes that are in no index: what a question would find once they are published.
//!
//! The index below is asked without the entries that change, so candidates and counts are those of all others. The
//! changed ones are counted and scored here by the formulas of the search, and take their places among the candidates.
//! So the counts, and with them every figure of the ranking, are those after publishing.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;

use super::{
    BIGRAM_WEIGHT, Bm25, CANDIDATES, Candidate, CandidateIndex, CorpusStats, FieldStats, IndexedEntry, Lookup,
    NearWords, PASSAGES_EACH, Retrieval, TITLE_WEIGHT, VisibilityFilter,
};
use crate::rank::nearest_cosine;
use domain::models::{QueryVector, Scope, WikiPath};
use text::{Passage, QueryTerms, bigrams, max_edits, without_parts};

/// An index of one tenant and mode under changes.
#[derive(Debug)]
pub struct OverlayIndex {
    /// Without the entries that change.
    below: Arc<dyn CandidateIndex>,
    scope: Scope,
    entries: Vec<CountedEntry>,
}

/// An entry of the overlay.
#[derive(Debug)]
struct CountedEntry {
    indexed: IndexedEntry,
    title: CountedText,
    passages: Vec<CountedText>,
    words: BTreeSet<String>,
}

impl CountedEntry {
    fn of(indexed: IndexedEntry) -> Self {
        let passages: Vec<_> = indexed.passages.iter().map(|passage| CountedText::of(&passage.terms)).collect();
        let words = passages.iter().flat_map(|passage| passage.words.keys().cloned()).collect();
        Self { title: CountedText::of(&indexed.title_terms), words, passages, indexed }
    }
}

impl OverlayIndex {
    /// `index` for `scope` without the entries at `changed`, and with `entries`.
    #[must_use]
    pub fn new(index: &dyn CandidateIndex, scope: Scope, changed: &[WikiPath], entries: Vec<IndexedEntry>) -> Self {
        let entries = entries.into_iter().map(CountedEntry::of).collect();
        Self { below: index.without(changed), scope, entries }
    }

    fn visible(&self, scope: &Scope, visibility: VisibilityFilter) -> Vec<&CountedEntry> {
        let seen = |entry: &&CountedEntry| *scope == self.scope && visibility.admits(entry.indexed.entry.visibility);
        self.entries.iter().filter(seen).collect()
    }
}

#[async_trait]
impl CandidateIndex for OverlayIndex {
    async fn retrieve(
        &self,
        scope: &Scope,
        lookups: &[Lookup<'_>],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Retrieval>> {
        let below = self.below.retrieve(scope, lookups, visibility).await?;
        let entries = self.visible(scope, visibility);
        Ok(lookups.iter().zip(below).map(|(lookup, below)| found_with(lookup, below, &entries)).collect())
    }

    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>> {
        let mut near = self.below.near_words(scope, words, visibility).await?;
        near.resize(words.len(), NearWords::new());
        add_near_words(&mut near, words, &self.visible(scope, visibility));
        Ok(near)
    }

    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        let kept = self.entries.iter().map(|entry| &entry.indexed).filter(|it| !paths.contains(&it.entry.path));
        let entries = kept.cloned().collect();
        Arc::new(Self::new(self.below.as_ref(), self.scope.clone(), paths, entries))
    }
}

/// Adds words of `entries` to those near each of `words`.
fn add_near_words(near: &mut [NearWords], words: &[String], entries: &[&CountedEntry]) {
    for entry in entries {
        for (word, near) in words.iter().zip(near.iter_mut()) {
            let similar = entry.words.iter().filter(|other| may_be_near(word, other));
            similar.for_each(|other| *near.entry(other.clone()).or_default() += 1);
        }
    }
}

/// Whether two words begin alike and are about as long; [`text::nearest`] looks closer.
fn may_be_near(word: &str, other: &str) -> bool {
    let edits = usize::from(max_edits(word));
    word.chars().next() == other.chars().next() && word.chars().count().abs_diff(other.chars().count()) <= edits
}

/// The results of the index below with `entries`.
fn found_with(lookup: &Lookup<'_>, mut below: Retrieval, entries: &[&CountedEntry]) -> Retrieval {
    if lookup.is_empty() {
        return below;
    }
    let stats = stats_with(&below.stats, lookup.terms, entries);
    let score = SearchScore::new(lookup.terms, &stats);
    let new = entries.iter().map(|entry| scored(&score, lookup.vector, entry)).collect();
    let mut near_words = std::mem::take(&mut below.near_words);
    add_near_words(&mut near_words, lookup.misspelt, entries);
    let (candidates, by_words) = merged(&score, below, new);
    Retrieval { stats, candidates, by_words, near_words, in_context: Vec::new() }
}

/// The counts with those of `entries`.
fn stats_with(below: &CorpusStats, query: &QueryTerms, entries: &[&CountedEntry]) -> CorpusStats {
    let passages: Vec<&CountedText> = entries.iter().flat_map(|entry| &entry.passages).collect();
    let titles: Vec<&CountedText> = entries.iter().map(|entry| &entry.title).collect();
    CorpusStats {
        words: field_with(below.words, passages.iter().map(|passage| passage.length)),
        bigrams: field_with(below.bigrams, passages.iter().map(|passage| passage.bigram_length())),
        titles: field_with(below.titles, titles.iter().map(|title| title.length)),
        word_df: df_with(&below.word_df, &query.distinct, &passages, |text| &text.words),
        bigram_df: df_with(&below.bigram_df, &query.bigrams, &passages, |text| &text.bigrams),
        title_df: df_with(&below.title_df, &query.distinct, &titles, |text| &text.words),
    }
}

#[allow(clippy::cast_precision_loss, reason = "no wiki has 2^52 words")]
fn field_with(below: FieldStats, lengths: impl Iterator<Item = u64>) -> FieldStats {
    // A sum of lengths is a whole number, so the mean is the one that an index computes of all.
    let before = ((below.mean_length * below.count as f64).round(), below.count);
    let (sum, count) = lengths.fold(before, |(sum, count), length| (sum + length as f64, count + 1));
    FieldStats { count, mean_length: if count == 0 { 0.0 } else { sum / count as f64 } }
}

fn df_with(
    below: &[u64],
    asked: &[String],
    texts: &[&CountedText],
    counts: impl Fn(&CountedText) -> &HashMap<String, u32>,
) -> Vec<u64> {
    let with = |(place, term): (usize, &String)| {
        let here = texts.iter().filter(|text| counts(text).contains_key(term)).count();
        below.get(place).copied().unwrap_or(0) + u64::try_from(here).unwrap_or(u64::MAX)
    };
    asked.iter().enumerate().map(with).collect()
}

/// A changed entry as a candidate, with the score by which a search would choose it; 0 without a word of the question.
fn scored(score: &SearchScore<'_>, vector: Option<&QueryVector>, entry: &CountedEntry) -> (f64, Candidate) {
    let IndexedEntry { entry: written, title_terms, passages, vectors, .. } = &entry.indexed;
    let comparable = vectors.as_ref().filter(|it| vector.is_some_and(|vector| vector.space == it.space));
    let cosine = |at: usize| comparable?.embeddings.get(at)?.as_ref()?.cosine(&vector?.embedding);
    let scores = entry.passages.iter().map(|passage| score.passage(passage)).enumerate();
    let mut best: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
    best.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    best.truncate(PASSAGES_EACH);
    let by_words = best.first().map_or(0.0, |(_, passage)| passage + score.title(&entry.title));
    let mut places: Vec<usize> = best.into_iter().map(|(at, _)| at).collect();
    let cosines = (0..passages.len()).filter_map(|at| Some((at, cosine(at)?)));
    // The first of equally near passages.
    let nearest = cosines.reduce(|best, next| if next.1 > best.1 { next } else { best });
    places.extend(nearest.map(|(at, _)| at).filter(|at| !places.contains(at)));
    let passage = |at: &usize| -> Option<(Passage, Option<f64>)> { Some((passages.get(*at)?.clone(), cosine(*at))) };
    let (passages, cosines) = places.iter().filter_map(passage).unzip();
    let candidate = Candidate {
        path: written.path.clone(),
        version: written.version,
        title: written.title.clone(),
        content: written.content.clone(),
        visibility: written.visibility,
        title_terms: title_terms.clone(),
        passages,
        cosines,
    };
    (by_words, candidate)
}

/// The candidates of the index below and the changed entries, as a search of all would choose them, and how many it
/// would find by their words.
fn merged(score: &SearchScore<'_>, below: Retrieval, mut new: Vec<(f64, Candidate)>) -> (Vec<Candidate>, usize) {
    let mut words = below.candidates;
    let rest = words.split_off(below.by_words.min(words.len()));
    let mut words: Vec<(f64, Candidate)> = words.into_iter().map(|it| (search_score(score, &it), it)).collect();
    if words.len() > CANDIDATES {
        words.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    }
    new.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut others: Vec<Candidate> = rest;
    for (by_words, candidate) in new {
        if by_words > 0.0 {
            // An index whose own score differs a little keeps its order of its candidates.
            let place = words.iter().position(|(other, _)| *other < by_words).unwrap_or(words.len());
            words.insert(place, (by_words, candidate));
        } else {
            others.push(candidate);
        }
    }
    let too_far = words.split_off(words.len().min(CANDIDATES)).into_iter().map(|(_, candidate)| candidate);
    others.extend(too_far);
    let mut candidates: Vec<Candidate> = words.into_iter().map(|(_, candidate)| candidate).collect();
    let by_words = candidates.len();
    let mut near: Vec<(f64, WikiPath, Option<Candidate>)> = candidates
        .iter()
        .map(|it| (it, None))
        .filter_map(|(it, none)| Some((nearest_cosine(it)?, it.path.clone(), none)))
        .collect();
    near.extend(others.into_iter().filter_map(|it| Some((nearest_cosine(&it)?, it.path.clone(), Some(it)))));
    near.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let known: HashSet<WikiPath> = candidates.iter().map(|it| it.path.clone()).collect();
    let nearest = near.into_iter().take(CANDIDATES).filter(|(_, path, _)| !known.contains(path));
    candidates.extend(nearest.filter_map(|(_, _, candidate)| candidate));
    (candidates, by_words)
}

/// The score of a candidate by its best passage and its title.
fn search_score(score: &SearchScore<'_>, candidate: &Candidate) -> f64 {
    let passages = candidate.passages.iter().map(|passage| score.passage(&CountedText::of(&passage.terms)));
    passages.fold(0.0, f64::max) + score.title(&CountedText::of(&candidate.title_terms))
}

/// A passage or a title, counted.
#[derive(Debug, Clone)]
struct CountedText {
    /// How many terms it has.
    length: u64,
    words: HashMap<String, u32>,
    bigrams: HashMap<String, u32>,
}

impl CountedText {
    fn of(terms: &[String]) -> Self {
        let (mut words, mut pairs) = (HashMap::new(), HashMap::new());
        terms.iter().for_each(|term| *words.entry(term.clone()).or_default() += 1);
        bigrams(terms).for_each(|pair| *pairs.entry(pair).or_default() += 1);
        let length = u64::try_from(without_parts(terms).len()).unwrap_or(u64::MAX);
        Self { length, words, bigrams: pairs }
    }

    /// How many adjacent pairs of terms it has.
    const fn bigram_length(&self) -> u64 {
        self.length.saturating_sub(1)
    }
}

/// The weights of a question's words in an index's search for candidates.
#[derive(Debug)]
struct SearchScore<'a> {
    query: &'a QueryTerms,
    stats: &'a CorpusStats,
    words: Vec<f64>,
    titles: Vec<f64>,
    bigrams: Vec<f64>,
}

impl<'a> SearchScore<'a> {
    fn new(query: &'a QueryTerms, stats: &'a CorpusStats) -> Self {
        let (words, bigrams) = query.search_weights(BIGRAM_WEIGHT);
        let weigh = |weights: &[f64], bm25: Bm25, df: &[u64]| -> Vec<f64> {
            weights.iter().zip(df).map(|(weight, df)| weight * bm25.idf(*df)).collect()
        };
        let titles: Vec<f64> = words.iter().map(|weight| weight * TITLE_WEIGHT).collect();
        Self {
            words: weigh(&words, Bm25::new(stats.words), &stats.word_df),
            titles: weigh(&titles, Bm25::new(stats.titles), &stats.title_df),
            bigrams: weigh(&bigrams, Bm25::new(stats.bigrams), &stats.bigram_df),
            query,
            stats,
        }
    }

    /// A passage's: its words and, for less, its bigrams.
    fn passage(&self, text: &CountedText) -> f64 {
        let words = Bm25::new(self.stats.words).norm(text.length);
        let bigrams = Bm25::new(self.stats.bigrams).norm(text.bigram_length());
        sum(&self.query.distinct, &self.words, &text.words, words)
            + sum(&self.query.bigrams, &self.bigrams, &text.bigrams, bigrams)
    }

    /// A title's, at its weight.
    fn title(&self, text: &CountedText) -> f64 {
        let norm = Bm25::new(self.stats.titles).norm(text.length);
        sum(&self.query.distinct, &self.titles, &text.words, norm)
    }
}

fn sum(asked: &[String], weights: &[f64], counts: &HashMap<String, u32>, norm: f64) -> f64 {
    let score = |(word, weight): (&String, &f64)| {
        counts.get(word).map_or(0.0, |count| weight * Bm25::frequency(f64::from(*count), norm))
    };
    asked.iter().zip(weights).map(score).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::PassageVectors;
    use crate::search::memory::{MemoryIndex, entry, retrieved, scope};
    use domain::models::{Embedding, EmbeddingSpace, Language, Visibility, WikiEntry};
    use text::Analyzer;

    const WORDS: [&str; 12] = [
        "refund", "card", "gift", "voucher", "delivery", "parcel", "invoice", "account", "password", "return", "label",
        "courier",
    ];

    /// An entry of some of the words, in an order and number that `seed` decides, and its vectors.
    fn made(seed: usize, visibility: Visibility) -> IndexedEntry {
        let word = |at: usize| WORDS[(seed * 7 + at * (seed % 5 + 1)) % WORDS.len()];
        let sentence = |from: usize| (from..from + 9).map(word).collect::<Vec<_>>().join(" ");
        let content = format!("{}.\n\n## {}\n\n{}.", sentence(0), word(3), sentence(seed % 11));
        let written = entry(&format!("faq/e{seed}"), &format!("{} {}", word(1), word(2)), &content, visibility);
        let mut indexed = IndexedEntry::new(&Analyzer::new(Language::English), &written);
        let angle = |at: usize| ((seed * 31 + at * 17) % 360) as f32 / 57.0;
        let embedding = |at: usize| Embedding::of(&[angle(at).cos(), angle(at).sin()]);
        let embeddings = (0..indexed.passages.len()).map(embedding).collect();
        indexed.vectors = Some(PassageVectors { space: space(), embeddings });
        indexed
    }

    fn space() -> EmbeddingSpace {
        EmbeddingSpace::of("m", 2, "")
    }

    fn visibility(seed: usize) -> Visibility {
        if seed.is_multiple_of(3) { Visibility::Internal } else { Visibility::Public }
    }

    /// An index of forty entries, and two ways to change four of them: in an index, and in an overlay.
    fn changed() -> (MemoryIndex, OverlayIndex) {
        let index = MemoryIndex::default();
        (0..40).for_each(|seed| index.put(&scope(), &made(seed, visibility(seed))));
        let at = |seed: usize, like: usize| {
            let it = made(like, visibility(seed + 1));
            let path = WikiPath::parse(&format!("faq/e{seed}")).unwrap();
            IndexedEntry { entry: WikiEntry { path, version: 2, ..it.entry.clone() }, ..it }
        };
        let new = vec![at(3, 103), at(8, 108), at(90, 190)];
        let gone = ["faq/e3", "faq/e8", "faq/e12", "faq/e90"].map(|path| WikiPath::parse(path).unwrap());
        let overlay = OverlayIndex::new(&index, scope(), &gone, new.clone());
        gone.iter().for_each(|path| index.remove(&scope(), path));
        new.iter().for_each(|entry| index.put(&scope(), entry));
        (index, overlay)
    }

    fn by_path(mut found: Retrieval) -> Retrieval {
        found.candidates.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    #[tokio::test]
    async fn an_overlay_finds_and_counts_what_an_index_does_after_the_changes() {
        let (index, overlay) = changed();
        let analyzer = Analyzer::new(Language::English);
        for (at, pair) in WORDS.windows(2).enumerate() {
            let query = analyzer.query(&format!("{} {} {}", pair[0], pair[1], WORDS[(at * 5 + 3) % WORDS.len()]));
            let angle = at as f32;
            let embedding = Embedding::of(&[angle.cos(), angle.sin()]).unwrap();
            let vector = QueryVector { space: space(), embedding };
            for vector in [None, Some(&vector)] {
                for visibility in [VisibilityFilter::All, VisibilityFilter::Only(Visibility::Public)] {
                    let after = retrieved(&index, &scope(), &query, vector, visibility).await;
                    let predicted = retrieved(&overlay, &scope(), &query, vector, visibility).await;
                    assert_eq!(by_path(predicted), by_path(after), "{pair:?} {visibility:?}");
                }
            }
        }
    }

    #[tokio::test]
    async fn the_words_of_changed_entries_are_near_words_and_those_of_their_earlier_texts_are_not() {
        let index = MemoryIndex::default();
        let analyzer = Analyzer::new(Language::English);
        let of = |text: &str| IndexedEntry::new(&analyzer, &entry("faq/one", "Title", text, Visibility::Public));
        index.put(&scope(), &of("Chocolate is sold here."));
        let path = WikiPath::parse("faq/one").unwrap();
        let overlay = OverlayIndex::new(&index, scope(), &[path], vec![of("Marzipan is sold here.")]);
        let words: Vec<String> = ["chocolat", "marzipn"].map(|word| analyzer.terms(word)[0].clone()).to_vec();
        let near = overlay.nearest_words(&scope(), &words, VisibilityFilter::All).await.unwrap();
        assert_eq!(near, [None, Some(analyzer.terms("marzipan")[0].clone())]);
    }

    #[tokio::test]
    async fn an_overlay_of_one_tenant_changes_nothing_for_another() {
        let (index, overlay) = changed();
        let other = Scope { mode: domain::models::Mode::Test, ..scope() };
        let query = Analyzer::new(Language::English).query("refund card");
        let found = retrieved(&overlay, &other, &query, None, VisibilityFilter::All).await;
        assert_eq!(found, retrieved(&index, &other, &query, None, VisibilityFilter::All).await);
        assert!(found.candidates.is_empty());
    }
}
