//! Detects the languages that their script tells apart.

use crate::CustomerLanguage as L;

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
const MIN_LETTERS: usize = 3;

/// How many letters of each script a text has.
#[derive(Debug, Default)]
pub(super) struct Letters {
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
    pub(super) fn of(text: &str) -> Self {
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
    pub(super) const fn total(&self) -> usize {
        let alphabets = self.latin + self.arabic + self.cyrillic + self.greek + self.other;
        alphabets + self.han + self.kana + self.devanagari + self.bengali + self.tamil
    }

    /// Whether more is said in Latin letters than in any others.
    pub(super) fn are_mostly_latin(&self) -> bool {
        self.languages().into_iter().map(|(letters, _)| letters).chain([self.other]).all(|other| other < self.latin)
    }

    /// The language of the script that has a third of what is said, or more.
    pub(super) fn language(&self, expected: &[L]) -> Option<L> {
        let total = self.total() + (self.han + self.kana) * (LETTERS_OF_A_SIGN - 1);
        let (letters, candidates) = self.languages().into_iter().max_by_key(|(letters, _)| *letters)?;
        let enough = letters >= MIN_LETTERS && letters * 3 >= total && letters > self.other;
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
