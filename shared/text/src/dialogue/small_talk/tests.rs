//! Small talk, and messages that only look like it, by language.

use crate::CustomerLanguage;
use crate::dialogue::{Intent, MatchContext, MessageAnalysis, SmallTalk, analyse};

use CustomerLanguage as L;
use SmallTalk as S;

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
            "great that worked!",
            "makes sense",
            "nvm",
            "perfect",
            "that's all",
            "you're awesome",
            "alles klar",
            "vale",
            "d'accord",
            "das hat geklappt",
            "yes",
            "all good now",
            "no worries",
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
            "salut, tu es un robot ?",
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
        ],
    ),
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
fn what_greets_or_thanks_beside_a_question_is_left_out_of_it() {
    for (text, question) in [
        ("hi, how long is the trial?", "how long is the trial?"),
        ("Hi how long is the trial", "how long is the trial"),
        ("hello there! i was charged twice, what now?", "i was charged twice, what now?"),
        ("how do i cancel? thanks in advance!", "how do i cancel?"),
        ("how do i cancel thanks", "how do i cancel"),
        ("hola, hay app para el apple watch?", "hay app para el apple watch?"),
        ("I don't need a human, just tell me the price", "just tell me the price"),
        ("How long is the trial?\n\nAnd what does it cost, hi?", "How long is the trial? And what does it cost"),
        ("  plain question, no small talk  ", "plain question, no small talk"),
    ] {
        assert_eq!(
            (in_english(text).intent, in_english(text).question.as_str()),
            (Intent::Question, question),
            "{text}"
        );
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

/// Greeting, thanks, goodbye, yes and no in every language.
const EVERY_LANGUAGE: &[(L, [&str; 5])] = &[
    (L::English, ["hello", "thank you", "goodbye", "yes please", "no thanks"]),
    (L::German, ["guten Tag", "danke schön", "auf Wiedersehen", "ja bitte", "nein danke"]),
    (L::Spanish, ["buenos días", "muchas gracias", "hasta luego", "sí por favor", "no gracias"]),
    (L::French, ["bonjour", "merci beaucoup", "au revoir", "oui s'il vous plaît", "non merci"]),
    (L::Portuguese, ["bom dia", "muito obrigado", "até logo", "sim por favor", "não obrigado"]),
    (L::Italian, ["buongiorno", "grazie mille", "arrivederci", "sì grazie", "no grazie"]),
    (L::Dutch, ["goedemorgen", "dank je wel", "tot ziens", "ja graag", "nee bedankt"]),
    (L::Danish, ["goddag", "mange tak", "farvel", "ja tak", "nej tak"]),
    (L::Swedish, ["god morgon", "tack så mycket", "hejdå", "ja tack", "nej tack"]),
    (L::Norwegian, ["god morgen", "tusen takk", "ha det bra", "ja takk", "nei takk"]),
    (L::Finnish, ["hyvää päivää", "kiitos paljon", "näkemiin", "kyllä kiitos", "ei kiitos"]),
    (L::Hungarian, ["jó napot", "köszönöm szépen", "viszontlátásra", "igen kérem", "nem köszönöm"]),
    (L::Romanian, ["bună ziua", "mulțumesc frumos", "la revedere", "da vă rog", "nu mulțumesc"]),
    (L::Russian, ["здравствуйте", "большое спасибо", "до свидания", "да пожалуйста", "нет спасибо"]),
    (L::Greek, ["καλημέρα", "ευχαριστώ πολύ", "αντίο", "ναι παρακαλώ", "όχι ευχαριστώ"]),
    (L::Turkish, ["merhaba", "çok teşekkür ederim", "hoşça kal", "evet lütfen", "hayır teşekkürler"]),
    (L::Arabic, ["مرحبا", "شكرا جزيلا", "مع السلامة", "نعم من فضلك", "لا شكرا"]),
    (L::Tamil, ["வணக்கம்", "மிக்க நன்றி", "போய் வருகிறேன்", "ஆமாம்", "வேண்டாம்"]),
    (L::Hindi, ["नमस्ते", "बहुत धन्यवाद", "अलविदा", "हाँ कृपया", "नहीं धन्यवाद"]),
    (L::Bengali, ["নমস্কার", "অনেক ধন্যবাদ", "বিদায়", "হ্যাঁ", "না ধন্যবাদ"]),
    (L::Urdu, ["السلام علیکم", "بہت شکریہ", "خدا حافظ", "جی ہاں", "نہیں شکریہ"]),
    (L::Indonesian, ["selamat pagi", "terima kasih banyak", "sampai jumpa", "iya tolong", "tidak terima kasih"]),
    (L::Japanese, ["こんにちは", "ありがとうございます", "さようなら", "はい、お願いします", "いいえ、結構です"]),
    (L::Chinese, ["你好", "非常感谢", "再见", "好的", "不用了谢谢"]),
];

#[test]
fn every_language_greets_thanks_leaves_agrees_and_declines() {
    assert_eq!(EVERY_LANGUAGE.len(), CustomerLanguage::ALL.len());
    let mut wrong = Vec::new();
    for (language, texts) in EVERY_LANGUAGE {
        let intents = [
            Intent::SmallTalk(S::Greeting),
            Intent::SmallTalk(S::Thanks),
            Intent::SmallTalk(S::Farewell),
            Intent::HumanRequest,
            Intent::SmallTalk(S::Declined),
        ];
        for (number, (text, intent)) in texts.iter().zip(intents).enumerate() {
            let setting = MatchContext { was_offered_human: number > 2, expected: vec![*language] };
            if analyse(text, &setting).intent != intent {
                wrong.push((language, text, analyse(text, &setting)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_sentence_is_there_in_every_language_and_only_an_offer_asks() {
    use crate::dialogue::{Sentence as Say, sentence};
    let all = [
        Say::Greeting,
        Say::Thanks,
        Say::Farewell,
        Say::Acknowledgement,
        Say::AboutUs,
        Say::Apology,
        Say::NoAnswer,
        Say::Handover,
        Say::Failure,
    ];
    for language in CustomerLanguage::ALL {
        for which in all {
            let text = sentence(*language, which);
            assert!(!text.is_empty() && text.chars().count() <= 500, "{language} {which:?}");
            let english = sentence(CustomerLanguage::English, which);
            assert!(*language == CustomerLanguage::English || text != english, "{language} {which:?} is English");
        }
        for takes_over in [Say::Handover, Say::Failure] {
            assert!(!sentence(*language, takes_over).contains(['?', '؟', '？', ';']), "{language} {takes_over:?} asks");
        }
    }
}

#[test]
fn reading_long_messages_of_small_talk_is_linear() {
    let units = ["hi ", "hi, ", "thanks. ", "ok\n\n", "thxx ", "👍 ", "你好", "heyyyyyy ", "abcdefgh, ", ":D "];
    growth::linear("small talk", 8_000, units, |text| {
        std::hint::black_box(in_english(text));
    });
}
