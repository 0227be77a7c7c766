//! The space of the vectors that the configured model returns.
//!
//! If the configuration names no dimensions, an endpoint may one day return vectors of other dimensions under the same
//! name, because it serves another build. So the dimensions are part of the space, and the table stores the latest
//! ones. A worker that gets others stores them. From then on every entry lacks vectors of the new space.

use answer::embedding::Embedder;
use aws::store::Store;
use domain::Result;
use domain::models::EmbeddingSpace;

/// The space of the vectors that the model gave last. Before its first vector, one that nothing was embedded in.
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
