//! The documents: one per entry with its passages nested, or the tombstone that replaces it. Their mapping in the index
//! is compared with the one that this version makes.

use std::collections::BTreeSet;

use answer::search::{IndexedEntry, PassageVectors, scope_text};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use serde_json::{Value, json};
use text::{Passage, bigrams, without_parts};

use super::connection::{OpenSearchIndex, OpenSearchRequest, index_definition, unavailable};
use domain::models::{Embedding, EmbeddingSpace, Scope, Timestamp, Visibility, WikiPath};
use domain::sha256_hex;

/// OpenSearch refuses longer document ids, in bytes.
const MAX_ID_BYTES: usize = 512;

/// Joins the two words of a bigram: never part of a word, and no whitespace to the index's analyzer.
const BIGRAM_JOINER: &str = "_";

/// `tenant#mode#path`, or its SHA-256 if that is too long.
pub(super) fn document_id(scope: &Scope, path: &WikiPath) -> String {
    let id = format!("{}#{path}", scope_text(scope));
    if id.len() <= MAX_ID_BYTES {
        return id;
    }
    sha256_hex(id.as_bytes())
}

/// The field of the vectors of a space: a field has one number of dimensions, and another model gets another field.
pub(super) fn knn_field(space: &EmbeddingSpace, dimensions: usize) -> String {
    format!("knn_{space}_{dimensions}")
}

/// The field of an entry's vectors, and their dimensions; none if it has no vector.
pub(super) fn knn_field_of(vectors: &PassageVectors) -> Option<(String, usize)> {
    let dimensions = vectors.embeddings.iter().flatten().next().map(Embedding::dimensions)?;
    Some((knn_field(&vectors.space, dimensions), dimensions))
}

/// The document of an entry; its vectors are also in `knn_field`.
pub(super) fn entry_document(scope: &Scope, indexed: &IndexedEntry, knn_field: Option<&str>) -> Value {
    let entry = &indexed.entry;
    let vectors = indexed.vectors.as_ref();
    let embedding = |at: usize| vectors.and_then(|vectors| vectors.embeddings.get(at)?.as_ref());
    let passages = indexed.passages.iter().enumerate();
    let passages: Vec<Value> = passages.map(|(at, p)| passage_document(p, embedding(at), knn_field)).collect();
    json!({
        "scope": scope_text(scope),
        "path": entry.path,
        "visibility": entry.visibility,
        "tags": entry.tags,
        "deleted": false,
        "version": entry.version,
        "changedAt": entry.updated_at.as_millis(),
        "entry": entry,
        "titleTerms": indexed.title_terms.join(" "),
        "titleLength": without_parts(&indexed.title_terms).len(),
        "allTerms": indexed.all_terms.join(" "),
        "vocabulary": vocabulary(scope, indexed),
        "embeddingSpace": vectors.map(|vectors| &vectors.space),
        "passages": passages,
    })
}

/// The tombstone of a deleted entry: its version without text.
pub(super) fn tombstone(scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> Value {
    json!({
        "scope": scope_text(scope),
        "path": path,
        "deleted": true,
        "version": version,
        "changedAt": at.as_millis(),
    })
}

/// The prefix of each word of the vocabulary: words of another tenant, mode or visibility have another one, so a search
/// for similar words that keeps the prefix never finds them.
pub(super) fn vocabulary_prefix(scope: &Scope, visibility: Visibility) -> String {
    format!("{}#{}#", scope_text(scope), visibility.as_str())
}

/// The words of the passages, each once.
fn vocabulary(scope: &Scope, indexed: &IndexedEntry) -> Vec<String> {
    let prefix = vocabulary_prefix(scope, indexed.entry.visibility);
    let words: BTreeSet<&String> = indexed.passages.iter().flat_map(|passage| without_parts(&passage.terms)).collect();
    words.into_iter().map(|word| format!("{prefix}{word}")).collect()
}

/// A bigram of a query as the index holds it.
pub(super) fn stored_bigram(bigram: &str) -> String {
    bigram.replace(' ', BIGRAM_JOINER)
}

/// The vector as it is read back, so that every index gives the same cosines.
fn stored_vector(embedding: &Embedding) -> String {
    STANDARD.encode(embedding.to_bytes())
}

/// Reads [`stored_vector`] back.
pub(super) fn read_vector(stored: &str) -> Option<Embedding> {
    Embedding::from_bytes(&STANDARD.decode(stored).ok()?)
}

fn passage_document(passage: &Passage, embedding: Option<&Embedding>, knn_field: Option<&str>) -> Value {
    let bigrams: Vec<String> = bigrams(&passage.terms).map(|bigram| stored_bigram(&bigram)).collect();
    let mut document = json!({
        "text": passage.text,
        "terms": passage.terms.join(" "),
        "length": without_parts(&passage.terms).len(),
        "bigrams": bigrams.join(" "),
        "bigramLength": bigrams.len(),
    });
    if let (Some(embedding), Some(fields)) = (embedding, document.as_object_mut()) {
        fields.insert("vector".to_owned(), stored_vector(embedding).into());
        if let Some(field) = knn_field {
            fields.insert(field.to_owned(), json!(embedding.to_floats()));
        }
    }
    document
}

impl OpenSearchIndex {
    /// The fields of our mapping that the index lacks or has with another type, as dotted paths.
    pub(super) async fn different_fields(&self) -> domain::Result<Vec<String>> {
        let what = "read the mapping";
        let get = OpenSearchRequest::new(Method::GET, format!("/{}/_mapping", self.alias()));
        let reply = self.send(what, &get).await?;
        if !reply.status.is_success() {
            return Err(unavailable(what, &reply.status.to_string()));
        }
        let indices: Value = reply.json(what)?;
        let ours = index_definition()?;
        let wanted = ours.pointer("/mappings/properties").cloned().unwrap_or_default();
        let there = indices.as_object().into_iter().flat_map(|indices| indices.values());
        let there = there.filter_map(|index| index.pointer("/mappings/properties"));
        Ok(there.flat_map(|properties| differences(&wanted, properties)).collect())
    }
}

/// The paths of `wanted` whose type is another in `there`. Fields lie at most one object deep.
fn differences(wanted: &Value, there: &Value) -> Vec<String> {
    let mut open = vec![(String::new(), wanted, Some(there))];
    let mut found = Vec::new();
    while let Some((prefix, wanted, there)) = open.pop() {
        for (name, field) in wanted.as_object().into_iter().flatten() {
            let path = format!("{prefix}{name}");
            let other = there.and_then(|there| there.get(name));
            // An object may be written without its type.
            let kind = |field: Option<&Value>| {
                let named = field.and_then(|field| field.get("type")).and_then(Value::as_str);
                named.or_else(|| field.map(|_| "object")).map(str::to_owned)
            };
            if kind(Some(field)) != kind(other) {
                found.push(path);
            } else if let Some(inner) = field.get("properties") {
                open.push((format!("{path}."), inner, other.and_then(|other| other.get("properties"))));
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    use domain::models::{Mode, TenantId};

    fn scope() -> Scope {
        Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Test }
    }

    #[test]
    fn a_document_id_is_readable_until_it_is_too_long() {
        let short = WikiPath::parse("a/b").unwrap();
        assert_eq!(document_id(&scope(), &short), format!("{}#test#a/b", scope().tenant));
        let long = WikiPath::parse(&[["x"; 100].concat().as_str(); 5].join("/")).unwrap();
        assert_eq!(document_id(&scope(), &long).len(), 64);
        let other = WikiPath::parse(&[["x"; 99].concat().as_str(); 5].join("/")).unwrap();
        assert_ne!(document_id(&scope(), &long), document_id(&scope(), &other));
    }

    #[test]
    fn bigrams_are_neighbours_and_one_less_than_the_words() {
        let passage = Passage { text: "t".into(), terms: vec!["gift".into(), "card".into(), "refund".into()] };
        let document = passage_document(&passage, None, None);
        assert_eq!(document["bigrams"], "gift_card card_refund");
        assert_eq!(document["bigramLength"], 2);
        assert_eq!(stored_bigram("gift card"), "gift_card");
        assert_eq!(passage_document(&Passage::default(), None, None)["bigramLength"], 0);
    }

    #[test]
    fn a_vector_stands_in_its_field_and_as_it_is_read_back() {
        let embedding = Embedding::of(&[0.6, 0.8]).unwrap();
        let document = passage_document(&Passage::default(), Some(&embedding), Some("knn_x_2"));
        assert_eq!(document["knn_x_2"].as_array().unwrap().len(), 2);
        assert_eq!(read_vector(document["vector"].as_str().unwrap()), Some(embedding.clone()));
        let without = passage_document(&Passage::default(), Some(&embedding), None);
        assert_eq!(without.as_object().unwrap().len(), document.as_object().unwrap().len() - 1);
    }

    #[test]
    fn a_tombstone_keeps_no_text() {
        let document =
            tombstone(&scope(), &WikiPath::parse("a/b").unwrap(), 3, Timestamp::parse("2026-01-02T00:00:00Z").unwrap());
        let fields: Vec<&String> = document.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["changedAt", "deleted", "path", "scope", "version"]);
    }

    #[test]
    fn a_field_that_is_missing_or_of_another_type_is_named() {
        let wanted = json!({
            "path": {"type": "keyword"}, "entry": {"type": "object"},
            "passages": {"type": "nested", "properties": {"length": {"type": "integer"}}},
        });
        assert_eq!(differences(&wanted, &wanted), Vec::<String>::new());
        let there = json!({
            "path": {"type": "text"}, "entry": {"enabled": false}, "more": {"type": "keyword"},
            "passages": {"type": "nested", "properties": {}},
        });
        assert_eq!(differences(&wanted, &there), ["passages.length", "path"]);
    }
}
