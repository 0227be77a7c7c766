//! Small talk, and messages that only look like it, by language.

mod every_language;

use std::collections::BTreeMap;

use super::collect::PhraseCollection;
use super::*;
use crate::dialogue::tables::ALL;
use crate::dialogue::{Intent, MatchContext, MessageAnalysis, SmallTalk, analyse};

use CustomerLanguage as L;
use SmallTalk as S;

/// The phrases with these letters, without blanks.
fn phrases(letters: &str) -> &'static [Phrase] {
    at(TABLE.get(letters))
}

/// Reads a message in a session whose wiki is English.
fn in_english(text: &str) -> MessageAnalysis {
    analyse(text, &MatchContext { was_offered_human: false, expected: vec![L::English] })
}

/// Reads a message as the reply to the offer of a human.
fn after_an_offer(text: &str) -> MessageAnalysis {
    analyse(text, &MatchContext { was_offered_human: true, expected: vec![L::English] })
}

const SMALL_TALK: &[(S, &[&str])] = &[
    (
        S::Greeting,
        &[
            "hi",
            "Hello!",
            "heyyy",
            "good morning :)",
            "helo",
            "hi there, how are you?",
            "👋",
            "?",
            "moin",
            "¡Buenas tardes!",
            "bonsoir",
            "can you help me",
            "i have a question",
            "hey guys",
            "Hallo zusammen",
            "...",
        ],
    ),
    (
        S::Thanks,
        &[
            "thx",
            "ty!!",
            "thaaanks",
            "thnaks",
            "Thank you so much for your help 🙏",
            "thankyou",
            "cheers mate",
            "muchas gracias",
            "merci beaucoup pour votre aide",
            "vielen dank für die schnelle antwort",
            "just wanted to say thanks :D",
            "nobody needs to call me, i only wanted to say thanks",
            "ok cool thanks",
            "thank you very much, that solved it!",
            "thx m8",
            "super, vielen dank, das hat funktioniert!",
            "Really, thank you!",
        ],
    ),
    (
        S::Farewell,
        &[
            "bye",
            "see ya",
            "alright, have a lovely evening, bye",
            "tschüss!",
            "hasta luego",
            "bonne soirée",
            "gn",
            "ttyl",
        ],
    ),
    (
        S::Acknowledgement,
        &[
            "ok",
            "k",
            "👍",
            "lol ok",
            "got it",
            "makes sense",
            "nvm",
            "perfect",
            "that's all",
            "alles klar",
            "vale",
            "d'accord",
            "das hat geklappt",
            "yes",
            "no worries",
            "I solved it myself",
            "really good",
        ],
    ),
    (
        S::AboutUs,
        &[
            "who are you?",
            "are you a bot",
            "am I talking to a human?",
            "r u real",
            "hi, are you a robot?",
            "bist du ein Mensch?",
            "¿eres un robot?",
            "bonjour, tu es un robot ?",
            "what can you do?",
        ],
    ),
    (
        S::Complaint,
        &[
            "wtf",
            "you guys suck",
            "this is so useless",
            "worst support ever!!!",
            "that didn't help",
            "das hilft mir nicht weiter",
            "no me sirve",
            "c'est nul",
            "that's not what i asked",
            "👎",
            "I don't understand",
            "Das hat mir nicht geholfen",
            "I am so angry!!! your service sucks",
            "scheiss bank",
            "really?",
            "what?",
            "why?",
            "are you sure?",
        ],
    ),
    (S::Praise, &["great that worked!", "you're awesome", "all good now", "top service from you guys"]),
    (S::Apology, &["sorry", "sorry, wrong window", "oh sorry i pressed the wrong key"]),
    (S::Repeat, &["can you repeat that", "say that once more pls", "i did not catch that, come again"]),
    (
        S::Declined,
        &["no", "nope", "I don't need a human", "don't call me", "nein danke", "I don't want to talk to an agent."],
    ),
];

#[test]
fn small_talk_is_told_from_questions_and_by_what_it_does() {
    let all = SMALL_TALK.iter().flat_map(|(expected, texts)| texts.iter().map(move |text| (*expected, text)));
    let wrong: Vec<_> = all
        .map(|(expected, text)| (expected, in_english(text).intent, text))
        .filter(|(expected, intent, _)| *intent != Intent::SmallTalk(*expected))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn questions_stay_questions() {
    let questions = [
        "hi vis jackets",
        "thanksgiving opening hours",
        "what is the best plan",
        "ok google integration",
        "great britain shipping",
        "no refund?",
        "is it good",
        "night delivery",
        "bye bye rewards program?",
        "how do I say hello in the widget",
        "thank you page",
        "greeting cards",
        "tanks",
        "are you open on sunday",
        "who are your investors",
        "super plan price",
        "sorry page not found",
        "fine print",
        "where is my order",
        "how are you different from others",
        "can you help me with my invoice",
        "perfect binding",
        "later payment",
        "cool box",
        "danke karte bestellen",
        "gracias card",
        "is that all included",
        "stop subscription",
        "cancel my plan",
        "no signal",
        "yes card",
        "welcome bonus",
        "help center hours",
        "morning delivery",
        "cancel",
        "Cancel!",
        "cancel please",
        "why is it so slow",
        "what plan",
        "is the refund certain",
    ];
    let wrong: Vec<_> = questions.iter().filter(|text| in_english(text).intent != Intent::Question).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn small_talk_in_one_language_that_is_a_question_in_another_stays_a_question() {
    for (text, language) in [("bra", L::Swedish), ("tack?", L::Swedish), ("top", L::German), ("sale", L::Spanish)] {
        assert_eq!(in_english(text).intent, Intent::Question, "{text}");
        let there = analyse(text, &MatchContext { was_offered_human: false, expected: vec![language, L::English] });
        assert!(matches!(there.intent, Intent::SmallTalk(_)), "{text} where {language} is expected");
    }
    for language in [L::German, L::Dutch, L::Danish, L::Swedish] {
        let there = MatchContext { was_offered_human: false, expected: vec![language] };
        for text in ["Bad?", "bad", "night", "Sweet?", "peace", "terrible?", "CV?"] {
            assert_eq!(analyse(text, &there).intent, Intent::Question, "{text} where {language} is expected");
        }
        for text in ["thanks!", "hello", "bye", "yes", "no"] {
            assert!(
                matches!(analyse(text, &there).intent, Intent::SmallTalk(_)),
                "{text} where {language} is expected"
            );
        }
    }
}

#[test]
fn a_greeting_or_thanks_beside_a_question_is_left_out_of_it() {
    for (text, question) in [
        ("hi, how wide is the gate?", "how wide is the gate?"),
        ("Hi how wide is the gate", "how wide is the gate"),
        ("hello there! i was charged twice, what now?", "i was charged twice, what now?"),
        ("how do i cancel? thanks in advance!", "how do i cancel?"),
        ("how do i cancel thanks", "how do i cancel"),
        ("hola, hay mapa para el museo?", "hay mapa para el museo?"),
        ("I don't need a human, just tell me the price", "just tell me the price"),
        ("How long is the trial?\n\nAnd what does it cost, hi?", "How long is the trial? And what does it cost"),
        ("hi, my transfer was declined. Why?", "my transfer was declined. Why?"),
        ("  is the plain plan enough for two shops  ", "is the plain plan enough for two shops"),
    ] {
        assert_eq!(
            (in_english(text).intent, in_english(text).question.as_str()),
            (Intent::Question, question),
            "{text}"
        );
    }
}

#[test]
fn a_greeting_that_asks_whether_anyone_is_there_only_greets() {
    let analysed = |text, language| analyse(text, &MatchContext { was_offered_human: false, expected: vec![language] });
    for (language, text) in [
        (CustomerLanguage::Spanish, "hola?? hay alguien"),
        (CustomerLanguage::Danish, "hejsa, er der nogen"),
        (CustomerLanguage::Norwegian, "god morgen, noen der?"),
        (CustomerLanguage::Japanese, "もしもし、誰かいますか"),
        (CustomerLanguage::Urdu, "ہیلو کوئی ہے"),
    ] {
        assert_eq!(analysed(text, language).intent, Intent::SmallTalk(SmallTalk::Greeting), "{text}");
    }
    for (language, text) in [
        (CustomerLanguage::Spanish, "hay alguien ahí?"),
        (CustomerLanguage::Spanish, "hola, hay alguien que me pueda ayudar"),
        (CustomerLanguage::English, "hello, is there anyone i can talk to"),
        (CustomerLanguage::English, "Hello, connect me to someone"),
        (CustomerLanguage::English, "Hi, can someone call me back please?"),
        (CustomerLanguage::English, "Hello, get me someone"),
        (CustomerLanguage::German, "Hallo, kann mich bitte jemand zurückrufen?"),
    ] {
        assert_eq!(analysed(text, language).intent, Intent::HumanRequest, "{text}");
    }
}

#[test]
fn a_yes_to_the_offer_of_a_human_asks_for_one_and_a_no_declines() {
    for text in [
        "yes",
        "Yes please!",
        "sure, go ahead",
        "ok",
        "👍",
        "ja",
        "ja bitte",
        "sí por favor",
        "oui",
        "why not",
        "please",
    ] {
        assert_eq!(after_an_offer(text).intent, Intent::HumanRequest, "{text}");
        assert_ne!(in_english(text).intent, Intent::HumanRequest, "{text}");
    }
    for text in [
        "no",
        "no thanks",
        "not now",
        "nah it's fine",
        "nein danke",
        "non merci",
        "ahora no",
        "never mind",
        "maybe later",
    ] {
        assert_eq!(after_an_offer(text).intent, Intent::SmallTalk(S::Declined), "{text}");
    }
    assert_eq!(after_an_offer("cancel").intent, Intent::SmallTalk(S::Declined));
    assert_eq!(after_an_offer("really?").intent, Intent::SmallTalk(S::Complaint));
    assert_eq!(after_an_offer("thanks").intent, Intent::SmallTalk(S::Thanks));
    assert_eq!(after_an_offer("ok, how do i reset my password").intent, Intent::Question);
}

#[test]
fn the_language_is_that_of_the_phrase_else_of_the_letters() {
    assert_eq!(in_english("muchas gracias!").language, Some(L::Spanish));
    assert_eq!(in_english("ok").language, Some(L::English));
    let german = MatchContext { was_offered_human: false, expected: vec![L::German] };
    assert_eq!(analyse("ok", &german).language, Some(L::German), "of several languages, the expected one");
    assert_eq!(
        in_english("Wo kann ich meine Rechnungen herunterladen und wie lange geht das?").language,
        Some(L::German)
    );
    assert_eq!(in_english("Mitarbeiter bitte").language, Some(L::German));
    assert_eq!(in_english("zzz").language, None);
}

#[test]
fn a_phrase_of_several_languages_tells_none_unless_one_is_expected_or_the_accents_tell_it() {
    for text in ["Hallo", "Ja", "na ja", "Ciao", "merci", "Hei", "hallo!", "👍"] {
        let read = in_english(text);
        assert!(matches!(read.intent, Intent::SmallTalk(_)), "{text}: {read:?}");
        assert_eq!(read.language, None, "{text}");
    }
    for (text, expected, language) in [
        ("Olá", vec![L::English], L::Portuguese),
        ("Olá", vec![L::Spanish], L::Portuguese),
        ("ola", vec![L::Spanish], L::Spanish),
        ("Hallo", vec![L::German], L::German),
        ("merci", vec![L::English, L::French], L::French),
        ("merci beaucoup", vec![L::English], L::French),
        ("ok, gracias", vec![L::English], L::Spanish),
        ("Hallo, guten Tag", vec![L::English], L::German),
        ("Guten Tag, Rückerstattung?", vec![L::English], L::German),
        ("agent", vec![L::French], L::French),
    ] {
        let read = analyse(text, &MatchContext { was_offered_human: false, expected: expected.clone() });
        assert_eq!(read.language, Some(language), "{text} where {expected:?} is expected");
    }
}

const EXPECTED_LANGUAGES: [CustomerLanguage; 6] = [
    CustomerLanguage::English,
    CustomerLanguage::German,
    CustomerLanguage::Dutch,
    CustomerLanguage::Danish,
    CustomerLanguage::Swedish,
    CustomerLanguage::Turkish,
];

/// Whether a word, or what it is corrected to, is a phrase of a language.
fn is_of(word: &str, language: CustomerLanguage) -> bool {
    phrases(&known(word)).iter().any(|phrase| phrase.language == language)
}

#[test]
fn a_single_word_of_another_language_is_a_question_unless_people_say_it_in_any() {
    let mut asked = 0;
    for word in &PhraseCollection::new(ALL).words {
        let phrases = phrases(word);
        let known_abroad = phrases.iter().any(|phrase| phrase.kinds.is_known_abroad());
        for language in EXPECTED_LANGUAGES.into_iter().filter(|language| !known_abroad && !is_of(word, *language)) {
            let setting = MatchContext { was_offered_human: false, expected: vec![language] };
            let intent = analyse(&format!("{word}?"), &setting).intent;
            assert!(!matches!(intent, Intent::SmallTalk(_)), "{word} where {language} is expected: {intent:?}");
            asked += 1;
        }
    }
    assert!(asked > 2_000, "{asked}");
}

#[test]
fn a_single_word_that_greets_thanks_leaves_agrees_or_declines_is_small_talk_in_every_language() {
    for word in &PhraseCollection::new(ALL).words {
        let clear = phrases(word)
            .iter()
            .any(|phrase| phrase.kinds.is_known_abroad() && phrase.kinds.suffice() && !phrase.ambiguous);
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        if clear && letters > 2 {
            let setting = MatchContext { was_offered_human: false, expected: vec![CustomerLanguage::Finnish] };
            assert!(matches!(analyse(word, &setting).intent, Intent::SmallTalk(_)), "{word}");
        }
    }
}

#[test]
fn the_built_table_has_the_phrases_and_words_of_all_lists_and_no_others() {
    let lists = PhraseCollection::new(ALL);
    assert!(lists.phrases.len() > 5_000, "{}", lists.phrases.len());
    let words = lists.words.iter().map(|word| (word.as_str(), [].as_slice()));
    let mut expected: BTreeMap<&str, &[Phrase]> = words.collect();
    expected.extend(lists.phrases.iter().map(|(letters, phrases)| (letters.as_str(), phrases.as_slice())));
    let entries = TABLE.entries();
    let built: BTreeMap<&str, &[Phrase]> =
        entries.iter().map(|(letters, number)| (letters.as_str(), at(Some(*number)))).collect();
    assert_eq!(built, expected);
    for (letters, phrases) in expected {
        assert_eq!((is_known(letters), at(TABLE.get(letters))), (true, phrases), "{letters}");
    }
}

#[test]
fn a_typo_is_corrected_to_the_word_that_the_lists_name_first() {
    let long_words = PhraseCollection::new(ALL).long_words;
    assert!(long_words.len() > 1_000, "{}", long_words.len());
    for word in &long_words {
        let typo: String = word.chars().enumerate().filter(|(at, _)| *at != 2).map(|(_, c)| c).collect();
        let near =
            |known: &&String| known.chars().next() == typo.chars().next() && strsim::osa_distance(known, &typo) == 1;
        let first = long_words.iter().find(near).filter(|_| typo.len() >= MIN_CORRECTED_BYTES);
        assert_eq!(corrected(&typo), first.map(String::as_str), "{typo}");
    }
}
