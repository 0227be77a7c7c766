//! The behaviour of a wiki index. Every test runs over the part of OpenSearch that the local service has, and over a real
//! one. All tests of one run share the real one's index; each has a tenant of its own.

mod agreement;
mod behaviours;
mod corpus;
mod opensearch;
mod overlay;
mod rebuild;
mod spellings;
mod vectors;
mod viewers;

use std::sync::Arc;
use std::time::Duration;

use answer::search::{
    EntryFilter, EntryHits, EntryQuery, IndexedEntry, Lookup, Retrieval, SearchIndex, VisibilityFilter,
};
use aws::search::opensearch::{OpenSearchIndex, OpenSearchSettings};
use domain::clock::Runtime;
use domain::models::{Language, Mode, QueryVector, Scope, TenantId, Timestamp, WikiPath};
use local::opensearch::OpenSearchSubset;
use text::{Analyzer, QueryTerms};

use crate::services;

/// Runs each behaviour over both servers.
macro_rules! over_both {
    ($($behaviour:ident),+ $(,)?) => {
        mod over_embedded {
            $(
                #[tokio::test]
                async fn $behaviour() {
                    super::behaviours::$behaviour(&super::Adapter::embedded()).await;
                }
            )+
        }
        mod over_opensearch {
            $(
                #[tokio::test]
                async fn $behaviour() {
                    let Some(adapter) = super::Adapter::opensearch() else { return };
                    super::behaviours::$behaviour(&adapter).await;
                }
            )+
        }
    };
}

over_both!(
    the_reference_wiki_gives_the_reference_figures,
    no_question_reaches_another_tenant_or_mode,
    counts_are_the_tenants_own,
    only_what_is_visible_is_found_and_counted,
    an_invisible_entry_changes_no_figure,
    a_word_of_an_entry_that_was_hidden_is_no_correction,
    a_hit_has_the_score_of_the_formula,
    the_newest_version_stands_whatever_order_they_arrive_in,
    a_deleted_entry_is_gone_and_counts_no_more,
    a_passage_of_an_older_version_is_never_found,
    a_replacement_takes_the_place_of_its_own_version_and_of_no_newer_one,
    an_old_deletion_is_forgotten_and_nothing_else,
    the_ten_nearest_entries_are_candidates_with_three_passages_each,
    a_list_is_paged_and_narrowed_by_tag_and_prefix,
    a_question_of_8000_characters_of_distinct_words_is_answered,
    words_of_every_script_are_found,
    parts_and_other_spellings_are_found_with_the_same_counts,
    the_nearest_word_is_one_of_a_visible_entry_of_the_tenant,
    many_misspelt_words_cost_bounded_work,
    a_long_path_and_a_long_word_are_accepted,
    a_question_without_words_finds_nothing,
    an_entry_comes_back_as_it_was,
    the_ten_nearest_by_vector_join_the_ten_best_by_words,
    the_nearest_passage_is_among_those_of_every_candidate,
    a_question_without_words_is_answered_by_its_vector,
    questions_that_are_asked_together_have_the_results_of_each,
    vectors_reach_no_other_tenant_and_nothing_invisible,
    vectors_of_another_space_or_dimension_are_not_compared,
    an_entry_is_embedded_also_where_the_model_gave_no_vector_of_a_passage,
    entries_without_vectors_are_listed_and_counted,
);

/// One index under test.
pub(crate) struct Adapter {
    index: Arc<dyn SearchIndex>,
    refresh: Option<String>,
}

impl Adapter {
    /// The index of the local service.
    pub(crate) fn embedded() -> Self {
        Self { index: Arc::new(OpenSearchIndex::direct(Arc::new(OpenSearchSubset::default()))), refresh: None }
    }

    /// The index on a real node.
    pub(crate) fn opensearch() -> Option<Self> {
        let url = services::opensearch()?;
        let settings = OpenSearchSettings { timeout: Duration::from_secs(60), ..OpenSearchSettings::unsigned(url) };
        let index = OpenSearchIndex::connect(settings).unwrap();
        Some(Self { index: Arc::new(index), refresh: Some(format!("{url}/wiki/_refresh")) })
    }

    /// Makes searchable what was written.
    async fn settle(&self) {
        if let Some(url) = &self.refresh {
            let client = reqwest::Client::builder().no_proxy().build().unwrap();
            client.post(url).send().await.unwrap().error_for_status().unwrap();
        }
    }

    async fn put(&self, scope: &Scope, entry: &IndexedEntry) {
        self.index.put(scope, entry).await.unwrap();
    }

    async fn put_all(&self, scope: &Scope, entries: &[IndexedEntry]) {
        futures::future::join_all(entries.iter().map(|entry| self.put(scope, entry))).await;
        self.settle().await;
    }

    async fn delete(&self, scope: &Scope, path: &str, version: u64) {
        let path = WikiPath::parse(path).unwrap();
        self.index.delete(scope, &path, version, Timestamp::from_millis(1_767_225_600_000)).await.unwrap();
    }

    async fn ask(&self, scope: &Scope, question: &str) -> Retrieval {
        self.ask_within(scope, question, VisibilityFilter::All).await
    }

    async fn ask_within(&self, scope: &Scope, question: &str, visibility: VisibilityFilter) -> Retrieval {
        self.retrieve(scope, &english().query(question), None, visibility).await
    }

    async fn retrieve(
        &self,
        scope: &Scope,
        terms: &QueryTerms,
        vector: Option<&QueryVector>,
        visibility: VisibilityFilter,
    ) -> Retrieval {
        let mut found =
            self.index.retrieve(scope, &[Lookup { terms, vector, misspelt: &[] }], visibility).await.unwrap();
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    async fn list(&self, scope: &Scope, query: &EntryQuery) -> EntryHits {
        self.index.search(scope, query).await.unwrap()
    }

    async fn count(&self, scope: &Scope, filter: &EntryFilter) -> u64 {
        self.index.count(scope, filter).await.unwrap()
    }
}

fn english() -> Analyzer {
    Analyzer::new(Language::English)
}

/// A tenant that no other test has.
pub(crate) fn new_scope() -> Scope {
    Scope { tenant: TenantId::generate(&Runtime::system()).unwrap(), mode: Mode::Live }
}

/// The filter that every entry passes.
pub(crate) const EVERYTHING: EntryFilter =
    EntryFilter { visibility: VisibilityFilter::All, tag: None, path_prefix: None };

/// The query of `GET /wiki?q=` when nothing else is given.
pub(crate) fn listing(words: &str) -> EntryQuery {
    EntryQuery { terms: english().query(words), filter: EVERYTHING, offset: 0, limit: 100 }
}

fn paths(found: &Retrieval) -> Vec<&str> {
    found.candidates.iter().map(|candidate| candidate.path.as_str()).collect()
}

fn listed(hits: &EntryHits) -> Vec<&str> {
    hits.items.iter().map(|hit| hit.entry.path.as_str()).collect()
}
