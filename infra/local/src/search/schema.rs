//! The index's fields, and an entry as a block of documents: the entry first, then its passages.
//!
//! Every word is stored with tenant and mode as prefix, so a posting list never mixes tenants. Documents of a block are
//! adjacent in one segment and deleted together, by their common key.

use answer::search::IndexedEntry;
use domain::models::{Timestamp, Visibility, WikiEntry, WikiPath};
use serde::{Deserialize, Serialize};
use tantivy::indexer::UserOperation;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{TantivyDocument, Term};
use text::{Passage, bigrams, without_parts};

use super::counts::{Counts, count};
use super::vectors::BlockVectors;

/// Separates tenant and mode from a term; no term contains it.
const SCOPE_END: char = '\u{1f}';

/// A passage of an entry.
pub(super) const KIND_PASSAGE: u64 = 0;
/// An entry, the first of its block.
pub(super) const KIND_ENTRY: u64 = 1;
/// The tombstone of a deleted entry.
pub(super) const KIND_TOMBSTONE: u64 = 2;

/// The fields, by what they hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// `tenant#mode#path`, of every document of a block.
    pub(super) key: Field,
    /// Words of the title and of a passage.
    pub(super) words: Field,
    /// Bigrams of a passage.
    pub(super) bigrams: Field,
    /// Words of a title.
    pub(super) title: Field,
    /// Words of title, path, tags and content.
    pub(super) all: Field,
    /// Tags, as given.
    pub(super) tags: Field,
    /// The stored entry or passage.
    pub(super) stored: Field,
    /// The vectors of an entry's passages, with the entry.
    pub(super) vectors: Field,
    columns: Columns,
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    kind: Field,
    block: Field,
    version: Field,
    visibility: Field,
    deleted_at: Field,
    dimensions: Field,
    length: Field,
    passages: Field,
    words: Field,
    bigrams: Field,
}

/// The schema and its fields.
pub(super) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqs);
    let terms = TextOptions::default().set_indexing_options(indexing);
    let column = NumericOptions::default().set_fast();
    let fields = Fields {
        key: builder.add_text_field("key", STRING),
        words: builder.add_text_field("words", terms.clone()),
        bigrams: builder.add_text_field("bigrams", terms.clone()),
        title: builder.add_text_field("title", terms.clone()),
        all: builder.add_text_field("all", terms.clone()),
        tags: builder.add_text_field("tags", terms),
        stored: builder.add_text_field("stored", STORED),
        vectors: builder.add_bytes_field("vectors", STORED),
        columns: Columns {
            kind: builder.add_u64_field("kind", column.clone()),
            block: builder.add_u64_field("block", column.clone()),
            version: builder.add_u64_field("version", column.clone()),
            visibility: builder.add_u64_field("visibility", column.clone()),
            deleted_at: builder.add_i64_field("deleted_at", column.clone()),
            dimensions: builder.add_u64_field("dimensions", column.clone()),
            length: builder.add_u64_field("length", column.clone()),
            passages: builder.add_u64_field("passage_count", column.clone()),
            words: builder.add_u64_field("word_count", column.clone()),
            bigrams: builder.add_u64_field("bigram_count", column),
        },
    };
    (builder.build(), fields)
}

/// The stored part of an entry.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredEntry {
    pub(super) entry: WikiEntry,
    pub(super) title_terms: Vec<String>,
}

/// The stored part of a passage.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredPassage {
    pub(super) text: String,
    pub(super) terms: Vec<String>,
}

/// The documents of an entry, without the number of the block.
#[derive(Debug)]
pub(super) struct Block {
    documents: Vec<TantivyDocument>,
    /// Who may read it; none for a tombstone.
    pub(super) visibility: Option<Visibility>,
    /// The counts that the entry adds to the totals of its tenant.
    pub(super) counts: Counts,
    /// The vectors of its passages, if it has any.
    pub(super) vectors: Option<BlockVectors>,
    /// When it was deleted, in milliseconds since 1970 UTC; for tombstones.
    pub(super) deleted_at: Option<i64>,
}

impl Block {
    /// The block of an entry.
    pub(super) fn of_entry(fields: &Fields, scope: &str, indexed: &IndexedEntry) -> serde_json::Result<Self> {
        let entry = &indexed.entry;
        let key = key(scope, &entry.path);
        let visibility = visibility_number(entry.visibility);
        let counts = Counts::of(indexed);
        let mut first = TantivyDocument::new();
        first.add_text(fields.key, &key);
        first.add_pre_tokenized_text(fields.title, scoped(scope, indexed.title_terms.iter()));
        first.add_pre_tokenized_text(fields.all, scoped(scope, indexed.all_terms.iter()));
        first.add_pre_tokenized_text(fields.tags, scoped(scope, entry.tags.iter()));
        let stored = StoredEntry { entry: entry.clone(), title_terms: indexed.title_terms.clone() };
        first.add_text(fields.stored, serde_json::to_string(&stored)?);
        fields.columns.fill(&mut first, KIND_ENTRY, visibility, counts.title_terms);
        fields.columns.count(&mut first, entry.version, &counts);
        let vectors = indexed.vectors.as_ref();
        let vectors = vectors.and_then(|vectors| BlockVectors::of(vectors, indexed.passages.len(), visibility));
        if let Some(vectors) = &vectors {
            first.add_bytes(fields.vectors, &vectors.to_bytes());
            first.add_u64(fields.columns.dimensions, count(vectors.dimensions()));
        }
        let mut documents = vec![first];
        for passage in &indexed.passages {
            documents.push(passage_document(fields, scope, &key, visibility, passage)?);
        }
        Ok(Self { documents, visibility: Some(entry.visibility), counts, vectors, deleted_at: None })
    }

    /// The tombstone of a deleted entry: its version, and nothing of its text.
    pub(super) fn tombstone(fields: &Fields, scope: &str, path: &WikiPath, version: u64, at: Timestamp) -> Self {
        let counts = Counts::default();
        let mut document = TantivyDocument::new();
        document.add_text(fields.key, key(scope, path));
        fields.columns.fill(&mut document, KIND_TOMBSTONE, 0, 0);
        fields.columns.count(&mut document, version, &counts);
        let deleted_at = at.as_millis();
        document.add_i64(fields.columns.deleted_at, deleted_at);
        Self { documents: vec![document], visibility: None, counts, vectors: None, deleted_at: Some(deleted_at) }
    }

    /// The operations that replace the block under `key` by this one, as number `block`.
    pub(super) fn replace(self, fields: &Fields, key: &str, block: u64) -> Vec<UserOperation> {
        let mut operations = vec![UserOperation::Delete(Term::from_field_text(fields.key, key))];
        operations.extend(self.documents.into_iter().map(|mut document| {
            document.add_u64(fields.columns.block, block);
            UserOperation::Add(document)
        }));
        operations
    }
}

impl Columns {
    fn fill(&self, document: &mut TantivyDocument, kind: u64, visibility: u64, length: u64) {
        document.add_u64(self.kind, kind);
        document.add_u64(self.visibility, visibility);
        document.add_u64(self.length, length);
    }

    fn count(&self, document: &mut TantivyDocument, version: u64, counts: &Counts) {
        document.add_u64(self.version, version);
        document.add_u64(self.passages, counts.passages);
        document.add_u64(self.words, counts.words);
        document.add_u64(self.bigrams, counts.bigrams);
    }
}

/// `tenant#mode#path`.
pub(super) fn key(scope: &str, path: &WikiPath) -> String {
    format!("{scope}#{path}")
}

/// A term as the index stores it, prefixed with tenant and mode.
pub(super) fn scoped_term(field: Field, scope: &str, word: &str) -> Term {
    Term::from_field_text(field, &scoped_word(scope, word))
}

/// The number of a visibility in its column.
pub(super) const fn visibility_number(visibility: Visibility) -> u64 {
    match visibility {
        Visibility::Internal => 1,
        Visibility::Public => 2,
    }
}

/// The visibility with this number; none for that of a tombstone.
pub(super) fn visibility_of_number(number: u64) -> Option<Visibility> {
    Visibility::ALL.iter().copied().find(|visibility| visibility_number(*visibility) == number)
}

fn passage_document(
    fields: &Fields,
    scope: &str,
    key: &str,
    visibility: u64,
    passage: &Passage,
) -> serde_json::Result<TantivyDocument> {
    let mut document = TantivyDocument::new();
    document.add_text(fields.key, key);
    document.add_pre_tokenized_text(fields.words, scoped(scope, passage.terms.iter()));
    document.add_pre_tokenized_text(fields.bigrams, scoped(scope, bigrams(&passage.terms)));
    let stored = StoredPassage { text: passage.text.clone(), terms: passage.terms.clone() };
    document.add_text(fields.stored, serde_json::to_string(&stored)?);
    fields.columns.fill(&mut document, KIND_PASSAGE, visibility, count(without_parts(&passage.terms).len()));
    Ok(document)
}

fn scoped<W: AsRef<str>>(scope: &str, words: impl Iterator<Item = W>) -> PreTokenizedString {
    let token =
        |(position, word): (usize, W)| Token { text: scoped_word(scope, word.as_ref()), position, ..Token::default() };
    PreTokenizedString { text: String::new(), tokens: words.enumerate().map(token).collect() }
}

fn scoped_word(scope: &str, word: &str) -> String {
    format!("{scope}{SCOPE_END}{word}")
}
