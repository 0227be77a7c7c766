//! The words of a shard by numbers, which stand for them in lists.

use std::collections::HashMap;
use std::sync::Arc;

/// Stands for no word.
pub(super) const NO_WORD: u32 = u32::MAX;

/// Each word once.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Words {
    /// The number of a word; a new one gets the next.
    pub(super) fn add(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let (text, number) = (Arc::<str>::from(word), u32::try_from(self.texts.len()).unwrap_or(NO_WORD));
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    /// The number of a known word.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The word of a number.
    pub(super) fn text(&self, number: u32) -> Option<&Arc<str>> {
        self.texts.get(usize::try_from(number).ok()?)
    }
}

/// The two parts of a term: a bigram is held as its words, because most bigrams are in one text alone.
pub(super) fn parts(term: &str) -> (&str, Option<&str>) {
    term.split_once('_').map_or((term, None), |(first, second)| (first, Some(second)))
}
