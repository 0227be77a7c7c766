//! The other spellings of a question's terms: a word may be a part of a longer word or code of an entry, have its own parts apart
//! there, or be a verb in another form.

use std::collections::BTreeSet;

use crate::Analyzer;
use crate::inflection::infinitives;
use crate::parts::{Word, code_runs, codes, has_compounds, part, splits};
use crate::query::{Form, QueryTerms};
use crate::words::{is_han, is_hangul};

/// A term of a question, and another form of it in entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    pub term: String,
    /// Its form in entries.
    pub form: Form,
    /// The weight of that form, if the term itself has 1.
    pub weight: f64,
}

/// The weight of a code that is spelled otherwise, or is a part of a longer one, relative to the word as asked.
const CODE_WEIGHT: f64 = 0.9;
/// The same of another form of a verb.
const INFLECTED_WEIGHT: f64 = 0.9;
/// The same of a part of a compound, and of a compound whose parts stand apart.
const COMPOUND_WEIGHT: f64 = 0.7;
/// The same of a character of a word with its ending ("鍵を").
const CHARACTER_WEIGHT: f64 = 0.5;
/// Compounds with shorter parts have none of them as a word.
pub(crate) const MIN_PART_CHARS: usize = 3;
/// Korean particles of one syllable, which are written behind a word.
const PARTICLES: &str = "은는이가을를도의에로와과만";

impl QueryTerms {
    /// Adds other spellings of the first `terms` of `distinct`, if there is room for them.
    #[must_use]
    pub fn with_spellings(mut self, spellings: &[Spelling], terms: usize) -> Self {
        for Spelling { term, form, weight } in spellings {
            let place = self.distinct.iter().take(terms).position(|known| known == term);
            place.into_iter().for_each(|place| self.add_synonym(place, form, *weight));
        }
        self
    }
}

impl Analyzer {
    /// The other spellings of the terms of a question, of each term in their order.
    #[must_use]
    pub fn spellings(&self, question: &str) -> Vec<Spelling> {
        let language = self.language();
        let words = self.words(question);
        let mut found = Vec::new();
        let mut add = |term: &str, form, weight| found.push(Spelling { term: term.to_owned(), form, weight });
        let terms: Vec<Option<String>> = words.iter().map(|(_, word)| self.term(word)).collect();
        for (at, ((range, word), term)) in words.iter().zip(&terms).enumerate() {
            let Some(term) = term else { continue };
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let is_alone = before.is_none_or(|(before, _)| before.end <= range.start)
                && words.get(at + 1).is_none_or(|(after, _)| range.end <= after.start);
            let as_part = || Form::Word(part(term));
            let mut chars = word.chars();
            match (chars.next(), chars.next(), chars.next()) {
                (Some(one), None, _) if is_han(one) || is_hangul(one) => add(term, as_part(), CODE_WEIGHT),
                (Some(han), Some(kana), None) if is_han(han) && is_hiragana(kana) => {
                    add(term, Form::Word(part(&han.to_string())), CHARACTER_WEIGHT);
                }
                (Some(noun), Some(particle), None) if is_hangul(noun) && is_alone && PARTICLES.contains(particle) => {
                    add(term, Form::Word(part(&noun.to_string())), CHARACTER_WEIGHT);
                }
                (_, Some(_), _) if word.chars().any(char::is_numeric) || term == "us" => {
                    add(term, as_part(), CODE_WEIGHT)
                }
                _ if has_compounds(language) && term.chars().count() >= MIN_PART_CHARS => {
                    add(term, as_part(), COMPOUND_WEIGHT);
                }
                _ => {}
            }
            match code_runs(word).as_slice() {
                [one] => add(term, Form::Word(self.stem_of(one)), CODE_WEIGHT),
                [first, second] => {
                    add(term, Form::Bigram(format!("{} {}", self.stem_of(first), self.stem_of(second))), CODE_WEIGHT);
                }
                _ => {}
            }
            for (head, tail) in splits(language, word) {
                let (head, tail) = (self.stem_of(head), self.stem_of(tail));
                add(term, Form::Bigram(format!("{head} {tail}")), COMPOUND_WEIGHT);
                add(term, Form::Bigram(format!("{tail} {head}")), COMPOUND_WEIGHT);
            }
        }
        let spelled: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
        let verbs = infinitives(language, &spelled).into_iter();
        let verbs = verbs.filter_map(|(at, verb)| Some((terms.get(at)?.as_deref()?, self.stem_of(&verb))));
        let verbs: BTreeSet<(&str, String)> = verbs.filter(|(term, verb)| term != verb).collect();
        for (term, verb) in verbs {
            add(term, Form::Word(part(&verb)), COMPOUND_WEIGHT);
            add(term, Form::Word(verb), INFLECTED_WEIGHT);
        }
        for (pair, terms) in words.windows(2).zip(terms.windows(2)) {
            let Some(code) = apart(question, pair) else { continue };
            terms.iter().flatten().for_each(|term| add(term, Form::Word(self.stem_of(&code)), CODE_WEIGHT));
        }
        for (places, code) in codes(language, question, &words) {
            let code = self.stem_of(&code);
            for term in terms.get(places).into_iter().flatten().flatten() {
                add(term, Form::Word(code.clone()), CODE_WEIGHT);
                add(term, Form::Word(part(&code)), CODE_WEIGHT);
            }
        }
        found
    }
}

/// Letters and the number behind them as one word: `PPR 9087`.
fn apart(question: &str, pair: &[Word]) -> Option<String> {
    let [(first, letters), (second, digits)] = pair else { return None };
    let is_code = letters.chars().all(char::is_alphabetic) && digits.chars().all(char::is_numeric);
    (is_code && question.get(first.end..second.start) == Some(" ")).then(|| format!("{letters}{digits}"))
}

const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, bigrams};

    /// The least weight at which an entry with `text` has each term of a question.
    fn share(language: Language, question: &str, text: &str) -> f64 {
        let analyzer = Analyzer::new(language);
        let entry = analyzer.indexed_terms(text);
        let pairs: Vec<String> = bigrams(&entry).collect();
        let has = |form: &Form| match form {
            Form::Word(word) | Form::Repaired(word) => entry.contains(word),
            Form::Bigram(pair) => pairs.contains(pair),
        };
        let spellings = analyzer.spellings(question);
        let QueryTerms { distinct, .. } = analyzer.query(question);
        assert!(!distinct.is_empty(), "{question}");
        let of = |term: &String| {
            let other = spellings.iter().filter(|spelling| spelling.term == *term && has(&spelling.form));
            let own = if entry.contains(term) { 1.0 } else { 0.0 };
            other.map(|spelling| spelling.weight).fold(own, f64::max)
        };
        distinct.iter().map(of).fold(1.0, f64::min)
    }

    #[test]
    fn a_code_is_found_in_each_of_its_spellings() {
        for (text, questions) in [
            ("Order PPR9087 today.", vec!["ppr9087", "PPR 9087", "PPR_9087", "ppr-9087", "9087"]),
            ("Order PPR-9087 today.", vec!["ppr9087", "PPR 9087", "PPR_9087", "PPR/9087", "9087"]),
            ("Order PPR 9087 today.", vec!["ppr9087", "PPR_9087"]),
            (
                "Call 05145-8841815.",
                vec!["051458841815", "05145 8841815", "05145/8841815", "05145 884-1815", "8841815"],
            ),
            ("Call 051458841815.", vec!["05145-8841815", "05145 884 18 15"]),
            ("Call +49 5145 8841815.", vec!["051458841815", "05145 8841815", "05145-8841815", "495145 8841815"]),
            ("At most 10,000 rows.", vec!["10000", "10 000", "10.000"]),
            ("Runs on iPhone15.", vec!["iphone 15"]),
        ] {
            for question in questions {
                let share = share(Language::English, question, text);
                assert!(share >= CODE_WEIGHT, "{question} in {text}: {share}");
            }
        }
    }

    #[test]
    fn another_code_and_another_name_are_not_found() {
        for (text, question) in [
            ("Order PPR9087 today.", "ppr9088"),
            ("Order PPR9087 today.", "PPR 9088"),
            ("Call 05145-8841815.", "051458841816"),
            ("Version 3.5 is out.", "35"),
            ("Written in C++.", "C#"),
            ("Written in C++.", "C"),
            ("Written in C.", "C++"),
            ("The net price.", ".NET"),
            ("Ask IT.", "it helps"),
            ("Write to us.", "US"),
        ] {
            assert!(share(Language::English, question, text) == 0.0, "{question} in {text}");
        }
    }

    #[test]
    fn a_compound_is_found_by_its_words_for_less() {
        for (language, text, questions) in [
            (Language::German, "Die Rückgabefrist beträgt 30 Tage.", vec!["Frist für die Rückgabe", "Rückgaben"]),
            (Language::German, "Frist für die Rückgabe", vec!["Rückgabefrist"]),
            (Language::German, "Versandkostenpauschale: 4,90 €", vec!["Versandkosten", "Pauschale", "Versand"]),
            (Language::German, "Schreiben Sie eine E-Mail.", vec!["Email", "email schreiben"]),
            (Language::German, "Rückgabe-Frist", vec!["Rückgabefrist", "Frist"]),
            (Language::Dutch, "De bezorgkosten zijn 5 euro.", vec!["kosten"]),
            (Language::Danish, "Returfristen er 14 dage.", vec!["frist", "retur"]),
            (Language::Swedish, "Fraktkostnad: 49 kr.", vec!["kostnad frakt", "kostnad"]),
            (Language::Norwegian, "Betalingsmetoder", vec!["metode", "betaling"]),
        ] {
            for question in questions {
                let share = share(language, question, text);
                assert!(share > 0.0 && (share < 1.0 || text.contains('-')), "{question} in {text}: {share}");
            }
        }
    }

    #[test]
    fn an_adjective_of_a_word_and_another_word_are_no_compounds() {
        for (language, text, question) in [
            (Language::German, "Fristlose Kündigung", "Frist"),
            (Language::German, "Kostenloser Versand", "Kosten"),
            (Language::German, "Die Unterschrift fehlt.", "Schrift"),
            (Language::German, "Kartoffeln", "Karte"),
            (Language::German, "Preiselbeeren", "Preis"),
            (Language::Dutch, "Kosteloos", "kosten"),
            (Language::Swedish, "Kostnadslöst", "kostnad"),
            (Language::English, "The lighthouse", "house"),
        ] {
            assert!(share(language, question, text) == 0.0, "{question} in {text}");
        }
    }

    #[test]
    fn a_single_character_is_found_in_a_word() {
        for (text, question) in [
            ("飲用水の交換", "水"),
            ("鍵の紛失", "鍵をなくした"),
            ("钥匙丢了怎么办", "钥"),
            ("물통 교체", "물"),
            ("물통 교체", "물은"),
        ] {
            let analyzer = Analyzer::new(Language::English);
            let entry = analyzer.indexed_terms(text);
            let forms = analyzer.spellings(question);
            assert!(
                forms.iter().any(|s| matches!(&s.form, Form::Word(word) if entry.contains(word))),
                "{question}: {entry:?}"
            );
        }
    }

    #[test]
    fn spellings_are_made_in_linear_work() {
        let own = [
            "05145-",
            "1 ",
            "PPR9087",
            "a1",
            "+",
            "#",
            ".net",
            "IT ",
            "US",
            "rückgabefrist",
            "rückgabefrist-",
            "鍵を",
            "zurückge",
            "zurückgezahlt ",
            "zurück zu ",
            "terug te sturen ",
            "betaal ",
        ];
        for language in [Language::English, Language::German, Language::Dutch] {
            let analyzer = Analyzer::new(language);
            growth::linear("spellings and parts", 8_000, growth::UNITS.into_iter().chain(own), |text| {
                std::hint::black_box((analyzer.spellings(text), analyzer.indexed_terms(text)));
            });
        }
    }
}
