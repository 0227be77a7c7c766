//! Vectors in OpenSearch: one field for each space and number of dimensions, created with the first entry that has
//! some, and the search for near candidates.

use std::collections::HashMap;

use http::{Method, StatusCode};
use serde_json::json;

use super::connection::OpenSearchIndex;
use super::query;
use super::query::ScopeFilter;
use super::request::{OpenSearchRequest, RequestOutcome};
use super::response::{Address, CandidateHit, SearchResponse};
use answer::search::{CANDIDATES, CANDIDATES_WITHOUT, CorpusStats, EntryAddress, Retrieval};
use domain::models::{EmbeddingSpace, QueryVector, WikiPath};
use text::QueryTerms;

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
