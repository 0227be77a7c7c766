//! Classifies a customer's message by phrase tables and a small linear model, before anything is searched.
//!
//! [`analyse`] is the entry point: a message is small talk, a request for a human, or a question, which is the rest after
//! greetings and thanks are removed. `languages` has one file of phrases and fixed sentences for each language, a
//! `phrasebook`, which `sections` reads for `build.rs`. `words` splits a message into clauses and words. `small_talk` covers
//! clauses with phrases.
//! `complaint` detects that something does not work. `questions` finds those of a message that asks several, or for a human,
//! too. `human_request` compares sentences with expressions over words, which `expression` compiles from phrases. `detection`
//! detects the language of a text by script, function words and letters. `turn_model` judges the sentences in which no phrase
//! was found.
//! [`sentence`] returns a fixed sentence. No language model is used, and all work is linear in the length of the message.
//!
//! `build.rs` makes the `tables` of words and phrases, so that a process starts with them. The expressions of a
//! language are compiled when a message first contains its words for a human.

mod complaint;
mod detection;
mod expression;
mod findings;
mod human_request;
mod phrasebook;
mod questions;
mod reading;
#[cfg(test)]
mod sections;
mod sentences;
mod small_talk;
mod tables;
mod turn_model;
mod words;

use crate::{CustomerLanguage, Language};

pub use questions::{questions, refers_back};
pub use reading::{Intent, MatchContext, MessageAnalysis, SmallTalk, analyse, without_human_requests};
pub use sentences::{Sentence, TeamReturn, ask_again, nobody_there, sentence, when_to_ask_for_human_again};

/// Words that name no topic, besides stop words and numbers: quantity, time, place, and verbs of any sentence.
#[must_use]
pub fn generic_words(language: Language) -> &'static str {
    tables::generic_words(language.into())
}

/// The language of a text; none if it is not clear.
#[must_use]
pub fn language(text: &str) -> Option<CustomerLanguage> {
    detection::detect(text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_phrases_is_linear() {
        let own = [
            "get ",
            "human ",
            "talk to a ",
            "I want ",
            "转",
            "人工",
            "转人工 ",
            "real person? ",
            "mit ",
            "einen ",
            "menschen ",
            "не ",
            "хочу ",
            "¿",
            "'",
            "“",
            "a. ",
            "person, ",
            "no ",
            "get a human s ",
            "オペレーター",
            "사람 ",
            "hi ",
            "thxx, ",
            "👍 ",
            "heyyyy ",
            "hi, ",
            "thanks. ",
            "ok\n\n",
            "thxx ",
            "你好",
            "abcdefgh, ",
            ":D ",
            "not ",
            "talk to a human s ",
            "转人工智",
            "get a a a ",
            "is it to ",
            "たくない人",
        ];
        growth::linear("dialogue", 8_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box((analyse(text, &MatchContext::default()), without_human_requests(text)));
            std::hint::black_box(refers_back(crate::Language::English, text));
        });
    }
}
