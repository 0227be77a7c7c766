//! Collects the phrases of small talk of all languages, for `build.rs` and for the tests of the tables that it makes.

use std::collections::{HashMap, HashSet};

use super::phrase::{Kind, Kinds, MIN_CORRECTED_BYTES, Phrase};
use crate::CustomerLanguage;
use crate::dialogue::phrasebook::{Phrasebook, SmallTalkPhrases};
use crate::dialogue::words::{Token, tokens};

/// The phrases of all languages.
#[derive(Default)]
pub(crate) struct PhraseCollection {
    /// By their letters without blanks.
    pub(crate) phrases: HashMap<String, Vec<Phrase>>,
    /// The words of all phrases.
    pub(crate) words: HashSet<String>,
    /// Words that are a phrase by themselves and long enough to be corrected to.
    pub(crate) long_words: Vec<String>,
}

impl PhraseCollection {
    pub(crate) fn new(books: &[Phrasebook]) -> Self {
        let mut collection = Self::default();
        for book in books {
            let ambiguous: HashSet<String> =
                alternatives(book.small_talk.ambiguous).map(|phrase| letters(&phrase)).collect();
            for (kind, list) in lists(&book.small_talk) {
                for phrase in alternatives(list) {
                    collection.add(phrase, book.language, kind, &ambiguous);
                }
            }
        }
        collection
    }

    fn add(&mut self, words: Vec<Token>, language: CustomerLanguage, kind: Kind, ambiguous: &HashSet<String>) {
        let letters = letters(&words);
        let accented = words.iter().any(|token| token.accented);
        if let [Token { word, .. }] = words.as_slice()
            && word.len() >= MIN_CORRECTED_BYTES
            && !self.words.contains(word)
        {
            self.long_words.push(word.clone());
        }
        self.words.extend(words.into_iter().map(|token| token.word));
        let ambiguous = ambiguous.contains(&letters);
        let same = self.phrases.entry(letters).or_default();
        match same.iter_mut().find(|phrase| phrase.language == language) {
            Some(phrase) => {
                phrase.kinds = phrase.kinds.and(Kinds::of(kind));
                phrase.accented |= accented;
            }
            None => same.push(Phrase { language, kinds: Kinds::of(kind), ambiguous, accented }),
        }
    }
}

/// The phrases of a list, as words.
fn alternatives(list: &'static str) -> impl Iterator<Item = Vec<Token>> {
    let words = |phrase| tokens(phrase).into_iter().flatten().collect();
    list.split('|').map(words).filter(|words: &Vec<Token>| !words.is_empty())
}

fn letters(phrase: &[Token]) -> String {
    phrase.iter().map(|token| token.word.as_str()).collect()
}

/// The lists of a language with what their phrases do.
const fn lists(tables: &SmallTalkPhrases) -> [(Kind, &'static str); 15] {
    [
        (Kind::Greeting, tables.greeting),
        (Kind::Opening, tables.opening),
        (Kind::Thanks, tables.thanks),
        (Kind::Farewell, tables.farewell),
        (Kind::Okay, tables.okay),
        (Kind::Acknowledgement, tables.acknowledgement),
        (Kind::AboutUs, tables.about_us),
        (Kind::Anger, tables.anger),
        (Kind::Unhelped, tables.unhelped),
        (Kind::Yes, tables.yes),
        (Kind::No, tables.no),
        (Kind::Cancel, tables.cancel),
        (Kind::Doubt, tables.doubt),
        (Kind::Filler, tables.filler),
        (Kind::Addition, tables.addition),
    ]
}
