//! Evaluates a query on one document: its score, or none where it does not match. An unknown kind of query matches nothing.
//!
//! Texts are scored by [`Bm25`], everything else by its boost.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use answer::search::{Bm25, FieldStats, K1};
use serde_json::{Map, Value, json};

use super::document::{Document, Fields, Terms};

/// All documents, with what was counted of them for one search.
#[derive(Debug)]
pub(super) struct Corpus<'a> {
    pub(super) documents: &'a BTreeMap<String, Document>,
    counts: RefCell<HashMap<(String, String), Counts>>,
    /// By the field of vectors, the cosine that a document must reach to be among the nearest.
    nearest: RefCell<HashMap<String, f64>>,
}

/// The counts of a term in a field.
#[derive(Debug, Clone, Copy)]
struct Counts {
    field: FieldStats,
    df: u64,
}

/// The object that a query is evaluated on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) document: &'a Document,
    /// One passage of the document, inside a nested query.
    pub(super) passage: Option<&'a Fields>,
}

impl<'a> Place<'a> {
    fn fields(self) -> &'a Fields {
        self.passage.unwrap_or_else(|| self.document.fields())
    }
}

/// The passages that a nested query found, by the name of its `inner_hits`.
pub(super) type InnerHits = Map<String, Value>;

impl<'a> Corpus<'a> {
    pub(super) fn new(documents: &'a BTreeMap<String, Document>) -> Self {
        Self { documents, counts: RefCell::default(), nearest: RefCell::default() }
    }

    /// The score of `query` at `place`; `inner` gets the passages that it found.
    pub(super) fn score(&self, query: &Value, place: Place<'_>, inner: &mut InnerHits) -> Option<f64> {
        let (kind, body) = query.as_object().and_then(|query| query.iter().next())?;
        match kind.as_str() {
            "match_all" => Some(1.0),
            "bool" => self.bool(body, place, inner),
            "nested" => self.nested(body, place, inner),
            "term" => self.term(body, place),
            "terms" => {
                let (field, values) = only(body)?;
                values.as_array()?.iter().any(|value| has(place, field, value)).then_some(1.0)
            }
            "prefix" => {
                let (field, prefix) = only(body)?;
                let text = place.fields().value(field)?.as_str()?;
                text.starts_with(prefix.get("value")?.as_str()?).then_some(1.0)
            }
            "range" => {
                let (field, bounds) = only(body)?;
                (place.fields().value(field)?.as_f64()? < bounds.get("lt")?.as_f64()?).then_some(1.0)
            }
            "knn" => self.knn(body, place),
            "script_score" => {
                self.score(body.get("query")?, place, inner)?;
                entry_score(body.pointer("/script/params")?, place)
            }
            _ => None,
        }
    }

    /// Whether `query` matches at `place`.
    pub(super) fn matches(&self, query: &Value, place: Place<'_>) -> bool {
        self.score(query, place, &mut InnerHits::new()).is_some()
    }

    fn bool(&self, body: &Value, place: Place<'_>, inner: &mut InnerHits) -> Option<f64> {
        if clauses(body, "must_not").iter().any(|query| self.matches(query, place))
            || !clauses(body, "filter").iter().all(|query| self.matches(query, place))
        {
            return None;
        }
        let mut score = 0.0;
        for query in clauses(body, "must") {
            score += self.score(query, place, inner)?;
        }
        let should: Vec<f64> =
            clauses(body, "should").iter().filter_map(|query| self.score(query, place, inner)).collect();
        let wanted = body.get("minimum_should_match").and_then(Value::as_u64).unwrap_or(0);
        (u64::try_from(should.len()).ok()? >= wanted).then(|| score + should.iter().sum::<f64>())
    }

    /// The best passage's score.
    fn nested(&self, body: &Value, place: Place<'_>, inner: &mut InnerHits) -> Option<f64> {
        let query = body.get("query")?;
        let mut found: Vec<(usize, f64)> = Vec::new();
        for (at, passage) in place.document.passages.iter().enumerate() {
            let place = Place { passage: Some(passage), ..place };
            found.extend(self.score(query, place, inner).map(|score| (at, score)));
        }
        found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let best = found.first()?.1;
        if let Some(wanted) = body.get("inner_hits") {
            let name = wanted.get("name").and_then(Value::as_str).unwrap_or("passages");
            let size = wanted.get("size").and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok());
            let hits = found.iter().take(size.unwrap_or(3)).map(|(at, score)| {
                let source = place.document.source.pointer(&format!("/passages/{at}"));
                json!({"_nested": {"field": "passages", "offset": at}, "_score": score, "_source": source})
            });
            inner.insert(name.to_owned(), json!({"hits": {"hits": hits.collect::<Vec<_>>()}}));
        }
        Some(best * boost_of(body))
    }

    fn term(&self, body: &Value, place: Place<'_>) -> Option<f64> {
        let (field, wanted) = only(body)?;
        let (value, boost) = match wanted.get("value") {
            Some(value) => (value, boost_of(wanted)),
            None => (wanted, 1.0),
        };
        let Some(terms) = place.fields().terms(field) else {
            return has(place, field, value).then_some(boost);
        };
        let term = value.as_str()?;
        let count = terms.count(term);
        (count > 0.0).then(|| boost * self.bm25(field, term, terms, count))
    }

    fn bm25(&self, field: &str, term: &str, terms: &Terms, count: f64) -> f64 {
        let Counts { field, df } = self.counts(field, term);
        let bm25 = Bm25::new(field).without_virtual_texts();
        // OpenSearch leaves out the constant factor.
        bm25.idf(df) * Bm25::frequency(count, bm25.norm(terms.length)) / (K1 + 1.0)
    }

    #[allow(clippy::cast_precision_loss, reason = "no wiki has 2^52 words")]
    fn counts(&self, field: &str, term: &str) -> Counts {
        let key = (field.to_owned(), term.to_owned());
        if let Some(counts) = self.counts.borrow().get(&key) {
            return *counts;
        }
        let (mut count, mut length, mut df) = (0, 0, 0);
        let all = self.documents.values().flat_map(|one| std::iter::once(one.fields()).chain(&one.passages));
        for terms in all.filter_map(|fields| fields.terms(field)) {
            count += 1;
            length += terms.length;
            df += u64::from(terms.count(term) > 0.0);
        }
        let counts = Counts { field: FieldStats { count, mean_length: length as f64 / count as f64 }, df };
        self.counts.borrow_mut().insert(key, counts);
        counts
    }

    /// The nearness of a passage of one of the `k` nearest documents that the filter admits.
    fn knn(&self, body: &Value, place: Place<'_>) -> Option<f64> {
        let (field, wanted) = only(body)?;
        let vector: Vec<f64> = wanted.get("vector")?.as_array()?.iter().filter_map(Value::as_f64).collect();
        let cosine = |fields: &Fields| cosine(&fields.numbers(field)?, &vector);
        let own = cosine(place.passage?)?;
        let best = |document: &Document| document.passages.iter().filter_map(cosine).max_by(f64::total_cmp);
        let known = self.nearest.borrow().get(field).copied();
        let enough = match known {
            Some(enough) => enough,
            None => {
                let admitted = |document: &&Document| {
                    let place = Place { document, passage: None };
                    wanted.get("filter").is_none_or(|filter| self.matches(filter, place))
                };
                let mut cosines: Vec<f64> = self.documents.values().filter(admitted).filter_map(best).collect();
                cosines.sort_by(|one, other| other.total_cmp(one));
                let k = usize::try_from(wanted.get("k")?.as_u64()?).ok()?;
                let enough = cosines.get(k.checked_sub(1)?).copied().unwrap_or(-1.0);
                self.nearest.borrow_mut().insert(field.to_owned(), enough);
                enough
            }
        };
        (best(place.document)? >= enough).then_some(f64::midpoint(1.0, own))
    }
}

/// The score that the script of the adapter's full-text search computes from its parameters.
fn entry_score(params: &Value, place: Place<'_>) -> Option<f64> {
    let numbers = |name: &str| Some(params.get(name)?.as_array()?.iter().filter_map(Value::as_f64));
    let titles = Bm25::new(FieldStats { count: 0, mean_length: params.get("meanTitle")?.as_f64()? });
    let length = place.fields().value("titleLength").and_then(Value::as_u64).unwrap_or_default();
    let (whole_norm, title_norm) = (titles.without_length().norm(0), titles.norm(length));
    let frequency = |field: &str, term: &str, norm| {
        Bm25::frequency(place.fields().terms(field).map_or(0.0, |terms| terms.count(term)), norm)
    };
    let weights = numbers("wholeWeights")?.zip(numbers("titleWeights")?);
    let terms = params.get("terms")?.as_array()?.iter().filter_map(Value::as_str);
    let each = terms.zip(weights).map(|(term, (whole, title))| {
        whole * frequency("allTerms", term, whole_norm) + title * frequency("titleTerms", term, title_norm)
    });
    Some(each.sum())
}

fn boost_of(query: &Value) -> f64 {
    query.get("boost").and_then(Value::as_f64).unwrap_or(1.0)
}

fn cosine(one: &[f64], other: &[f64]) -> Option<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let lengths = (dot(one, one) * dot(other, other)).sqrt();
    (one.len() == other.len() && lengths > 0.0).then(|| dot(one, other) / lengths)
}

fn has(place: Place<'_>, field: &str, value: &Value) -> bool {
    match place.fields().value(field) {
        Some(Value::Array(values)) => values.contains(value),
        Some(own) => own == value,
        None => false,
    }
}

/// The one field of a query and what is asked of it.
fn only(body: &Value) -> Option<(&str, &Value)> {
    body.as_object()?.iter().next().map(|(field, value)| (field.as_str(), value))
}

fn clauses<'a>(body: &'a Value, kind: &str) -> &'a [Value] {
    match body.get(kind) {
        Some(Value::Array(clauses)) => clauses,
        Some(clause) => std::slice::from_ref(clause),
        None => &[],
    }
}
