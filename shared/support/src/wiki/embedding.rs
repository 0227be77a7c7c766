//! Queues entries for the embedding worker: each changed entry, and in batches all entries without vectors, because a
//! message was lost, the model failed, or another model is configured. Also the space of the vectors that the
//! configured model returns.

use std::collections::HashMap;
use std::time::Duration;

use answer::embedding::{Embedder, passage_text};
use answer::search::{EntryAddress, PassageVectors};
use aws::queue::{Queue, Task};
use domain::Result;
use domain::models::{EmbeddingSpace, Language, Scope, WikiEntry, WikiPath};
use text::{Analyzer, Passage};

use crate::edge::App;
use crate::table::Store;
use crate::wiki::table::vectors::TextHash;

/// Entries that one step sends.
const ENTRIES_PER_STEP: usize = 200;
/// How long the model may take to say how many dimensions its vectors have.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Puts an entry on the worker's queue.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the queue did not take it.
pub async fn enqueue(app: &App, scope: &Scope, path: &WikiPath) -> Result<()> {
    let task = Task::Embed { scope: scope.clone(), path: path.clone() };
    app.queue(Queue::Embeddings)?.send(&task, Duration::ZERO).await
}

/// The texts of an entry's passages, in order, each with its name. Passages are the same in every language.
#[must_use]
pub(crate) fn passage_texts(entry: &WikiEntry) -> Vec<(TextHash, String)> {
    let passages = Analyzer::new(Language::English).passages(&entry.title, &entry.content);
    let text = |passage: &Passage| passage_text(&entry.title, &passage.text);
    passages.iter().map(text).map(|text| (TextHash::of(&text), text)).collect()
}

/// The vectors of an entry that the table has; none if a passage lacks one.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the table does not answer.
pub(crate) async fn stored_vectors(
    store: &Store,
    scope: &Scope,
    entry: &WikiEntry,
    space: &EmbeddingSpace,
) -> Result<Option<PassageVectors>> {
    let stored: HashMap<_, _> = store.vectors().get_for_entry(scope, &entry.path, space).await?.into_iter().collect();
    let embeddings: Vec<_> = passage_texts(entry).iter().map(|(hash, _)| stored.get(hash).cloned()).collect();
    let complete = embeddings.iter().all(Option::is_some);
    Ok(complete.then(|| PassageVectors { space: space.clone(), embeddings }))
}

/// Queues the next entries that lack vectors, if the queue is empty: what is on it is in progress. Cycles through all
/// of them, so that entries that always fail do not hold up others. If the dimensions are not configured, the model is
/// asked for them first: if they changed, all entries lack vectors.
///
/// # Errors `SERVICE_UNAVAILABLE` when index, queue or table do not answer.
pub(crate) async fn enqueue_some(app: &App) -> Result<()> {
    let Some(embedder) = &app.embedder else { return Ok(()) };
    if !app.queue(Queue::Embeddings)?.depth().await?.is_empty() {
        return Ok(());
    }
    let vectors = app.store.vectors();
    let after = vectors.get_cursor().await?;
    let address = after.as_deref().and_then(EntryAddress::parse);
    let space = current_space(app, embedder).await?;
    let found = app.index()?.without_vectors(&space, address.as_ref(), ENTRIES_PER_STEP).await?;
    for EntryAddress { scope, path } in &found {
        enqueue(app, scope, path).await?;
    }
    let next = found.last().filter(|_| found.len() == ENTRIES_PER_STEP).map(EntryAddress::text);
    if next != after { vectors.put_cursor(next.as_deref()).await } else { Ok(()) }
}

/// The space of the vectors that the model gives now; that of the last one if it gives none.
async fn current_space(app: &App, embedder: &Embedder) -> Result<EmbeddingSpace> {
    if embedder.dimensions().is_none()
        && let Ok(dimensions) = embedder.probe(PROBE_TIMEOUT).await
    {
        return seen(&app.store, embedder, dimensions).await;
    }
    known(&app.store, embedder).await
}

/// The space of the vectors that the model gave last. Before its first vector, one that nothing was embedded in.
///
/// If the configuration names no dimensions, an endpoint may one day return vectors of other dimensions under the same
/// name, because it serves another build. So the dimensions are part of the space, and the table stores the latest
/// ones. A worker that gets others stores them. From then on every entry lacks vectors of the new space.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the table does not answer.
pub async fn known(store: &Store, embedder: &Embedder) -> Result<EmbeddingSpace> {
    if let Some(dimensions) = embedder.dimensions() {
        return Ok(embedder.space_of(dimensions));
    }
    let noted = store.vectors().get_dimensions(&embedder.space_of(0)).await?;
    Ok(embedder.space_of(noted.unwrap_or(0)))
}

/// Stores the dimensions of a vector from the model; returns the space of such vectors.
///
/// # Errors
/// As [`known`].
pub async fn seen(store: &Store, embedder: &Embedder, dimensions: usize) -> Result<EmbeddingSpace> {
    let space = embedder.space_of(dimensions);
    let before = known(store, embedder).await?;
    if embedder.dimensions().is_none() && before != space {
        store.vectors().put_dimensions(&embedder.space_of(0), dimensions).await?;
        if before != embedder.space_of(0) {
            tracing::warn!(
                dimensions,
                "the embedding model returns vectors of other dimensions than before; all entries are embedded again"
            );
        }
    }
    Ok(space)
}
