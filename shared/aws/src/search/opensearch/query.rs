//! The queries. Every query begins with [`ScopeFilter::filters`]: tenant and mode, not deleted, visibility. A caller's
//! words are only used as the value of a `term` query on a field of terms, or, behind a prefix of tenant and mode, as
//! the text of a spelling suggestion that keeps the prefix. OpenSearch parses neither, so no wording of a question
//! reaches another tenant or another field.

use serde_json::{Map, Value, json};

use super::document::{knn_field, stored_bigram, vocabulary_prefix};
use answer::search::{
    BIGRAM_WEIGHT, CANDIDATES, EntryAddress, EntryFilter, Lookup, PASSAGES_EACH, TITLE_WEIGHT, VisibilityFilter,
    scope_text,
};
use domain::models::{EmbeddingSpace, MAX_TOTAL, QueryVector, Scope, Timestamp, Visibility, WikiPath};
use text::{QueryTerms, max_edits};

/// The timeout of a search inside OpenSearch.
pub(super) const TIMEOUT: &str = "2s";

/// Near words that are looked at for one misspelt word.
const SUGGESTIONS_PER_WORD: usize = 20;

/// The entries that one caller may find.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScopeFilter<'a> {
    /// The tenant and mode.
    pub(super) scope: &'a Scope,
    pub(super) visibility: VisibilityFilter,
    /// Entries that are left out of candidates and counts.
    pub(super) without: &'a [WikiPath],
}

impl ScopeFilter<'_> {
    /// The filters of every query.
    pub(super) fn filters(&self) -> Vec<Value> {
        let mut filters = tenant_filters(self.scope);
        if let VisibilityFilter::Only(visibility) = self.visibility {
            filters.push(json!({"term": {"visibility": visibility}}));
        }
        if !self.without.is_empty() {
            filters.push(json!({"bool": {"must_not": {"terms": {"path": self.without}}}}));
        }
        filters
    }

    /// The prefixes of the words of the vocabulary that may be found.
    pub(super) fn vocabulary_prefixes(&self) -> Vec<String> {
        let admitted = [Visibility::Public, Visibility::Internal].into_iter().filter(|v| self.visibility.admits(*v));
        admitted.map(|visibility| vocabulary_prefix(self.scope, visibility)).collect()
    }
}

fn tenant_filters(scope: &Scope) -> Vec<Value> {
    vec![json!({"term": {"scope": scope_text(scope)}}), json!({"term": {"deleted": false}})]
}

/// The tombstones of entries that were deleted before `before`, of every tenant.
pub(super) fn deleted_before(before: Timestamp) -> Value {
    json!({"query": {"bool": {"filter": [
        {"term": {"deleted": true}},
        {"range": {"changedAt": {"lt": before.as_millis()}}},
    ]}}})
}

/// The best `size` candidates for a question, the tenant's counts and near words, in one search. The question has at
/// least one term.
pub(super) fn retrieval(within: ScopeFilter<'_>, lookup: &Lookup<'_>, size: usize) -> Value {
    let query = lookup.terms;
    json!({
        "size": size,
        "timeout": TIMEOUT,
        "track_total_hits": false,
        "_source": CANDIDATE_FIELDS,
        "sort": ["_score", {"path": "asc"}],
        "query": {"bool": {
            "filter": within.filters(),
            "must": [passages_by_words(query, 1.0)],
            "should": weighted_terms("titleTerms", query, &query.search_weights(BIGRAM_WEIGHT).0, TITLE_WEIGHT),
        }},
        "aggs": {"corpus": {"global": {}, "aggs": {"scope": counts(within, query)}}},
        "suggest": near_words(within, lookup.misspelt),
    })
}

/// The words near to each of `words`, by OpenSearch's spelling suggestions: one suggestion a word and visibility.
pub(super) fn near_words(within: ScopeFilter<'_>, words: &[String]) -> Value {
    let prefixes = within.vocabulary_prefixes();
    let suggestions = words.iter().enumerate().flat_map(|(at, word)| {
        prefixes.iter().enumerate().map(move |(place, prefix)| {
            (
                format!("{at}.{place}"),
                json!({"text": format!("{prefix}{word}"), "term": {
                    "field": "vocabulary",
                    "analyzer": "keyword",
                    "suggest_mode": "always",
                    "string_distance": "damerau_levenshtein",
                    "max_edits": max_edits(word),
                    "prefix_length": prefix.chars().count() + 1,
                    "min_word_length": 1,
                    "accuracy": 0.1,
                    "size": SUGGESTIONS_PER_WORD,
                    "shard_size": SUGGESTIONS_PER_WORD,
                }}),
            )
        })
    });
    Value::Object(suggestions.collect::<Map<_, _>>())
}

/// The fields that are read of a candidate and of each of its passages.
const CANDIDATE_FIELDS: [&str; 4] = ["scope", "entry", "titleTerms", "embeddingSpace"];
const PASSAGE_FIELDS: [&str; 3] = ["passages.text", "passages.terms", "passages.vector"];

/// How many entries the graph of vectors is searched for. Lucene explores it no further than for `k` of them, and may then
/// miss one of the nearest: of five times as many, the nearest [`CANDIDATES`] are hardly ever wrong.
const EXPLORED: usize = 5 * CANDIDATES;

/// The entries nearest to a question by their nearest passage, each with that and with its best passages by words; of
/// `among` alone, if they are named.
pub(super) fn nearest(
    within: ScopeFilter<'_>,
    query: &QueryTerms,
    vector: &QueryVector,
    among: Option<&[WikiPath]>,
) -> Value {
    let mut filters = within.filters();
    filters.extend(among.map(|paths| json!({"terms": {"path": paths}})));
    let field = format!("passages.{}", knn_field(&vector.space, vector.embedding.dimensions()));
    let filter = json!({"bool": {"filter": filters}});
    let knn = json!({field: {"vector": vector.embedding.to_floats(), "k": EXPLORED, "filter": filter}});
    // They come along and count nothing: the nearest are the nearest by vector.
    let by_words = if query.distinct.is_empty() { Vec::new() } else { vec![passages_by_words(query, 0.0)] };
    json!({
        "size": among.map_or(CANDIDATES, <[WikiPath]>::len),
        "timeout": TIMEOUT,
        "track_total_hits": false,
        "_source": CANDIDATE_FIELDS,
        "query": {"bool": {
            "filter": filters,
            "must": [{"nested": {
                "path": "passages",
                "score_mode": "max",
                "query": {"knn": knn},
                "inner_hits": {"name": "vectors", "size": 1, "_source": PASSAGE_FIELDS},
            }}],
            "should": by_words,
        }},
    })
}

/// The entries of every tenant that have no vectors of a space, after one of them, in the order of tenant and path.
pub(super) fn without_vectors(space: &EmbeddingSpace, after: Option<&EntryAddress>, limit: usize) -> Value {
    let mut query = json!({
        "size": limit,
        "timeout": TIMEOUT,
        "track_total_hits": true,
        "_source": ["scope", "path"],
        "sort": [{"scope": "asc"}, {"path": "asc"}],
        "query": {"bool": {
            "filter": [{"term": {"deleted": false}}],
            "must_not": [{"term": {"embeddingSpace": space}}],
        }},
    });
    if let (Some(after), Some(fields)) = (after, query.as_object_mut()) {
        fields.insert("search_after".to_owned(), json!([scope_text(&after.scope), after.path]));
    }
    query
}

/// Passages that have words of the question, the best three of an entry. `boost` is what their entry's score counts.
fn passages_by_words(query: &QueryTerms, boost: f64) -> Value {
    let (words, bigrams) = query.search_weights(BIGRAM_WEIGHT);
    let mut clauses = weighted_terms("passages.terms", query, &words, 1.0);
    let bigrams = query.bigrams.iter().zip(bigrams);
    clauses.extend(bigrams.map(|(bigram, boost)| term("passages.bigrams", &stored_bigram(bigram), boost)));
    json!({"nested": {
        "path": "passages",
        "score_mode": "max",
        "query": {"bool": {"should": clauses, "minimum_should_match": 1}},
        "boost": boost,
        "inner_hits": {"name": "words", "size": PASSAGES_EACH, "_source": PASSAGE_FIELDS},
    }})
}

/// The filters of a list.
pub(super) fn entry_filters(scope: &Scope, filter: &EntryFilter) -> Vec<Value> {
    let mut filters = ScopeFilter { scope, visibility: filter.visibility, without: &[] }.filters();
    if let Some(tag) = &filter.tag {
        filters.push(json!({"term": {"tags": tag}}));
    }
    if let Some(prefix) = &filter.path_prefix {
        filters.push(json!({"prefix": {"path": {"value": prefix}}}));
    }
    filters
}

/// The number of entries that pass `filter`, as far as a list counts.
pub(super) fn count(scope: &Scope, filter: &EntryFilter) -> Value {
    json!({
        "size": 0,
        "timeout": TIMEOUT,
        "track_total_hits": MAX_TOTAL + 1,
        "query": {"bool": {"filter": entry_filters(scope, filter)}},
    })
}

/// The tenant's counts of the entries that this caller may see: the others change no figure that it gets.
fn counts(within: ScopeFilter<'_>, query: &QueryTerms) -> Value {
    let mut of_passages = json!({
        "length": {"avg": {"field": "passages.length"}},
        "bigramLength": {"avg": {"field": "passages.bigramLength"}},
        "words": containing_each("passages.terms", query),
    });
    if !query.bigrams.is_empty() {
        let each = query.bigrams.iter().map(|b| json!({"term": {"passages.bigrams": stored_bigram(b)}})).collect();
        if let Some(aggregations) = of_passages.as_object_mut() {
            aggregations.insert("bigrams".to_owned(), containing(each));
        }
    }
    json!({
        "filter": {"bool": {"filter": within.filters()}},
        "aggs": {
            "titleLength": {"avg": {"field": "titleLength"}},
            "titles": containing_each("titleTerms", query),
            "passages": {"nested": {"path": "passages"}, "aggs": of_passages},
        },
    })
}

/// Counts per distinct term of a question, in their order.
pub(super) fn containing_each(field: &str, query: &QueryTerms) -> Value {
    containing(query.distinct.iter().map(|word| json!({"term": {field: word}})).collect())
}

/// Counts per filter, in the filters' order.
fn containing(filters: Vec<Value>) -> Value {
    json!({"filters": {"filters": filters}})
}

/// Each distinct term at what it counts for in the question.
fn weighted_terms(field: &str, query: &QueryTerms, asked: &[f64], weight: f64) -> Vec<Value> {
    query.distinct.iter().zip(asked).map(|(word, asked)| term(field, word, weight * asked)).collect()
}

fn term(field: &str, value: &str, boost: f64) -> Value {
    json!({"term": {field: {"value": value, "boost": boost}}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::models::{Mode, TenantId};

    fn question() -> QueryTerms {
        QueryTerms::new(["gift", "card", "gift"].map(str::to_owned))
    }

    fn lookup(terms: &QueryTerms) -> Lookup<'_> {
        Lookup { terms, vector: None, misspelt: &[] }
    }

    fn scope() -> Scope {
        Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live }
    }

    #[test]
    fn every_query_and_every_count_is_held_to_tenant_mode_and_not_deleted() {
        let scope = scope();
        let here = json!([{"term": {"scope": format!("{}#live", scope.tenant)}}, {"term": {"deleted": false}}]);
        let within = ScopeFilter { scope: &scope, visibility: VisibilityFilter::All, without: &[] };
        let question = question();
        let vector = QueryVector {
            space: EmbeddingSpace::of("m", 2, ""),
            embedding: domain::models::Embedding::of(&[0.6, 0.8]).unwrap(),
        };
        let near = nearest(within, &question, &vector, None);
        assert_eq!(near["query"]["bool"]["filter"], here);
        let knn = &near["query"]["bool"]["must"][0]["nested"]["query"]["knn"];
        let field = format!("passages.knn_{}_2", vector.space);
        assert_eq!(knn[&field]["filter"]["bool"]["filter"], here, "inside the search, not behind it");
        let public = ScopeFilter { visibility: VisibilityFilter::Only(Visibility::Public), ..within };
        let near = nearest(public, &question, &vector, None);
        let knn = &near["query"]["bool"]["must"][0]["nested"]["query"]["knn"];
        assert_eq!(knn[&field]["filter"]["bool"]["filter"][2], json!({"term": {"visibility": "public"}}));
        let asked = retrieval(within, &lookup(&question), CANDIDATES);
        assert_eq!(asked["query"]["bool"]["filter"], here);
        assert_eq!(asked["aggs"]["corpus"]["aggs"]["scope"]["filter"]["bool"]["filter"], here);
        let filter = EntryFilter { visibility: VisibilityFilter::All, tag: None, path_prefix: None };
        assert_eq!(count(&scope, &filter)["query"]["bool"]["filter"], here);
    }

    #[test]
    fn visibility_narrows_query_and_counts_and_tag_and_prefix_the_query() {
        let scope = scope();
        let within =
            ScopeFilter { scope: &scope, visibility: VisibilityFilter::Only(Visibility::Public), without: &[] };
        let asked = retrieval(within, &lookup(&question()), CANDIDATES);
        let public = json!({"term": {"visibility": "public"}});
        assert_eq!(asked["query"]["bool"]["filter"][2], public);
        assert_eq!(asked["aggs"]["corpus"]["aggs"]["scope"]["filter"]["bool"]["filter"][2], public);
        let filter = EntryFilter {
            visibility: within.visibility,
            tag: Some("a* OR b".into()),
            path_prefix: Some("faq/".into()),
        };
        let filters = &count(&scope, &filter)["query"]["bool"]["filter"];
        assert_eq!(filters[2], public);
        assert_eq!(filters[3], json!({"term": {"tags": "a* OR b"}}));
        assert_eq!(filters[4], json!({"prefix": {"path": {"value": "faq/"}}}));
    }

    #[test]
    fn entries_that_are_left_out_are_no_candidates_and_are_not_counted() {
        let scope = scope();
        let without = [WikiPath::parse("faq/one").unwrap()];
        let within = ScopeFilter { scope: &scope, visibility: VisibilityFilter::All, without: &without };
        let left_out = json!({"bool": {"must_not": {"terms": {"path": ["faq/one"]}}}});
        let asked = retrieval(within, &lookup(&question()), CANDIDATES);
        assert_eq!(asked["query"]["bool"]["filter"][2], left_out);
        assert_eq!(asked["aggs"]["corpus"]["aggs"]["scope"]["filter"]["bool"]["filter"][2], left_out);
    }

    #[test]
    fn a_synonym_is_searched_for_and_counted_beside_the_word() {
        let mut question = question();
        question.add_synonym(0, &text::Form::Word("voucher".to_owned()), 0.25);
        question.add_synonym(0, &text::Form::Bigram("present card".to_owned()), 0.25);
        let clauses = passages_by_words(&question, 1.0)["nested"]["query"]["bool"]["should"].clone();
        let clauses = clauses.as_array().unwrap();
        for (field, word) in [("passages.terms", "voucher"), ("passages.bigrams", &*stored_bigram("present card"))] {
            assert!(clauses.contains(&term(field, word, 0.5)), "{clauses:?}");
        }
        let counted = &containing_each("f", &question)["filters"]["filters"];
        assert_eq!(counted[2], json!({"term": {"f": "voucher"}}));
    }

    #[test]
    fn a_repeated_word_weighs_as_often_as_it_stands() {
        let question = question();
        assert_eq!(
            weighted_terms("f", &question, &question.weights, 0.25),
            [term("f", "gift", 0.5), term("f", "card", 0.25)]
        );
    }
}
