//! A part of a text that stands alone.

use std::rc::Rc;

use super::block::Block;

/// A section of more characters is parted.
pub(super) const LONG_CHARS: usize = 6_000;

/// A part of a text, with the headings that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// The headings above and its own, outermost first; empty for a text without any.
    pub(super) trail: Vec<Rc<str>>,
    pub(super) blocks: Vec<Block>,
    /// The number of the part, and of how many, if it was parted.
    pub(super) part: Option<(usize, usize)>,
}

impl Section {
    pub(super) fn chars(&self) -> usize {
        self.blocks.iter().filter(|block| block.says()).map(|block| block.text.chars().count() + 2).sum()
    }
}
