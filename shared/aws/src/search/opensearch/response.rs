//! Parses responses strictly: an unexpected form counts as an index that does not answer. A hit of another tenant or
//! visibility is dropped here again, with an error line.

use std::collections::HashMap;

use serde::Deserialize;

use super::document::read_vector;
use super::query::ScopeFilter;
use answer::search::{
    Candidate, CorpusStats, EntryAddress, EntryHit, EntryHits, FieldStats, Lookup, NearWords, Retrieval, scope_text,
};
use domain::models::{EmbeddingSpace, QueryVector, WikiEntry};
use text::Passage;

/// The answer to a `_search`.
#[derive(Debug, Deserialize)]
pub(super) struct SearchResponse<S = Source, C = ScopeCounts> {
    timed_out: bool,
    hits: Hits<Hit<S>>,
    aggregations: Option<Aggregations<C>>,
    #[serde(default)]
    suggest: HashMap<String, Vec<Suggestion>>,
}

#[derive(Debug, Deserialize)]
struct Suggestion {
    options: Vec<SuggestedWord>,
}

#[derive(Debug, Deserialize)]
struct SuggestedWord {
    text: String,
    freq: u64,
}

#[derive(Debug, Deserialize)]
struct Hits<H> {
    total: Option<Total>,
    hits: Vec<H>,
}

#[derive(Debug, Deserialize)]
struct Total {
    value: u64,
}

#[derive(Debug, Deserialize)]
struct Hit<S> {
    #[serde(rename = "_score")]
    score: Option<f64>,
    #[serde(rename = "_source")]
    source: S,
    #[serde(default)]
    inner_hits: InnerHits,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Source {
    scope: String,
    entry: WikiEntry,
    embedding_space: Option<EmbeddingSpace>,
    #[serde(default)]
    title_terms: String,
}

/// The tenant, the mode and the path of an entry.
#[derive(Debug, Deserialize)]
pub(super) struct Address {
    scope: String,
    path: String,
}

#[derive(Debug, Default, Deserialize)]
struct InnerHits {
    words: Option<InnerPassages>,
    vectors: Option<InnerPassages>,
}

#[derive(Debug, Deserialize)]
struct InnerPassages {
    hits: Hits<PassageHit>,
}

#[derive(Debug, Deserialize)]
struct PassageHit {
    #[serde(rename = "_nested")]
    nested: Nested,
    #[serde(rename = "_source")]
    source: PassageSource,
}

/// A passage's place in its entry.
#[derive(Debug, Deserialize)]
struct Nested {
    offset: usize,
}

#[derive(Debug, Deserialize)]
struct PassageSource {
    text: String,
    terms: String,
    vector: Option<String>,
}

/// A candidate, with the place of each of its passages in the entry.
#[derive(Debug)]
pub(super) struct CandidateHit {
    pub(super) candidate: Candidate,
    places: Vec<usize>,
}

impl CandidateHit {
    /// Takes over the passages of the same entry that it has not.
    pub(super) fn add_passages_of(&mut self, other: Self) {
        let Candidate { passages, cosines, .. } = other.candidate;
        for ((place, passage), cosine) in other.places.into_iter().zip(passages).zip(cosines) {
            if !self.places.contains(&place) {
                self.places.push(place);
                self.candidate.passages.push(passage);
                self.candidate.cosines.push(cosine);
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct Aggregations<C> {
    corpus: Corpus<C>,
}

#[derive(Debug, Deserialize)]
struct Corpus<C> {
    scope: C,
}

/// The counts for a question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScopeCounts {
    #[serde(rename = "doc_count")]
    entries: u64,
    title_length: Mean,
    titles: Buckets,
    passages: PassageCounts,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PassageCounts {
    #[serde(rename = "doc_count")]
    passages: u64,
    length: Mean,
    bigram_length: Mean,
    words: Buckets,
    #[serde(default)]
    bigrams: Buckets,
}

/// A mean; none if nothing is counted.
#[derive(Debug, Deserialize)]
pub(super) struct Mean {
    value: Option<f64>,
}

/// Counts per filter.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Buckets {
    buckets: Vec<Bucket>,
}

#[derive(Debug, Deserialize)]
struct Bucket {
    doc_count: u64,
}

impl SearchResponse {
    /// Counts and candidates of [`super::query::retrieval`].
    pub(super) fn retrieval(
        self,
        within: ScopeFilter<'_>,
        lookup: &Lookup<'_>,
    ) -> domain::Result<(Retrieval, Vec<CandidateHit>)> {
        let Lookup { terms: query, vector, misspelt } = *lookup;
        let answer = self.complete()?;
        let near_words = answer.near_words(within, misspelt);
        let counts = answer.aggregations.ok_or_else(|| incomplete("no counts"))?.corpus.scope;
        let stats = counts.into_stats();
        let asked = (query.distinct.len(), query.bigrams.len(), query.distinct.len());
        if (stats.word_df.len(), stats.bigram_df.len(), stats.title_df.len()) != asked {
            return Err(incomplete("counts of another question"));
        }
        let hits = answer.hits.hits.into_iter().filter(|hit| matches_scope(within, &hit.source));
        let retrieval = Retrieval { stats, near_words, ..Retrieval::default() };
        Ok((retrieval, hits.map(|hit| into_candidate(hit, vector)).collect()))
    }

    /// The candidates of [`super::query::nearest`].
    pub(super) fn nearest(self, within: ScopeFilter<'_>, vector: &QueryVector) -> domain::Result<Vec<CandidateHit>> {
        let hits = self.complete()?.hits.hits.into_iter().filter(|hit| matches_scope(within, &hit.source));
        Ok(hits.map(|hit| into_candidate(hit, Some(vector))).collect())
    }

    /// The page of [`super::entries::page`].
    pub(super) fn entries(self, within: ScopeFilter<'_>) -> domain::Result<EntryHits> {
        let answer = self.complete()?;
        let total = answer.hits.total.ok_or_else(|| incomplete("no total"))?.value;
        let hits = answer.hits.hits.into_iter().filter(|hit| matches_scope(within, &hit.source));
        let items =
            hits.map(|hit| EntryHit { score: hit.score.unwrap_or_default(), entry: hit.source.entry }).collect();
        Ok(EntryHits { items, total })
    }

    /// The words near to each of [`super::query::near_words`].
    pub(super) fn near_words(&self, within: ScopeFilter<'_>, words: &[String]) -> Vec<NearWords> {
        let prefixes = within.vocabulary_prefixes();
        let near = |at: usize| {
            let mut known = NearWords::new();
            for (place, prefix) in prefixes.iter().enumerate() {
                let suggestions = self.suggest.get(&format!("{at}.{place}")).into_iter().flatten();
                for option in suggestions.flat_map(|suggestion| &suggestion.options) {
                    if let Some(word) = option.text.strip_prefix(prefix.as_str()) {
                        *known.entry(word.to_owned()).or_default() += option.freq;
                    }
                }
            }
            known
        };
        (0..words.len()).map(near).collect()
    }
}

impl SearchResponse<Address> {
    /// The entries of [`super::query::without_vectors`].
    pub(super) fn addresses(self) -> domain::Result<Vec<EntryAddress>> {
        let hits = self.complete()?.hits.hits.into_iter().map(|hit| hit.source);
        Ok(hits.filter_map(|Address { scope, path }| EntryAddress::parse(&format!("{scope}#{path}"))).collect())
    }

    /// How many there are.
    pub(super) fn total(self) -> domain::Result<u64> {
        Ok(self.complete()?.hits.total.ok_or_else(|| incomplete("no total"))?.value)
    }
}

impl<S, C> SearchResponse<S, C> {
    /// The counts of the entries that a caller may see.
    pub(super) fn counts(self) -> domain::Result<C> {
        Ok(self.complete()?.aggregations.ok_or_else(|| incomplete("no counts"))?.corpus.scope)
    }

    /// The same, unless it was cut short.
    pub(super) fn complete(self) -> domain::Result<Self> {
        if self.timed_out { Err(incomplete("it ran out of time")) } else { Ok(self) }
    }
}

impl ScopeCounts {
    fn into_stats(self) -> CorpusStats {
        let passages = self.passages;
        CorpusStats {
            words: stats(passages.passages, &passages.length),
            bigrams: stats(passages.passages, &passages.bigram_length),
            titles: stats(self.entries, &self.title_length),
            word_df: passages.words.into_counts(),
            bigram_df: passages.bigrams.into_counts(),
            title_df: self.titles.into_counts(),
        }
    }
}

impl Buckets {
    /// The count of each filter.
    pub(super) fn into_counts(self) -> Vec<u64> {
        self.buckets.into_iter().map(|bucket| bucket.doc_count).collect()
    }
}

/// The counts of a field.
pub(super) fn stats(count: u64, mean: &Mean) -> FieldStats {
    FieldStats { count, mean_length: mean.value.unwrap_or_default() }
}

/// An answer that cannot be used.
pub(super) fn incomplete(what: &str) -> domain::Error {
    domain::Error::unavailable(format!("the search's answer cannot be used: {what}"))
}

/// The query filters already; a hit that does not match means a broken index or query, and is never shown.
fn matches_scope(within: ScopeFilter<'_>, source: &Source) -> bool {
    let ours = source.scope == scope_text(within.scope) && within.visibility.admits(source.entry.visibility);
    if !ours {
        tracing::error!(tenant.id = %within.scope.tenant, "the index returned a hit that the caller may not see; it is dropped; check the visibility filter");
    }
    ours
}

fn into_candidate(hit: Hit<Source>, vector: Option<&QueryVector>) -> CandidateHit {
    let entry = hit.source.entry;
    let vector = vector.filter(|vector| hit.source.embedding_space.as_ref() == Some(&vector.space));
    let InnerHits { words: by_words, vectors } = hit.inner_hits;
    let mut passages = by_words.map(|inner| inner.hits.hits).unwrap_or_default();
    let nearest = vectors.map(|inner| inner.hits.hits).unwrap_or_default();
    for near in nearest {
        if !passages.iter().any(|there| there.nested.offset == near.nested.offset) {
            passages.push(near);
        }
    }
    let cosine = |hit: &PassageHit| vector?.embedding.cosine(&read_vector(hit.source.vector.as_deref()?)?);
    let places = passages.iter().map(|hit| hit.nested.offset).collect();
    let candidate = Candidate {
        path: entry.path,
        version: entry.version,
        title: entry.title,
        content: entry.content,
        visibility: entry.visibility,
        title_terms: words(&hit.source.title_terms),
        cosines: passages.iter().map(cosine).collect(),
        passages: passages
            .into_iter()
            .map(|hit| Passage { text: hit.source.text, terms: words(&hit.source.terms) })
            .collect(),
    };
    CandidateHit { candidate, places }
}

fn words(terms: &str) -> Vec<String> {
    terms.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use answer::search::VisibilityFilter;
    use domain::models::{Mode, Scope, TenantId, Timestamp, Visibility};
    use text::{Analyzer, Language, QueryTerms};

    fn scope(number: u128) -> Scope {
        Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), number), mode: Mode::Live }
    }

    fn hit(scope: &Scope, visibility: Visibility) -> Value {
        json!({"_score": 1.5, "_source": {"scope": scope_text(scope), "entry": {
            "path": "a/b", "title": "T", "content": "C", "visibility": visibility, "tags": [], "version": 1,
            "createdAt": "2026-01-02T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z",
            "createdBy": "key", "updatedBy": "key", "source": {"type": "manual"},
        }}})
    }

    fn answer(hits: &[Value]) -> SearchResponse {
        serde_json::from_value(json!({"timed_out": false, "hits": {"total": {"value": hits.len()}, "hits": hits}}))
            .unwrap()
    }

    #[test]
    fn a_hit_of_another_tenant_or_visibility_is_dropped() {
        let ours = scope(1);
        let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::Only(Visibility::Public), without: &[] };
        let hits = [
            hit(&ours, Visibility::Public),
            hit(&scope(2), Visibility::Public),
            hit(&Scope { mode: Mode::Test, ..scope(1) }, Visibility::Public),
            hit(&ours, Visibility::Internal),
        ];
        assert_eq!(answer(&hits).entries(within).unwrap().items.len(), 1);
    }

    #[test]
    fn fuzzed_responses() {
        let ours = scope(1);
        let passage =
            json!({"_nested": {"offset": 0}, "_source": {"text": "C", "terms": "c d", "vector": "AACAPwAAAAA="}});
        let mut best = hit(&ours, Visibility::Public);
        best["inner_hits"] = json!({"words": {"hits": {"hits": [passage]}}, "vectors": {"hits": {"hits": [passage]}}});
        let foreign = hit(&scope(2), Visibility::Public);
        let mean = json!({"value": 2.5});
        let buckets = json!({"buckets": [{"doc_count": 1}]});
        let prefix =
            &ScopeFilter { scope: &ours, visibility: VisibilityFilter::All, without: &[] }.vocabulary_prefixes()[0];
        let response = json!({
            "timed_out": false, "hits": {"total": {"value": 2}, "hits": [best, foreign]},
            "aggregations": {"corpus": {"scope": {"doc_count": 1, "titleLength": mean, "titles": buckets, "passages": {
                "doc_count": 1, "length": mean, "bigramLength": mean, "words": buckets, "bigrams": {"buckets": []}}}}},
            "suggest": {"0.0": [{"options": [{"text": format!("{prefix}refund"), "freq": 3}]}]},
        });
        let query = || Analyzer::new(Language::English).query("refund");
        let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::All, without: &[] };
        let read: SearchResponse = serde_json::from_value(response.clone()).unwrap();
        let asked = Lookup { terms: &query(), vector: None, misspelt: &["refnd".to_owned()] };
        let (retrieval, hits) = read.retrieval(within, &asked).unwrap();
        assert_eq!((hits.len(), retrieval.near_words[0]["refund"]), (1, 3));
        fuzz::mutations!(response, |value: &Value| {
            let ours = scope(1);
            let within =
                ScopeFilter { scope: &ours, visibility: VisibilityFilter::Only(Visibility::Public), without: &[] };
            let read = || serde_json::from_value::<SearchResponse>(value.clone()).ok();
            let query = Analyzer::new(Language::English).query("refund");
            let misspelt = ["refnd".to_owned()];
            let asked = Lookup { terms: &query, vector: None, misspelt: &misspelt };
            if let Some(Ok((found, hits))) = read().map(|read| read.retrieval(within, &asked)) {
                assert_eq!((found.stats.word_df.len(), found.near_words.len()), (query.distinct.len(), 1));
                assert!(hits.iter().all(|hit| hit.candidate.visibility == Visibility::Public && hit.places.len() <= 2));
            }
            if let Some(Ok(page)) = read().map(|read| read.entries(within)) {
                assert!(page.items.iter().all(|hit| hit.entry.visibility == Visibility::Public));
            }
            let addresses =
                serde_json::from_value::<SearchResponse<Address>>(value.clone()).map(SearchResponse::addresses);
            drop(addresses);
        });
    }

    #[test]
    fn an_answer_cut_short_or_without_counts_is_no_answer() {
        let ours = scope(1);
        let within = ScopeFilter { scope: &ours, visibility: VisibilityFilter::All, without: &[] };
        let mut late = answer(&[]);
        late.timed_out = true;
        assert!(late.entries(within).is_err());
        let asked = Lookup { terms: &QueryTerms::default(), vector: None, misspelt: &[] };
        assert!(answer(&[]).retrieval(within, &asked).is_err());
    }
}
