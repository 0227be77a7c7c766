//! Embeds one entry: reads the stored vectors, makes the missing ones, and indexes both.
//!
//! An attempt is recorded before it begins and removed after a success, so an entry that ends its worker counts too.
//! After [`ATTEMPTS`] attempts that failed because of the entry, it is given up: it counts as embedded with the
//! existing vectors, until it changes or another model is configured. Failures of the model do not count.

use answer::search::IndexedEntry;
use std::collections::{HashMap, HashSet};

use crate::EmbeddingWorker;
use answer::embedding::{Embedder, EmbeddingError, passage_text};
use answer::search::PassageVectors;
use app::embedding::space;
use aws::store::{EmbeddingAttempts, TextHash, WikiRecord};
use domain::Result;
use domain::models::{Embedding, EmbeddingSpace, Scope, WikiEntry, WikiPath};
use text::Analyzer;

use crate::batch::Batch;
use crate::passages::{Answered, Texts, embed};

/// So often an entry is tried, where the failure is its own.
const ATTEMPTS: u32 = 5;

/// What became of an entry.
pub(crate) enum Embedded {
    /// Its vectors are in the index, or there is nothing to embed, or the worker gave up on it.
    Done,
    /// There was no time for all passages, or the model changed meanwhile; what was embedded is kept.
    Unfinished,
    /// The model works and gives no vectors of some passages; those of the others are kept.
    Refused(EmbeddingError),
    /// The model does not work; what it gave before is kept.
    Failed(EmbeddingError),
}

/// An entry that is being embedded.
struct Job<'a> {
    ctx: &'a EmbeddingWorker,
    scope: &'a Scope,
    entry: WikiEntry,
    space: EmbeddingSpace,
    texts: Texts,
    known: HashMap<TextHash, Embedding>,
}

/// Embeds the current state of a path.
///
/// # Errors `SERVICE_UNAVAILABLE` when table or index do not answer.
pub(crate) async fn embed_entry(
    batch: &Batch<'_>,
    embedder: &Embedder,
    scope: &Scope,
    path: &WikiPath,
) -> Result<Embedded> {
    let Some(mut job) = Job::begin(batch.ctx, embedder, scope, path).await? else { return Ok(Embedded::Done) };
    let before = job.attempts().await?;
    if before.count >= ATTEMPTS {
        return job.give_up(&before).await.map(|()| Embedded::Done);
    }
    let attempts = EmbeddingAttempts { count: before.count + 1, ..before.clone() };
    job.note(&attempts).await?;
    let ended = job.embed_missing(batch, embedder).await?;
    match &ended {
        Embedded::Done => job.finish().await?,
        Embedded::Refused(error) if attempts.count >= ATTEMPTS => {
            tracing::warn!(entry.path = %path, %error, "the embedding model refused passages of an entry");
            job.give_up(&attempts).await?;
            return Ok(Embedded::Done);
        }
        // The model's first vector has named the space meanwhile.
        Embedded::Refused(_) => job.note(&EmbeddingAttempts { space: job.space.clone(), ..attempts }).await?,
        Embedded::Unfinished | Embedded::Failed(_) => job.note(&before).await?,
    }
    Ok(ended)
}

/// Gives up an entry whose embedding ends its workers: it counts as embedded with the vectors that are kept, until it
/// changes or another model is configured.
///
/// # Errors `SERVICE_UNAVAILABLE` when table or index do not answer.
pub async fn give_up(ctx: &EmbeddingWorker, scope: &Scope, path: &WikiPath) -> Result<()> {
    let Some(embedder) = &ctx.embedder else { return Ok(()) };
    let Some(job) = Job::begin(ctx, embedder, scope, path).await? else { return Ok(()) };
    let attempts = job.attempts().await?;
    job.give_up(&attempts).await
}

impl<'a> Job<'a> {
    /// The current entry of a path, or none.
    async fn begin(
        ctx: &'a EmbeddingWorker,
        embedder: &Embedder,
        scope: &'a Scope,
        path: &WikiPath,
    ) -> Result<Option<Self>> {
        let Some(WikiRecord::Entry(entry)) = ctx.store.wiki().record(scope, path).await? else {
            ctx.store.vectors().erase(scope, path).await?;
            return Ok(None);
        };
        let space = space::known(&ctx.store, embedder).await?;
        let known = ctx.store.vectors().of_entry(scope, path, &space).await?.into_iter().collect();
        Ok(Some(Self { ctx, scope, texts: texts_of(&entry), entry, space, known }))
    }

    /// The attempts at this version in this space.
    async fn attempts(&self) -> Result<EmbeddingAttempts> {
        let (version, space) = (self.entry.version, &self.space);
        let noted = self.ctx.store.vectors().attempts(self.scope, &self.entry.path).await?;
        let ours = noted.filter(|noted| noted.version == version && noted.space == *space);
        Ok(ours.unwrap_or_else(|| EmbeddingAttempts { version, space: space.clone(), count: 0, given_up: false }))
    }

    async fn note(&self, attempts: &EmbeddingAttempts) -> Result<()> {
        self.ctx.store.vectors().note_attempts(self.scope, &self.entry.path, attempts).await
    }

    /// Embeds the passages without a vector and keeps what comes.
    async fn embed_missing(&mut self, batch: &Batch<'_>, embedder: &Embedder) -> Result<Embedded> {
        let mut refused = None;
        for missing in missing(&self.texts, &self.known).chunks(embedder.batch()) {
            if batch.is_over() {
                return Ok(Embedded::Unfinished);
            }
            let Answered { made, failed, refused: one } = embed(batch, embedder, missing).await;
            if let Some((_, first)) = made.first() {
                let space = space::seen(&self.ctx.store, embedder, first.dimensions()).await?;
                self.ctx.store.vectors().keep(self.scope, &self.entry.path, &space, &made).await?;
                if space != self.space && !self.known.is_empty() {
                    return Ok(Embedded::Unfinished);
                }
                self.space = space;
            }
            self.known.extend(made);
            if let Some(error) = failed {
                return Ok(Embedded::Failed(error));
            }
            refused = refused.or(one);
        }
        Ok(refused.map_or(Embedded::Done, Embedded::Refused))
    }

    /// Puts the entry with its vectors into the index, and forgets vectors of texts that it has no more, and attempts.
    async fn finish(&self) -> Result<()> {
        let Self { ctx, scope, entry, space, .. } = self;
        let embeddings = self.texts.iter().map(|(hash, _)| self.known.get(hash).cloned()).collect();
        // Read now, so that a change of language since the beginning is not undone.
        let language = ctx.store.settings().get(scope).await?.language;
        let mut indexed = IndexedEntry::new(&Analyzer::new(language), entry);
        indexed.vectors = Some(PassageVectors { space: space.clone(), embeddings });
        ctx.index.replace(scope, &indexed).await?;
        let current: HashSet<TextHash> = self.texts.iter().map(|(hash, _)| hash.clone()).collect();
        ctx.store.vectors().keep_only(scope, &entry.path, space, &current).await?;
        self.erase_if_deleted().await
    }

    /// Finishes with the vectors that there are, and remembers that no others are to be asked for.
    async fn give_up(&self, attempts: &EmbeddingAttempts) -> Result<()> {
        self.finish().await?;
        let space = self.space.clone();
        self.note(&EmbeddingAttempts { count: ATTEMPTS, given_up: true, space, ..attempts.clone() }).await?;
        self.erase_if_deleted().await?;
        if !attempts.given_up {
            let lacking = missing(&self.texts, &self.known).len();
            tracing::warn!(
                entry.path = %self.entry.path,
                entry.version = self.entry.version,
                passages = lacking,
                "gave up on the vectors of an entry's passages; search finds these passages by words only; change the entry's text to embed it again"
            );
        }
        Ok(())
    }

    /// A concurrent deletion has erased the stored vectors; those that were stored after it are erased too.
    async fn erase_if_deleted(&self) -> Result<()> {
        match self.ctx.store.wiki().record(self.scope, &self.entry.path).await? {
            Some(WikiRecord::Entry(_)) => Ok(()),
            Some(WikiRecord::Deleted(..)) | None => self.ctx.store.vectors().erase(self.scope, &self.entry.path).await,
        }
    }
}

/// The texts of an entry's passages, in order. Passages are the same in every language.
fn texts_of(entry: &WikiEntry) -> Texts {
    let passages = Analyzer::new(domain::models::Language::English).passages(&entry.title, &entry.content);
    let text = |passage: &text::Passage| passage_text(&entry.title, &passage.text);
    passages.iter().map(text).map(|text| (TextHash::of(&text), text)).collect()
}

/// The texts without a vector, each once.
fn missing(texts: &Texts, known: &HashMap<TextHash, Embedding>) -> Texts {
    let mut seen = HashSet::new();
    texts.iter().filter(|(hash, _)| !known.contains_key(hash) && seen.insert(hash.clone())).cloned().collect()
}
