//! Searches over entries, by words and by meaning.
//!
//! Full-text search takes two requests: the counts of what the caller may see, then a page that a script scores by
//! them. OpenSearch's own score is made of the counts of a shard, in which every tenant's entries are. Vectors have one
//! field for each space and number of dimensions, created with the first entry that has some.

use std::sync::Arc;

use answer::search::{
    B, BIGRAM_WEIGHT, Bm25, CANDIDATES, CANDIDATES_WITHOUT, CandidateIndex, EntryQuery, FieldStats, K1, Lookup,
    NearWords, Retrieval, TITLE_WEIGHT, VisibilityFilter,
};
use async_trait::async_trait;
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use text::{MAX_REPAIRS, QueryTerms};

use super::connection::{OpenSearchIndex, OpenSearchReply, OpenSearchRequest, search_answer};
use super::query::{self, ScopeFilter, TIMEOUT, containing_each, entry_filters};
use super::response::{Buckets, CandidateHit, Mean, SearchResponse, incomplete, stats};
use domain::models::{QueryVector, Scope, WikiPath};

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

/// The replies to the searches of several lookups.
type Replies = std::vec::IntoIter<OpenSearchReply>;

/// The hits of one lookup.
struct HybridHits<'a> {
    vector: Option<&'a QueryVector>,
    /// Without its candidates.
    retrieval: Retrieval,
    by_words: Vec<CandidateHit>,
    /// The nearest first.
    near: Vec<CandidateHit>,
}

impl<'a> HybridHits<'a> {
    /// The hits in the next `replies`.
    fn read(within: ScopeFilter<'_>, lookup: &Lookup<'a>, replies: &mut Replies) -> domain::Result<Self> {
        let (retrieval, by_words) = match lookup.terms.distinct.is_empty() {
            true => Default::default(),
            false => search_answer::<SearchResponse>(replies.next())?.retrieval(within, lookup)?,
        };
        let near = lookup.vector.map_or_else(Vec::new, |vector| nearest(within, vector, replies.next()));
        Ok(Self { vector: lookup.vector, retrieval, by_words, near })
    }

    /// The entries found by words that are none of the nearest, if vectors were compared: their nearest passage is
    /// not known.
    fn others(&self) -> Option<(&'a QueryVector, Vec<WikiPath>)> {
        let is_near = |path: &WikiPath| self.near.iter().any(|near| near.candidate.path == *path);
        let paths = self.by_words.iter().map(|found| &found.candidate.path);
        let others: Vec<WikiPath> = paths.filter(|path| !is_near(path)).cloned().collect();
        self.vector.filter(|_| !self.near.is_empty() && !others.is_empty()).map(|vector| (vector, others))
    }

    /// Each candidate once, those by words first, each with its nearest passage: that of [`Self::others`] is in the next
    /// of `replies`.
    fn into_retrieval(self, within: ScopeFilter<'_>, replies: &mut Replies) -> Retrieval {
        let others = self.others().and_then(|(vector, _)| Some(nearest(within, vector, Some(replies.next()?))));
        let by_words = self.by_words.len();
        let mut found = self.by_words;
        for near in others.into_iter().flatten().chain(self.near) {
            match found.iter_mut().find(|found| found.candidate.path == near.candidate.path) {
                Some(found) => found.add_passages_of(near),
                None => found.push(near),
            }
        }
        let candidates = found.into_iter().map(|found| found.candidate).collect();
        Retrieval { candidates, by_words, ..self.retrieval }
    }
}

/// The entries nearest by their vectors; none, with a warning, if the search failed: words are enough.
fn nearest(within: ScopeFilter<'_>, vector: &QueryVector, reply: Option<OpenSearchReply>) -> Vec<CandidateHit> {
    let found = match reply {
        // Before the first entry has vectors of this model, the field does not exist.
        Some(reply) if reply.status == StatusCode::BAD_REQUEST && reply.error_type() == NO_SUCH_FIELD => Ok(Vec::new()),
        reply => search_answer::<SearchResponse>(reply).and_then(|found| found.nearest(within, vector)),
    };
    found.inspect_err(warn_without_vectors).unwrap_or_default()
}

fn warn_without_vectors(error: &domain::Error) {
    tracing::warn!(error = %error, "the vector search failed; candidates are found by words only");
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
    ) -> domain::Result<Option<OpenSearchReply>> {
        let what = "map vectors";
        let method = json!({"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"});
        let knn = json!({"type": "knn_vector", "dimension": dimensions, "method": method});
        let body = &json!({"properties": {"passages": {"type": "nested", "properties": {field: knn}}}});
        let map = OpenSearchRequest::new(Method::PUT, format!("/{alias}/_mapping")).json(body);
        let reply = self.send(what, &map).await?;
        if reply.status == StatusCode::BAD_REQUEST {
            let reason = reply.error_type();
            tracing::warn!(reason, "the search domain does not support vectors; search uses words only");
            return Ok(Some(reply));
        }
        reply.outcome(what)
    }
}

#[async_trait]
impl CandidateIndex for OpenSearchIndex {
    async fn retrieve(
        &self,
        scope: &Scope,
        lookups: &[Lookup<'_>],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Retrieval>> {
        let within = ScopeFilter { scope, visibility, without: &self.without };
        // The embedded index scores as an overlay does.
        let most = if self.without.is_empty() || self.is_remote() { CANDIDATES } else { CANDIDATES_WITHOUT };
        let mut searches = Vec::new();
        for lookup in lookups {
            let has_words = !lookup.terms.distinct.is_empty();
            searches.extend(has_words.then(|| query::retrieval(within, lookup, most)));
            searches.extend(lookup.vector.map(|vector| query::nearest(within, lookup.terms, vector, None)));
        }
        let mut replies = self.ask_all(&searches).await?.into_iter();
        let found = lookups.iter().map(|lookup| HybridHits::read(within, lookup, &mut replies));
        let found = found.collect::<domain::Result<Vec<_>>>()?;
        let others = found.iter().filter_map(HybridHits::others);
        let more: Vec<Value> = others
            .map(|(vector, others)| query::nearest(within, &QueryTerms::default(), vector, Some(&others)))
            .collect();
        let mut replies = self.ask_all(&more).await.inspect_err(warn_without_vectors).unwrap_or_default().into_iter();
        Ok(found.into_iter().map(|hits| hits.into_retrieval(within, &mut replies)).collect())
    }

    /// The dictionary of the index still has words of entries that changed, and of those that are left out; a word that
    /// no entry has is known by its counts.
    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>> {
        let within = ScopeFilter { scope, visibility, without: &self.without };
        let looked_up = words.get(..MAX_REPAIRS).unwrap_or(words);
        let suggest = query::near_words(within, looked_up);
        let search = json!({"size": 0, "timeout": TIMEOUT, "track_total_hits": false, "suggest": suggest});
        let mut near = self.ask::<SearchResponse>(&search).await?.complete()?.near_words(within, looked_up);
        near.resize(words.len(), NearWords::new());
        Ok(near)
    }

    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex> {
        let without = self.without.iter().chain(paths).cloned().collect();
        Arc::new(Self { without, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::opensearch::connection::AnswerRequests;
    use answer::search::EntryFilter;

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

    /// A server whose reply depends on how many searches it gets at once.
    #[derive(Debug)]
    struct Fixed(fn(usize) -> (u16, String));

    #[async_trait]
    impl AnswerRequests for Fixed {
        async fn answer(&self, request: &OpenSearchRequest) -> domain::Result<OpenSearchReply> {
            assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/wiki/_msearch"));
            let lines: Vec<Value> =
                serde_json::Deserializer::from_slice(&request.body).into_iter().collect::<Result<_, _>>().unwrap();
            assert!(lines.iter().step_by(2).all(|line| *line == json!({"allow_partial_search_results": false})));
            let (status, body) = self.0(lines.len() / 2);
            Ok(OpenSearchReply { status: StatusCode::from_u16(status).unwrap(), body: body.into() })
        }
    }

    /// The reply to a search by words that found nothing, or to one by vectors.
    fn nothing() -> Value {
        let (mean, buckets) = (json!({"value": null}), json!({"buckets": [{"doc_count": 7}]}));
        let passages = json!({"doc_count": 0, "length": mean, "bigramLength": mean, "words": buckets});
        let scope = json!({"doc_count": 0, "titleLength": mean, "titles": buckets, "passages": passages});
        json!({"status": 200, "timed_out": false, "hits": {"hits": []}, "aggregations": {"corpus": {"scope": scope}}})
    }

    fn failed(status: u16) -> Value {
        json!({"status": status, "error": {"type": "search_phase_execution_exception"}})
    }

    fn together(responses: &[Value]) -> (u16, String) {
        (200, json!({"responses": responses}).to_string())
    }

    /// What a server's replies mean for a question with a word and a vector.
    async fn retrieved(server: fn(usize) -> (u16, String)) -> domain::Result<Vec<Retrieval>> {
        let scope = Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live };
        let embedding = domain::models::Embedding::of(&[0.6, 0.8]).unwrap();
        let vector = QueryVector { space: domain::models::EmbeddingSpace::of("m", 2, ""), embedding };
        let lookup = Lookup { terms: &QueryTerms::new(["gift".to_owned()]), vector: Some(&vector), misspelt: &[] };
        OpenSearchIndex::direct(Arc::new(Fixed(server))).retrieve(&scope, &[lookup], VisibilityFilter::All).await
    }

    #[tokio::test]
    async fn a_search_by_vectors_may_fail_beside_one_by_words() {
        let servers: [fn(usize) -> (u16, String); 5] = [
            |_| together(&[nothing(), nothing()]),
            |_| together(&[nothing(), failed(400)]),
            |_| together(&[nothing(), failed(503)]),
            |_| together(&[nothing(), json!({"hits": 3})]),
            |_| together(&[nothing()]),
        ];
        for server in servers {
            let found = retrieved(server).await.unwrap();
            assert_eq!((found.len(), &found[0].stats.word_df, found[0].candidates.len()), (1, &vec![7], 0));
        }
        // Without the k-NN plugin.
        let found =
            retrieved(|searches| if searches > 1 { (400, failed(400).to_string()) } else { together(&[nothing()]) });
        assert_eq!(found.await.unwrap()[0].stats.word_df, [7]);
    }

    #[tokio::test]
    async fn a_search_by_words_that_fails_or_has_no_reply_is_an_error() {
        let servers: [fn(usize) -> (u16, String); 8] = [
            |_| together(&[failed(400), nothing()]),
            |_| together(&[failed(503), nothing()]),
            |_| together(&[json!({"timed_out": true}), nothing()]),
            |_| together(&[json!(7), nothing()]),
            |_| together(&[]),
            |_| (200, r#"{"responses": [{"status": 200, "ti"#.to_owned()),
            |_| (200, String::new()),
            |_| (429, failed(429).to_string()),
        ];
        for server in servers {
            let failure = retrieved(server).await.unwrap_err();
            assert_eq!(failure.code(), domain::error::Code::ServiceUnavailable);
            assert!(!failure.to_string().contains('\n'), "{failure}");
        }
    }
}
