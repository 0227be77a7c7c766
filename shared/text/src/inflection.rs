//! Forms of German and Dutch verbs that stemmers leave apart: "liefert" and "geliefert" of "liefern", "zurückgezahlt" and
//! "zahlt ihr … zurück" of "zurückzahlen", which the noun "Rückzahlung" is made of, too.
//!
//! A form is proposed and not looked up: it counts only if an entry, or a group of synonyms, has it.

use crate::Language;

crate::lists! { "lists.txt": DUTCH_ENDINGS DUTCH_PARTICLES GERMAN_ENDINGS GERMAN_PARTICLES }

/// A shorter root is an ending or a syllable more often than a verb.
const MIN_ROOT_CHARS: usize = 3;
/// The same of a root that has neither a particle nor "ge": "Gast" and "Markt" are no verbs.
const MIN_BARE_ROOT_CHARS: usize = 5;
/// Longer words are no simple verbs.
const MAX_BYTES: usize = 40;

/// The particles of a language, its endings, and what stands between a particle and its verb.
fn rules(language: Language) -> Option<(&'static [&'static str], &'static [&'static str], &'static str)> {
    match language {
        Language::German => Some((&GERMAN_PARTICLES, &GERMAN_ENDINGS, "zu")),
        Language::Dutch => Some((&DUTCH_PARTICLES, &DUTCH_ENDINGS, "te")),
        _ => None,
    }
}

/// The infinitives that each of some words in small letters may be a form of, with the place of the word. The particle of
/// a verb may stand before it, with "zu" or "te" between them, or end the question.
pub(crate) fn infinitives(language: Language, words: &[&str]) -> Vec<(usize, String)> {
    let Some((particles, endings, to)) = rules(language) else { return Vec::new() };
    let is_particle = |at: usize| words.get(at).filter(|word| particles.contains(word)).map(|particle| (at, *particle));
    let last = is_particle(words.len().saturating_sub(1));
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate().filter(|(_, word)| word.len() <= MAX_BYTES) {
        let before = place.checked_sub(1 + usize::from(place > 0 && words.get(place - 1) == Some(&to)));
        let apart = [before.and_then(is_particle), last.filter(|(at, _)| *at > place)];
        for root in roots(language, word, endings) {
            // Both words are the verb.
            for (at, particle) in apart.into_iter().flatten() {
                found.extend([place, at].map(|place| (place, format!("{particle}{root}en"))));
            }
            if !word.starts_with(root.as_str()) || root.chars().count() >= MIN_BARE_ROOT_CHARS {
                found.push((place, format!("{root}en")));
            }
        }
        for (particle, rest) in particles.iter().filter_map(|particle| Some((particle, word.strip_prefix(particle)?))) {
            let bare = [Some(rest), rest.strip_prefix("ge"), rest.strip_prefix(to)];
            for root in bare.into_iter().flatten().flat_map(|rest| roots(language, rest, endings)) {
                // The noun: "Rückzahlung".
                if *particle == "zurück" {
                    found.push((place, format!("rück{root}ung")));
                }
                found.push((place, format!("{particle}{root}en")));
            }
        }
    }
    found.retain(|(place, form)| words.get(*place) != Some(&form.as_str()));
    found
}

/// The word without an ending, and without "ge" before it.
fn roots(language: Language, word: &str, endings: &'static [&'static str]) -> Vec<String> {
    let whole = [Some(word), word.strip_prefix("ge")].into_iter().flatten();
    let roots = whole.flat_map(|word| endings.iter().filter_map(|ending| word.strip_suffix(ending)));
    let is_root = |root: &&str| root.chars().count() >= MIN_ROOT_CHARS;
    if language == Language::Dutch {
        // "stuur" has no ending, and is "stur-" before one.
        return roots.chain([word]).filter(is_root).map(with_short_vowel).collect();
    }
    roots.filter(is_root).map(str::to_owned).collect()
}

/// A Dutch root as it is written before a vowel: "betaal" in "betalen".
fn with_short_vowel(root: &str) -> String {
    let mut letters: Vec<char> = root.chars().collect();
    if let [.., first, second, _] = letters.as_slice()
        && first == second
        && "aeou".contains(*first)
    {
        letters.remove(letters.len() - 2);
    }
    letters.into_iter().collect()
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
            ("um es zurück zu senden", "zurücksenden"),
        ] {
            let found = of(Language::German, text);
            let spelled = [infinitive.to_owned(), infinitive.replace("ern", "eren")];
            assert!(spelled.iter().any(|one| found.contains(one)), "{text}: {found:?}");
        }
        assert!(["gast", "markt", "heute"].iter().all(|noun| of(Language::German, noun).is_empty()));
        assert!(of(Language::German, "zurückzahlen").contains(&"rückzahlung".to_owned()));
        for (text, infinitive) in [
            ("geleverd", "leveren"),
            ("ik stuur het terug", "terugsturen"),
            ("om het terug te sturen", "terugsturen"),
            ("teruggestuurd", "terugsturen"),
            ("betaalt", "betalen"),
        ] {
            let found = of(Language::Dutch, text);
            assert!(found.contains(&infinitive.to_owned()), "{text}: {found:?}");
        }
        assert!(of(Language::English, "delivered").is_empty());
    }
}
