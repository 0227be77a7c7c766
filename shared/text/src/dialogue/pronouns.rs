//! Pronouns that stand for what was said before: "how much does **it** cost", "do **they** deliver".
//!
//! A language's file lists them, without words that mostly stand for nothing, for the reader, for a clause that follows or
//! for a time ("this week"), and those that are also articles or other words.

use std::collections::HashSet;

use super::languages;
use super::words::{Token, tokens, words};
use crate::{ByLanguage, Language};

/// Words behind an "it" and its next word that stands for nothing: "is it possible to", "is it true that".
const AFTER_EMPTY_IT: [&str; 4] = ["to", "that", "if", "when"];

/// Whether a question has a pronoun that may stand for what was said before.
#[must_use]
pub fn refers_back(language: Language, question: &str) -> bool {
    static PRONOUNS: ByLanguage<HashSet<String>> = ByLanguage::new();
    let pronouns = PRONOUNS.get(language, || words(languages::pronouns(language.into())).into_iter().collect());
    let is_in_capitals = !question.chars().any(char::is_lowercase);
    let stands_for_nothing = |clause: &[Token], at: usize, token: &Token| {
        let is_abbreviation = !is_in_capitals && question.get(token.at.clone()) == Some("IT");
        let then = clause.get(at + 2).map(|token| token.word.as_str());
        token.word == "it" && (is_abbreviation || then.is_some_and(|then| AFTER_EMPTY_IT.contains(&then)))
    };
    tokens(question).iter().any(|clause| {
        let mut words = clause.iter().enumerate();
        words.any(|(at, token)| pronouns.contains(&token.word) && !stands_for_nothing(clause, at, token))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language as L;

    #[test]
    fn a_pronoun_refers_back_and_other_words_do_not() {
        for (language, question) in [
            (L::English, "How do you apply for it?"),
            (L::English, "CAN I GIVE IT BACK"),
            (L::English, "are these open to all"),
            (L::German, "Wie viel davon?"),
            (L::French, "combien coûtent-ils"),
            (L::Spanish, "¿esto caduca?"),
            (L::Russian, "как отменить эту подписку"),
            (L::Hungarian, "mennyi ideig tart ennek az ára"),
            (L::Romanian, "cat costa acestia"),
            (L::Tamil, "அதன் விலை என்ன?"),
            (L::Turkish, "bunları iade edebilir miyim"),
        ] {
            assert!(refers_back(language, question), "{question}");
        }
        for (language, question) in [
            (L::English, "what is the limit of my plan"),
            (L::English, "is it possible to change plan"),
            (L::English, "how long does it take to pay"),
            (L::English, "do you offer IT support"),
            (L::English, "can I host a workshop this evening"),
            (L::German, "Gibt es die Karte auch für Sie, und was kostet sie diese Woche?"),
            (L::French, "il y a un parking cette semaine ?"),
            (L::Norwegian, "hva er åpningstidene deres"),
            (L::Turkish, "saat ona kadar açık mısınız"),
            (L::Spanish, "la zona este"),
            (L::Swedish, ""),
        ] {
            assert!(!refers_back(language, question), "{question}");
        }
    }
}
