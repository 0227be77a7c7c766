//! Why nothing can be made of a page.

/// Why a page has no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// There is no text on it, or no main text.
    Empty,
    /// It has more elements than a page for readers has.
    TooLarge,
}
