//! Detects the language of a text: by its script, by its function words, and by its letters.
//!
//! Function words hold sentences together, and tell the language of a short text in Latin letters. They are compared without
//! accents, as many people type them. A word that several languages have counts for each, but less.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::LazyLock;

use whatlang::Lang;

use super::tables::{self, HUMAN, Table};
use super::words::{without_quotations, words};
use crate::CustomerLanguage as L;

/// Fewer letters are not enough for a detection by letters.
const MIN_LETTERS: usize = 20;
/// More letters do not improve it.
const MAX_CHARS: usize = 1_000;

/// The language of a text; none if it is not clear, or not spoken here. `expected` decides between languages that
/// share a script, and if a text has letters alone to tell it by: keywords of one language ("faktura nedlasting") have
/// the letters of another.
pub(super) fn detect(text: &str, expected: &[L]) -> Option<L> {
    let text: String = text.chars().take(MAX_CHARS).collect();
    let text = without_quotations(&text);
    let letters = Letters::of(&text);
    let by_letters = || by_letters(&text, letters.total());
    let is_likely = |found: &L| expected.contains(found) || has_function_word(&text, *found);
    if letters.are_mostly_latin() {
        let by_words = || by_function_words(&text).or_else(|| letters.language(expected));
        by_words().or_else(|| by_letters().flatten().filter(is_likely))
    } else {
        // Of longer texts it is known whether they are in a language of the same script that is not spoken here.
        by_letters().unwrap_or_else(|| letters.language(expected))
    }
}

/// The language by the sequences of letters, if it is clear; `Some(None)` for one that is not spoken here.
fn by_letters(text: &str, letters: usize) -> Option<Option<L>> {
    let found = if letters < MIN_LETTERS { None } else { whatlang::detect(text) };
    found.filter(whatlang::Info::is_reliable).map(|found| spoken(found.lang()))
}

/// The languages that are spoken here, with the code that the detection by letters has for each (ISO 639-3).
const SPOKEN: &str = "ar=ara bn=ben da=dan de=deu el=ell en=eng es=spa fi=fin fr=fra hi=hin hu=hun id=ind it=ita ja=jpn nl=nld \
    no=nob pt=por ro=ron ru=rus sv=swe ta=tam tr=tur ur=urd zh=cmn";

fn spoken(language: Lang) -> Option<L> {
    let mut codes = SPOKEN.split(' ').filter_map(|pair| pair.split_once('='));
    codes.find(|(_, code)| *code == language.code()).and_then(|(own, _)| L::parse(own))
}

/// Letters of languages that are not spoken here.
const FOREIGN: &str = "ąćęłńśźżčďěňřšťůžđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹāēģīķļņūėįų";

/// The weight of a word or letter that one language has. Several languages that have it share the weight.
const WEIGHT: usize = 60;
/// Fewer words and letters of one language are not enough.
const MIN_HITS: usize = 2;
/// Words that many languages share are not enough, either.
const MIN_WEIGHT: usize = 45;

/// For each word a set of languages, as bits in the order of [`HUMAN`]; `build.rs` made it.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/function_words.fst"))));

/// How much speaks for one language.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    words: usize,
    letters: usize,
    weight: usize,
}

/// The language of the function words of a text, if it has two or more and no other language comes near.
fn by_function_words(text: &str) -> Option<L> {
    let lower = text.to_lowercase();
    if lower.chars().any(|c| FOREIGN.contains(c)) {
        return None;
    }
    let mut all = [Evidence::default(); L::ALL.len()];
    let mut add = |place: usize, shared: usize, is_word: bool| {
        if let Some(evidence) = all.get_mut(place) {
            evidence.weight += WEIGHT / shared.max(1);
            evidence.words += usize::from(is_word);
            evidence.letters += usize::from(!is_word);
        }
    };
    // A word that is said again says nothing more.
    let said: HashSet<String> = words(&lower).into_iter().collect();
    for word in said {
        let places: Vec<usize> = places_of(&word).collect();
        places.iter().for_each(|place| add(*place, places.len(), true));
    }
    let letters = || HUMAN.iter().map(|(language, _)| tables::letters(*language)).enumerate();
    for (place, own) in letters() {
        for letter in own.chars().filter(|letter| lower.contains(*letter)) {
            add(place, letters().filter(|(_, others)| others.contains(letter)).count(), false);
        }
    }
    clear_winner(&all)
}

/// Whether a text has a function word of a language.
fn has_function_word(text: &str, language: L) -> bool {
    let is_its = |word: &String| places_of(word).any(|at| HUMAN.get(at).is_some_and(|(of, _)| *of == language));
    words(&text.to_lowercase()).iter().any(is_its)
}

/// The places in [`HUMAN`] of the languages that have `word`.
fn places_of(word: &str) -> impl Iterator<Item = usize> {
    let languages = TABLE.get(word).unwrap_or_default();
    (0..HUMAN.len()).filter(move |place| languages >> place & 1 == 1)
}

/// The language with the most evidence, a third more than the next.
fn clear_winner(all: &[Evidence]) -> Option<L> {
    let (place, best) = all.iter().enumerate().max_by_key(|(_, evidence)| evidence.weight)?;
    let others = all.iter().enumerate().filter(|(other, _)| *other != place);
    let next = others.map(|(_, evidence)| evidence.weight).max().unwrap_or_default();
    let enough = best.words > 0 && best.words + best.letters >= MIN_HITS && best.weight >= MIN_WEIGHT;
    (enough && best.weight * 3 >= next * 4).then(|| HUMAN.get(place).map(|(language, _)| *language))?
}

/// Letters of Cyrillic that Russian does not have: of Ukrainian, Belarusian, Serbian and Macedonian.
const NOT_RUSSIAN: &str = "іїєґўјљњћђџѓќѕ";
/// Letters that Urdu has and Arabic and Persian do not, and those that Arabic has and the others do not.
const URDU: &str = "ٹڈڑںےہھۃ";
const ARABIC: &str = "كيةأإىؤ";
/// Letters that Arabic does not have.
const NOT_ARABIC: &str = "پچژگکی";
/// The letters of an alphabet that one sign of Chinese or Japanese stands for.
const LETTERS_OF_A_SIGN: usize = 3;
/// Fewer letters are not enough.
const MIN_LETTERS_OF_A_SCRIPT: usize = 3;

/// How many letters of each script a text has.
#[derive(Debug, Default)]
struct Letters {
    latin: usize,
    han: usize,
    kana: usize,
    arabic: usize,
    cyrillic: usize,
    greek: usize,
    devanagari: usize,
    bengali: usize,
    tamil: usize,
    /// Scripts whose languages are not spoken here.
    other: usize,
    not_russian: bool,
    urdu: bool,
    only_arabic: bool,
    not_arabic: bool,
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut letters = Self::default();
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters.add(c.to_lowercase().next().unwrap_or(c));
        }
        letters
    }

    fn add(&mut self, c: char) {
        let count = match c {
            // Latin and its extensions.
            '\u{41}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => &mut self.latin,
            '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => &mut self.greek,
            '\u{400}'..='\u{52F}' => &mut self.cyrillic,
            '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' | '\u{FB50}'..='\u{FDFF}' => &mut self.arabic,
            '\u{900}'..='\u{97F}' => &mut self.devanagari,
            '\u{980}'..='\u{9FF}' => &mut self.bengali,
            '\u{B80}'..='\u{BFF}' => &mut self.tamil,
            '\u{3040}'..='\u{30FF}' => &mut self.kana,
            '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' => &mut self.han,
            _ => &mut self.other,
        };
        *count += 1;
        self.not_russian |= NOT_RUSSIAN.contains(c);
        self.urdu |= URDU.contains(c);
        self.only_arabic |= ARABIC.contains(c);
        self.not_arabic |= NOT_ARABIC.contains(c);
    }

    /// All letters.
    const fn total(&self) -> usize {
        let alphabets = self.latin + self.arabic + self.cyrillic + self.greek + self.other;
        alphabets + self.han + self.kana + self.devanagari + self.bengali + self.tamil
    }

    /// Whether more is said in Latin letters than in any others.
    fn are_mostly_latin(&self) -> bool {
        self.languages().into_iter().map(|(letters, _)| letters).chain([self.other]).all(|other| other < self.latin)
    }

    /// The language of the script that has a third of what is said, or more.
    fn language(&self, expected: &[L]) -> Option<L> {
        let total = self.total() + (self.han + self.kana) * (LETTERS_OF_A_SIGN - 1);
        let (letters, candidates) = self.languages().into_iter().max_by_key(|(letters, _)| *letters)?;
        let enough = letters >= MIN_LETTERS_OF_A_SCRIPT && letters * 3 >= total && letters > self.other;
        let likely = expected.iter().find(|language| candidates.contains(language));
        likely.or(candidates.first()).copied().filter(|_| enough)
    }

    /// The amount of text in each script, in letters of an alphabet, with the languages of the script, the likeliest
    /// first.
    fn languages(&self) -> [(usize, &'static [L]); 7] {
        let russian: &[L] = if self.not_russian { &[] } else { &[L::Russian] };
        let east_asian: &[L] = if self.kana > 0 { &[L::Japanese] } else { &[L::Chinese, L::Japanese] };
        [
            ((self.han + self.kana) * LETTERS_OF_A_SIGN, east_asian),
            (self.arabic, self.languages_of_arabic_script()),
            (self.cyrillic, russian),
            (self.greek, &[L::Greek]),
            (self.devanagari, &[L::Hindi]),
            (self.bengali, &[L::Bengali]),
            (self.tamil, &[L::Tamil]),
        ]
    }

    const fn languages_of_arabic_script(&self) -> &'static [L] {
        match (self.urdu, self.only_arabic, self.not_arabic) {
            (true, ..) => &[L::Urdu],
            // Some keyboards write Arabic with a Persian letter.
            (false, true, _) => &[L::Arabic],
            // Persian has these letters, too.
            (false, false, true) => &[],
            (false, false, false) => &[L::Arabic, L::Urdu],
        }
    }
}
