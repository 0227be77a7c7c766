//! Splits a message into clauses of words for the comparison with phrases: lower case, without accents, Arabic vowel
//! signs and other marks that some people leave out.

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;

/// The words of one clause.
pub(super) type Clause = Vec<String>;

/// One word and its position in its text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) word: String,
    pub(super) at: Range<usize>,
    /// It is written with an accent, which `word` has not.
    pub(super) accented: bool,
}

/// The clauses of a sentence, between commas and the like, none empty.
pub(super) fn clauses(sentence: &str) -> Vec<Clause> {
    tokens(sentence).into_iter().map(|clause| clause.into_iter().map(|token| token.word).collect()).collect()
}

/// The words of a text; in Chinese and Japanese each character is one.
pub(super) fn words(text: &str) -> Clause {
    tokens(text).into_iter().flatten().map(|token| token.word).collect()
}

/// The clauses of a sentence with the place of each word.
pub(super) fn tokens(sentence: &str) -> Vec<Vec<Token>> {
    let mut reader = ClauseTokenizer::default();
    for (at, c) in sentence.char_indices() {
        if ends_clause(c) {
            reader.end_clause();
            continue;
        }
        let place = at..at + c.len_utf8();
        // Most letters of most texts, among them the phrase tables, which every new process reads.
        if c.is_ascii() {
            reader.read(c.to_ascii_lowercase(), &place);
            continue;
        }
        decompose_compatible(c, |part| {
            reader.accented |= is_accent(part);
            part.to_lowercase().filter_map(normalized_spelling).for_each(|letter| reader.read(letter, &place));
        });
    }
    reader.end_clause();
    reader.clauses
}

/// A sentence without its quotations, unless it has nothing else: a customer who quotes words does not say them.
pub(super) fn without_quotations(sentence: &str) -> String {
    let mut kept = String::new();
    let mut closing = None;
    for c in sentence.chars() {
        match (closing, c) {
            (Some(end), c) if c == end => closing = None,
            (Some(_), _) => {}
            (None, '"') => closing = Some('"'),
            (None, '“' | '„') => closing = Some('”'),
            (None, '«') => closing = Some('»'),
            (None, '「') => closing = Some('」'),
            (None, c) => kept.push(c),
        }
    }
    let says = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() > 3;
    if closing.is_none() && says(&kept) { kept } else { sentence.to_owned() }
}

/// The clauses and the word that were read so far.
#[derive(Default)]
struct ClauseTokenizer {
    clauses: Vec<Vec<Token>>,
    clause: Vec<Token>,
    word: Option<Token>,
    /// The word that is read has an accent.
    accented: bool,
}

impl ClauseTokenizer {
    fn read(&mut self, letter: char, place: &Range<usize>) {
        if is_character_word(letter) {
            self.end_word();
            self.clause.push(Token { word: letter.to_string(), at: place.clone(), accented: false });
        } else if continues_word(letter) {
            let word =
                self.word.get_or_insert_with(|| Token { word: String::new(), at: place.clone(), accented: false });
            word.at.end = place.end;
            match letter {
                'ß' => word.word.push_str("ss"),
                letter => word.word.push(letter),
            }
        } else {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        let accented = std::mem::take(&mut self.accented);
        self.clause.extend(self.word.take().map(|word| Token { accented, ..word }));
    }

    fn end_clause(&mut self) {
        self.end_word();
        let clause = std::mem::take(&mut self.clause);
        if !clause.is_empty() {
            self.clauses.push(clause);
        }
    }
}

/// An accent of the Latin, Greek or Cyrillic script, as Unicode takes letters apart.
const fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

fn ends_clause(c: char) -> bool {
    !c.is_ascii_alphanumeric() && ".,;:!?…()–—\n¡¿؟،؛۔।。，！？、；：".contains(c)
}

/// One letter for those that look or sound alike; none for marks that are often left out.
pub(super) const fn normalized_spelling(c: char) -> Option<char> {
    match c {
        // Accents; vowel signs and the lengthening stroke of Arabic; the dots of Devanagari and Bengali; joiners.
        '\u{300}'..='\u{36F}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{640}' => None,
        '\u{93C}' | '\u{9BC}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' => None,
        'ى' | 'ی' => Some('ي'),
        'ک' => Some('ك'),
        'ة' | 'ہ' | 'ھ' | 'ۃ' => Some('ه'),
        'ں' => Some('ن'),
        c => Some(c),
    }
}

/// Letters, digits, and the signs that make syllables in the scripts of India.
pub(super) fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{963}' | '\u{970}'..='\u{9E3}' | '\u{9F0}'..='\u{DFF}')
}

/// Scripts without spaces.
pub(super) const fn is_character_word(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}
