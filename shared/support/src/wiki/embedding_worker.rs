//! The embedding worker: makes vectors of wiki entries' passages, after the entries are searchable by their words.
//!
//! A message names an entry, whose current state is read again. Passages without a stored vector are embedded, their
//! vectors are stored, and the entry is indexed with them. The work can stop at any point and start again. A failing
//! model is not retried here: the index knows which entries lack vectors, and the sweeper queues them again.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use answer::embedding::{Embedder, EmbeddingError};
use answer::search::{IndexedEntry, PassageVectors};
use aws::queue::{Message, Queue, Task};
use domain::models::{Embedding, EmbeddingSpace, Scope, Timestamp, WikiEntry, WikiPath};
use domain::{Error, Result};
use text::Analyzer;

use crate::edge::{App, ClientProvider, Parts};
use crate::wiki::embedding::{self, passage_texts};
use crate::wiki::table::WikiRecord;
use crate::wiki::table::vectors::{EmbeddingAttempts, TextHash};

/// The function's name.
pub const NAME: &str = "embedding-worker";

/// After this many failures of the model a batch stops waiting for it.
const MAX_FAILURES: usize = 2;

/// Handles a batch of messages, one after another. Returns the ids of those that failed and must be delivered again.
pub async fn handle(app: &App, messages: Vec<Message>) -> Vec<String> {
    let batch = Batch { app, started: app.runtime.now() };
    let mut failed = Vec::new();
    let mut failures = 0;
    for message in messages {
        match handle_message(&batch, &message, &mut failures).await {
            Ok(()) => {}
            Err(error) => {
                let (id, times) = (&message.id, message.receive_count);
                tracing::error!(message.id = %id, message.receives = times, error = %error, "failed to handle an embedding message; the queue delivers it again");
                failed.push(message.id);
            }
        }
    }
    failed
}

/// Embeds the entry of one message, and counts failures of the model.
async fn handle_message(batch: &Batch<'_>, message: &Message, failures: &mut usize) -> Result<()> {
    let Task::Embed { scope, path } = message.task()? else {
        return Err(Error::internal("a task of another queue is in the queue of entries to embed"));
    };
    let Some(embedder) = &batch.app.embedder else { return Ok(()) };
    if *failures >= MAX_FAILURES {
        return Ok(());
    }
    match embed_entry(batch, embedder, &scope, &path).await? {
        EmbedOutcome::Done => {}
        EmbedOutcome::Unfinished => embedding::enqueue(batch.app, &scope, &path).await?,
        EmbedOutcome::Rejected(error) => {
            tracing::warn!(entry.path = %path, error = %error, "the embedding model rejected passages of an entry; the sweeper queues the entry again");
        }
        EmbedOutcome::Failed(error) => {
            tracing::warn!(metric.EmbeddingFailures = 1, entry.path = %path, error = %error, "the embedding model failed; the sweeper queues the entry again");
            *failures += 1;
        }
    }
    Ok(())
}

/// The worker with its parts.
///
/// # Errors
/// As those of [`ClientProvider`].
pub async fn app(provider: &impl ClientProvider) -> Result<App> {
    let parts = Parts {
        index: Some(provider.index()?),
        embedder: provider.embedder().await?,
        queues: vec![provider.queue(Queue::Embeddings)?],
        ..Parts::new(provider)
    };
    Ok(parts.into())
}

/// After this time, in milliseconds, a batch starts no further call of the model; the rest is queued again.
const START_WINDOW_MS: i64 = 60_000;

/// A batch of messages.
pub(crate) struct Batch<'a> {
    pub(crate) app: &'a App,
    pub(crate) started: Timestamp,
}

impl Batch<'_> {
    /// Whether the batch must not start a further call of the model.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.app.runtime.now().millis_since(self.started) >= START_WINDOW_MS
    }
}

/// The maximum number of attempts that fail because of the entry itself; failures of the model do not count. Then the
/// entry is given up: it counts as embedded with the existing vectors, until it changes or another model is configured.
/// An attempt is recorded before it begins and removed after a success, so an entry that ends its worker counts too.
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

/// Passages' texts, each with its hash.
pub(crate) type HashedTexts = Vec<(TextHash, String)>;

/// An entry that is being embedded.
struct EntryJob<'a> {
    app: &'a App,
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
    let Some(mut job) = EntryJob::begin(batch.app, embedder, scope, path).await? else {
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
    async fn begin(app: &'a App, embedder: &Embedder, scope: &'a Scope, path: &WikiPath) -> Result<Option<Self>> {
        let Some(WikiRecord::Entry(entry)) = app.store.wiki().get_record(scope, path).await? else {
            app.store.vectors().delete(scope, path).await?;
            return Ok(None);
        };
        let space = embedding::known(&app.store, embedder).await?;
        let stored = app.store.vectors().get_for_entry(scope, path, &space).await?.into_iter().collect();
        Ok(Some(Self { app, scope, texts: passage_texts(&entry), entry, space, stored }))
    }

    /// The attempts at this version in this space.
    async fn attempts(&self) -> Result<EmbeddingAttempts> {
        let (version, space) = (self.entry.version, &self.space);
        let saved = self.app.store.vectors().get_attempts(self.scope, &self.entry.path).await?;
        let current = saved.filter(|saved| saved.version == version && saved.space == *space);
        Ok(current.unwrap_or_else(|| EmbeddingAttempts { version, space: space.clone(), count: 0, given_up: false }))
    }

    async fn save_attempts(&self, attempts: &EmbeddingAttempts) -> Result<()> {
        self.app.store.vectors().put_attempts(self.scope, &self.entry.path, attempts).await
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
                let space = embedding::seen(&self.app.store, embedder, first.dimensions()).await?;
                self.app.store.vectors().put(self.scope, &self.entry.path, &space, &embeddings).await?;
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
        let Self { app, scope, entry, space, .. } = self;
        let embeddings = self.texts.iter().map(|(hash, _)| self.stored.get(hash).cloned()).collect();
        // Read now, so that a change of language since the beginning is not undone.
        let language = app.store.settings().get(scope).await?.language;
        let mut indexed = IndexedEntry::new(&Analyzer::new(language), entry);
        indexed.vectors = Some(PassageVectors { space: space.clone(), embeddings });
        app.index()?.replace(scope, &indexed).await?;
        let current: HashSet<TextHash> = self.texts.iter().map(|(hash, _)| hash.clone()).collect();
        app.store.vectors().delete_others(scope, &entry.path, space, &current).await?;
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
        match self.app.store.wiki().get_record(self.scope, &self.entry.path).await? {
            Some(WikiRecord::Entry(_)) => Ok(()),
            Some(WikiRecord::Deleted(..)) | None => self.app.store.vectors().delete(self.scope, &self.entry.path).await,
        }
    }
}

/// The texts without a vector, each once.
fn missing_texts(texts: &HashedTexts, stored: &HashMap<TextHash, Embedding>) -> HashedTexts {
    let mut seen = HashSet::new();
    texts.iter().filter(|(hash, _)| !stored.contains_key(hash) && seen.insert(hash.clone())).cloned().collect()
}

/// How long one call of the model may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// The vectors of the model, and its errors.
#[derive(Default)]
pub(crate) struct EmbedResult {
    pub(crate) embeddings: Vec<(TextHash, Embedding)>,
    /// The model failed, or no time is left: the missing vectors were not requested, or their request failed.
    pub(crate) error: Option<EmbeddingError>,
    /// The model works but rejected some texts: the error of one of them.
    pub(crate) rejected: Option<EmbeddingError>,
}

/// Requests the vectors of `texts`, at most as many as one call takes. A rejected call is repeated text by text, and a
/// rejected text with its first half, so that a rejected passage does not prevent the vectors of the others.
async fn embed_batch(batch: &Batch<'_>, embedder: &Embedder, texts: &[(TextHash, String)]) -> EmbedResult {
    let inputs: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let error = match embedder.passages(&inputs, CALL_TIMEOUT).await {
        Ok(embeddings) => {
            let embeddings = texts.iter().map(|(hash, _)| hash.clone()).zip(embeddings).collect();
            return EmbedResult { embeddings, ..EmbedResult::default() };
        }
        Err(error) => error,
    };
    if error.is_model_failure() {
        return EmbedResult { error: Some(error), ..EmbedResult::default() };
    }
    // A model that rejects every text is misconfigured; the text is not the cause.
    if embedder.probe(CALL_TIMEOUT).await.is_err() {
        return EmbedResult { error: Some(error), ..EmbedResult::default() };
    }
    embed_individually(batch, embedder, texts).await
}

async fn embed_individually(batch: &Batch<'_>, embedder: &Embedder, texts: &[(TextHash, String)]) -> EmbedResult {
    let mut result = EmbedResult::default();
    for (hash, text) in texts {
        if batch.is_out_of_time() {
            result.error = Some(EmbeddingError::Timeout);
            break;
        }
        match embed_text(embedder, text).await {
            Ok(embedding) => result.embeddings.push((hash.clone(), embedding)),
            Err(error) if error.is_model_failure() => {
                result.error = Some(error);
                break;
            }
            Err(error) => result.rejected = Some(error),
        }
    }
    result
}

/// The vector of a text, or of its first half if the model rejects the whole text.
async fn embed_text(embedder: &Embedder, text: &str) -> Result<Embedding, EmbeddingError> {
    match request_embedding(embedder, text).await {
        Err(error) if !error.is_model_failure() => request_embedding(embedder, first_half(text)).await,
        answer => answer,
    }
}

async fn request_embedding(embedder: &Embedder, text: &str) -> Result<Embedding, EmbeddingError> {
    let mut embeddings = embedder.passages(&[text], CALL_TIMEOUT).await?;
    embeddings.pop().ok_or_else(|| EmbeddingError::Unusable("no vector".into()))
}

/// The first half of a text's characters; the whole of a single one.
fn first_half(text: &str) -> &str {
    let half = text.chars().count().div_ceil(2);
    text.char_indices().nth(half).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_text_is_cut_between_characters() {
        for (text, half) in [("", ""), ("ä", "ä"), ("äö", "ä"), ("äöü", "äö"), ("abcd", "ab")] {
            assert_eq!(first_half(text), half);
        }
    }
}
