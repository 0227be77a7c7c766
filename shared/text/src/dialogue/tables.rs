//! What `build.rs` makes of the files of phrases, so that a process starts with it.
//!
//! To add a language: add it to [`CustomerLanguage`] and to `LANGUAGES` of `build.rs`, copy the file of a similar one in
//! `languages/`, translate it, name it in the detection of languages, and add examples to the tests. A field of a
//! [`phrasebook`](super::phrasebook) says what its section holds. A binary contains of the phrasebooks only [`HUMAN`], the
//! [`sentences`], pronouns, generic words and letters, and tables of small talk, of the words of requests and of function words.
//! `lists.txt` has lists that are not told apart by language.

use fst::raw::{Fst, Node, Output};

use super::phrasebook::{HumanRequestPhrases, Sentences};
#[cfg(test)]
use super::phrasebook::{Phrasebook, SmallTalkPhrases};
// The tables name languages as `Debug` does.
use crate::CustomerLanguage::{self, *};

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// A table from words to numbers: a finite state transducer, which is read where it is. An empty one if its bytes cannot be
/// read, which a test excludes.
pub(super) struct Table(Option<Fst<&'static [u8]>>);

/// A place in a table behind the letters that were read.
#[derive(Clone, Copy)]
pub(super) struct Position<'t> {
    table: &'t Fst<&'static [u8]>,
    node: Node<'t>,
    value: Output,
}

impl Table {
    pub(super) fn new(bytes: &'static [u8]) -> Self {
        Self(Fst::new(bytes).ok())
    }

    /// The place before any letter.
    pub(super) fn start(&self) -> Option<Position<'_>> {
        let table = self.0.as_ref()?;
        Some(Position { table, node: table.root(), value: Output::zero() })
    }

    /// The number of `word`.
    pub(super) fn get(&self, word: &str) -> Option<u64> {
        self.start()?.read(word)?.value()
    }

    /// Every word with its number.
    #[cfg(test)]
    pub(super) fn entries(&self) -> std::collections::BTreeMap<String, u64> {
        self.0.as_ref().unwrap().stream().into_str_vec().unwrap().into_iter().collect()
    }
}

impl Position<'_> {
    /// The place behind `letters`, if some word goes on so.
    pub(super) fn read(self, letters: &str) -> Option<Self> {
        letters.bytes().try_fold(self, Self::step)
    }

    /// The place behind one more byte.
    pub(super) fn step(self, byte: u8) -> Option<Self> {
        let transition = self.node.transition(self.node.find_input(byte)?);
        Some(Self { node: self.table.node(transition.addr), value: self.value.cat(transition.out), ..self })
    }

    /// The number of the word that ends here.
    pub(super) fn value(&self) -> Option<u64> {
        self.node.is_final().then(|| self.value.cat(self.node.final_output()).value())
    }
}
