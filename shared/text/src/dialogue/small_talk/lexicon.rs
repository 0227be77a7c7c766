//! All phrases of small talk, and the search for those that cover a clause.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::kinds::{Kind, Kinds, lists};
use crate::CustomerLanguage;
use crate::dialogue::languages;
use crate::dialogue::words::{Token, words};

/// The most words of a clause of small talk.
const MAX_CLAUSE_WORDS: usize = 40;
/// A shorter word is not corrected.
const MIN_CORRECTED_CHARS: usize = 6;

/// A phrase in one language.
#[derive(Debug, Clone, Copy)]
struct Phrase {
    language: CustomerLanguage,
    kinds: Kinds,
    ambiguous: bool,
}

/// The phrases of all languages.
struct Lexicon {
    /// By their letters without blanks.
    phrases: HashMap<String, Vec<Phrase>>,
    words: HashSet<String>,
    /// Words that are a phrase by themselves and long enough to be corrected to.
    long_words: Vec<String>,
    /// The letters of the longest phrase, in bytes.
    longest: usize,
}

/// What the phrases that cover something do, and the language they are of.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialogue) struct Covered {
    pub(in crate::dialogue) kinds: Kinds,
    pub(in crate::dialogue) language: CustomerLanguage,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::new);

/// What a clause does, where phrases cover all of it: of one expected language, of one other, or of several.
pub(in crate::dialogue) fn cover(clause: &[Token], expected: &[CustomerLanguage]) -> Option<Covered> {
    if clause.is_empty() || clause.len() > MAX_CLAUSE_WORDS {
        return None;
    }
    let letters: Vec<String> = clause.iter().map(|token| LEXICON.known(&token.word)).collect();
    let others = CustomerLanguage::ALL.iter().filter(|language| !expected.contains(language));
    let in_one = expected
        .iter()
        .chain(preferred(others))
        .find_map(|language| LEXICON.segments(&letters, expected, |phrase| phrase.language == *language));
    in_one.or_else(|| LEXICON.segments(&letters, expected, |_| true))
}

/// English first: what several languages share was most likely taken from it.
fn preferred<'a>(others: impl Iterator<Item = &'a CustomerLanguage>) -> impl Iterator<Item = &'a CustomerLanguage> {
    let (english, rest): (Vec<_>, Vec<_>) = others.partition(|language| **language == CustomerLanguage::English);
    english.into_iter().chain(rest)
}

/// How many words at the start of a clause only greet or thank.
pub(in crate::dialogue) fn leading(clause: &[Token], expected: &[CustomerLanguage]) -> usize {
    let mut at = 0;
    while let Some(length) = LEXICON.longest_at(clause, at, expected, |kinds| {
        kinds.has_any(&[Kind::Greeting, Kind::Thanks]) || (at > 0 && kinds.has(Kind::Addition))
    }) {
        at += length;
    }
    at
}

/// How many words at the end of a clause only thank.
pub(in crate::dialogue) fn trailing(clause: &[Token], expected: &[CustomerLanguage]) -> usize {
    let first = clause.len().saturating_sub(MAX_CLAUSE_WORDS);
    let thanks_from = |start: &usize| {
        let tail = clause.get(*start..).unwrap_or_default();
        cover(tail, expected).is_some_and(|covered| {
            covered.kinds.has(Kind::Thanks) && covered.kinds.is_only(&[Kind::Thanks, Kind::Filler, Kind::Addition])
        })
    };
    (first.max(clause.len().saturating_sub(6))..clause.len()).find(thanks_from).map_or(0, |start| clause.len() - start)
}

impl Lexicon {
    fn new() -> Self {
        let mut lexicon = Self { phrases: HashMap::new(), words: HashSet::new(), long_words: Vec::new(), longest: 0 };
        for book in languages::ALL {
            let ambiguous: HashSet<String> =
                alternatives(book.small_talk.ambiguous).map(|words| words.concat()).collect();
            for (kind, list) in lists(&book.small_talk) {
                for words in alternatives(list) {
                    lexicon.add(words, book.language, kind, &ambiguous);
                }
            }
        }
        lexicon
    }

    fn add(&mut self, words: Vec<String>, language: CustomerLanguage, kind: Kind, ambiguous: &HashSet<String>) {
        let letters = words.concat();
        self.longest = self.longest.max(letters.len());
        if let [word] = words.as_slice()
            && word.len() >= MIN_CORRECTED_CHARS
            && !self.words.contains(word)
        {
            self.long_words.push(word.clone());
        }
        self.words.extend(words);
        let ambiguous = ambiguous.contains(&letters);
        let same = self.phrases.entry(letters).or_default();
        match same.iter_mut().find(|phrase| phrase.language == language) {
            Some(phrase) => phrase.kinds = phrase.kinds.and(Kinds::of(kind)),
            None => same.push(Phrase { language, kinds: Kinds::of(kind), ambiguous }),
        }
    }

    /// A word as a phrase has it: without drawn-out letters, and with one typo corrected in a long one.
    fn known(&self, word: &str) -> String {
        let is_known = |word: &String| self.words.contains(word) || self.phrases.contains_key(word);
        let candidates = [word.to_owned(), collapse_repeats(word, 2), collapse_repeats(word, 1)];
        if let Some(found) = candidates.iter().find(|word| is_known(word)) {
            return found.clone();
        }
        let [_, _, once] = candidates;
        let near = |known: &&String| {
            known.chars().next() == once.chars().next()
                && known.len().abs_diff(once.len()) <= 4
                && strsim::osa_distance(known, &once) == 1
        };
        let long = once.len() >= MIN_CORRECTED_CHARS && once.len() <= self.longest;
        long.then(|| self.long_words.iter().find(near).cloned()).flatten().unwrap_or_else(|| word.to_owned())
    }

    /// The phrases that cover all words, the longest first. A single word of a language that is not expected is
    /// likelier to be a word of the expected one (`bad` is a bathroom in German) unless it does what people do in any
    /// language.
    fn segments(
        &self,
        letters: &[String],
        expected: &[CustomerLanguage],
        usable: impl Fn(&Phrase) -> bool,
    ) -> Option<Covered> {
        // For each start, from the end on, the longest phrase behind which the rest is covered.
        let mut next: Vec<Option<(usize, Phrase)>> = vec![None; letters.len()];
        for start in (0..letters.len()).rev() {
            let mut joined = String::new();
            for (offset, word) in letters.get(start..).unwrap_or_default().iter().enumerate() {
                joined.push_str(word);
                let end = start + offset + 1;
                if joined.len() > self.longest {
                    break;
                }
                let goes_on = end == letters.len() || next.get(end).is_some_and(Option::is_some);
                let found = self.phrases.get(&joined).into_iter().flatten().find(|phrase| usable(phrase));
                if let (true, Some(phrase), Some(slot)) = (goes_on, found, next.get_mut(start)) {
                    *slot = Some((end, *phrase));
                }
            }
        }
        let mut chosen = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            let (end, phrase) = next.get(at).copied().flatten()?;
            chosen.push(phrase);
            at = end;
        }
        let clear = chosen.iter().any(|phrase| !phrase.ambiguous || expected.contains(&phrase.language));
        let says = chosen.iter().max_by_key(|phrase| phrase.kinds.suffice()).filter(|_| clear)?;
        let kinds = chosen.iter().fold(Kinds::default(), |all, phrase| all.and(phrase.kinds));
        if letters.len() == 1 && !expected.contains(&says.language) && !kinds.is_known_abroad() {
            return None;
        }
        Some(Covered { kinds, language: says.language })
    }

    /// The words of the longest phrase at `at` of a kind that is wanted, where more words follow.
    fn longest_at(
        &self,
        clause: &[Token],
        at: usize,
        expected: &[CustomerLanguage],
        wanted: impl Fn(Kinds) -> bool,
    ) -> Option<usize> {
        let mut joined = String::new();
        let mut found = None;
        let last = clause.len().checked_sub(1)?;
        for (offset, token) in clause.get(at..last)?.iter().enumerate() {
            joined.push_str(&self.known(&token.word));
            if joined.len() > self.longest {
                break;
            }
            let fits =
                |phrase: &Phrase| wanted(phrase.kinds) && (!phrase.ambiguous || expected.contains(&phrase.language));
            if self.phrases.get(&joined).is_some_and(|phrases| phrases.iter().any(fits)) {
                found = Some(offset + 1);
            }
        }
        found
    }
}

/// The phrases of a list, as words.
fn alternatives(list: &'static str) -> impl Iterator<Item = Vec<String>> {
    list.split('|').map(words).filter(|words| !words.is_empty())
}

/// A word without runs of one letter longer than `most`.
fn collapse_repeats(word: &str, most: usize) -> String {
    let mut kept = String::new();
    let (mut last, mut run) = (None, 0);
    for c in word.chars() {
        run = if last == Some(c) { run + 1 } else { 1 };
        last = Some(c);
        if run <= most {
            kept.push(c);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::{Intent, MatchContext, analyse};

    const EXPECTED_LANGUAGES: [CustomerLanguage; 6] = [
        CustomerLanguage::English,
        CustomerLanguage::German,
        CustomerLanguage::Dutch,
        CustomerLanguage::Danish,
        CustomerLanguage::Swedish,
        CustomerLanguage::Turkish,
    ];

    /// Whether a word, or what it is corrected to, is a phrase of a language.
    fn is_of(word: &str, language: CustomerLanguage) -> bool {
        let known = LEXICON.known(word);
        LEXICON.phrases.get(&known).is_some_and(|phrases| phrases.iter().any(|phrase| phrase.language == language))
    }

    #[test]
    fn a_single_word_of_another_language_is_a_question_unless_people_say_it_in_any() {
        let mut asked = 0;
        for word in LEXICON.words.iter().filter(|word| LEXICON.phrases.contains_key(*word)) {
            let phrases = LEXICON.phrases.get(word).unwrap();
            let known_abroad = phrases.iter().any(|phrase| phrase.kinds.is_known_abroad());
            for language in EXPECTED_LANGUAGES.into_iter().filter(|language| !known_abroad && !is_of(word, *language)) {
                let setting = MatchContext { was_offered_human: false, expected: vec![language] };
                let intent = analyse(&format!("{word}?"), &setting).intent;
                assert!(!matches!(intent, Intent::SmallTalk(_)), "{word} where {language} is expected: {intent:?}");
                asked += 1;
            }
        }
        assert!(asked > 2_000, "{asked}");
    }

    #[test]
    fn a_single_word_that_greets_thanks_leaves_agrees_or_declines_is_small_talk_in_every_language() {
        for (word, phrases) in LEXICON.phrases.iter().filter(|(word, _)| LEXICON.words.contains(*word)) {
            let clear = phrases
                .iter()
                .any(|phrase| phrase.kinds.is_known_abroad() && phrase.kinds.suffice() && !phrase.ambiguous);
            let letters = word.chars().filter(|c| c.is_alphabetic()).count();
            if clear && letters > 2 {
                let setting = MatchContext { was_offered_human: false, expected: vec![CustomerLanguage::Finnish] };
                assert!(matches!(analyse(word, &setting).intent, Intent::SmallTalk(_)), "{word}");
            }
        }
    }
}
