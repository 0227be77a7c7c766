//! The whole analysis: the reference passages, the limit of a question's terms, and properties of any text.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::Language;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/fixtures/vectors.json")).unwrap()
}

#[test]
fn the_reference_passages_come_out_with_their_term_counts() {
    let vectors = vectors();
    let analyzer = Analyzer::new(Language::English);
    let mut made = Vec::new();
    for entry in vectors["entries"].as_array().unwrap() {
        for passage in analyzer.passages(entry["title"].as_str().unwrap(), entry["content"].as_str().unwrap()) {
            made.push(serde_json::json!({
                "path": entry["path"], "text": passage.text, "terms": passage.terms.len()
            }));
        }
    }
    assert_eq!(&Value::from(made), &vectors["passages"]);
}

#[test]
fn the_reference_questions_come_out_as_their_terms() {
    for question in vectors()["questions"].as_array().unwrap() {
        let terms = Analyzer::new(Language::English).query(question["question"].as_str().unwrap()).terms;
        assert_eq!(serde_json::json!(terms), question["terms"]);
    }
}

#[test]
fn a_question_keeps_its_first_128_distinct_terms_with_their_repetitions() {
    let words: Vec<String> = (0..200).map(|n| format!("w{n}x")).collect();
    let query = Analyzer::new(Language::English).query(&format!("{} w3x w150x w3x", words.join(" ")));
    assert_eq!(query.distinct.len(), 128);
    assert_eq!(query.terms.len(), 130);
    assert_eq!(query.bigrams.len(), 129);
    let shuffled: Vec<&str> = (0..4_000_usize).map(|n| words[(n * n + n / 7) % 100].as_str()).collect();
    assert!(Analyzer::new(Language::English).query(&shuffled.join(" ")).bigrams.len() <= MAX_BIGRAMS);
}

#[test]
fn other_languages_lose_their_own_stop_words_and_inflections() {
    for (language, text, same_as) in [
        (
            Language::German,
            "Wie bekomme ich die Rückerstattungen für meine Bestellung?",
            "Rückerstattung bekommen Bestellungen",
        ),
        (Language::French, "Où est l’abonnement de mes clients ?", "est abonnements client"),
        (Language::Spanish, "¿Cómo cancelo la suscripción?", "como cancelar suscripción"),
        (Language::Russian, "Как вернуть деньги за заказ?", "вернуть деньги заказа"),
    ] {
        let analyzer = Analyzer::new(language);
        let mut left = analyzer.query(text).distinct;
        let mut right = analyzer.query(same_as).distinct;
        left.sort();
        right.sort();
        assert!(!left.is_empty() && left.iter().any(|term| right.contains(term)), "{language} {left:?} {right:?}");
    }
}

#[test]
fn words_that_questions_are_made_of_are_stop_words() {
    for (language, text) in [
        (Language::French, "Où est-ce que nous sommes ?"),
        (Language::Spanish, "¿Dónde, cómo y cuándo es?"),
        (Language::Portuguese, "Onde é?"),
        (Language::Italian, "Quando è?"),
        (Language::Dutch, "Waar is welke en wanneer?"),
        (Language::Danish, "Hvornår og hvordan?"),
        (Language::German, "Wann und wo ist es?"),
        (Language::German, "Darf ich bitte mal …? Was brauche ich? Könnten wir? Gibt es das?"),
        (Language::French, "Je peux ? Pouvez-vous ? Faut-il ? Je voudrais"),
        (Language::Spanish, "¿Puedo? ¿Podemos? ¿Qué necesito, por favor?"),
        (Language::Portuguese, "Posso? Preciso? Gostaria"),
        (Language::Italian, "Posso? Potete? Devo? Vorrei"),
        (Language::Dutch, "Mag ik? Kunt u? Wat moet ik?"),
        (Language::Swedish, "Får jag? Måste jag? Vad behöver jag?"),
        (Language::Russian, "Могу ли я? Что нужно?"),
    ] {
        assert_eq!(Analyzer::new(language).terms(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn accents_do_not_part_a_word_from_its_plain_spelling() {
    let english = Analyzer::new(Language::English);
    assert_eq!(english.terms("café résumé naïve"), english.terms("cafe resume naive"));
    assert_eq!(english.terms("cafe\u{301}"), english.terms("café"));
}

#[test]
fn a_highlight_marks_the_words_as_they_are_written() {
    let analyzer = Analyzer::new(Language::English);
    let segments = highlight(&analyzer, &analyzer.query("refunding a card"), "Refunds go to the CARD’s owner.");
    let shown: Vec<(&str, bool)> = segments.iter().map(|s| (s.text.as_str(), s.matched)).collect();
    assert_eq!(shown, [("Refunds", true), (" go to the ", false), ("CARD’s", true), (" owner.", false)]);
    assert_eq!(serde_json::json!(segments[0]), serde_json::json!({"text": "Refunds", "match": true}));
}

#[test]
fn a_text_without_sentences_is_cut_into_passages_all_the_same() {
    let analyzer = Analyzer::new(Language::English);
    for text in ["word ".repeat(1_000), "返金".repeat(1_000), "x".repeat(10_000)] {
        for passage in analyzer.passages("Title", &text) {
            assert!(word_count(&passage.text) <= 90);
        }
    }
    assert_eq!(analyzer.passages("Title", "!!!").len(), 1);
    assert_eq!(analyzer.passages("Title", " ").len(), 1);
}

fn any_language() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL)
}

/// Text with what trips analysers: apostrophes, marks, joiners, wide forms, many scripts, endless words.
fn any_text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("([a-zA-Z' .\n]|\\PC|[а-яёα-ωά-ώ]|[\u{600}-\u{6FF}]|[\u{B80}-\u{BFF}]|[぀-ヿ一-鿿]|['’\u{AD}\u{301}\u{200D}.?!])*")
        .unwrap()
}

proptest! {
    #[test]
    fn any_text_in_any_language_can_be_analysed(language in any_language(), title in any_text(), text in any_text()) {
        let analyzer = Analyzer::new(language);
        for term in analyzer.terms(&text) {
            prop_assert!(!term.is_empty() && !term.contains(char::is_whitespace), "{term:?}");
        }
        prop_assert!(!analyzer.passages(&title, &text).is_empty());
        prop_assert!(analyzer.query(&text).distinct.len() <= MAX_DISTINCT_TERMS);
    }

    #[test]
    fn segments_of_a_highlight_are_the_text(language in any_language(), question in any_text(), text in any_text()) {
        let analyzer = Analyzer::new(language);
        let segments = highlight(&analyzer, &analyzer.query(&format!("{question} {text}")), &text);
        let whole: String = segments.iter().map(|segment| segment.text.as_str()).collect();
        prop_assert_eq!(whole, text);
        prop_assert!(segments.iter().all(|segment| !segment.text.is_empty()));
    }
}

/// Texts that customers write, and that people search for.
#[test]
fn analysing_a_message_is_linear() {
    let own = ["can't ", "a'b", "'", "x\u{AD}", "ﬁ", "İ", "ಕ\u{CC6}\u{CD5}", "一\u{301}", "가", "running "];
    for language in [Language::English, Language::French, Language::Turkish, Language::Tamil] {
        let analyzer = Analyzer::new(language);
        let query = analyzer.query("a running 9 一一");
        growth::linear("query and highlight", 8_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box((analyzer.query(text), highlight(&analyzer, &query, text)));
        });
    }
}

/// Texts that an editor writes.
#[test]
fn analysing_an_entry_is_linear() {
    let own = ["e.g. ", "1. ", "\n- ", ".)", "? ", "。", "a. b\n\n", "can't ", "x\u{AD}", "一\u{301}", "|a", "# a\n\n"];
    let units = ["9 ", "a", "A\n", "一", "আসল ", "\u{301}", "[", "\n\n", "\t"].into_iter().chain(own);
    let analyzer = Analyzer::new(Language::English);
    growth::linear("passages", 100_000, units.clone(), |text| {
        std::hint::black_box(analyzer.passages("Title", text));
    });
    growth::linear("paragraphs, sentences, words, slug", 100_000, units, |text| {
        let sentences: usize = paragraphs(text).into_iter().map(|paragraph| sentences(paragraph).len()).sum();
        std::hint::black_box((sentences, sentences_of_one(text), word_count(text), slug(text, 80)));
    });
}

fn sentences_of_one(paragraph: &str) -> usize {
    sentences(paragraph).len()
}

#[test]
fn no_term_is_longer_than_an_index_takes() {
    for text in
        [format!("一{}丁", "\u{301}".repeat(50_000)), "x".repeat(50_000), format!("x{}", "\u{301}".repeat(50_000))]
    {
        let terms = Analyzer::new(Language::English).terms(&text);
        assert!(!terms.is_empty() && terms.iter().all(|term| term.len() <= 512));
    }
}
