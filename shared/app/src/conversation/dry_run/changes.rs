//! The entries of the wiki as changes leave them, cut, analysed and embedded as an index keeps them.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures::future::try_join_all;

use crate::conversation::ConversationService;
use crate::jobs::embedding::{passage_texts, space};
use answer::embedding::Embedder;
use answer::search::{IndexedEntry, PassageVectors};
use aws::store::{TextHash, WikiRecord};
use domain::error::Code;
use domain::models::{
    ChangeAction, Embedding, EmbeddingSpace, ProposedChange, Scope, Settings, Timestamp, Visibility, WikiEntry,
};
use domain::{Error, Result};
use text::Analyzer;

/// The most text of all changed entries together, in bytes: a body may name a stored entry without its text.
const MAX_CHANGED_BYTES: usize = 1024 * 1024;
/// Passages without a vector that one dry run embeds at most.
const EMBEDDED_PASSAGES: usize = 200;
/// How long the embedding model may take for one batch of them.
const EMBEDDING_TIMEOUT: Duration = Duration::from_secs(5);

impl ConversationService {
    /// The changed entries, without those that the changes delete.
    pub(super) async fn changed_entries(&self, scope: &Scope, changes: &[ProposedChange]) -> Result<Vec<WikiEntry>> {
        let wiki = self.store.wiki();
        let records = try_join_all(changes.iter().map(|change| wiki.get_record(scope, &change.path))).await?;
        let now = self.runtime.now();
        let changed = changes.iter().zip(records).map(|(change, record)| applied(change, record, now));
        let entries: Vec<WikiEntry> = changed.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let bytes: usize = entries.iter().map(|entry| entry.title.len() + entry.content.len()).sum();
        if bytes > MAX_CHANGED_BYTES {
            let message = format!("The changed entries have more than {MAX_CHANGED_BYTES} bytes of text.");
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        Ok(entries)
    }

    /// The same as an index keeps them.
    pub(super) async fn indexed(
        &self,
        scope: &Scope,
        settings: &Settings,
        entries: &[WikiEntry],
        deadline: Timestamp,
    ) -> Result<Vec<IndexedEntry>> {
        let analyzer = Analyzer::new(settings.language);
        let mut indexed: Vec<_> = entries.iter().map(|entry| IndexedEntry::new(&analyzer, entry)).collect();
        if let Some(embedder) = &self.engine.embedder {
            self.add_vectors(scope, embedder, &mut indexed, deadline).await?;
        }
        Ok(indexed)
    }

    /// Gives the entries the vectors that the table has, and new ones for up to [`EMBEDDED_PASSAGES`] other passages.
    async fn add_vectors(
        &self,
        scope: &Scope,
        embedder: &Embedder,
        entries: &mut [IndexedEntry],
        deadline: Timestamp,
    ) -> Result<()> {
        let known = space::known(&self.store, embedder).await?;
        let vectors = self.store.vectors();
        let stored = entries.iter().map(|entry| vectors.get_for_entry(scope, &entry.entry.path, &known));
        let stored: HashMap<TextHash, Embedding> = try_join_all(stored).await?.into_iter().flatten().collect();
        let texts: Vec<Vec<(TextHash, String)>> = entries.iter().map(|entry| passage_texts(&entry.entry)).collect();
        let mut seen = HashSet::new();
        let missing: Vec<&(TextHash, String)> = texts
            .iter()
            .flatten()
            .filter(|(hash, _)| !stored.contains_key(hash) && seen.insert(hash))
            .take(EMBEDDED_PASSAGES)
            .collect();
        let (made, space) = self.embed_passages(embedder, known, &missing, deadline).await;
        let vector = |hash: &TextHash| made.get(hash).or_else(|| stored.get(hash)).cloned();
        for (entry, texts) in entries.iter_mut().zip(&texts) {
            let embeddings: Vec<Option<Embedding>> = texts.iter().map(|(hash, _)| vector(hash)).collect();
            entry.vectors = Some(PassageVectors { space: space.clone(), embeddings });
        }
        Ok(())
    }

    /// The vectors of `texts`, as many as the model makes in time, and their space.
    async fn embed_passages(
        &self,
        embedder: &Embedder,
        mut space: EmbeddingSpace,
        texts: &[&(TextHash, String)],
        deadline: Timestamp,
    ) -> (HashMap<TextHash, Embedding>, EmbeddingSpace) {
        let left = u64::try_from(deadline.millis_since(self.runtime.now())).unwrap_or(0);
        let timeout = EMBEDDING_TIMEOUT.min(Duration::from_millis(left));
        let batches = texts.chunks(embedder.batch()).map(|batch| async move {
            let inputs: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
            (batch, embedder.passages(&inputs, timeout).await)
        });
        let mut made = HashMap::new();
        for (batch, embedded) in futures::future::join_all(batches).await {
            match embedded {
                Ok(embeddings) => {
                    space = embeddings.first().map_or(space, |first| embedder.space_of(first.dimensions()));
                    made.extend(batch.iter().map(|(hash, _)| hash.clone()).zip(embeddings));
                }
                Err(error) => {
                    tracing::warn!(metric.EmbeddingFailures = 1, error = %error, "failed to embed passages of a dry run; it finds them by words only");
                }
            }
        }
        (made, space)
    }
}

/// The entry as a change leaves it; none if it is deleted.
fn applied(change: &ProposedChange, record: Option<WikiRecord>, now: Timestamp) -> Result<Option<WikiEntry>> {
    match (change.action, record) {
        (ChangeAction::Delete, Some(WikiRecord::Entry(_))) => Ok(None),
        (ChangeAction::Update, Some(WikiRecord::Entry(entry))) => Ok(Some(updated(change, entry))),
        (ChangeAction::Create, Some(WikiRecord::Entry(_))) => {
            Err(Error::new(Code::Conflict, format!("There is an entry at {}.", change.path)))
        }
        (ChangeAction::Create, Some(WikiRecord::Deleted(_, deleted))) => {
            Ok(Some(created(change, deleted.version + 1, now)))
        }
        (ChangeAction::Create, None) => Ok(Some(created(change, 1, now))),
        (ChangeAction::Update | ChangeAction::Delete, _) => Err(Error::not_found("entry")),
    }
}

fn updated(change: &ProposedChange, before: WikiEntry) -> WikiEntry {
    let mut after = before.clone();
    after.title = change.title.clone().unwrap_or(after.title);
    after.content = change.content.clone().unwrap_or(after.content);
    after.visibility = change.visibility.unwrap_or(after.visibility);
    after.version += u64::from(after != before);
    after
}

fn created(change: &ProposedChange, version: u64, now: Timestamp) -> WikiEntry {
    WikiEntry {
        title: change.title.clone().unwrap_or_default(),
        content: change.content.clone().unwrap_or_default(),
        visibility: change.visibility.unwrap_or(Visibility::Internal),
        version,
        ..WikiEntry::begun(change.path.clone(), "", now)
    }
}
