//! Vectors of passages, one item each, under the entry's path, so that a passage is embedded once even if the index is
//! lost. An item is named by the vectors' space and a hash of the text.

use std::collections::HashSet;

use domain::models::{Embedding, EmbeddingSpace, Scope, WikiPath};
use domain::{Result, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::table::item::{self, ItemKind, text};
use crate::table::keys::{self, Key};
use crate::table::transaction::Write;
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// Writes of one transaction, DynamoDB's limit.
const TRANSACTION_WRITES: usize = 100;

/// A text's name among the vectors of an entry: a hash of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextHash(String);

impl TextHash {
    /// The name of `text`.
    #[must_use]
    pub(in crate::wiki) fn of(text: &str) -> Self {
        Self(sha256_hex(text.as_bytes()).get(..32).unwrap_or_default().to_owned())
    }
}

/// How often one version of an entry was to be embedded in one space, and did not end well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddingAttempts {
    /// The entry's version.
    pub version: u64,
    /// The space of the vectors.
    pub space: EmbeddingSpace,
    /// Attempts that failed because of the entry, with the one that is being made.
    pub count: u32,
    /// The entry counts as embedded, without the vectors that the model refuses.
    pub given_up: bool,
}

repository!(vectors: Vectors);

impl Vectors<'_> {
    /// The vectors of a space that are kept for an entry; one that cannot be read is as good as none.
    pub(crate) async fn get_for_entry(
        &self,
        scope: &Scope,
        path: &WikiPath,
        space: &EmbeddingSpace,
    ) -> Result<Vec<(TextHash, Embedding)>> {
        let prefix = vectors_of_space(space);
        let mut query = PartitionQuery::new(vectors_partition(scope, path));
        query.condition = SortCondition::Prefix(prefix.clone());
        let mut kept = Vec::new();
        loop {
            let page = self.0.query(query.clone()).await?;
            kept.extend(page.items.iter().filter_map(|item| {
                let hash = item.get("sk")?.as_s().ok()?.strip_prefix(&prefix)?;
                let vector = item.get("vector")?.as_b().ok()?;
                Some((TextHash(hash.to_owned()), Embedding::from_bytes(vector.as_ref())?))
            }));
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(kept),
            }
        }
    }

    /// Keeps vectors of an entry.
    pub(in crate::wiki) async fn put(
        &self,
        scope: &Scope,
        path: &WikiPath,
        space: &EmbeddingSpace,
        vectors: &[(TextHash, Embedding)],
    ) -> Result<()> {
        let writes = vectors.iter().map(|(hash, embedding)| {
            let key = vector_key(scope, path, space, &hash.0);
            let mut item = item::key_only_item(&key, ItemKind::Vector);
            item.insert("vector".into(), item::bytes(embedding.to_bytes()));
            Write::put(item)
        });
        self.write(writes.collect()).await
    }

    /// Forgets the vectors of an entry, but for those of `space` whose texts are in `texts`.
    pub(in crate::wiki) async fn delete_others(
        &self,
        scope: &Scope,
        path: &WikiPath,
        space: &EmbeddingSpace,
        texts: &HashSet<TextHash>,
    ) -> Result<()> {
        let kept: HashSet<String> = texts.iter().map(|hash| vector_key(scope, path, space, &hash.0).sk).collect();
        self.delete_where(scope, path, |key| !kept.contains(&key.sk)).await
    }

    /// Forgets the vectors of an entry.
    pub(crate) async fn delete(&self, scope: &Scope, path: &WikiPath) -> Result<()> {
        self.delete_where(scope, path, |_| true).await
    }

    /// The attempts at embedding an entry; none after one that ended well.
    pub(in crate::wiki) async fn get_attempts(
        &self,
        scope: &Scope,
        path: &WikiPath,
    ) -> Result<Option<EmbeddingAttempts>> {
        self.0.get(&embedding_attempts_key(scope, path), Consistency::Strong).await
    }

    /// Stores them.
    pub(in crate::wiki) async fn put_attempts(
        &self,
        scope: &Scope,
        path: &WikiPath,
        attempts: &EmbeddingAttempts,
    ) -> Result<()> {
        let item = item::item(&embedding_attempts_key(scope, path), ItemKind::EmbeddingAttempts, attempts)?;
        self.write(vec![Write::put(item)]).await
    }

    /// How many dimensions a model's vectors had last; `model` is its space without any. None before the first vector.
    pub(in crate::wiki) async fn get_dimensions(&self, model: &EmbeddingSpace) -> Result<Option<usize>> {
        let item = self.0.get_item(&embedding_dimensions_key(model), Consistency::Strong).await?;
        Ok(item.and_then(|item| item.get("dimensions")?.as_n().ok()?.parse().ok()))
    }

    /// Stores their number of dimensions.
    pub(in crate::wiki) async fn put_dimensions(&self, model: &EmbeddingSpace, dimensions: usize) -> Result<()> {
        let mut item = item::key_only_item(&embedding_dimensions_key(model), ItemKind::EmbeddingDimensions);
        item.insert("dimensions".into(), item::number(dimensions));
        self.write(vec![Write::put(item)]).await
    }

    /// How far the entries without vectors have been looked at; none at the beginning.
    pub(in crate::wiki) async fn get_cursor(&self) -> Result<Option<String>> {
        let item = self.0.get_item(&embedding_cursor_key(), Consistency::Strong).await?;
        Ok(item.and_then(|item| item.get("after")?.as_s().ok().cloned()).filter(|after| !after.is_empty()))
    }

    /// Stores the position of the cursor.
    pub(in crate::wiki) async fn put_cursor(&self, after: Option<&str>) -> Result<()> {
        let mut item = item::key_only_item(&embedding_cursor_key(), ItemKind::EmbeddingCursor);
        item.insert("after".into(), text(after.unwrap_or_default()));
        self.write(vec![Write::put(item)]).await
    }

    async fn delete_where(&self, scope: &Scope, path: &WikiPath, goes: impl Fn(&Key) -> bool) -> Result<()> {
        let mut query = PartitionQuery::new(vectors_partition(scope, path));
        loop {
            let page = self.0.query(query.clone()).await?;
            let found = page.items.iter().filter_map(item::key_of).filter(&goes);
            self.write(found.map(Write::delete).collect()).await?;
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(()),
            }
        }
    }

    async fn write(&self, mut writes: Vec<Write>) -> Result<()> {
        while !writes.is_empty() {
            let rest = writes.split_off(writes.len().min(TRANSACTION_WRITES));
            self.0.write(writes).await?;
            writes = rest;
        }
        Ok(())
    }
}

/// The vectors of an entry's passages.
fn vectors_partition(s: &Scope, path: &WikiPath) -> String {
    format!("{}#VEC#{path}", keys::scope(s))
}

/// The beginning of the sort key of every vector of a space.
fn vectors_of_space(space: &EmbeddingSpace) -> String {
    format!("{space}#")
}

/// The vector of a passage, by a hash of its text.
fn vector_key(s: &Scope, path: &WikiPath, space: &EmbeddingSpace, text_hash: &str) -> Key {
    Key::new(vectors_partition(s, path), format!("{}{text_hash}", vectors_of_space(space)))
}

/// The number of attempts to embed an entry, next to its vectors. A vector's sort key begins with a lower-case digit.
fn embedding_attempts_key(s: &Scope, path: &WikiPath) -> Key {
    Key::new(vectors_partition(s, path), "ATTEMPTS")
}

/// How far the entries that lack vectors have been looked at.
fn embedding_cursor_key() -> Key {
    Key::new(EMBEDDINGS.to_owned(), "CURSOR")
}

/// How many dimensions a model's vectors had last; `model` is its space without any.
fn embedding_dimensions_key(model: &EmbeddingSpace) -> Key {
    Key::new(EMBEDDINGS.to_owned(), format!("DIMENSIONS#{model}"))
}

const EMBEDDINGS: &str = "EMBEDDINGS";
