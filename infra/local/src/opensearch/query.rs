//! Evaluates a query on a shard: which documents or passages match it, and their scores.
//!
//! Texts are scored by [`Bm25`] over the counts of what the query's filter admits, as the ranking does, so the best
//! candidates are exact; everything else by its boost. OpenSearch scores by the counts of all documents of a shard.

use std::collections::HashMap;

use answer::search::{Bm25, FieldStats};
use domain::models::cosine_of_product;
use serde_json::Value;

use super::shard::{Shard, embedding};

/// The scores of documents or passages, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Scores {
    each: Vec<f64>,
    /// How many queries each matched.
    matches: Vec<u32>,
}

/// The passages that a nested query found, of all documents.
#[derive(Debug)]
pub(super) struct InnerHits<'a> {
    /// The `inner_hits` of the query that asked for them.
    pub(super) wanted: &'a Value,
    pub(super) scores: Scores,
}

/// An evaluation of one query.
#[derive(Debug)]
pub(super) struct Evaluation<'a> {
    pub(super) shard: &'a Shard,
    pub(super) inner: Vec<InnerHits<'a>>,
    /// The counts of each field of lengths.
    texts: HashMap<&'static str, FieldStats>,
}

/// The texts that are scored, each with the field of its length.
const SCORED: [(&str, &str); 3] = [
    ("titleTerms", "titleLength"),
    ("passages.terms", "passages.length"),
    ("passages.bigrams", "passages.bigramLength"),
];

impl Scores {
    fn none(places: usize) -> Self {
        Self { each: vec![0.0; places], matches: vec![0; places] }
    }

    fn add(&mut self, place: usize, score: f64) {
        if let (Some(each), Some(matches)) = (self.each.get_mut(place), self.matches.get_mut(place)) {
            *each += score;
            *matches += 1;
        }
    }

    /// The score of what matched at least `wanted` queries.
    fn of(&self, place: usize, wanted: u32) -> Option<f64> {
        let matches = self.matches.get(place).copied()?;
        (matches >= wanted).then(|| self.each.get(place).copied())?
    }

    /// The score of what matched.
    pub(super) fn get(&self, place: usize) -> Option<f64> {
        self.of(place, 1)
    }
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(shard: &'a Shard) -> Self {
        Self { shard, inner: Vec::new(), texts: HashMap::new() }
    }

    /// The scores of the documents that match.
    pub(super) fn documents(&mut self, query: &'a Value) -> Scores {
        let mut scores = Scores::none(self.shard.documents.len());
        self.add(query, self.shard.live(), &mut scores);
        scores
    }

    /// Adds the score of each place of `within` that matches.
    fn add(&mut self, query: &'a Value, within: &[bool], scores: &mut Scores) {
        let Some((kind, body)) = first(query) else { return };
        match kind {
            "bool" => self.add_bool(body, within, scores),
            "nested" => self.add_nested(body, within, scores),
            "term" => self.add_term(body, within, scores),
            "knn" => self.add_nearest(body, within, scores),
            "script_score" => self.add_script(body, within, scores),
            _ => {
                let mut matching = within.to_vec();
                narrow(self.shard, query, &mut matching);
                places(&matching).for_each(|place| scores.add(place, 1.0));
            }
        }
    }

    fn add_bool(&mut self, body: &'a Value, within: &[bool], scores: &mut Scores) {
        let mut within = within.to_vec();
        narrow_each(self.shard, clauses(body, "filter"), &mut within);
        exclude(self.shard, clauses(body, "must_not"), &mut within);
        let mut sums = ["must", "should"].map(|kind| {
            let mut sums = Scores::none(within.len());
            clauses(body, kind).iter().for_each(|query| self.add(query, &within, &mut sums));
            sums
        });
        let [must, should] = &mut sums;
        let every = u32::try_from(clauses(body, "must").len()).unwrap_or(u32::MAX);
        let least = minimum_should_match(body);
        for place in places(&within) {
            if let Some((must, should)) = must.of(place, every).zip(should.of(place, least)) {
                scores.add(place, must + should);
            }
        }
    }

    /// Scores a document by its best passage.
    fn add_nested(&mut self, body: &'a Value, within: &[bool], scores: &mut Scores) {
        let Some(query) = body.get("query") else { return };
        let passages = passages_of(self.shard, within);
        let mut found = Scores::none(passages.len());
        self.add(query, &passages, &mut found);
        let documents = self.shard.documents.iter().enumerate().zip(within).filter(|(_, within)| **within);
        for ((number, document), _) in documents {
            if let Some(best) =
                document.passages.clone().filter_map(|passage| found.get(passage)).max_by(f64::total_cmp)
            {
                scores.add(number, best * boost_of(body));
            }
        }
        if let Some(wanted) = body.get("inner_hits") {
            self.inner.push(InnerHits { wanted, scores: found });
        }
    }

    fn add_term(&mut self, body: &Value, within: &[bool], scores: &mut Scores) {
        let Some((field, wanted)) = first(body) else { return };
        let (value, boost) = match wanted.get("value") {
            Some(value) => (value, boost_of(wanted)),
            None => (wanted, 1.0),
        };
        let mut found = self.shard.places(field, &term_text(value));
        found.retain(|(place, _)| is_in(within, *place));
        let Some((_, length)) = SCORED.into_iter().find(|(text, _)| *text == field) else {
            return found.into_iter().for_each(|(place, _)| scores.add(place, boost));
        };
        let lengths = self.shard.numbers(length);
        let texts = self.texts.entry(length).or_insert_with(|| FieldStats {
            count: count(places(within).count()),
            mean_length: mean(lengths, within).unwrap_or_default(),
        });
        let bm25 = Bm25::new(*texts);
        let idf = bm25.idf(count(found.len()));
        for (place, times) in found {
            let norm = bm25.norm(length_at(lengths, place));
            scores.add(place, boost * idf * Bm25::frequency(f64::from(times), norm));
        }
    }

    /// The passages of the `k` nearest documents that the filter admits, by their nearness.
    fn add_nearest(&self, body: &Value, within: &[bool], scores: &mut Scores) {
        let Some((field, wanted)) = first(body) else { return };
        let asked = wanted.get("vector").and_then(Value::as_array).and_then(|numbers| embedding(numbers));
        let Some((asked, vectors)) = asked.zip(self.shard.vectors(field)) else { return };
        let mut admitted = self.shard.live().to_vec();
        narrow_each(self.shard, clauses(wanted, "filter"), &mut admitted);
        let document = |passage: u32| self.shard.passages.get(passage as usize).map(|passage| passage.document);
        let seen = |passage| document(passage).is_some_and(|document| is_in(&admitted, document));
        let products = vectors.products(&asked, seen);
        let mut best: Vec<Option<i32>> = vec![None; self.shard.documents.len()];
        for (passage, product) in &products {
            if let Some(best) = document(*passage).and_then(|document| best.get_mut(document)) {
                *best = (*best).max(Some(*product));
            }
        }
        let mut nearest: Vec<i32> = best.iter().copied().flatten().collect();
        let k = wanted.get("k").and_then(Value::as_u64).and_then(|k| usize::try_from(k).ok()).unwrap_or(0);
        nearest.sort_unstable_by(|one, other| other.cmp(one));
        let enough = k.checked_sub(1).and_then(|last| nearest.get(last)).copied();
        for (passage, product) in products {
            let nearest = document(passage).and_then(|document| best.get(document).copied().flatten());
            if is_in(within, passage as usize) && nearest >= enough {
                scores.add(passage as usize, f64::midpoint(1.0, cosine_of_product(product)));
            }
        }
    }

    /// The score that the script of the adapter's full-text search computes from its parameters.
    fn add_script(&self, body: &Value, within: &[bool], scores: &mut Scores) {
        let mut matching = within.to_vec();
        narrow_each(self.shard, clauses(body, "query"), &mut matching);
        places(&matching).for_each(|place| scores.add(place, 0.0));
        let Some(params) = body.pointer("/script/params") else { return };
        let list = |name: &str| params.get(name).and_then(Value::as_array).into_iter().flatten();
        let mean_length = params.get("meanTitle").and_then(Value::as_f64).unwrap_or(1.0);
        let titles = Bm25::new(FieldStats { count: 0, mean_length });
        let whole_norm = titles.without_length().norm(0);
        let lengths = self.shard.numbers("titleLength");
        let title_norm = |place| titles.norm(length_at(lengths, place));
        let weights = list("wholeWeights").zip(list("titleWeights"));
        let weights = weights.map(|(whole, title)| (whole.as_f64().unwrap_or(0.0), title.as_f64().unwrap_or(0.0)));
        for (term, (whole, title)) in list("terms").filter_map(Value::as_str).zip(weights) {
            let mut add = |field: &str, weight: f64, norm: &dyn Fn(usize) -> f64| {
                for (place, count) in self.shard.places(field, term) {
                    if is_in(&matching, place) {
                        scores.add(place, weight * Bm25::frequency(f64::from(count), norm(place)));
                    }
                }
            };
            add("allTerms", whole, &|_| whole_norm);
            add("titleTerms", title, &title_norm);
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lengths are small whole numbers")]
fn length_at(lengths: &[Option<f64>], place: usize) -> u64 {
    lengths.get(place).copied().flatten().unwrap_or_default() as u64
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Takes out of `within` the places that do not match. Queries of documents alone, but for `term`.
pub(super) fn narrow(shard: &Shard, query: &Value, within: &mut [bool]) {
    let Some((kind, body)) = first(query) else { return within.fill(false) };
    match kind {
        "match_all" => {}
        "bool" => {
            narrow_each(shard, clauses(body, "filter"), within);
            narrow_each(shard, clauses(body, "must"), within);
            exclude(shard, clauses(body, "must_not"), within);
            if minimum_should_match(body) > 0 {
                keep(within, &any(shard, clauses(body, "should"), within));
            }
        }
        "term" => {
            let found = first(body).map(|(field, wanted)| having(shard, field, wanted.get("value").unwrap_or(wanted)));
            keep_places(within, found.into_iter().flatten());
        }
        "terms" => {
            let values = first(body).and_then(|(field, values)| Some((field, values.as_array()?)));
            let found = values.into_iter().flat_map(|(field, values)| values.iter().map(move |value| (field, value)));
            keep_places(within, found.flat_map(|(field, value)| having(shard, field, value)));
        }
        "prefix" => {
            let prefix = body.pointer("/path/value").and_then(Value::as_str);
            for (within, document) in within.iter_mut().zip(&shard.documents).filter(|(within, _)| **within) {
                *within = prefix.is_some_and(|prefix| document.path.starts_with(prefix));
            }
        }
        "range" => {
            let bound = first(body).and_then(|(field, bounds)| Some((field, bounds.get("lt")?.as_f64()?)));
            let (field, bound) = bound.unwrap_or(("", 0.0));
            let is_less = |number: &Option<f64>| number.is_some_and(|number| number < bound);
            keep(within, &shard.numbers(field).iter().map(is_less).collect::<Vec<_>>());
        }
        _ => within.fill(false),
    }
}

/// Whether a query and all inside it are of kinds that are evaluated here. A node answers others, so they must not match
/// nothing. As a filter, only those that [`narrow`] knows are evaluated.
pub(super) fn is_evaluated(query: &Value, is_filter: bool) -> bool {
    let Some((kind, body)) = first(query) else { return false };
    let all = |body: &Value, name: &str, is_filter| clauses(body, name).iter().all(|one| is_evaluated(one, is_filter));
    match kind {
        "match_all" | "prefix" | "range" | "term" | "terms" => true,
        "bool" => {
            let inside = [("filter", true), ("must_not", true), ("must", is_filter), ("should", is_filter)];
            inside.iter().all(|(name, is_filter)| all(body, name, *is_filter))
        }
        "nested" => !is_filter && all(body, "query", false),
        "script_score" => !is_filter && all(body, "query", true),
        "knn" => !is_filter && first(body).is_some_and(|(_, wanted)| all(wanted, "filter", true)),
        _ => false,
    }
}

fn narrow_each(shard: &Shard, queries: &[Value], within: &mut [bool]) {
    queries.iter().for_each(|query| narrow(shard, query, within));
}

fn exclude(shard: &Shard, queries: &[Value], within: &mut [bool]) {
    if !queries.is_empty() {
        let matching = any(shard, queries, within);
        within.iter_mut().zip(matching).for_each(|(within, matching)| *within &= !matching);
    }
}

/// The places of `within` that match one of `queries`.
fn any(shard: &Shard, queries: &[Value], within: &[bool]) -> Vec<bool> {
    let mut any = vec![false; within.len()];
    for query in queries {
        let mut matching = within.to_vec();
        narrow(shard, query, &mut matching);
        any.iter_mut().zip(matching).for_each(|(any, matching)| *any |= matching);
    }
    any
}

/// The places that have `value` in `field`.
pub(super) fn having(shard: &Shard, field: &str, value: &Value) -> impl Iterator<Item = usize> + use<> {
    shard.places(field, &term_text(value)).into_iter().map(|(place, _)| place)
}

fn keep_places(within: &mut [bool], found: impl Iterator<Item = usize>) {
    let mut matching = vec![false; within.len()];
    for place in found {
        if let Some(matching) = matching.get_mut(place) {
            *matching = true;
        }
    }
    keep(within, &matching);
}

fn keep(within: &mut [bool], matching: &[bool]) {
    let matching = matching.iter().copied().chain(std::iter::repeat(false));
    within.iter_mut().zip(matching).for_each(|(within, matching)| *within &= matching);
}

/// The passages of the documents of `within`.
pub(super) fn passages_of(shard: &Shard, within: &[bool]) -> Vec<bool> {
    shard.passages.iter().map(|passage| is_in(within, passage.document)).collect()
}

pub(super) fn places(within: &[bool]) -> impl Iterator<Item = usize> {
    within.iter().enumerate().filter(|(_, within)| **within).map(|(place, _)| place)
}

/// Whether a place is one of `within`.
pub(super) fn is_in(within: &[bool], place: usize) -> bool {
    within.get(place).copied().unwrap_or_default()
}

/// The field and what is asked of it, or the kind of a query and its body.
pub(super) fn first(object: &Value) -> Option<(&str, &Value)> {
    object.as_object()?.iter().next().map(|(name, value)| (name.as_str(), value))
}

pub(super) fn clauses<'a>(body: &'a Value, kind: &str) -> &'a [Value] {
    match body.get(kind) {
        Some(Value::Array(clauses)) => clauses,
        Some(clause) => std::slice::from_ref(clause),
        None => &[],
    }
}

fn minimum_should_match(body: &Value) -> u32 {
    let least = body.get("minimum_should_match").and_then(Value::as_u64);
    least.and_then(|least| u32::try_from(least).ok()).unwrap_or(0)
}

fn boost_of(query: &Value) -> f64 {
    query.get("boost").and_then(Value::as_f64).unwrap_or(1.0)
}

/// A value as the term that stands for it.
fn term_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The mean of a number; none if no place has one.
pub(super) fn mean(numbers: &[Option<f64>], within: &[bool]) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for number in numbers.iter().zip(within).filter(|(_, within)| **within).filter_map(|(number, _)| *number) {
        sum += number;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}
