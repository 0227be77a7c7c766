//! Forms of German and Dutch verbs that stemmers leave apart: "liefert" and "geliefert" of "liefern", "zurückgezahlt" and
//! "zahlt ihr … zurück" of "zurückzahlen", which the noun "Rückzahlung" is made of, too.
//!
//! A form is proposed and not looked up: it counts only if an entry, or a group of synonyms, has it.

use crate::Language;

/// Particles that stand apart from their verb or before its "ge" or "zu".
const GERMAN_PARTICLES: &[&str] = &[
    "ab", "an", "auf", "aus", "ein", "frei", "her", "hin", "los", "mit", "nach", "um", "vor", "weg", "weiter",
    "wieder", "zu", "zurück",
];
const DUTCH_PARTICLES: &[&str] =
    &["aan", "af", "door", "in", "mee", "na", "om", "op", "over", "terug", "toe", "uit", "weg"];
/// Endings that a stemmer leaves in place.
const GERMAN_ENDINGS: &[&str] = &["test", "tet", "ten", "te", "et", "t", "en", "e"];
const DUTCH_ENDINGS: &[&str] = &["den", "de", "te", "d", "t", "en"];
/// A shorter root is an ending or a syllable more often than a verb.
const MIN_ROOT_CHARS: usize = 3;
/// Longer words are no simple verbs.
const MAX_BYTES: usize = 40;

/// The particles of a language, its endings, and what stands between a particle and its verb.
const fn rules(language: Language) -> Option<(&'static [&'static str], &'static [&'static str], &'static str)> {
    match language {
        Language::German => Some((GERMAN_PARTICLES, GERMAN_ENDINGS, "zu")),
        Language::Dutch => Some((DUTCH_PARTICLES, DUTCH_ENDINGS, "te")),
        _ => None,
    }
}

/// The infinitives that each of some words in small letters may be a form of, with the place of the word. The particle of
/// a verb may be a later word of the question.
pub(crate) fn infinitives(language: Language, words: &[&str]) -> Vec<(usize, String)> {
    let Some((particles, endings, to)) = rules(language) else { return Vec::new() };
    let apart = words.last().filter(|last| particles.contains(last));
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate().filter(|(_, word)| word.len() <= MAX_BYTES) {
        for root in roots(word, endings) {
            found.push((place, format!("{root}en")));
            // Both words are the verb.
            for (particle, both) in apart.map(|particle| (particle, [place, words.len() - 1])) {
                found.extend(both.map(|place| (place, format!("{particle}{root}en"))));
            }
        }
        for (particle, rest) in particles.iter().filter_map(|particle| Some((particle, word.strip_prefix(particle)?))) {
            let bare = [Some(rest), rest.strip_prefix("ge"), rest.strip_prefix(to)];
            for root in bare.into_iter().flatten().flat_map(|rest| roots(rest, endings)) {
                found.push((place, format!("{particle}{root}en")));
                // The noun: "Rückzahlung".
                if *particle == "zurück" {
                    found.push((place, format!("rück{root}ung")));
                }
            }
        }
    }
    found.retain(|(place, form)| words.get(*place) != Some(&form.as_str()));
    found
}

/// The word without an ending, and without "ge" before it.
fn roots<'a>(word: &'a str, endings: &'static [&'static str]) -> impl Iterator<Item = &'a str> + use<'a> {
    let whole = [Some(word), word.strip_prefix("ge")].into_iter().flatten();
    let roots = whole.flat_map(|word| endings.iter().filter_map(|ending| word.strip_suffix(ending)));
    roots.filter(|root| root.chars().count() >= MIN_ROOT_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Language, text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split(' ').collect();
        infinitives(language, &words).into_iter().map(|(_, form)| form).collect()
    }

    #[test]
    fn a_form_of_a_verb_is_one_of_its_infinitive() {
        for (text, infinitive) in [
            ("liefert", "liefern"),
            ("geliefert", "liefern"),
            ("gekauft", "kaufen"),
            ("zurückgezahlt", "zurückzahlen"),
            ("zurückzuschicken", "zurückschicken"),
            ("zurückgegeben", "zurückgeben"),
            ("abgeholt", "abholen"),
            ("wie melde ich mich an", "anmelden"),
            ("wann zahlt ihr das zurück", "zurückzahlen"),
        ] {
            let found = of(Language::German, text);
            let spelled = [infinitive.to_owned(), infinitive.replace("ern", "eren")];
            assert!(spelled.iter().any(|one| found.contains(one)), "{text}: {found:?}");
        }
        assert!(of(Language::German, "zurückzahlen").contains(&"rückzahlung".to_owned()));
        assert!(of(Language::Dutch, "geleverd").contains(&"leveren".to_owned()));
        assert!(of(Language::Dutch, "ik stuur het terug").is_empty());
        assert!(of(Language::English, "delivered").is_empty());
    }
}
