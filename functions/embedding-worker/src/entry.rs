//! Embeds one entry: reads the stored vectors, makes the missing ones, and indexes both.
//!
//! An attempt is recorded before it begins and removed after a success, so an entry that ends its worker counts too.
//! After [`MAX_ATTEMPTS`] attempts that failed because of the entry, it is given up: it counts as embedded with the
//! existing vectors, until it changes or another model is configured. Failures of the model do not count.

use answer::search::IndexedEntry;
use std::collections::{HashMap, HashSet};

use crate::state::EmbeddingWorker;
use answer::embedding::{Embedder, EmbeddingError};
use answer::search::PassageVectors;
use app::jobs::embedding::{passage_texts, space};
use aws::store::{EmbeddingAttempts, TextHash, WikiRecord};
use domain::Result;
use domain::models::{Embedding, EmbeddingSpace, Scope, WikiEntry, WikiPath};
use text::Analyzer;

use crate::batch::Batch;
use crate::passages::{EmbedResult, HashedTexts, embed_batch};

/// The maximum number of attempts that fail because of the entry itself.
const MAX_ATTEMPTS: u32 = 5;

/// The result of embedding an entry.
pub(crate) enum EmbedOutcome {
    /// Its vectors are in the index, or there is nothing to embed, or the worker gave up on it.
    Done,
    /// Not all passages were embedded in time, or the model changed meanwhile; the vectors so far are stored.
    Unfinished,
    /// The model works but rejects some passages; the vectors of the others are stored.
    Rejected(EmbeddingError),
    /// The model failed; its earlier vectors are stored.
    Failed(EmbeddingError),
}

/// An entry that is being embedded.
struct EntryJob<'a> {
    state: &'a EmbeddingWorker,
    scope: &'a Scope,
    entry: WikiEntry,
    space: EmbeddingSpace,
    texts: HashedTexts,
    stored: HashMap<TextHash, Embedding>,
}

/// Embeds the current state of a path.
///
/// # Errors `SERVICE_UNAVAILABLE` if the table or the index does not answer.
pub(crate) async fn embed_entry(
    batch: &Batch<'_>,
    embedder: &Embedder,
    scope: &Scope,
    path: &WikiPath,
) -> Result<EmbedOutcome> {
    let Some(mut job) = EntryJob::begin(batch.state, embedder, scope, path).await? else {
        return Ok(EmbedOutcome::Done);
    };
    let before = job.attempts().await?;
    if before.count >= MAX_ATTEMPTS {
        return job.give_up(&before).await.map(|()| EmbedOutcome::Done);
    }
    let attempts = EmbeddingAttempts { count: before.count + 1, ..before.clone() };
    job.save_attempts(&attempts).await?;
    let outcome = job.embed_missing(batch, embedder).await?;
    match &outcome {
        EmbedOutcome::Done => job.index_entry().await?,
        EmbedOutcome::Rejected(error) if attempts.count >= MAX_ATTEMPTS => {
            tracing::warn!(entry.path = %path, error = %error, "the embedding model rejected passages of an entry");
            job.give_up(&attempts).await?;
            return Ok(EmbedOutcome::Done);
        }
        // The model's first vector has named the space meanwhile.
        EmbedOutcome::Rejected(_) => {
            job.save_attempts(&EmbeddingAttempts { space: job.space.clone(), ..attempts }).await?
        }
        EmbedOutcome::Unfinished | EmbedOutcome::Failed(_) => job.save_attempts(&before).await?,
    }
    Ok(outcome)
}

impl<'a> EntryJob<'a> {
    /// The current entry of a path, or none.
    async fn begin(
        state: &'a EmbeddingWorker,
        embedder: &Embedder,
        scope: &'a Scope,
        path: &WikiPath,
    ) -> Result<Option<Self>> {
        let Some(WikiRecord::Entry(entry)) = state.store.wiki().get_record(scope, path).await? else {
            state.store.vectors().delete(scope, path).await?;
            return Ok(None);
        };
        let space = space::known(&state.store, embedder).await?;
        let stored = state.store.vectors().get_for_entry(scope, path, &space).await?.into_iter().collect();
        Ok(Some(Self { state, scope, texts: passage_texts(&entry), entry, space, stored }))
    }

    /// The attempts at this version in this space.
    async fn attempts(&self) -> Result<EmbeddingAttempts> {
        let (version, space) = (self.entry.version, &self.space);
        let saved = self.state.store.vectors().get_attempts(self.scope, &self.entry.path).await?;
        let current = saved.filter(|saved| saved.version == version && saved.space == *space);
        Ok(current.unwrap_or_else(|| EmbeddingAttempts { version, space: space.clone(), count: 0, given_up: false }))
    }

    async fn save_attempts(&self, attempts: &EmbeddingAttempts) -> Result<()> {
        self.state.store.vectors().put_attempts(self.scope, &self.entry.path, attempts).await
    }

    /// Embeds the passages without a vector and stores the vectors.
    async fn embed_missing(&mut self, batch: &Batch<'_>, embedder: &Embedder) -> Result<EmbedOutcome> {
        let mut rejected = None;
        for missing in missing_texts(&self.texts, &self.stored).chunks(embedder.batch()) {
            if batch.is_out_of_time() {
                return Ok(EmbedOutcome::Unfinished);
            }
            let EmbedResult { embeddings, error, rejected: first_rejected } =
                embed_batch(batch, embedder, missing).await;
            if let Some((_, first)) = embeddings.first() {
                let space = space::seen(&self.state.store, embedder, first.dimensions()).await?;
                self.state.store.vectors().put(self.scope, &self.entry.path, &space, &embeddings).await?;
                if space != self.space && !self.stored.is_empty() {
                    return Ok(EmbedOutcome::Unfinished);
                }
                self.space = space;
            }
            self.stored.extend(embeddings);
            if let Some(error) = error {
                return Ok(EmbedOutcome::Failed(error));
            }
            rejected = rejected.or(first_rejected);
        }
        Ok(rejected.map_or(EmbedOutcome::Done, EmbedOutcome::Rejected))
    }

    /// Indexes the entry with its vectors, and deletes its attempts and the vectors of texts that it no longer has.
    async fn index_entry(&self) -> Result<()> {
        let Self { state, scope, entry, space, .. } = self;
        let embeddings = self.texts.iter().map(|(hash, _)| self.stored.get(hash).cloned()).collect();
        // Read now, so that a change of language since the beginning is not undone.
        let language = state.store.settings().get(scope).await?.language;
        let mut indexed = IndexedEntry::new(&Analyzer::new(language), entry);
        indexed.vectors = Some(PassageVectors { space: space.clone(), embeddings });
        state.index.replace(scope, &indexed).await?;
        let current: HashSet<TextHash> = self.texts.iter().map(|(hash, _)| hash.clone()).collect();
        state.store.vectors().delete_others(scope, &entry.path, space, &current).await?;
        self.delete_vectors_if_deleted().await
    }

    /// Indexes the entry with the stored vectors, and records that no others are to be requested.
    async fn give_up(&self, attempts: &EmbeddingAttempts) -> Result<()> {
        self.index_entry().await?;
        let space = self.space.clone();
        self.save_attempts(&EmbeddingAttempts { count: MAX_ATTEMPTS, given_up: true, space, ..attempts.clone() })
            .await?;
        self.delete_vectors_if_deleted().await?;
        if !attempts.given_up {
            let missing = missing_texts(&self.texts, &self.stored).len();
            tracing::warn!(
                entry.path = %self.entry.path,
                entry.version = self.entry.version,
                passages = missing,
                "gave up on the vectors of an entry's passages; search finds these passages by words only; change the entry's text to embed it again"
            );
        }
        Ok(())
    }

    /// A concurrent deletion has erased the stored vectors; those that were stored after it are erased too.
    async fn delete_vectors_if_deleted(&self) -> Result<()> {
        match self.state.store.wiki().get_record(self.scope, &self.entry.path).await? {
            Some(WikiRecord::Entry(_)) => Ok(()),
            Some(WikiRecord::Deleted(..)) | None => {
                self.state.store.vectors().delete(self.scope, &self.entry.path).await
            }
        }
    }
}

/// The texts without a vector, each once.
fn missing_texts(texts: &HashedTexts, stored: &HashMap<TextHash, Embedding>) -> HashedTexts {
    let mut seen = HashSet::new();
    texts.iter().filter(|(hash, _)| !stored.contains_key(hash) && seen.insert(hash.clone())).cloned().collect()
}
