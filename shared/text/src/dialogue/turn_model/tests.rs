//! The model on messages of writers whose messages it has not learned, and on the numbers of the script that trains it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::CustomerLanguage;
use crate::dialogue::{Intent, MatchContext, analyse};

/// The least share of requests for a human, of small talk and of questions that are understood, in English and
/// elsewhere: what is required, or what was measured, less two in a hundred, if that is more.
const FLOORS: [(&str, bool, f64); 6] = [
    ("human", true, 0.90),
    ("human", false, 0.85),
    ("small talk", true, 0.85),
    ("small talk", false, 0.85),
    ("question", true, 0.98),
    ("question", false, 0.96),
];

/// The most bytes of the weights, which every process that answers has in memory.
const MAX_WEIGHT_BYTES: usize = 400_000;

fn training() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("training")
}

/// A held-out message: its language, kind and text.
type Message = (CustomerLanguage, String, String);

/// Statements of customers: neither questions nor small talk by their form.
const STATEMENTS: &str = "statements.tsv";
/// The least share of them that is not taken for small talk.
const MIN_STATEMENTS: f64 = 0.98;

fn messages(file: &std::path::Path) -> Vec<Message> {
    let parse = |line: &str| {
        let [language, kind, text] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (CustomerLanguage::of_locale(language).unwrap(), kind.to_owned(), text.to_owned())
    };
    std::fs::read_to_string(file).unwrap().lines().map(parse).collect()
}

/// The messages but for the statements, which are measured by themselves.
fn held_out() -> Vec<Message> {
    let files = std::fs::read_dir(training().join("held-out")).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| !file.ends_with(STATEMENTS)).flat_map(|file| messages(&file)).collect()
}

fn intent(text: &str, language: CustomerLanguage) -> Intent {
    analyse(text, &MatchContext { expected: vec![language], ..MatchContext::default() }).intent
}

#[test]
fn statements_are_no_small_talk() {
    let statements = messages(&training().join("held-out").join(STATEMENTS));
    let is_small_talk = |(language, _, text): &&Message| matches!(intent(text, *language), Intent::SmallTalk(_));
    let wrong: Vec<&Message> = statements.iter().filter(is_small_talk).collect();
    let share = 1.0 - wrong.len() as f64 / statements.len() as f64;
    println!("statements: {share:.3} of {}", statements.len());
    assert!(statements.len() >= 200 && share >= MIN_STATEMENTS, "{share:.3} of {}: {wrong:?}", statements.len());
}

#[test]
fn messages_of_unknown_writers_are_understood_as_often_as_measured() {
    let mut found: BTreeMap<(&str, bool), (usize, usize)> = BTreeMap::new();
    for (language, kind, text) in held_out() {
        let intent = intent(&text, language);
        let (kind, is_right) = match kind.as_str() {
            "human" => ("human", intent == Intent::HumanRequest),
            "question" => ("question", intent == Intent::Question),
            _ => ("small talk", matches!(intent, Intent::SmallTalk(_))),
        };
        let (right, all) = found.entry((kind, language == CustomerLanguage::English)).or_default();
        *right += usize::from(is_right);
        *all += 1;
    }
    for (kind, english, least) in FLOORS {
        let (right, all) = found[&(kind, english)];
        let share = right as f64 / all as f64;
        println!("{kind}, English {english}: {share:.3} of {all}");
        assert!(share >= least, "{kind}, English {english}: {share:.3} of {all}, at least {least}");
    }
}

#[test]
fn the_script_that_trains_the_model_computes_the_same_probabilities() {
    let expected = std::fs::read_to_string(training().join("expected.tsv")).unwrap();
    assert!(expected.lines().count() > 40);
    for line in expected.lines() {
        let (text, numbers) = line.split_once('\t').unwrap();
        let numbers: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        let (_, computed) = probabilities(text).unwrap();
        let differs = computed.iter().zip(&numbers).any(|(one, other)| (one - other).abs() > 0.001);
        assert!(!differs && numbers.len() == TURNS.len(), "{text}: {computed:?}, the script: {numbers:?}");
    }
}

#[test]
fn the_weights_are_small_and_complete() {
    let bytes = BYTES_OF_A_NUMBER * (1 + TURNS.len()) + BUCKETS as usize * TURNS.len();
    assert_eq!(WEIGHTS.len(), bytes);
    assert!(bytes <= MAX_WEIGHT_BYTES);
}

#[test]
fn a_single_word_and_a_long_text_are_not_judged() {
    for text in ["", "?", "hello", "hello??", "人", &"thanks a lot ".repeat(100)] {
        assert!(probabilities(text).is_none(), "{text}");
    }
    assert!(probabilities("thanks a lot").is_some());
}
