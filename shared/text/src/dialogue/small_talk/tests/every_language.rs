//! The parts of every language: phrases of small talk, and the fixed sentences.

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

/// Praise, an apology, an insult and a wish to hear it again in every language.
const EVERY_MOOD: &[(L, [&str; 4])] = &[
    (L::English, ["well done", "sorry, my mistake", "you are an idiot", "can you repeat that"]),
    (
        L::German,
        ["gut gemacht", "Entschuldigung, mein Fehler", "du bist ein Idiot", "können Sie das bitte wiederholen"],
    ),
    (L::Spanish, ["muy bien hecho", "perdón, fue mi error", "eres un idiota", "puedes repetirlo por favor"]),
    (
        L::French,
        ["très bien, bravo", "désolé, c'est mon erreur", "tu es un idiot", "pouvez-vous répéter s'il vous plaît"],
    ),
    (L::Portuguese, ["muito bom, parabéns", "desculpa, foi engano meu", "você é um idiota", "pode repetir por favor"]),
    (L::Italian, ["ottimo lavoro, bravo", "scusa, ho sbagliato", "sei un idiota", "puoi ripetere per favore"]),
    (L::Dutch, ["goed gedaan", "sorry, mijn fout", "je bent een idioot", "kun je dat herhalen"]),
    (L::Danish, ["godt gået", "undskyld, min fejl", "du er en idiot", "kan du gentage det"]),
    (L::Swedish, ["bra jobbat", "förlåt, mitt fel", "du är en idiot", "kan du upprepa det"]),
    (L::Norwegian, ["bra jobba", "beklager, det var min feil", "du er en idiot", "kan du gjenta det"]),
    (L::Finnish, ["hyvin tehty", "anteeksi, minun virheeni", "olet idiootti", "voitko toistaa sen"]),
    (L::Hungarian, ["szép munka", "bocsánat, az én hibám", "te egy idióta vagy", "mondja újra kérem"]),
    (L::Romanian, ["foarte bine, bravo", "scuze, greșeala mea", "ești un idiot", "poți repeta te rog"]),
    (L::Russian, ["отлично сработано", "извините, моя ошибка", "ты идиот", "повторите пожалуйста"]),
    (L::Greek, ["μπράβο, πολύ καλά", "συγγνώμη, λάθος μου", "είσαι ηλίθιος", "μπορείς να το επαναλάβεις"]),
    (L::Turkish, ["aferin, çok iyi", "özür dilerim, benim hatam", "sen bir aptalsın", "tekrar eder misin"]),
    (L::Arabic, ["عمل جيد جدا", "آسف جدا", "أنت غبي", "ممكن تعيد من فضلك"]),
    (L::Tamil, ["மிகவும் நன்று", "மன்னிக்கவும், என் தவறு", "நீ ஒரு முட்டாள்", "மீண்டும் சொல்லுங்கள்"]),
    (L::Hindi, ["बहुत बढ़िया, शाबाश", "माफ़ कीजिए, मेरी गलती", "तुम बेवकूफ हो", "फिर से बोलिए"]),
    (L::Bengali, ["খুব ভালো, দারুণ", "দুঃখিত, আমার ভুল", "তুমি একটা গাধা", "আবার বলুন"]),
    (L::Urdu, ["بہت خوب، شاباش", "معاف کیجیے، میری غلطی", "تم بیوقوف ہو", "دوبارہ کہیں"]),
    (L::Indonesian, ["bagus sekali, mantap", "maaf, salah saya", "kamu bodoh", "tolong ulangi lagi"]),
    (
        L::Japanese,
        ["すばらしい、よくできました", "すみません、私の間違いです", "お前はバカだ", "もう一度言ってください"],
    ),
    (L::Chinese, ["做得非常好", "对不起，我弄错了", "你是个笨蛋", "请再说一遍"]),
];

#[test]
fn every_language_praises_apologises_insults_and_asks_again() {
    assert_eq!(EVERY_MOOD.len(), CustomerLanguage::ALL.len());
    let mut wrong = Vec::new();
    for (language, texts) in EVERY_MOOD {
        // "Well done" may be said to what is only noted.
        let moods = [&[S::Praise, S::Acknowledgement][..], &[S::Apology], &[S::Complaint], &[S::Repeat]];
        for (text, does) in texts.iter().zip(moods) {
            let setting = MatchContext { was_offered_human: false, expected: vec![*language] };
            let intent = analyse(text, &setting).intent;
            if !does.iter().any(|does| intent == Intent::SmallTalk(*does)) {
                wrong.push((language, text, intent));
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
