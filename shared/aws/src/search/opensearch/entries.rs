//! Searches over entries, by words and by meaning.
//!
//! Full-text search takes two requests: the counts of what the caller may see, then a page that a script scores by
//! them. OpenSearch's own score is made of the counts of a shard, in which every tenant's entries are. Vectors have one
//! field for each space and number of dimensions, created with the first entry that has some.

use std::collections::HashMap;

use answer::search::{
    B, BIGRAM_WEIGHT, Bm25, CANDIDATES, CANDIDATES_WITHOUT, CorpusStats, EntryAddress, EntryQuery, FieldStats, K1,
    Retrieval, TITLE_WEIGHT,
};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use text::QueryTerms;

use super::connection::{OpenSearchIndex, OpenSearchRequest, RequestOutcome};
use super::query::{self, ScopeFilter, TIMEOUT, containing_each, entry_filters};
use super::response::{Address, Buckets, CandidateHit, Mean, SearchResponse, incomplete, stats};
use domain::models::{EmbeddingSpace, QueryVector, Scope, WikiPath};

/// The aggregations of [`counts`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryBuckets {
    #[serde(rename = "doc_count")]
    entries: u64,
    title_length: Mean,
    titles: Buckets,
    words: Buckets,
}

/// A tenant's counts for a full-text search.
#[derive(Debug, PartialEq)]
pub(super) struct EntryCounts {
    /// Entries and the mean length of their titles.
    titles: FieldStats,
    /// Document frequency among entries of each term.
    word_df: Vec<u64>,
    /// Document frequency among titles of each term.
    title_df: Vec<u64>,
}

impl EntryBuckets {
    /// The counts, which must be those of `query`.
    pub(super) fn counts_for(self, query: &QueryTerms) -> domain::Result<EntryCounts> {
        let titles = stats(self.entries, &self.title_length);
        let (word_df, title_df) = (self.words.into_counts(), self.titles.into_counts());
        if (word_df.len(), title_df.len()) != (query.distinct.len(), query.distinct.len()) {
            return Err(incomplete("counts of another question"));
        }
        Ok(EntryCounts { titles, word_df, title_df })
    }
}

/// The tenant's counts for a full-text search, of the entries that this caller may see.
pub(super) fn counts(within: ScopeFilter<'_>, query: &QueryTerms) -> Value {
    let each = json!({
        "filter": {"bool": {"filter": within.filters()}},
        "aggs": {
            "titleLength": {"avg": {"field": "titleLength"}},
            "titles": containing_each("titleTerms", query),
            "words": containing_each("allTerms", query),
        },
    });
    json!({
        "size": 0,
        "timeout": TIMEOUT,
        "track_total_hits": false,
        "query": {"bool": {"filter": within.filters()}},
        "aggs": {"corpus": {"global": {}, "aggs": {"scope": each}}},
    })
}

/// [`answer::search::SearchIndex::search`]'s score of an entry.
const ENTRY_SCORE: &str = "
double score = 0;
double norm = params.k1 * (1 - params.b + params.b * doc['titleLength'].value / params.meanTitle);
for (int i = 0; i < params.terms.length; i++) {
  double whole = termFreq('allTerms', params.terms[i]);
  double title = termFreq('titleTerms', params.terms[i]);
  score += params.wholeWeights[i] * whole * (params.k1 + 1) / (whole + params.k1)
    + params.titleWeights[i] * title * (params.k1 + 1) / (title + norm);
}
return score;";

/// One page of the search. `query` has at least one term.
pub(super) fn page(scope: &Scope, query: &EntryQuery, counts: &EntryCounts) -> Value {
    let terms = &query.terms;
    let mut filters = entry_filters(scope, &query.filter);
    let has_one = terms.distinct.iter().map(|word| json!({"term": {"allTerms": word}})).collect::<Vec<_>>();
    filters.push(json!({"bool": {"should": has_one, "minimum_should_match": 1}}));
    let asked = terms.search_weights(BIGRAM_WEIGHT).0;
    let weights = |field: FieldStats, df: &[u64], weight: f64| -> Vec<f64> {
        df.iter().zip(&asked).map(|(df, asked)| weight * asked * Bm25::new(field).idf(*df)).collect()
    };
    let mean = counts.titles.mean_length;
    let params = json!({
        "k1": K1,
        "b": B,
        "meanTitle": if mean > 0.0 { mean } else { 1.0 },
        "terms": terms.distinct,
        "wholeWeights": weights(counts.titles, &counts.word_df, 1.0),
        "titleWeights": weights(counts.titles, &counts.title_df, TITLE_WEIGHT),
    });
    json!({
        "from": query.offset,
        "size": query.limit,
        "timeout": TIMEOUT,
        "track_total_hits": true,
        "_source": ["scope", "entry"],
        "sort": ["_score", {"path": "asc"}],
        "query": {"script_score": {
            "query": {"bool": {"filter": filters}},
            "script": {"source": ENTRY_SCORE, "params": params},
        }},
    })
}

/// The answer to a search of vectors before the first entry has some.
const NO_SUCH_FIELD: &str = "search_phase_execution_exception";

impl OpenSearchIndex {
    /// Creates the field of these vectors in the index of `alias`, if it is missing. Without the k-NN plugin it cannot be
    /// created: then candidates are found by words, and still ranked by cosines.
    pub(super) async fn map_vectors(
        &self,
        alias: &str,
        field: &str,
        dimensions: usize,
    ) -> domain::Result<RequestOutcome> {
        let what = "map vectors";
        let method = json!({"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"});
        let knn = json!({"type": "knn_vector", "dimension": dimensions, "method": method});
        let body = &json!({"properties": {"passages": {"type": "nested", "properties": {field: knn}}}});
        let map = OpenSearchRequest::new(Method::PUT, format!("/{alias}/_mapping")).json(body);
        let reply = self.send(what, &map).await?;
        if reply.status == StatusCode::BAD_REQUEST {
            let reason = reply.error_type();
            tracing::warn!(reason, "the search domain does not support vectors; search uses words only");
            return Ok(RequestOutcome::Done(reply));
        }
        reply.outcome(what)
    }

    /// Candidates by words and, if the question has a vector, by vectors.
    pub(super) async fn retrieve_hybrid(
        &self,
        within: ScopeFilter<'_>,
        terms: &QueryTerms,
        vector: Option<&QueryVector>,
    ) -> domain::Result<Retrieval> {
        let by_words = async {
            match terms.distinct.is_empty() {
                true => Ok((CorpusStats::default(), Vec::new())),
                false => {
                    let asked = query::retrieval(within, terms, self.candidates());
                    self.ask::<SearchResponse>(&asked).await?.retrieval(within, terms, vector)
                }
            }
        };
        let by_vector = async {
            match vector {
                Some(vector) => self.nearest(within, terms, vector, None).await,
                None => Vec::new(),
            }
        };
        let (by_words, near) = tokio::join!(by_words, by_vector);
        let (stats, mut found) = by_words?;
        let by_words = found.len();
        let mut near: HashMap<WikiPath, (usize, CandidateHit)> =
            near.into_iter().enumerate().map(|(at, near)| (near.candidate.path.clone(), (at, near))).collect();
        if let Some(vector) = vector {
            self.add_nearest_passages(within, vector, &mut found, &mut near).await;
        }
        let mut rest: Vec<(usize, CandidateHit)> = near.into_values().collect();
        rest.sort_by_key(|(at, _)| *at);
        found.extend(rest.into_iter().map(|(_, near)| near));
        let candidates = found.into_iter().map(|found| found.candidate).collect();
        Ok(Retrieval { stats, candidates, by_words, ..Retrieval::default() })
    }

    /// How many entries are found by words. The embedded index scores as an overlay does.
    fn candidates(&self) -> usize {
        if self.without.is_empty() || self.is_remote() { CANDIDATES } else { CANDIDATES_WITHOUT }
    }

    /// Gives each candidate that was found by words the passage that is nearest to the question.
    async fn add_nearest_passages(
        &self,
        within: ScopeFilter<'_>,
        vector: &QueryVector,
        found: &mut [CandidateHit],
        near: &mut HashMap<WikiPath, (usize, CandidateHit)>,
    ) {
        let paths = found.iter().map(|found| found.candidate.path.clone());
        let others: Vec<WikiPath> = paths.filter(|path| !near.contains_key(path)).collect();
        let mut also = HashMap::new();
        if !others.is_empty() && !near.is_empty() {
            let asked = self.nearest(within, &QueryTerms::default(), vector, Some(&others)).await;
            also.extend(asked.into_iter().map(|near| (near.candidate.path.clone(), near)));
        }
        for found in found {
            let path = &found.candidate.path;
            if let Some(other) = near.remove(path).map(|(_, near)| near).or_else(|| also.remove(path)) {
                found.add_passages_of(other);
            }
        }
    }

    /// The entries nearest by their vectors; none, with a warning, if the search fails: words are enough.
    async fn nearest(
        &self,
        within: ScopeFilter<'_>,
        terms: &QueryTerms,
        vector: &QueryVector,
        among: Option<&[WikiPath]>,
    ) -> Vec<CandidateHit> {
        let what = "search vectors";
        let answered = async {
            let reply = self.send_search(&query::nearest(within, terms, vector, among)).await?;
            // Before the first entry has vectors of this model, the field does not exist.
            if reply.status == StatusCode::BAD_REQUEST && reply.error_type() == NO_SUCH_FIELD {
                return Ok(Vec::new());
            }
            match reply.outcome(what)? {
                RequestOutcome::Done(reply) => reply.json::<SearchResponse>(what)?.nearest(within, vector),
                RequestOutcome::Outdated | RequestOutcome::NoIndex => Ok(Vec::new()),
            }
        };
        answered.await.unwrap_or_else(|error: domain::Error| {
            tracing::warn!(error = %error, "the vector search failed; candidates are found by words only");
            Vec::new()
        })
    }

    /// Entries without vectors of `space`.
    pub(super) async fn addresses_without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> domain::Result<Vec<EntryAddress>> {
        self.ask::<SearchResponse<Address>>(&query::without_vectors(space, after, limit)).await?.addresses()
    }

    /// Their number, including the latest writes.
    pub(super) async fn total_without_vectors(&self, space: &EmbeddingSpace) -> domain::Result<u64> {
        self.refresh_index(self.alias()).await?;
        self.ask::<SearchResponse<Address>>(&query::without_vectors(space, None, 0)).await?.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::search::{EntryFilter, VisibilityFilter};

    use domain::models::{Mode, TenantId, Timestamp, Visibility};

    #[test]
    fn counts_and_page_are_held_to_tenant_mode_not_deleted_and_visibility() {
        let scope = Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live };
        let terms = QueryTerms::new(["gift", "card", "gift"].map(str::to_owned));
        let visibility = VisibilityFilter::Only(Visibility::Public);
        let asked = counts(ScopeFilter { scope: &scope, visibility, without: &[] }, &terms);
        let here = json!([
            {"term": {"scope": format!("{}#live", scope.tenant)}},
            {"term": {"deleted": false}},
            {"term": {"visibility": "public"}},
        ]);
        assert_eq!(asked["query"]["bool"]["filter"], here);
        assert_eq!(asked["aggs"]["corpus"]["aggs"]["scope"]["filter"]["bool"]["filter"], here);
        let filter = EntryFilter { visibility, tag: Some("a* OR b".into()), path_prefix: None };
        let counts = EntryCounts {
            titles: FieldStats { count: 2, mean_length: 1.5 },
            word_df: vec![1, 2],
            title_df: vec![0, 1],
        };
        let asked = page(&scope, &EntryQuery { terms, filter, offset: 40, limit: 20 }, &counts);
        let filters = asked["query"]["script_score"]["query"]["bool"]["filter"].as_array().unwrap();
        assert_eq!(filters[..3], here.as_array().unwrap()[..]);
        assert_eq!(filters[3], json!({"term": {"tags": "a* OR b"}}));
        let params = &asked["query"]["script_score"]["script"]["params"];
        assert_eq!([&params["k1"], &params["b"]], [&json!(K1), &json!(B)]);
        let idf = |df| Bm25::new(counts.titles).idf(df);
        assert_eq!(
            params["wholeWeights"],
            json!([2.0 * idf(1), idf(2)]),
            "a repeated word weighs as often as it stands"
        );
        assert_eq!(params["titleWeights"], json!([0.25 * 2.0 * idf(0), 0.25 * idf(1)]));
    }
}
