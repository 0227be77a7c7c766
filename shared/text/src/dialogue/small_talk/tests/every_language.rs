//! What every language has: phrases of small talk, and the fixed sentences.

use crate::CustomerLanguage;
use crate::dialogue::{Intent, MatchContext, SmallTalk, analyse};

use CustomerLanguage as L;
use SmallTalk as S;

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
    use crate::dialogue::{Sentence as Say, sentence, when_to_ask_for_human_again};
    let all = [
        Say::Greeting,
        Say::Thanks,
        Say::Farewell,
        Say::Acknowledgement,
        Say::AboutUs,
        Say::NoProblem,
        Say::Praised,
        Say::Unclear,
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
        let again = when_to_ask_for_human_again(*language, 7);
        assert!(again.contains('7') && !again.contains(['{', '?', '؟', '？', ';']), "{language}: {again}");
        assert_eq!(crate::sanitise::shown(&again), again);
        assert!(when_to_ask_for_human_again(*language, 1).contains('2'));
        let english = when_to_ask_for_human_again(CustomerLanguage::English, 7);
        assert!(*language == CustomerLanguage::English || again != english, "{language} is English");
        for takes_over in [Say::Handover, Say::Failure] {
            assert!(!sentence(*language, takes_over).contains(['?', '؟', '？', ';']), "{language} {takes_over:?} asks");
        }
    }
}
