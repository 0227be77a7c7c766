//! A sentence as the words that phrases are compared with: in lower case, without accents, vowel signs of Arabic script
//! and other marks that some write and some leave out.

use unicode_normalization::UnicodeNormalization;

/// The words of one clause.
pub(super) type Clause = Vec<String>;

/// The clauses of a sentence: what stands between commas and the like, none empty.
pub(super) fn clauses(sentence: &str) -> Vec<Clause> {
    let mut all = Vec::new();
    for part in sentence.split(ends_clause) {
        let clause = words(part);
        if !clause.is_empty() {
            all.push(clause);
        }
    }
    all
}

/// A sentence without what it quotes, where that is not all it says: who tells of somebody's words does not say them.
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

/// The words of a text; in Chinese and Japanese each character is one.
pub(super) fn words(text: &str) -> Clause {
    let mut all = Vec::new();
    let mut word = String::new();
    for c in text.nfkd().flat_map(char::to_lowercase).filter_map(spelling) {
        if is_character_word(c) {
            push(&mut all, &mut word);
            all.push(c.to_string());
        } else if continues_word(c) {
            match c {
                'ß' => word.push_str("ss"),
                c => word.push(c),
            }
        } else {
            push(&mut all, &mut word);
        }
    }
    push(&mut all, &mut word);
    all
}

fn push(all: &mut Clause, word: &mut String) {
    if !word.is_empty() {
        all.push(std::mem::take(word));
    }
}

const fn ends_clause(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '…'
            | '('
            | ')'
            | '–'
            | '—'
            | '\n'
            | '¡'
            | '¿'
            | '؟'
            | '،'
            | '؛'
            | '۔'
            | '।'
    ) || matches!(c, '。' | '，' | '！' | '？' | '、' | '；' | '：')
}

/// One letter for those that look or sound alike; none for marks that are often left out.
const fn spelling(c: char) -> Option<char> {
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
fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{963}' | '\u{970}'..='\u{9E3}' | '\u{9F0}'..='\u{DFF}')
}

/// Scripts without spaces.
const fn is_character_word(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}
