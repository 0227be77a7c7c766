//! One entry: the vectors that are kept, those that are missing, and both in the index.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use shared::embedding::{Embedder, EmbeddingError, passage_text};
use shared::models::{Embedding, Scope, WikiEntry, WikiPath};
use shared::search::PassageVectors;
use shared::store::{TextHash, WikiRecord};
use shared::text::Analyzer;
use shared::{Ctx, Result};

use crate::Batch;

/// How long one call of the model may take.
const CALL_PATIENCE: Duration = Duration::from_secs(30);

/// What became of an entry.
pub(crate) enum Embedded {
    /// Its vectors are in the index, or there is nothing to embed.
    Done,
    /// There was no time for all passages; those that are embedded are kept.
    Unfinished,
    /// The model gave no vectors; those that it gave before are kept.
    Failed(EmbeddingError),
}

/// A passage's text, by its hash.
type Texts = Vec<(TextHash, String)>;

/// Embeds what a path holds by now.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when table or index do not answer.
pub(crate) async fn embed_entry(
    batch: &Batch<'_>,
    embedder: &Embedder,
    scope: &Scope,
    path: &WikiPath,
) -> Result<Embedded> {
    let ctx = batch.ctx;
    let Some(WikiRecord::Entry(entry)) = ctx.store.wiki().record(scope, path).await? else {
        ctx.store.vectors().erase(scope, path).await?;
        return Ok(Embedded::Done);
    };
    let texts = texts_of(&entry);
    let kept = ctx.store.vectors().of_entry(scope, path, embedder.space()).await?;
    let mut known: HashMap<TextHash, Embedding> = kept.into_iter().collect();
    for missing in missing(&texts, &known).chunks(embedder.batch()) {
        if batch.is_over() {
            return Ok(Embedded::Unfinished);
        }
        let asked: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
        let embeddings = match embedder.passages(&asked, CALL_PATIENCE).await {
            Ok(embeddings) => embeddings,
            Err(error) => return Ok(Embedded::Failed(error)),
        };
        let made: Vec<_> = missing.iter().map(|(hash, _)| hash.clone()).zip(embeddings).collect();
        ctx.store.vectors().keep(scope, path, embedder.space(), &made).await?;
        known.extend(made);
    }
    finish(ctx, embedder, scope, entry, &texts, &known).await
}

/// Puts the entry with its vectors into the index, and forgets vectors of texts that it has no more.
async fn finish(
    ctx: &Ctx,
    embedder: &Embedder,
    scope: &Scope,
    entry: WikiEntry,
    texts: &Texts,
    known: &HashMap<TextHash, Embedding>,
) -> Result<Embedded> {
    let embeddings: Vec<Embedding> = texts.iter().filter_map(|(hash, _)| known.get(hash).cloned()).collect();
    let dimensions = embeddings.last().map(Embedding::dimensions);
    if embeddings.iter().any(|embedding| Some(embedding.dimensions()) != dimensions) {
        // The model changed its dimensions: what is kept is of no use beside what is new.
        ctx.store.vectors().erase(scope, &entry.path).await?;
        return Ok(Embedded::Failed(EmbeddingError::Unusable("vectors of other dimensions than before".into())));
    }
    // Read now, so that a change of language since the beginning is not undone.
    let language = ctx.store.settings().get(scope).await?.language;
    let mut indexed = Analyzer::new(language).index_entry(&entry);
    indexed.vectors = Some(PassageVectors { space: embedder.space().clone(), embeddings });
    ctx.index.replace(scope, &indexed).await?;
    let current: HashSet<TextHash> = texts.iter().map(|(hash, _)| hash.clone()).collect();
    ctx.store.vectors().keep_only(scope, &entry.path, embedder.space(), &current).await?;
    erase_if_deleted(ctx, scope, &entry.path).await?;
    Ok(Embedded::Done)
}

/// A deletion meanwhile has erased the vectors that were there; what was kept after it goes too.
async fn erase_if_deleted(ctx: &Ctx, scope: &Scope, path: &WikiPath) -> Result<()> {
    match ctx.store.wiki().record(scope, path).await? {
        Some(WikiRecord::Entry(_)) => Ok(()),
        Some(WikiRecord::Deleted(..)) | None => ctx.store.vectors().erase(scope, path).await,
    }
}

/// The texts of an entry's passages, in order. Passages are the same in every language.
fn texts_of(entry: &WikiEntry) -> Texts {
    let passages = Analyzer::new(shared::models::Language::English).passages(&entry.title, &entry.content);
    let text = |passage: &shared::text::Passage| passage_text(&entry.title, &passage.text);
    passages.iter().map(text).map(|text| (TextHash::of(&text), text)).collect()
}

/// The texts without a vector, each once.
fn missing(texts: &Texts, known: &HashMap<TextHash, Embedding>) -> Texts {
    let mut seen = HashSet::new();
    texts.iter().filter(|(hash, _)| !known.contains_key(hash) && seen.insert(hash.clone())).cloned().collect()
}
