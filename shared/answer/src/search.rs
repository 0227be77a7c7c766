//! The port for finding wiki entries, and BM25 over the counts of what a viewer may see. Its adapter is
//! `aws::search::opensearch`.
//!
//! An index stores terms made by [`text`] and returns candidates with the tenant's counts, of the entries alone that
//! the viewer may see: what it may not see changes no figure that it gets. Ranking and confidence are computed outside
//! ([`crate`]), so a real OpenSearch and the part of it that `local` has give the same figures.

#[cfg(test)]
pub(crate) mod memory;
mod overlay;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use domain::models::{
    Embedding, EmbeddingSpace, Mode, QueryVector, Scope, TenantId, Timestamp, Visibility, WikiEntry, WikiPath,
};
use text::{Analyzer, Passage, QueryTerms, images, nearest};

pub use self::overlay::OverlayIndex;

/// Words that are spelled like another one, each with how many entries have it.
pub type NearWords = BTreeMap<String, u64>;

/// Entries that each of the two searches, by words and by vectors, adds to a [`Retrieval`], at most.
pub const CANDIDATES: usize = 10;

/// The same by words in an index without some paths that scores as [`OverlayIndex`] does: the counts with changed entries
/// put others among the best.
pub const CANDIDATES_WITHOUT: usize = 2 * CANDIDATES;

/// Passages of a [`Candidate`] that are chosen by their words, at most; the nearest one may be another.
pub const PASSAGES_EACH: usize = 3;

/// The weight of a bigram's score relative to a word's (docs/ANSWER-QUALITY.md).
pub const BIGRAM_WEIGHT: f64 = 0.25;

/// The weight of the title's score relative to the best passage's (docs/ANSWER-QUALITY.md).
pub const TITLE_WEIGHT: f64 = 0.25;

/// `tenant#mode`, under which an index keeps and counts a tenant's entries.
#[must_use]
pub fn scope_text(scope: &Scope) -> String {
    format!("{}#{}", scope.tenant, scope.mode.as_str())
}

/// One entry as an index keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedEntry {
    /// The entry itself.
    pub entry: WikiEntry,
    /// The title's terms, its words first.
    pub title_terms: Vec<String>,
    /// The content's passages, each with the title's terms before its own.
    pub passages: Vec<Passage>,
    /// Terms of title, path, tags and content for `GET /wiki?q=`.
    pub all_terms: Vec<String>,
    /// The passages' vectors, once they are made.
    pub vectors: Option<PassageVectors>,
}

impl IndexedEntry {
    /// The form in which an index keeps `entry`, without vectors.
    #[must_use]
    pub fn new(analyzer: &Analyzer, entry: &WikiEntry) -> Self {
        let mut all_terms = Vec::new();
        let fields = [entry.title.as_str(), entry.path.as_str()];
        let tags = entry.tags.iter().map(String::as_str);
        let content = images::without(&entry.content);
        for text in fields.into_iter().chain(tags).chain([&*content]) {
            all_terms.append(&mut analyzer.indexed_terms(text));
        }
        Self {
            title_terms: analyzer.indexed_terms(&entry.title),
            passages: analyzer.passages(&entry.title, &entry.content),
            all_terms,
            vectors: None,
            entry: entry.clone(),
        }
    }
}

/// The vectors of an entry's passages. An entry with these counts as embedded, also if passages have none because the
/// model refuses them.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageVectors {
    /// The space of the vectors. Only vectors of the same space can be compared.
    pub space: EmbeddingSpace,
    /// One for each passage, in order, of the same dimensions.
    pub embeddings: Vec<Option<Embedding>>,
}

/// The tenant, the mode and the path of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryAddress {
    /// The tenant and mode.
    pub scope: Scope,
    /// Its name.
    pub path: WikiPath,
}

impl EntryAddress {
    /// `tenant#mode#path`, the order of [`SearchIndex::without_vectors`].
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}#{}", scope_text(&self.scope), self.path)
    }

    /// Reads [`EntryAddress::text`] back.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '#');
        let (tenant, mode, path) = (parts.next()?, parts.next()?, parts.next()?);
        let scope = Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? };
        Some(Self { scope, path: WikiPath::parse(path).ok()? })
    }
}

/// The entries of a tenant's wiki that a caller or a session may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibilityFilter {
    /// Everything.
    All,
    /// Entries of one visibility.
    Only(Visibility),
}

impl VisibilityFilter {
    /// Whether an entry passes.
    #[must_use]
    pub fn admits(self, visibility: Visibility) -> bool {
        match self {
            Self::All => true,
            Self::Only(wanted) => wanted == visibility,
        }
    }
}

/// Counts and mean length of one field over what a viewer may see of a tenant's wiki.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FieldStats {
    /// Passages (words, bigrams) or entries (titles).
    pub count: u64,
    /// Mean length in terms.
    pub mean_length: f64,
}

/// A tenant's counts for one question and viewer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CorpusStats {
    /// Passage words.
    pub words: FieldStats,
    /// Passage bigrams.
    pub bigrams: FieldStats,
    /// Entry titles.
    pub titles: FieldStats,
    /// Document frequency among passages of each of [`QueryTerms::distinct`], in its order.
    pub word_df: Vec<u64>,
    /// Document frequency among passages of each of [`QueryTerms::bigrams`], in its order.
    pub bigram_df: Vec<u64>,
    /// Document frequency among titles of each of [`QueryTerms::distinct`], in its order.
    pub title_df: Vec<u64>,
}

/// An entry near a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The entry.
    pub path: WikiPath,
    /// Its version in the index.
    pub version: u64,
    pub title: String,
    /// Its text.
    pub content: String,
    /// The people who may read it.
    pub visibility: Visibility,
    /// The title's terms, its words first.
    pub title_terms: Vec<String>,
    /// Its best passages by their words, at most 3, best first; then the one nearest to the question by its vector,
    /// if that is another.
    pub passages: Vec<Passage>,
    /// The cosine of the question with each of [`Candidate::passages`], in their order; none if question or passage
    /// has no vector, or both have vectors of different models.
    pub cosines: Vec<Option<f64>>,
}

/// A question as an index is asked it.
#[derive(Debug, Clone, Copy)]
pub struct Lookup<'a> {
    /// Its words.
    pub terms: &'a QueryTerms,
    /// Its vector, if a model made one.
    pub vector: Option<&'a QueryVector>,
    /// Its words that may be typos, at most [`text::MAX_REPAIRS`].
    pub misspelt: &'a [String],
}

impl Lookup<'_> {
    /// Whether there is nothing to look for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.terms.distinct.is_empty() && self.vector.is_none()
    }
}

/// The results of an index for a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Retrieval {
    /// The tenant's counts, of what the viewer may see.
    pub stats: CorpusStats,
    /// The best 10 entries by their words and the 10 nearest by their vectors: at most 20, each once.
    pub candidates: Vec<Candidate>,
    /// How many of them were found by their words. They stand first, the best first.
    pub by_words: usize,
    /// For each of [`Lookup::misspelt`] what [`CandidateIndex::near_words`] finds.
    pub near_words: Vec<NearWords>,
    /// Of a question that follows others, each candidate's nearest cosine with the question in its context; no index
    /// fills it in.
    pub in_context: Vec<Option<f64>>,
}

/// Which entries of a tenant a list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFilter {
    /// The visibility that the caller may see, and asked for.
    pub visibility: VisibilityFilter,
    /// Entries with this tag.
    pub tag: Option<String>,
    /// Entries whose path begins with this text.
    pub path_prefix: Option<String>,
}

/// A full-text search of `GET /wiki?q=`.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryQuery {
    /// The terms to look for; never empty.
    pub terms: QueryTerms,
    /// Which entries to look for it in.
    pub filter: EntryFilter,
    /// How many to leave out.
    pub offset: usize,
    /// How many at most.
    pub limit: usize,
}

/// One hit of a full-text search.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryHit {
    /// The entry, as indexed.
    pub entry: WikiEntry,
    /// How near it is: [`SearchIndex::search`].
    pub score: f64,
}

/// One page of hits, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryHits {
    /// The page.
    pub items: Vec<EntryHit>,
    /// Hits in all.
    pub total: u64,
}

/// The source of answers: the part of [`SearchIndex`] that an [`crate::AnswerEngine`] asks. Every method takes the
/// tenant first; no query reaches another tenant's entries.
///
/// Errors are [`domain::error::Code::ServiceUnavailable`] when the index does not answer.
#[async_trait]
pub trait CandidateIndex: Send + Sync + std::fmt::Debug {
    /// For each of `lookups`, the candidates among the entries that `visibility` admits, with the tenant's counts of these:
    /// the best 10 by the words of their best passage, and, if it has a vector, the 10 nearest by that of their nearest
    /// passage. A search by vectors that fails leaves the words.
    async fn retrieve(
        &self,
        scope: &Scope,
        lookups: &[Lookup<'_>],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Retrieval>>;

    /// For each of `words`, the words that are spelled like it and that an entry has which `visibility` admits. At most
    /// [`text::MAX_REPAIRS`] words are looked up.
    async fn near_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<NearWords>>;

    /// For each of `words`, the word it was probably meant to be: the nearest of [`CandidateIndex::near_words`], as
    /// [`text::nearest`] chooses it; none if no word is near enough.
    async fn nearest_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Option<String>>> {
        let near = self.near_words(scope, words, visibility).await?;
        Ok(words.iter().zip(&near).map(|(word, near)| nearest_word(word, near)).collect())
    }

    /// The same index as if it had no entries at `paths`, in any tenant: they are no candidates, and no count has them. By
    /// words it may find up to [`CANDIDATES_WITHOUT`].
    fn without(&self, paths: &[WikiPath]) -> Arc<dyn CandidateIndex>;
}

/// The word that `word` was probably meant to be, of those `near` it.
pub(crate) fn nearest_word(word: &str, near: &NearWords) -> Option<String> {
    nearest(word, near.iter().map(|(word, entries)| (word.as_str(), *entries))).map(str::to_owned)
}

/// The wiki index. Every method takes the tenant first; no query reaches another tenant's entries.
///
/// Errors are [`domain::error::Code::ServiceUnavailable`] when the index does not answer.
#[async_trait]
pub trait SearchIndex: CandidateIndex {
    /// Puts an entry under its version; an older or equal version than the indexed one changes nothing.
    async fn put(&self, scope: &Scope, entry: &IndexedEntry) -> domain::Result<()>;

    /// Replaces the same or an older version of an entry; a newer one stays. For the reindex after a change of the
    /// wiki's language and for new vectors. Other code uses [`SearchIndex::put`], which ignores a version that exists.
    async fn replace(&self, scope: &Scope, entry: &IndexedEntry) -> domain::Result<()>;

    /// Marks a path as deleted under `version`, keeping no text; an older version changes nothing.
    async fn delete(&self, scope: &Scope, path: &WikiPath, version: u64, at: Timestamp) -> domain::Result<()>;

    /// Full text over title, content, path and tags, best first, then by path.
    ///
    /// A hit's score is the [`Bm25`] of all its words without regard to their number, and [`TITLE_WEIGHT`] times that of
    /// its title, over the counts of the entries that `query.filter.visibility` admits.
    async fn search(&self, scope: &Scope, query: &EntryQuery) -> domain::Result<EntryHits>;

    /// How many entries pass `filter`, counted up to one more than [`domain::models::MAX_TOTAL`].
    async fn count(&self, scope: &Scope, filter: &EntryFilter) -> domain::Result<u64>;

    /// Purges tombstones from before `before`, of every tenant, and returns the number of paths. An older write would
    /// then be accepted as new, so none may still be delayed.
    async fn purge_deleted(&self, before: Timestamp) -> domain::Result<u64>;

    /// Entries of any tenant that have no vectors of `space`, by [`EntryAddress::text`], those after `after`, at most
    /// `limit`.
    async fn without_vectors(
        &self,
        space: &EmbeddingSpace,
        after: Option<&EntryAddress>,
        limit: usize,
    ) -> domain::Result<Vec<EntryAddress>>;

    /// How many entries of all tenants have no vectors of `space`; counts what was written before.
    async fn count_without_vectors(&self, space: &EmbeddingSpace) -> domain::Result<u64>;

    /// Makes what was written before searchable, if the index does that only from time to time.
    async fn refresh(&self) -> domain::Result<()>;

    /// The fields whose mapping is not the one that this version writes by; none for an index without mappings.
    async fn mapping_differences(&self) -> domain::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// The rebuild of this index under a newer mapping. None for the embedded index, which is made from the table at each
    /// start.
    fn as_rebuild(&self) -> Option<&dyn IndexRebuild> {
        None
    }

    /// Answers when the index does.
    async fn ping(&self) -> domain::Result<()>;
}

/// Replaces an index by one with this version's mapping, while it is searched and written: begin, put every entry, switch,
/// and delete the old one.
///
/// Errors are [`domain::error::Code::ServiceUnavailable`] when the index does not answer.
#[async_trait]
pub trait IndexRebuild: Send + Sync {
    /// Creates the next index, without entries. From now on each write goes to both. The index of an earlier rebuild that
    /// did not finish is deleted. Returns the next index's name.
    async fn begin_rebuild(&self) -> domain::Result<String>;

    /// Makes searches and writes use the index `next`, in one step.
    ///
    /// # Errors
    /// 409 if another rebuild began meanwhile.
    async fn switch_to(&self, next: &str) -> domain::Result<()>;

    /// Deletes the indices that were replaced. Requests that began before the switch must have ended.
    async fn delete_replaced(&self) -> domain::Result<()>;
}

/// How fast repetitions stop counting.
pub const K1: f64 = 0.9;
/// How much longer texts are held back.
pub const B: f64 = 0.4;

/// Virtual empty texts: what makes a wiki of one entry behave like one of thousands.
const VIRTUAL_TEXTS: f64 = 1000.0;

/// The scores of one field.
#[derive(Debug, Clone, Copy)]
pub struct Bm25 {
    stats: FieldStats,
    b: f64,
}

impl Bm25 {
    /// The scores over a field with these counts.
    #[must_use]
    pub const fn new(stats: FieldStats) -> Self {
        Self { stats, b: B }
    }

    /// The same if the length of a text does not count.
    #[must_use]
    pub const fn without_length(self) -> Self {
        Self { b: 0.0, ..self }
    }

    /// The inverse document frequency of a word that `df` texts have.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn idf(&self, df: u64) -> f64 {
        let df = df as f64;
        let without = (self.stats.count as f64 + VIRTUAL_TEXTS - df).max(0.0);
        ((without + 0.5) / (df + 0.5)).ln_1p()
    }

    /// The length norm of a text of `length` words, which dampens the count of a word in it.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "lengths are far below 2^52")]
    pub fn norm(&self, length: u64) -> f64 {
        let mean = self.stats.mean_length;
        let relative = if mean > 0.0 { length as f64 / mean } else { 1.0 };
        K1 * (1.0 - self.b + self.b * relative)
    }

    /// The weight of the count of a word in a text with this [`Bm25::norm`].
    #[must_use]
    pub fn frequency(tf: f64, norm: f64) -> f64 {
        if tf > 0.0 { tf * (K1 + 1.0) / (tf + norm) } else { 0.0 }
    }
}
