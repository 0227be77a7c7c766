//! An in-memory index for tests: it scans every passage and scores by the formula itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::{
    Candidate, CandidateIndex, CorpusStats, FieldStats, IndexedEntry, Lookup, NearWords, Retrieval, VisibilityFilter,
};
use crate::rank::Scorer;
use domain::models::{
    EntrySource, Language, Mode, QueryVector, Scope, TenantId, Timestamp, Visibility, WikiEntry, WikiPath,
};
use text::{Analyzer, Passage, QueryTerms, bigrams, without_parts};

type Key = (String, Mode, WikiPath);

/// Entries of any number of tenants.
#[derive(Debug, Default)]
pub(crate) struct MemoryIndex {
    entries: Mutex<BTreeMap<Key, IndexedEntry>>,
}

fn key(scope: &Scope, path: &WikiPath) -> Key {
    (scope.tenant.to_string(), scope.mode, path.clone())
}

impl MemoryIndex {
    /// Takes an entry out.
    pub(crate) fn remove(&self, scope: &Scope, path: &WikiPath) {
        self.entries.lock().unwrap().remove(&key(scope, path));
    }

    /// Puts an entry in the place of the one at its path.
    pub(crate) fn put(&self, scope: &Scope, entry: &IndexedEntry) {
        self.entries.lock().unwrap().insert(key(scope, &entry.entry.path), entry.clone());
    }

    /// Writes an English entry of the tests' tenant.
    pub(crate) fn write(&self, path: &str, title: &str, content: &str, visibility: Visibility) {
        let entry = entry(path, title, content, visibility);
        self.put(&scope(), &IndexedEntry::new(&Analyzer::new(Language::English), &entry));
    }

    fn of(&self, scope: &Scope) -> Vec<IndexedEntry> {
        let entries = self.entries.lock().unwrap();
        let of_scope =
            entries.iter().filter(|((tenant, mode, _), _)| *tenant == scope.tenant.as_str() && *mode == scope.mode);
        of_scope.map(|(_, entry)| entry.clone()).collect()
    }
}

#[async_trait]
impl CandidateIndex for MemoryIndex {
    async fn retrieve(
        &self,
        scope: &Scope,
        lookups: &[Lookup<'_>],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Retrieval>> {
        let mut entries = self.of(scope);
        entries.retain(|entry| visibility.admits(entry.entry.visibility));
        let mut all = Vec::new();
        for lookup in lookups {
            let near_words = self.near_words(scope, lookup.misspelt, visibility).await?;
            all.push(Retrieval { near_words, ..found(lookup, entries.clone()) });
        }
        Ok(all)
    }

    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>> {
        let mut known = NearWords::new();
        for entry in self.of(scope).iter().filter(|entry| visibility.admits(entry.entry.visibility)) {
            let terms: HashSet<&String> = entry.passages.iter().flat_map(|passage| &passage.terms).collect();
            terms.into_iter().for_each(|term| *known.entry(term.clone()).or_default() += 1);
        }
        Ok(vec![known; words.len()])
    }

    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        let mut entries = self.entries.lock().unwrap().clone();
        entries.retain(|(_, _, path), _| !paths.contains(path));
        Arc::new(Self { entries: Mutex::new(entries) })
    }
}

/// The results of an index for one question.
pub(crate) async fn retrieved(
    index: &dyn CandidateIndex,
    scope: &Scope,
    terms: &QueryTerms,
    vector: Option<&QueryVector>,
    visibility: VisibilityFilter,
) -> Retrieval {
    index.retrieve(scope, &[Lookup { terms, vector, misspelt: &[] }], visibility).await.unwrap().remove(0)
}

/// The results among `entries`.
fn found(lookup: &Lookup<'_>, entries: Vec<IndexedEntry>) -> Retrieval {
    let Lookup { terms: query, vector, .. } = *lookup;
    let stats = stats(&entries, query);
    let scorer = Scorer::new(query, &stats);
    let mut scored: Vec<Scored> = entries.into_iter().map(|entry| scored(&scorer, vector, entry)).collect();
    scored.sort_by(|a, b| b.by_words.total_cmp(&a.by_words));
    let rest = scored.split_off(scored.iter().take(10).take_while(|scored| scored.by_words > 0.0).count());
    let by_words = scored.len();
    let mut all: Vec<Scored> = scored.iter().cloned().chain(rest).filter(|scored| scored.by_vector.is_some()).collect();
    all.sort_by(|a, b| b.by_vector.partial_cmp(&a.by_vector).unwrap());
    for near in all.into_iter().take(10) {
        if scored.iter().all(|there| there.candidate.path != near.candidate.path) {
            scored.push(near);
        }
    }
    Retrieval {
        candidates: scored.into_iter().map(|scored| scored.candidate).collect(),
        stats,
        by_words,
        ..Retrieval::default()
    }
}

/// A candidate with what it is chosen by.
#[derive(Clone)]
struct Scored {
    by_words: f64,
    by_vector: Option<f64>,
    candidate: Candidate,
}

fn scored(scorer: &Scorer, vector: Option<&QueryVector>, entry: IndexedEntry) -> Scored {
    let IndexedEntry { entry, title_terms, passages, vectors, .. } = entry;
    let comparable = vectors.filter(|vectors| vector.is_some_and(|vector| vector.space == vectors.space));
    let cosine = |at: usize| comparable.as_ref()?.embeddings.get(at)?.as_ref()?.cosine(&vector?.embedding);
    let mut each: Vec<(f64, Option<f64>, Passage)> =
        passages.into_iter().enumerate().map(|(at, p)| (scorer.passage_score(&p), cosine(at), p)).collect();
    let nearest = each.iter().filter(|(_, cosine, _)| cosine.is_some()).cloned();
    let nearest = nearest.reduce(|best, next| if next.1 > best.1 { next } else { best });
    each.sort_by_cached_key(|(score, ..)| Reverse(score.to_bits()));
    each.retain(|(score, ..)| *score > 0.0);
    each.truncate(3);
    let title_score = scorer.title_score(&title_terms);
    let by_words = each.first().map_or(0.0, |(score, ..)| score + title_score);
    let by_vector = nearest.as_ref().and_then(|(_, cosine, _)| *cosine);
    each.extend(nearest.filter(|(_, _, near)| each.iter().all(|(_, _, there)| there != near)));
    let (cosines, passages) = each.into_iter().map(|(_, cosine, passage)| (cosine, passage)).unzip();
    let WikiEntry { path, title, content, visibility, version, .. } = entry;
    let candidate = Candidate { path, version, title, content, visibility, title_terms, passages, cosines };
    Scored { by_words, by_vector, candidate }
}

fn stats(entries: &[IndexedEntry], query: &QueryTerms) -> CorpusStats {
    let passages: Vec<&[String]> = entries.iter().flat_map(|e| &e.passages).map(|p| p.terms.as_slice()).collect();
    let titles: Vec<&[String]> = entries.iter().map(|e| e.title_terms.as_slice()).collect();
    let pairs: Vec<HashSet<String>> = passages.iter().map(|terms| bigrams(terms).collect()).collect();
    CorpusStats {
        words: field(passages.iter().map(|terms| without_parts(terms).len())),
        bigrams: field(passages.iter().map(|terms| without_parts(terms).len().saturating_sub(1))),
        titles: field(titles.iter().map(|terms| without_parts(terms).len())),
        word_df: query.distinct.iter().map(|t| passages.iter().filter(|p| p.contains(t)).count() as u64).collect(),
        bigram_df: query.bigrams.iter().map(|b| pairs.iter().filter(|p| p.contains(b)).count() as u64).collect(),
        title_df: query.distinct.iter().map(|t| titles.iter().filter(|p| p.contains(t)).count() as u64).collect(),
    }
}

fn field(lengths: impl Iterator<Item = usize> + Clone) -> FieldStats {
    let count = lengths.clone().count();
    let mean_length = if count == 0 { 0.0 } else { lengths.sum::<usize>() as f64 / count as f64 };
    FieldStats { count: count as u64, mean_length }
}

/// One tenant's live half.
pub(crate) fn scope() -> Scope {
    Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live }
}

/// A first version that a person wrote.
pub(crate) fn entry(path: &str, title: &str, content: &str, visibility: Visibility) -> WikiEntry {
    WikiEntry {
        path: WikiPath::parse(path).unwrap(),
        title: title.to_owned(),
        content: content.to_owned(),
        visibility,
        tags: Vec::new(),
        version: 1,
        created_at: Timestamp::default(),
        updated_at: Timestamp::default(),
        created_by: String::new(),
        updated_by: String::new(),
        source: EntrySource::MANUAL,
        action: None,
    }
}
