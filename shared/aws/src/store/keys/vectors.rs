//! Keys of the vectors of passages.

use super::{Key, key, scope};
use domain::models::{EmbeddingSpace, Scope, WikiPath};

/// The vectors of an entry's passages.
pub(crate) fn vectors(s: &Scope, path: &WikiPath) -> String {
    format!("{}#VEC#{path}", scope(s))
}

/// The beginning of the sort key of every vector of a space.
pub(crate) fn vectors_of_space(space: &EmbeddingSpace) -> String {
    format!("{space}#")
}

/// The vector of a passage, by a hash of its text.
pub(crate) fn vector(s: &Scope, path: &WikiPath, space: &EmbeddingSpace, text_hash: &str) -> Key {
    key(vectors(s, path), format!("{}{text_hash}", vectors_of_space(space)))
}

/// The number of attempts to embed an entry, next to its vectors. A vector's sort key begins with a lower-case digit.
pub(crate) fn embedding_attempts(s: &Scope, path: &WikiPath) -> Key {
    key(vectors(s, path), "ATTEMPTS")
}

/// How far the entries that lack vectors have been looked at.
pub(crate) fn embedding_cursor() -> Key {
    key(EMBEDDINGS.to_owned(), "CURSOR")
}

/// How many dimensions a model's vectors had last; `model` is its space without any.
pub(crate) fn embedding_dimensions(model: &EmbeddingSpace) -> Key {
    key(EMBEDDINGS.to_owned(), format!("DIMENSIONS#{model}"))
}

const EMBEDDINGS: &str = "EMBEDDINGS";
