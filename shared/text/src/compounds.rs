//! Splits the compounds of German, Dutch and the Scandinavian languages ("Rückgabefrist") at the syllables where two
//! words may meet.
//!
//! A split proposes words and does not need a dictionary: a part counts only if a question, or an entry, has it as a word
//! of its own.

use hypher::Lang;

use crate::Language;

/// A shorter word is no compound, in characters.
const MIN_CHARS: usize = 7;
/// A longer one is not split.
const MAX_BYTES: usize = 80;
/// A shorter first part is a prefix more often than a word.
const MIN_HEAD_CHARS: usize = 4;
/// A shorter last part is an ending.
const MIN_TAIL_CHARS: usize = 3;

/// Endings of several syllables or of three letters and more that make adjectives and nouns of words ("fristlos" is no
/// sort of "Frist"), with what inflects them.
const ENDINGS: &[&str] = &[
    "los",
    "lose",
    "loser",
    "loses",
    "losen",
    "losem",
    "losigkeit",
    "lich",
    "bar",
    "sam",
    "haft",
    "isch",
    "schaft",
    "heit",
    "keit",
    "igkeit",
    "barkeit",
    "samkeit",
    "lichkeit",
    "ung",
    "ungen",
    "chen",
    "lein",
    "ner",
    "ler",
    "ling",
    // Dutch.
    "loos",
    "loze",
    "lijk",
    "lijke",
    "heid",
    "heden",
    "baar",
    "bare",
    "zaam",
    "zame",
    "achtig",
    "ing",
    "ingen",
    "schap",
    // The Scandinavian languages.
    "løs",
    "løse",
    "løst",
    "lös",
    "lösa",
    "löst",
    "lig",
    "lige",
    "liga",
    "ligt",
    "hed",
    "heder",
    "het",
    "heter",
    "som",
    "sam",
    "agtig",
    "aktig",
    "else",
    "ning",
    "ningen",
    "ninger",
    "ningar",
    "skap",
    "skab",
];
/// First parts that make another word of the last ("Unterschrift" is no sort of "Schrift").
const PREFIXES: &[&str] = &[
    "unter", "über", "wieder", "zurück", "gegen", "wider", "hinter", "zwischen", "entgegen", "zusammen", "durch",
    // Dutch and the Scandinavian languages.
    "onder", "over", "terug", "tegen", "achter", "samen", "under", "efter", "etter", "mellem", "mellan", "mellom",
];

const fn patterns(language: Language) -> Option<Lang> {
    match language {
        Language::Danish => Some(Lang::Danish),
        Language::Dutch => Some(Lang::Dutch),
        Language::German => Some(Lang::German),
        Language::Norwegian => Some(Lang::Norwegian),
        Language::Swedish => Some(Lang::Swedish),
        _ => None,
    }
}

/// Whether a language writes compounds as one word.
pub(super) const fn has_compounds(language: Language) -> bool {
    patterns(language).is_some()
}

/// The first and last parts of a word in small letters, for each place where it may be a compound.
pub(super) fn splits(language: Language, word: &str) -> impl Iterator<Item = (&str, &str)> {
    let may_be_one =
        word.len() <= MAX_BYTES && word.chars().count() >= MIN_CHARS && word.chars().all(char::is_alphabetic);
    let patterns = patterns(language).filter(|_| may_be_one);
    let syllables = patterns.map(|patterns| hypher::hyphenate(word, patterns));
    let ends = syllables.into_iter().flatten().scan(0, |end, syllable| {
        *end += syllable.len();
        Some(*end)
    });
    ends.filter_map(|end| word.split_at_checked(end)).filter(|(head, tail)| may_be_words(head, tail))
}

fn may_be_words(head: &str, tail: &str) -> bool {
    let long = head.chars().count() >= MIN_HEAD_CHARS && tail.chars().count() >= MIN_TAIL_CHARS;
    long && !PREFIXES.contains(&head) && !ENDINGS.contains(&tail) && !is_inflection(tail)
}

/// Whether a last part is one syllable of an inflection: consonants around "e" ("ten"), or around "ung" ("lung").
fn is_inflection(tail: &str) -> bool {
    let rest = tail.trim_start_matches(|c: char| !"aeiouyäöüåæø".contains(c));
    tail.len() < 4 && rest.starts_with('e') || rest == "ung" || rest == "ungen"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(language: Language, word: &str) -> Vec<(&str, &str)> {
        splits(language, word).collect()
    }

    #[test]
    fn a_compound_is_split_where_its_words_meet() {
        for (language, word, parts) in [
            (Language::German, "rückgabefrist", ("rückgabe", "frist")),
            (Language::German, "versandkostenpauschale", ("versandkosten", "pauschale")),
            (Language::German, "versandkostenpauschale", ("versand", "kostenpauschale")),
            (Language::German, "zahlungsart", ("zahlungs", "art")),
            (Language::Dutch, "retourtermijn", ("retour", "termijn")),
            (Language::Danish, "leveringstid", ("leverings", "tid")),
            (Language::Swedish, "fraktkostnad", ("frakt", "kostnad")),
            (Language::Norwegian, "betalingsmetode", ("betalings", "metode")),
        ] {
            assert!(split(language, word).contains(&parts), "{word}: {:?}", split(language, word));
        }
    }

    #[test]
    fn endings_prefixes_and_syllables_of_one_word_are_no_parts() {
        for (language, word) in [
            (Language::German, "fristlose"),
            (Language::German, "kostenlos"),
            (Language::German, "kartoffel"),
            (Language::German, "freundschaft"),
            (Language::German, "unterschrift"),
            (Language::Dutch, "kosteloos"),
            (Language::Swedish, "kostnadslös"),
            (Language::English, "lighthouse"),
            (Language::German, "a1b2c3d4e5"),
        ] {
            let heads = ["frist", "kosten", "karte", "kart", "freund", "unter", "koste", "kostnads", "light"];
            let found = split(language, word);
            assert!(found.iter().all(|(head, _)| !heads.contains(head)), "{word}: {found:?}");
        }
    }
}
