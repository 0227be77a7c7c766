//! Texts and their languages.

use std::collections::BTreeSet;

use super::*;
use crate::dialogue::tables::ALL;

/// Short questions.
const QUESTIONS: &[(L, &[&str])] = &[
    (
        L::English,
        &[
            "how do i block my card",
            "what is the interest rate?",
            "do you ship to Österreich",
            "what does \"Wie geht es Ihnen\" mean?",
            "how do I write Привет",
            "is the Nürnberg office open on sunday",
            "I mean the red one",
        ],
    ),
    (
        L::German,
        &[
            "Wie lange dauert die Rückerstattung?",
            "Wo finde ich meine Rechnungen?",
            "was kostet eine Ersatzkarte?",
            "wie lange dauert die",
        ],
    ),
    (L::Spanish, &["¿Cuánto cuesta el envío?", "cuanto tarda el envio", "donde esta mi pedido"]),
    (
        L::French,
        &[
            "combien de temps pour un remboursement ?",
            "où est ma commande",
            "je voudrais parler à quelqu'un svp",
            "j'ai payé deux fois ce mois-ci",
        ],
    ),
    (L::Portuguese, &["quanto custa o envio?", "onde está o meu pedido", "como faço para cancelar?"]),
    (L::Italian, &["Quanto costa spedire un pacco in Germania?", "dove trovo le fatture"]),
    (L::Dutch, &["Hoeveel kost een grafische kaart server per maand bij jullie?", "waar is mijn bestelling"]),
    (L::Danish, &["hvad koster fragten?", "hvor lang tid tager leveringen?"]),
    (L::Swedish, &["hur lång tid tar leveransen?", "var hittar jag mina fakturor"]),
    (L::Norwegian, &["hva koster frakten?", "hvor finner jeg fakturaene mine"]),
    (L::Finnish, &["paljonko toimitus maksaa?", "missä tilaukseni on?"]),
    (L::Hungarian, &["mennyibe kerül a szállítás?", "hol van a rendelésem"]),
    (L::Romanian, &["cât costă livrarea?", "unde este comanda mea"]),
    (L::Turkish, &["kargo ücreti ne kadar?", "iade ne kadar sürer"]),
    (L::Indonesian, &["berapa biaya pengiriman?", "di mana pesanan saya"]),
    (L::Russian, &["Сколько стоит сервер с видеокартой в месяц?", "как вернуть", "Сколько стоит Kubernetes?"]),
    (L::Greek, &["πόσο κοστίζει;"]),
    (L::Arabic, &["كم سعر الخادم مع بطاقة رسومات؟", "كم السعر"]),
    (L::Urdu, &["ریفنڈ میں کتنا وقت لگتا ہے؟"]),
    (L::Hindi, &["कितना समय?"]),
    (L::Bengali, &["দাম কত?"]),
    (L::Tamil, &["விலை என்ன?"]),
    (L::Japanese, &["サーバーの料金はいくらですか?", "VPSの料金"]),
    (L::Chinese, &["请问服务器每月多少钱？", "退款"]),
];

#[test]
fn a_short_question_tells_its_language_by_its_script_or_its_function_words() {
    let all = QUESTIONS.iter().flat_map(|(language, texts)| texts.iter().map(move |text| (*language, text)));
    let wrong: Vec<_> = all
        .map(|(language, text)| (language, detect(text, &[]), text))
        .filter(|(language, found, _)| *found != Some(*language))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(QUESTIONS.len(), L::ALL.len(), "every language has examples");
}

#[test]
fn names_single_words_and_languages_that_are_not_spoken_here_tell_none() {
    let unclear = [
        "Kubernetes",
        "Rückerstattung",
        "kubernetes?",
        "VPS S",
        "Casa de la Luz",
        "die cast",
        "Señor Nuñez",
        "J&J",
        "я",
        "faktura nedlasting feilmelding betalingsmetode",
        "leveringstid ordrenummer kundeservice",
        "rechnung herunterladen fehlermeldung",
        "fatura indirme hata mesaji",
        "ile kosztuje serwer na miesiąc",
        "kolik stojí server na měsíc",
        "bao nhiêu tiền một tháng",
        "서버는 한 달에 얼마예요?",
        "כמה עולה שרת בחודש?",
        "Скільки коштує сервер на місяць?",
        "سرور چقدر هزینه دارد؟",
        "ราคาเซิร์ฟเวอร์เท่าไหร่",
        "",
    ];
    let wrong: Vec<_> = unclear.iter().filter_map(|text| Some((text, detect(text, &[])?))).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn an_expected_language_decides_where_the_script_has_several() {
    assert_ne!(detect("faktura betalingsmetode ordrenummer", &[L::Norwegian]), Some(L::Danish), "no word tells");
    assert_eq!(detect("返金方法", &[]), Some(L::Chinese));
    assert_eq!(detect("返金方法", &[L::English, L::Japanese]), Some(L::Japanese));
    assert_eq!(detect("قانون", &[L::Urdu]), Some(L::Urdu));
    assert_eq!(detect("返金はいつ", &[L::Chinese]), Some(L::Japanese), "kana are Japanese alone");
}

#[test]
fn the_built_table_has_the_words_of_all_lists_and_no_others() {
    let lists: Vec<BTreeSet<String>> =
        ALL.iter().map(|book| words(book.function_words).into_iter().collect()).collect();
    let listed: BTreeSet<String> = lists.iter().flatten().cloned().collect();
    assert_eq!(TABLE.entries().into_keys().collect::<BTreeSet<_>>(), listed);
    for word in listed.iter().map(String::as_str).chain(["", "qqq"]) {
        let expected = (0..ALL.len()).filter(|place| lists[*place].contains(word));
        assert_eq!(places_of(word).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{word}");
    }
}

#[test]
fn every_language_has_a_code_of_the_detection_by_letters() {
    let found = SPOKEN.split(' ').map(|pair| spoken(Lang::from_code(&pair[3..]).unwrap()));
    assert_eq!(
        found.collect::<Option<Vec<_>>>().map(|all| all.into_iter().map(L::as_str).collect::<BTreeSet<_>>()),
        Some(L::ALL.iter().map(|language| language.as_str()).collect())
    );
    assert_eq!(spoken(Lang::Ukr), None);
}
