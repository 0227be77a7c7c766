//! What kind of turn a customer's message is, decided from tables of phrases before anything is searched for.
//!
//! `languages` has one file of phrases for each language. `words` splits a message into clauses and words,
//! `expression` compiles phrases to regular expressions over words, and [`human_request`] finds requests for a human.
//! No model takes part, and all work is linear in the length of the message.

mod expression;
mod human_request;
mod languages;
mod words;

pub use human_request::{HumanRequest, besides, human_request};

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
        ];
        growth::linear("human_request", 8_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box((human_request(text), besides(text)));
        });
    }
}
