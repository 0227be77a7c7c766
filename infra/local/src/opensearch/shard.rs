//! The documents of one tenant and mode, and where their terms are: a shard of its own, so a question looks at nothing
//! of others, and nothing of others counts in a score.
//!
//! A document or passage is named by its number in the order of writing. One that was replaced is marked as dead, and
//! left out until many are: then the rest is numbered anew.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use domain::models::{Embedding, dot_product};
use serde_json::Value;

/// The fields that are texts: their terms are separated by spaces.
const TEXTS: [&str; 4] = ["titleTerms", "allTerms", "passages.terms", "passages.bigrams"];

/// The fields of strings that no query names.
const NOT_INDEXED: [&str; 2] = ["passages.text", "passages.vector"];

/// How many documents may be dead before the rest is numbered anew, and which part of all.
const DEAD_DOCUMENTS: usize = 1_024;
const DEAD_PART: usize = 4;

/// One occurrence of a word in a field.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    /// The document or passage.
    place: u32,
    /// The second word of a bigram.
    second: u32,
}

#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) id: String,
    /// The external version.
    version: u64,
    pub(super) source: Source,
    pub(super) path: String,
    /// Its passages' numbers.
    pub(super) passages: Range<usize>,
    /// Its words that are suggested for misspelt ones.
    vocabulary: Vec<u32>,
}

/// A passage of a document.
#[derive(Debug)]
pub(super) struct Passage {
    /// The document's number.
    pub(super) document: usize,
    pub(super) source: Source,
}

/// The documents of one tenant and mode.
#[derive(Debug, Default)]
pub(super) struct Shard {
    words: Words,
    pub(super) documents: Vec<Document>,
    pub(super) passages: Vec<Passage>,
    /// Which documents are not dead.
    live: Vec<bool>,
    dead: usize,
    /// The live document of each id.
    ids: HashMap<String, usize>,
    /// By field and first word, in the order of places.
    occurrences: HashMap<(u32, u32), Vec<Occurrence>>,
    numbers: HashMap<String, Vec<Option<f64>>>,
    vectors: HashMap<String, Vectors>,
    /// The suggested words, each with how many documents have it.
    vocabulary: BTreeMap<Arc<str>, u64>,
}

impl Shard {
    /// The version of a document.
    pub(super) fn version(&self, id: &str) -> Option<u64> {
        Some(self.documents.get(*self.ids.get(id)?)?.version)
    }

    /// Writes a document in the place of the one with its id.
    pub(super) fn put(&mut self, id: &str, version: u64, body: &Value) {
        self.remove(id);
        let number = self.documents.len();
        let mut document = Document { id: id.to_owned(), version, ..Document::default() };
        let first = self.passages.len();
        for (field, value) in body.as_object().into_iter().flatten() {
            match field.as_str() {
                "passages" => value.as_array().into_iter().flatten().for_each(|it| self.put_passage(number, it)),
                "vocabulary" => document.vocabulary = self.add_vocabulary(value),
                field => {
                    document.source.keep(field, value);
                    self.add_field(field, number, value);
                }
            }
        }
        document.passages = first..self.passages.len();
        document.path = body.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.ids.insert(id.to_owned(), number);
        self.documents.push(document);
        self.live.push(true);
    }

    fn put_passage(&mut self, document: usize, passage: &Value) {
        let (number, mut source) = (self.passages.len(), Source::default());
        for (field, value) in passage.as_object().into_iter().flatten() {
            let field = format!("passages.{field}");
            source.keep(&field, value);
            self.add_field(&field, number, value);
        }
        self.passages.push(Passage { document, source });
    }

    fn add_field(&mut self, field: &str, place: usize, value: &Value) {
        match value {
            Value::String(text) if TEXTS.contains(&field) => {
                text.split_whitespace().for_each(|term| self.add_term(field, place, parts(term)));
            }
            Value::String(_) if NOT_INDEXED.contains(&field) => {}
            Value::String(text) => self.add_term(field, place, (text, None)),
            Value::Bool(value) => self.add_term(field, place, (if *value { "true" } else { "false" }, None)),
            Value::Number(number) => {
                let numbers = self.numbers.entry(field.to_owned()).or_default();
                numbers.resize(place, None);
                numbers.push(number.as_f64());
            }
            Value::Array(values) if values.first().is_some_and(Value::is_number) => {
                if let Some(vector) = embedding(values) {
                    let vectors = self.vectors.entry(field.to_owned());
                    vectors.or_insert_with(|| Vectors::new(vector.dimensions())).add(place_number(place), &vector);
                }
            }
            Value::Array(values) => {
                values.iter().filter_map(Value::as_str).for_each(|text| self.add_term(field, place, (text, None)));
            }
            Value::Null | Value::Object(_) => {}
        }
    }

    fn add_term(&mut self, field: &str, place: usize, (first, second): (&str, Option<&str>)) {
        let (field, first) = (self.words.add(field), self.words.add(first));
        let second = second.map_or(NO_WORD, |word| self.words.add(word));
        let occurrences = self.occurrences.entry((field, first)).or_default();
        occurrences.push(Occurrence { place: place_number(place), second });
    }

    fn add_vocabulary(&mut self, words: &Value) -> Vec<u32> {
        let mut numbers = Vec::new();
        for word in words.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let number = self.words.add(word);
            if let Some(word) = self.words.text(number) {
                *self.vocabulary.entry(Arc::clone(word)).or_default() += 1;
            }
            numbers.push(number);
        }
        numbers
    }

    /// Forgets a document.
    pub(super) fn remove(&mut self, id: &str) {
        let Some(number) = self.ids.remove(id) else { return };
        let Some(document) = self.documents.get_mut(number).map(std::mem::take) else { return };
        if let Some(live) = self.live.get_mut(number) {
            *live = false;
        }
        self.dead += 1;
        for word in document.vocabulary.iter().filter_map(|number| self.words.text(*number)) {
            if let Some(count) = self.vocabulary.get_mut(word) {
                *count -= 1;
                if *count == 0 {
                    self.vocabulary.remove(word);
                }
            }
        }
        self.passages.get_mut(document.passages).into_iter().flatten().for_each(|it| it.source = Source::default());
        if self.dead > DEAD_DOCUMENTS && self.dead * DEAD_PART > self.documents.len() {
            self.renumber();
        }
    }

    /// Drops what is dead.
    fn renumber(&mut self) {
        let live = std::mem::take(&mut self.live);
        let is_live = |document: usize| live.get(document).copied().unwrap_or_default();
        let documents = renumbered(live.iter().copied());
        let passages = renumbered(self.passages.iter().map(|passage| is_live(passage.document)));
        let of = |field: &str| if is_of_passages(field) { &passages } else { &documents };
        for ((field, _), occurrences) in &mut self.occurrences {
            let numbers = of(self.words.text(*field).map_or("", |field| field));
            occurrences.retain_mut(|it| match new_number(numbers, it.place) {
                Some(place) => {
                    it.place = place;
                    true
                }
                None => false,
            });
        }
        self.occurrences.retain(|_, occurrences| !occurrences.is_empty());
        for (field, numbers) in &mut self.numbers {
            *numbers = kept(numbers, of(field));
        }
        for vectors in self.vectors.values_mut() {
            *vectors = vectors.renumbered(|passage| new_number(&passages, passage));
        }
        self.vectors.retain(|_, vectors| !vectors.is_empty());
        self.passages.retain(|passage| is_live(passage.document));
        let mut number = 0;
        self.documents.retain(|_| {
            number += 1;
            is_live(number - 1)
        });
        let mut first = 0;
        for (number, document) in self.documents.iter_mut().enumerate() {
            let passages = first..first + document.passages.len();
            first = passages.end;
            self.passages.get_mut(passages.clone()).into_iter().flatten().for_each(|it| it.document = number);
            document.passages = passages;
        }
        self.ids = self.documents.iter().enumerate().map(|(number, it)| (it.id.clone(), number)).collect();
        (self.live, self.dead) = (vec![true; self.documents.len()], 0);
    }

    /// Which documents are not dead.
    pub(super) fn live(&self) -> &[bool] {
        &self.live
    }

    /// Each document or passage that has `term` in `field`, with how often, in their order. Dead ones are among them.
    pub(super) fn places(&self, field: &str, term: &str) -> Vec<(usize, u32)> {
        let (first, second) = if TEXTS.contains(&field) { parts(term) } else { (term, None) };
        let number = |word: &str| self.words.number(word);
        let second = match second.map(number) {
            Some(None) => return Vec::new(),
            Some(Some(second)) => second,
            None => NO_WORD,
        };
        let found = number(field).zip(number(first)).and_then(|key| self.occurrences.get(&key));
        let mut places: Vec<(usize, u32)> = Vec::new();
        for occurrence in found.into_iter().flatten().filter(|occurrence| occurrence.second == second) {
            let place = occurrence.place as usize;
            match places.last_mut() {
                Some((last, count)) if *last == place => *count += 1,
                _ => places.push((place, 1)),
            }
        }
        places
    }

    /// The numbers of a field, by document or passage.
    pub(super) fn numbers(&self, field: &str) -> &[Option<f64>] {
        self.numbers.get(field).map_or(&[], Vec::as_slice)
    }

    /// The vectors of a field.
    pub(super) fn vectors(&self, field: &str) -> Option<&Vectors> {
        self.vectors.get(field)
    }

    /// The suggested words that begin with `start`, each with how many documents have it.
    pub(super) fn vocabulary<'a>(&'a self, start: &'a str) -> impl Iterator<Item = (&'a str, u64)> {
        let from = (std::ops::Bound::Included(start), std::ops::Bound::Unbounded);
        let words = self.vocabulary.range::<str, _>(from).map(|(word, count)| (&**word, *count));
        words.take_while(move |(word, _)| word.starts_with(start))
    }
}

/// Whether the values of a field are those of passages.
fn is_of_passages(field: &str) -> bool {
    field.starts_with("passages.")
}

/// The vector of these numbers.
#[allow(clippy::cast_possible_truncation, reason = "the numbers were written from such")]
pub(super) fn embedding(numbers: &[Value]) -> Option<Embedding> {
    let numbers: Vec<f32> = numbers.iter().filter_map(|number| number.as_f64().map(|it| it as f32)).collect();
    Embedding::of(&numbers)
}

fn place_number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// For each place its number among those that are kept.
fn renumbered(kept: impl Iterator<Item = bool>) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |kept: bool| {
        kept.then(|| {
            next += 1;
            next - 1
        })
    };
    kept.map(number).collect()
}

fn new_number(numbers: &[Option<u32>], place: u32) -> Option<u32> {
    numbers.get(place as usize).copied().flatten()
}

/// The values of the places that are kept.
fn kept<T: Copy>(values: &[T], numbers: &[Option<u32>]) -> Vec<T> {
    values.iter().zip(numbers).filter(|(_, number)| number.is_some()).map(|(value, _)| *value).collect()
}

/// The fields that searches return. The mapping leaves out others, or nobody asks for them.
const RETURNED: [&str; 8] =
    ["scope", "path", "entry", "titleTerms", "embeddingSpace", "passages.text", "passages.terms", "passages.vector"];

/// The returned fields by their whole names.
#[derive(Debug, Default)]
pub(super) struct Source(Vec<(&'static str, Box<str>)>);

impl Source {
    /// Keeps `value` if searches return `field`.
    fn keep(&mut self, field: &str, value: &Value) {
        if let Some(field) = RETURNED.into_iter().find(|returned| *returned == field) {
            self.0.push((field, value.to_string().into()));
        }
    }

    /// An object of the fields that are `wanted`; of all without a list.
    pub(super) fn json(&self, wanted: Option<&Value>) -> String {
        let wanted = wanted.and_then(Value::as_array);
        let is_wanted = |field: &str| wanted.is_none_or(|list| list.iter().any(|name| name == field));
        let fields = self.0.iter().filter(|(field, _)| is_wanted(field));
        let fields: Vec<String> = fields
            .map(|(field, json)| format!("\"{}\":{json}", field.strip_prefix("passages.").unwrap_or(field)))
            .collect();
        format!("{{{}}}", fields.join(","))
    }
}

/// The vectors of one field of a shard, which all have the same dimensions.
#[derive(Debug)]
pub(super) struct Vectors {
    dimensions: usize,
    /// Row by row.
    components: Vec<i16>,
    /// The passage of each row.
    passages: Vec<u32>,
}

impl Vectors {
    /// An empty list.
    const fn new(dimensions: usize) -> Self {
        Self { dimensions, components: Vec::new(), passages: Vec::new() }
    }

    /// Adds a passage's vector; ignores one of other dimensions.
    fn add(&mut self, passage: u32, vector: &Embedding) {
        if vector.dimensions() == self.dimensions {
            self.components.extend_from_slice(vector.components());
            self.passages.push(passage);
        }
    }

    /// Each passage that is `seen`, with the product of its vector and `asked`.
    pub(super) fn products(&self, asked: &Embedding, seen: impl Fn(u32) -> bool) -> Vec<(u32, i32)> {
        if asked.dimensions() != self.dimensions {
            return Vec::new();
        }
        let rows = self.components.chunks_exact(self.dimensions).zip(&self.passages);
        rows.filter(|(_, passage)| seen(**passage))
            .map(|(row, passage)| (*passage, dot_product(asked.components(), row)))
            .collect()
    }

    /// Whether there is none.
    const fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// The same of the passages that `renamed` keeps, under their new numbers.
    fn renumbered(&self, renamed: impl Fn(u32) -> Option<u32>) -> Self {
        let mut kept = Self::new(self.dimensions);
        for (row, passage) in self.components.chunks_exact(self.dimensions).zip(&self.passages) {
            if let Some(passage) = renamed(*passage) {
                kept.components.extend_from_slice(row);
                kept.passages.push(passage);
            }
        }
        kept
    }
}

/// Stands for no word.
const NO_WORD: u32 = u32::MAX;

/// Each word once.
#[derive(Debug, Default)]
struct Words {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Words {
    /// The number of a word; a new one gets the next.
    fn add(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let (text, number) = (Arc::<str>::from(word), u32::try_from(self.texts.len()).unwrap_or(NO_WORD));
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    /// The number of a known word.
    fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The word of a number.
    fn text(&self, number: u32) -> Option<&Arc<str>> {
        self.texts.get(usize::try_from(number).ok()?)
    }
}

/// The two parts of a term: a bigram is held as its words, because most bigrams are in one text alone.
fn parts(term: &str) -> (&str, Option<&str>) {
    term.split_once('_').map_or((term, None), |(first, second)| (first, Some(second)))
}
