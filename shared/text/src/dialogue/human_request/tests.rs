//! Messages that ask for a human, and messages that only look like it, by language. Reviewed line by line.

mod asks;
mod asks_not;
mod more;

use super::*;
use crate::dialogue::expression::Vocabulary;
use crate::dialogue::tables::ALL;
use crate::dialogue::{Intent, MatchContext, MessageAnalysis};
use asks::ASKS;
use asks_not::ASKS_NOT;
use more::{ASKS_FOR_ANYBODY, ASKS_FOR_NOBODY, OTHER_LANGUAGES};

/// The request for a human that a message holds.
fn read(text: &str) -> Option<MessageAnalysis> {
    let reading = crate::dialogue::analyse(text, &MatchContext::default());
    (reading.intent == Intent::HumanRequest).then_some(reading)
}

#[test]
fn who_asks_for_a_human_in_one_of_thirteen_languages_is_understood() {
    let missed = ASKS.iter().flat_map(|(language, texts)| texts.iter().map(move |text| (language, text)));
    let missed: Vec<_> = missed.filter(|(_, text)| read(text).is_none()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_human_is_asked_for_in_the_other_languages_and_by_other_words_too() {
    let asks = OTHER_LANGUAGES.iter().flat_map(|(_, asks, _)| asks).chain(ASKS_FOR_ANYBODY);
    let missed: Vec<_> = asks.filter(|text| read(text).is_none()).collect();
    let others = OTHER_LANGUAGES.iter().flat_map(|(_, _, others)| others).chain(ASKS_FOR_NOBODY);
    let wrong: Vec<_> = others.filter(|text| read(text).is_some()).collect();
    assert!(missed.is_empty() && wrong.is_empty(), "missed {missed:#?}, wrong {wrong:#?}");
    assert_eq!(ASKS.len() + OTHER_LANGUAGES.len(), CustomerLanguage::ALL.len(), "every language has examples");
}

#[test]
fn a_message_that_only_sounds_like_a_request_for_a_human_is_none() {
    let wrong = ASKS_NOT.iter().flat_map(|(language, texts)| texts.iter().map(move |text| (language, text)));
    let wrong: Vec<_> = wrong.filter(|(_, text)| read(text).is_some()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_language_is_that_of_the_request_and_what_else_was_asked_is_kept() {
    let german = read("Mitarbeiter bitte").unwrap();
    assert_eq!((german.language, german.question.as_str()), (Some(CustomerLanguage::German), ""));
    let mixed = read("Hello there! How long does a refund take? I'd like to talk to a human.").unwrap();
    assert_eq!(mixed.question, "How long does a refund take?");
    assert_eq!(read("Hi! I want a human. Thanks!").unwrap().question, "", "a greeting is no question");
}

#[test]
fn a_question_in_the_same_sentence_as_the_request_is_kept() {
    for (text, question) in [
        ("I want a supervisor, also what is the price of a .io domain?", "what is the price of a .io domain?"),
        ("I want to talk to a human, how do I cancel?", "how do I cancel?"),
        ("connect me with a person and tell me the price of a .io domain", "tell me the price of a .io domain"),
        ("how do I cancel my plan, and can I talk to a human?", "how do I cancel my plan"),
        (
            "ich möchte mit einem echten Menschen sprechen, und was kostet eine Ersatzkarte?",
            "was kostet eine Ersatzkarte?",
        ),
        ("quiero hablar con un agente y cuánto cuesta el envío a Francia", "cuánto cuesta el envío a Francia"),
        ("I want a human, how long do refunds and deliveries take?", "how long do refunds and deliveries take?"),
        ("I want to talk to a human because my order has not arrived", ""),
        ("I want to talk to a human, my order has not arrived", ""),
        ("I'd like to talk to someone and ask about my bill", ""),
        ("hello, can I talk to a human, please?", ""),
        ("connect me with a person and thanks a lot", ""),
        ("I want to talk to a person, who knows about billing", ""),
        ("an agent please, can you help me?", ""),
    ] {
        assert_eq!(read(text).map(|reading| reading.question), Some(question.to_owned()), "{text}");
    }
}

#[test]
fn a_clause_that_only_refuses_a_human_is_told_from_a_question_about_one() {
    use super::Classification::{Denies, Refuses};
    assert_eq!(classify("I don't need a human, just tell me the price", &[]), Refuses(vec![0]));
    assert_eq!(classify("Nobody needs to call me", &[]), Refuses(vec![0]));
    assert_eq!(classify("Ich möchte nicht mit einem Menschen sprechen", &[]), Refuses(vec![0]));
    assert_eq!(classify("Do I need to talk to an agent to cancel my plan", &[]), Denies);
    assert_eq!(classify("Can I cancel when I do not want to talk to an agent about it before I do?", &[]), Denies);
}

/// Runs on a thread with 512 KiB of stack, which a recursion by word would overflow.
fn with_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap()
}

#[test]
fn messages_that_repeat_one_word_need_little_stack() {
    with_a_small_stack(|| {
        assert_eq!(read(&format!("get {}human s", "a ".repeat(3_900))), None);
        assert_eq!(read(&format!("转{}人工智能", "一".repeat(3_500))), None);
        assert_eq!(read(&"আসল ".repeat(1_990)), None);
        assert!(read(&format!("{}get me a human", "a ".repeat(3_900))).is_some(), "the end is read too");
    });
}

#[test]
fn the_longest_message_is_read() {
    let long = "I want to know whether the agent of my customers can see what a person writes to the team, ".repeat(88);
    assert!(long.len() > 7_900);
    assert_eq!(read(&long), None, "says nothing about wanting one");
}

#[test]
fn what_the_model_alone_takes_for_a_request_may_be_a_question() {
    let possible = |text: &str| {
        let reading = crate::dialogue::analyse(text, &MatchContext::default());
        (reading.intent, reading.question, reading.possible_question)
    };
    for asked in ["when can i reach support?", "who can I speak to about my ticket?"] {
        assert_eq!(possible(asked), (Intent::HumanRequest, String::new(), asked.to_owned()));
    }
    for sure in [
        "i need a human",
        "that did not help, is there somebody else?",
        "Can I talk to a human?",
        "when can i reach support? just put someone on please",
    ] {
        assert_eq!(possible(sure), (Intent::HumanRequest, String::new(), String::new()));
    }
    for (asked, small_talk) in
        [("which wines do you like?", true), ("say that again?", false), ("Great, thanks!", false)]
    {
        let (intent, question, kept) = possible(asked);
        assert!(matches!(intent, Intent::SmallTalk(_)) && question.is_empty(), "{asked}");
        assert_eq!(kept, if small_talk { asked } else { "" });
    }
}

/// Listed words, beginnings of them, and words that begin with them.
#[test]
fn the_built_table_finds_the_languages_whose_lists_have_a_word() {
    let lists = |number: usize| {
        let human = &ALL[number].human;
        Vocabulary::of([human.who, human.some, human.mentions].into_iter())
    };
    let lists: Vec<Vocabulary> = (0..ALL.len()).map(lists).collect();
    let listed: Vec<String> = TABLE.entries().into_keys().collect();
    assert!(listed.len() > 500, "{}", listed.len());
    for word in &listed {
        let shorter: String = word.chars().take(word.chars().count() - 1).collect();
        for word in [word, &format!("{word}s"), &format!("{word}ность"), &shorter] {
            let found = languages_of_mentions(&[vec![word.clone()]]);
            for (number, list) in lists.iter().enumerate() {
                assert_eq!(found >> number & 1 == 1, list.has(word), "{word} in {}", ALL[number].language);
            }
        }
    }
    let words: usize = lists.iter().map(|list| list.words().filter(|word| listed.contains(word)).count()).sum();
    assert_eq!(words, lists.iter().map(|list| list.words().count()).sum::<usize>(), "every word is in the table");
}
