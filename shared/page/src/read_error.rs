//! Why nothing can be made of a page.

/// Why a page has no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// There is no text on it, or no main text.
    Empty,
    /// It is records of data, JSON or CSV: which of them say something to a reader cannot be known.
    Data,
    /// It has more elements than a page for readers has.
    TooLarge,
}
