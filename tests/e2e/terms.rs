//! Words of a question that an entry spells otherwise: codes, names with signs, abbreviations, compounds, characters.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

async fn told(caller: &Actor, question: &str) -> Value {
    caller.ask(&caller.session().await, question).await.expect(200).clone()
}

/// The disposition, and the path of the nearest entry.
fn found(told: &Value) -> (&str, &str) {
    let nearest = told["sources"].get(0).and_then(|source| source["path"].as_str());
    (told["disposition"].as_str().unwrap(), nearest.unwrap_or_default())
}

async fn service_with(language: &str, entries: &[(&str, &str, &str)]) -> TestService {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"language": language})).await.expect(200);
    for (path, title, content) in entries {
        service.trainer().wiki_entry(path, title, content).await;
    }
    service
}

async fn assert_answers(service: &TestService, questions: &[(&str, &str)]) {
    let caller = service.integration();
    for (question, path) in questions {
        let told = told(&caller, question).await;
        assert_eq!(found(&told), ("answered", *path), "{question}: {told}");
    }
}

/// None is answered with confidence.
async fn assert_doubts(service: &TestService, questions: &[&str]) {
    let caller = service.integration();
    for question in questions {
        let told = told(&caller, question).await;
        assert!(told["confidence"].as_f64().unwrap() < 0.5, "{question}: {told}");
    }
}

/// The marked parts of the contents of the hits of a list.
async fn marked(service: &TestService, q: &str) -> Vec<String> {
    let hits = service.trainer().get(&format!("/wiki?q={}", q.replace(' ', "%20"))).await.json.clone();
    let highlights = hits["items"].as_array().unwrap().iter().flat_map(|hit| hit["highlights"].as_array().unwrap());
    let content = highlights.filter(|highlight| highlight["field"] == "content");
    let segments = content.flat_map(|highlight| highlight["segments"].as_array().unwrap());
    segments.filter(|segment| segment["match"] == true).map(|s| s["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_code_or_a_number_is_found_in_each_of_its_spellings() {
    let service = service_with(
        "en",
        &[
            ("parts/pump", "Pump", "The replacement pump is PPR9087. It fits all boilers since 2019."),
            ("parts/valve", "Valve", "The replacement valve is PPR-9113. It fits boilers of the K series."),
            ("contact/service", "Customer service", "You reach the customer service at 05145-8841815."),
        ],
    )
    .await;
    let answered = [
        ("ppr9087", "parts/pump"),
        ("What is PPR 9087?", "parts/pump"),
        ("PPR_9087", "parts/pump"),
        ("ppr9113", "parts/valve"),
        ("051458841815", "contact/service"),
        ("05145 8841815", "contact/service"),
        ("What is part 9087?", "parts/pump"),
    ];
    assert_answers(&service, &answered).await;
    assert_doubts(&service, &["ppr9088", "051458841816"]).await;
    let told = told(&service.integration(), "9087").await;
    assert_eq!(found(&told).1, "parts/pump", "{told}");
    assert_eq!(marked(&service, "9087").await, ["PPR9087"]);
    assert_eq!(marked(&service, "051458841815").await, ["05145-8841815"]);
}

#[tokio::test]
async fn a_name_with_signs_is_a_word_and_another_name_is_none() {
    let service = service_with(
        "en",
        &[
            ("sdk/cpp", "C++ library", "The C++ library is installed with a package manager."),
            ("sdk/prices", "Prices", "The net price of a licence is 20 euros a month."),
        ],
    )
    .await;
    assert_answers(&service, &[("How do I install the C++ library?", "sdk/cpp")]).await;
    assert_doubts(&service, &["Is there a C# library?", "Do you have a .NET library?", "C#"]).await;
}

#[tokio::test]
async fn a_number_tells_things_of_one_name_apart() {
    let service = service_with(
        "en",
        &[
            ("park/one", "Zone 1", "Parking in zone 1 costs 2 € an hour."),
            ("park/two", "Zone 2", "Parking in zone 2 costs 1 € an hour."),
            ("help/paper", "Error 1603", "Error 1603 means that the paper is stuck. Open the tray."),
        ],
    )
    .await;
    assert_answers(&service, &[("What does zone 2 cost?", "park/two"), ("zone 1", "park/one")]).await;
    let others = ["What does zone 3 cost?", "parking in zone 4", "zone 4", "What does error 1618 mean?"];
    assert_doubts(&service, &others).await;
}

#[tokio::test]
async fn an_abbreviation_in_capitals_is_a_word() {
    let service = service_with(
        "en",
        &[
            ("team/it", "IT department", "The IT department resets your laptop. Call extension 7."),
            ("team/hr", "HR department", "The HR department plans your leave. Call extension 8."),
            ("ship/us", "Delivery to the US", "We deliver to the US within nine days."),
            ("ship/contact", "Contact", "Write to us by email about your parcel."),
        ],
    )
    .await;
    assert_answers(&service, &[("How do I reach IT?", "team/it"), ("Do you deliver to the US?", "ship/us")]).await;
    assert_eq!(marked(&service, "IT").await, ["IT"]);
}

#[tokio::test]
async fn a_compound_is_found_by_its_words_and_its_words_by_the_compound() {
    let service = service_with(
        "de",
        &[
            ("hilfe/rueckgabe", "Rückgabefrist", "Die Rückgabefrist beträgt 30 Tage nach Erhalt der Ware."),
            ("hilfe/versand", "Versandkostenpauschale", "Die Versandkostenpauschale beträgt 4,90 € je Bestellung."),
            ("hilfe/kuendigung", "Fristlose Kündigung", "Eine fristlose Kündigung ist bei Vertragsbruch möglich."),
            ("hilfe/zugang", "Zugang", "Die Änderung des Passworts ist im Konto möglich."),
        ],
    )
    .await;
    let answered = [
        ("Welche Frist gilt für die Rückgabe?", "hilfe/rueckgabe"),
        ("Versandkosten?", "hilfe/versand"),
        ("Wie hoch sind die Versandkosten?", "hilfe/versand"),
        ("Was kostet der Versand?", "hilfe/versand"),
    ];
    assert_answers(&service, &answered).await;
    let told = told(&service.integration(), "Passwortänderung").await;
    assert_eq!(found(&told).1, "hilfe/zugang", "{told}");
    assert_eq!(marked(&service, "Frist").await, ["Rückgabefrist"], "what is \"fristlos\" has none");
}

#[tokio::test]
async fn compounds_are_split_in_dutch_and_the_scandinavian_languages() {
    for (language, title, content, question) in [
        ("nl", "Retourtermijn", "De retourtermijn is 30 dagen.", "Wat is de termijn voor retour?"),
        ("da", "Returfrist", "Returfristen er 14 dage.", "Hvad er fristen for retur?"),
        ("sv", "Fraktkostnad", "Fraktkostnad: 49 kronor.", "Vad är kostnad för frakt?"),
        ("no", "Betalingsmetoder", "Betalingsmetoder er kort og faktura.", "Hvilke metoder for betaling har dere?"),
    ] {
        let service = service_with(language, &[("a/b", title, content), ("a/c", "Zebra", "Zebra zebra.")]).await;
        assert_answers(&service, &[(question, "a/b")]).await;
    }
}

#[tokio::test]
async fn a_single_chinese_japanese_or_korean_character_is_found() {
    let service = service_with(
        "en",
        &[
            ("ja/kagi", "鍵の紛失", "鍵の紛失は受付に届けてください。"),
            ("zh/shui", "饮用水", "饮用水每天更换。"),
            ("ko/mul", "물통", "물통은 매일 교체합니다."),
        ],
    )
    .await;
    let caller = service.integration();
    for (question, path) in [("鍵", "ja/kagi"), ("鍵をなくした", "ja/kagi"), ("水", "zh/shui"), ("물", "ko/mul")]
    {
        let told = told(&caller, question).await;
        assert_eq!(found(&told).1, path, "{question}: {told}");
    }
}

#[tokio::test]
async fn forms_of_german_and_dutch_verbs_are_found() {
    let shop = [
        ("de/frist", "Rückgabefrist", "Sie haben 30 Tage Zeit, um ungetragene Ware an uns zu senden."),
        ("de/geld", "Rückzahlung", "Die Rückzahlung erfolgt innerhalb von fünf Werktagen auf Ihr Konto."),
        ("de/brief", "Newsletter", "Zur Anmeldung geben Sie Ihre E-Mail-Adresse im Fußbereich ein."),
    ];
    let questions = [
        ("Wie lange kann ich zurückgeben?", "de/frist"),
        ("Wie viel Zeit habe ich, um etwas zurückzuschicken?", "de/frist"),
        ("Wann wird mein Geld zurückgezahlt?", "de/geld"),
        ("wie melde ich mich für den newsletter an", "de/brief"),
    ];
    assert_answers(&service_with("de", &shop).await, &questions).await;
    let retour = [("nl/retour", "Terugsturen", "Artikelen terugsturen kan binnen 30 dagen na levering.")];
    let questions = ["hoe lang heb ik om iets terug te sturen", "hoe stuur ik iets terug"].map(|q| (q, "nl/retour"));
    assert_answers(&service_with("nl", &retour).await, &questions).await;
}

#[tokio::test]
async fn modal_verbs_ask_nothing_in_any_language() {
    for (language, title, content, question) in [
        (
            "de",
            "Bestellung stornieren",
            "Eine Bestellung stornieren Sie auf der Seite Meine Bestellungen.",
            "Darf ich bitte mal meine Bestellung stornieren",
        ),
        (
            "es",
            "Cancelar un pedido",
            "Un pedido se cancela en la página Mis pedidos mientras no haya salido.",
            "Por favor, quiero y necesito y quisiera cancelar mi pedido",
        ),
        (
            "fr",
            "Annuler une commande",
            "Une commande s'annule dans la page Mes commandes tant qu'elle n'est pas partie.",
            "Je voudrais, je peux et je dois annuler ma commande",
        ),
        (
            "it",
            "Annullare un ordine",
            "Un ordine si annulla nella pagina I miei ordini finché non è partito.",
            "Vorrei, posso e devo annullare il mio ordine",
        ),
    ] {
        let service = service_with(language, &[("a/b", title, content), ("a/c", "Zebra", "Zebra zebra.")]).await;
        assert_answers(&service, &[(question, "a/b")]).await;
    }
}
