//! The search for phrases of small talk that cover a clause.

use super::kinds::{Kind, Kinds};
use super::phrase::Phrase;
use super::table::{corrected, is_known, phrases_from};
use crate::CustomerLanguage;
use crate::dialogue::words::Token;

/// The most words of a clause of small talk.
const MAX_CLAUSE_WORDS: usize = 40;

/// A phrase that begins at a word of a clause.
struct Found {
    /// How many words it has.
    length: usize,
    /// The customer wrote one of them with an accent.
    accented: bool,
    /// The phrase in each language that has it.
    phrases: &'static [Phrase],
}

/// The kinds of the phrases that cover something, and their language.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialogue) struct Covered {
    pub(in crate::dialogue) kinds: Kinds,
    /// None if several languages have them and none of these is expected.
    pub(in crate::dialogue) language: Option<CustomerLanguage>,
    /// No other language has them.
    pub(in crate::dialogue) unshared: bool,
}

/// The kinds of a clause that phrases cover entirely: phrases of one expected language, of one other, or of several.
/// Phrases of several others tell no language, unless their accents do, and say only what people say in any.
pub(in crate::dialogue) fn cover(clause: &[Token], expected: &[CustomerLanguage]) -> Option<Covered> {
    if clause.is_empty() || clause.len() > MAX_CLAUSE_WORDS {
        return None;
    }
    let words: Vec<String> = clause.iter().map(|token| known(&token.word)).collect();
    let found: Vec<Vec<Found>> = (0..words.len()).map(|start| found_at(clause, &words, start)).collect();
    let accented = clause.iter().any(|token| token.accented);
    let as_written = if accented { in_one_language(&found, expected, true) } else { None };
    let in_one = as_written.or_else(|| in_one_language(&found, expected, false));
    let in_several = || segments(&found, expected, |_, _| true).filter(|covered| covered.kinds.is_known_abroad());
    in_one.or_else(|| in_several().map(|covered| Covered { language: None, ..covered }))
}

fn found_at(clause: &[Token], words: &[String], start: usize) -> Vec<Found> {
    let accented = |length| clause.iter().skip(start).take(length).any(|token| token.accented);
    phrases_from(words.iter().skip(start))
        .map(|(length, phrases)| Found { length, accented: accented(length), phrases })
        .collect()
}

/// The kinds of a clause by phrases of one language: the first expected one that has them, else another; `as_written`
/// asks for the customer's accents.
fn in_one_language(found: &[Vec<Found>], expected: &[CustomerLanguage], as_written: bool) -> Option<Covered> {
    let cover_where = |expected: &[CustomerLanguage], language: &CustomerLanguage| {
        segments(found, expected, |phrase, accented| {
            phrase.language == *language && (phrase.accented || !accented || !as_written)
        })
    };
    let cover = |language: &CustomerLanguage| cover_where(expected, language);
    let others = CustomerLanguage::ALL.iter().filter(|language| !expected.contains(language));
    if let Some(likely) = expected.iter().find_map(cover) {
        let unshared = others.clone().all(|language| cover_where(CustomerLanguage::ALL, language).is_none());
        return Some(Covered { unshared, ..likely });
    }
    let mut in_others = preferred(others).filter_map(cover);
    let first = in_others.next()?;
    Some(if in_others.next().is_some() {
        Covered { language: None, ..first }
    } else {
        Covered { unshared: true, ..first }
    })
}

/// English first: what several languages share was most likely taken from it.
fn preferred<'a>(others: impl Iterator<Item = &'a CustomerLanguage>) -> impl Iterator<Item = &'a CustomerLanguage> {
    let (english, rest): (Vec<_>, Vec<_>) = others.partition(|language| **language == CustomerLanguage::English);
    english.into_iter().chain(rest)
}

/// How many words at the start of a clause only greet or thank.
pub(in crate::dialogue) fn leading(clause: &[Token], expected: &[CustomerLanguage]) -> usize {
    let mut at = 0;
    while let Some(length) = longest_at(clause, at, expected, |kinds| {
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

/// Whether a clause has a phrase of a kind in an expected language.
pub(in crate::dialogue) fn has(clause: &[Token], kind: Kind, expected: &[CustomerLanguage]) -> bool {
    let words: Vec<String> = clause.iter().map(|token| known(&token.word)).collect();
    let is_it = |phrase: &Phrase| phrase.kinds.has(kind) && !phrase.ambiguous && expected.contains(&phrase.language);
    (0..words.len()).any(|start| phrases_from(words.iter().skip(start)).any(|(_, phrases)| phrases.iter().any(is_it)))
}

/// A word as a phrase has it: without drawn-out letters, and with one typo corrected in a long one.
fn known(word: &str) -> String {
    let (twice, once) = (collapse_repeats(word, 2), collapse_repeats(word, 1));
    let as_written = [word, &twice, &once].into_iter().find(|word| is_known(word));
    as_written.or_else(|| corrected(&once)).unwrap_or(word).to_owned()
}

/// The phrases that cover all words, the longest first. A single word of a language that is not expected is likelier to
/// be a word of the expected one (`bad` is a bathroom in German) unless it does what people do in any language.
fn segments(
    found: &[Vec<Found>],
    expected: &[CustomerLanguage],
    usable: impl Fn(&Phrase, bool) -> bool,
) -> Option<Covered> {
    // For each start, from the end on, the longest phrase behind which the rest is covered.
    let mut next: Vec<Option<(usize, Phrase)>> = vec![None; found.len()];
    for (start, beginning) in found.iter().enumerate().rev() {
        for Found { length, accented, phrases } in beginning {
            let end = start + length;
            let goes_on = end == found.len() || next.get(end).is_some_and(Option::is_some);
            let phrase = phrases.iter().find(|phrase| usable(phrase, *accented));
            if let (true, Some(phrase), Some(slot)) = (goes_on, phrase, next.get_mut(start)) {
                *slot = Some((end, *phrase));
            }
        }
    }
    let mut chosen = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let (end, phrase) = next.get(at).copied().flatten()?;
        chosen.push(phrase);
        at = end;
    }
    let clear = chosen.iter().any(|phrase| !phrase.ambiguous || expected.contains(&phrase.language));
    let says = chosen.iter().max_by_key(|phrase| phrase.kinds.suffice()).filter(|_| clear)?;
    let kinds = chosen.iter().fold(Kinds::default(), |all, phrase| all.and(phrase.kinds));
    if found.len() == 1 && !expected.contains(&says.language) && !kinds.is_known_abroad() {
        return None;
    }
    Some(Covered { kinds, language: Some(says.language), unshared: false })
}

/// The words of the longest phrase at `at` of a kind that is wanted, if more words follow.
fn longest_at(
    clause: &[Token],
    at: usize,
    expected: &[CustomerLanguage],
    wanted: impl Fn(Kinds) -> bool,
) -> Option<usize> {
    let last = clause.len().checked_sub(1)?;
    let words = clause.get(at..last)?.iter().map(|token| known(&token.word));
    let fits = |phrase: &Phrase| wanted(phrase.kinds) && (!phrase.ambiguous || expected.contains(&phrase.language));
    let fitting = phrases_from(words).filter(|(_, phrases)| phrases.iter().any(fits));
    fitting.last().map(|(length, _)| length)
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
    use super::super::collect::PhraseCollection;
    use super::super::table::phrases;
    use super::*;
    use crate::dialogue::languages::ALL;
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
        phrases(&known(word)).iter().any(|phrase| phrase.language == language)
    }

    #[test]
    fn a_single_word_of_another_language_is_a_question_unless_people_say_it_in_any() {
        let mut asked = 0;
        for word in &PhraseCollection::new(ALL).words {
            let phrases = phrases(word);
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
        for word in &PhraseCollection::new(ALL).words {
            let clear = phrases(word)
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
