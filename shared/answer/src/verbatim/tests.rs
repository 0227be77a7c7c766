use super::*;

const PLANS: &str = "# Prices\n\nStudio costs 23 euros. Paid yearly it costs 226 euros.\n\n\
    1. Open **Settings**.\n2. Choose `Billing`.\n\nOpened boxes are not refunded. Refunds take more than 5 days.";
const PARCELS: &str = "Parcels arrive in two days. They are insured up to $500. Ask us if it took longer.";

fn quotes(text: &str) -> bool {
    is_quotation(text, &[PLANS, PARCELS])
}

fn is_quotation(text: &str, cited: &[&str]) -> bool {
    held(text, cited, Language::English).0 == Held::Quoted
}

#[test]
fn the_words_of_a_whole_unit_or_of_two_are_a_quotation() {
    for text in [
        "Studio costs 23 euros.",
        "**Studio** costs 23 Euros!",
        "Paid yearly, it costs 226 euros",
        "- Open Settings\n- Choose Billing",
        "Parcels arrive in two days.\n\nStudio costs 23 euros.",
        "Parcels arrive in two days, they are insured up to $500.",
        "Opened boxes are not refunded.",
    ] {
        assert!(quotes(text), "{text}");
    }
}

#[test]
fn words_of_two_sentences_about_different_things_are_no_quotation() {
    for text in [
        "Paid yearly it costs 23 euros.",
        "Studio costs 226 euros.",
        "Studio costs 23 euros paid yearly.",
        "Studio paid yearly costs 226 euros.",
    ] {
        assert!(!quotes(text), "{text}");
    }
    assert!(!is_quotation("Call us on 7 days a week.", &["Call us on 7. Days a week."]));
}

#[test]
fn sentences_of_different_entries_are_no_neighbours() {
    let (first, then) = ("Refunds take a while.", "Studio is cheap.");
    assert!(is_quotation("Refunds take a while; Studio is cheap.", &[&format!("{first} {then}")]));
    assert!(!is_quotation("Refunds take a while; Studio is cheap.", &[first, then]));
}

#[test]
fn rows_code_and_introduced_items_are_quoted_in_their_form_or_without_it() {
    let source = "Prices:\n\n- Giro: free\n- Card: 2 euros\n\n| Zone | Days |\n|---|---|\n| North | 4 to 5 |\n| South | never |\n\n\
        1. Run this:\n\n   ```bash\n   bike --end now\n   ```";
    for (text, quotes) in [
        ("North | 4 to 5", true),
        ("| North | 4 to 5 |", true),
        ("Zone | Days\n---|---\nNorth | 4 to 5", true),
        ("North: 4 to 5", true),
        ("4 to 5", false),
        ("South | 4 to 5", false),
        ("North | never", false),
        ("Prices: Card: 2 euros", true),
        ("Prices: Giro: free\n\n…\n\n- Card: 2 euros", true),
        ("Giro: 2 euros", false),
        ("1. Run this:\n   ```bash\n   bike --end now\n   ```", true),
        ("`bike --end now`", true),
        ("Run this: bike --end later", false),
    ] {
        assert_eq!(is_quotation(text, &[source]), quotes, "{text}");
    }
}

#[test]
fn stop_words_and_marks_alone_are_no_quotation() {
    for text in ["", "You can.", "It is.", "Parcels arrive in two days. You can.", "…", "- ", "**"] {
        assert!(!is_quotation(text, &[PARCELS, "You can. It is."]), "{text}");
    }
}

#[test]
fn a_word_a_sign_or_a_denial_more_or_less_is_no_quotation() {
    for text in [
        "Opened boxes are refunded.",
        "boxes are refunded",
        "Refunds take 5 days.",
        "Refunds take less than 5 days.",
        "They are insured up to €500.",
        "They are insured over $500.",
        "Parcels arrive in three days.",
        "Parcels never arrive in two days.",
        "Parcels arrive in days two.",
    ] {
        assert!(!quotes(text), "{text}");
    }
    assert!(!is_quotation("boxes are refunded.", &["It is not true that boxes are refunded."]));
}

#[test]
fn the_number_of_words_and_articles_reword_a_sentence() {
    use Language::{English, French, German, Hungarian};
    const GERMAN: &str =
        "Die Rückgabe ist 30 Tage möglich. Nur Mitglieder zahlen nichts. Ab 50 Euro ist der Versand frei.";
    const FRENCH: &str = "Le retour est possible sous 30 jours. Vous payez les frais.";
    for (language, cited, text, held_as) in [
        (English, PARCELS, "A parcel arrives in two days.", Held::Reworded),
        (English, PARCELS, "It is insured up to $500.", Held::Reworded),
        (English, PARCELS, "It is insured up to €500.", Held::Not),
        (English, PARCELS, "The parcel arrives in two days. They are insured up to $500.", Held::Reworded),
        (English, PARCELS, "The parcel arrives in three days.", Held::Not),
        (English, PARCELS, "The parcel arrives in 2 days.", Held::Not),
        (English, PARCELS, "It is the.", Held::Not),
        (English, "Plan A has ten users. Ask IT.", "The plan has ten users.", Held::Not),
        (English, "Plan A has ten users. Ask IT.", "Plans have ten users.", Held::Not),
        (English, "Plan A has ten users. Ask IT.", "A plan A has ten users.", Held::Reworded),
        (English, "The plan has ten users.", "Plan A has ten users.", Held::Not),
        (English, "You pay the fee.", "We pay the fee.", Held::Not),
        (English, "You pay the fee.", "You paid the fee.", Held::Not),
        (English, "You refund the fee.", "You are refunded the fee.", Held::Not),
        (English, "The fee is refunded.", "The fee refunds.", Held::Not),
        (English, "The fees are charged monthly.", "The fee is charged monthly.", Held::Reworded),
        (English, "We offer repairs.", "We offered repairs.", Held::Not),
        (
            English,
            "We offer repairs in all cities and on boxes.",
            "We offer repair in all city and on box.",
            Held::Reworded,
        ),
        (English, "Refunds take up to 5 days.", "The refund takes 5 days.", Held::Not),
        (English, "Only members can return gifts.", "The members can return gifts.", Held::Not),
        (German, GERMAN, "Eine Rückgabe ist 30 Tage möglich.", Held::Reworded),
        (German, GERMAN, "Eine Rückgabe ist 30 Tage nicht möglich.", Held::Not),
        (German, GERMAN, "Die Mitglieder zahlen nichts.", Held::Not),
        (German, GERMAN, "Bis 50 Euro ist der Versand frei.", Held::Not),
        (French, FRENCH, "Les retours sont possibles sous 30 jours.", Held::Reworded),
        (French, FRENCH, "Vous payiez les frais.", Held::Not),
        (German, "Die Kunden zahlten nichts.", "Die Kunden zahlen nichts.", Held::Not),
        (Language::Spanish, "Usted pagó la tasa.", "Usted pago la tasa.", Held::Not),
        (French, FRENCH, "Nous payons les frais.", Held::Not),
        (Hungarian, "A csomag két nap alatt megérkezik.", "A csomag öt nap alatt megérkezik.", Held::Not),
    ] {
        assert_eq!(held(text, &[cited], language).0, held_as, "{text}");
    }
}

#[test]
fn texts_without_blanks_are_quoted_by_the_sentence() {
    let source = "返金は5日以内に行います。開封品は対象外です。";
    assert!(is_quotation("返金は5日以内に行います。", &[source]));
    assert!(!is_quotation("返金は3日以内に行います。", &[source]));
}

#[test]
fn a_unit_without_one_of_its_words_is_not_held() {
    use Language::{English, German, Tamil};
    for (language, cited, text) in [
        (English, "Unopened boxes can be returned within 30 days.", "Boxes can be returned within 30 days."),
        (English, "Unopened boxes can be returned within 30 days.", "Unopened boxes can be returned."),
        (English, "Delivery is free on orders over 50 euros.", "Delivery is free."),
        (English, "- Delivery is free on orders over 50 euros", "- Delivery is free"),
        (English, "1. Pay the fee if you are no member.", "1. Pay the fee."),
        (English, "Over 50 euros: delivery is free.", "Delivery is free."),
        (English, "| Parcel | free | over 50 euros |", "Parcel: free"),
        (German, "Geschenke werden keinesfalls erstattet.", "Geschenke werden erstattet."),
        (Tamil, "திறந்த பெட்டிகள் திரும்பப் பெறப்படாது.", "திறந்த பெட்டிகள்."),
        (English, "未開封の箱は返品できます。", "箱は返品できます。"),
    ] {
        assert_eq!(held(text, &[cited], language).0, Held::Not, "{text}");
        assert_eq!(held(cited, &[cited], language).0, Held::Quoted, "{cited}");
    }
}

#[test]
fn units_of_a_text_are_said_in_its_order_and_without_a_gap_between_steps() {
    let source =
        "Read this first.\n\n1. Open the lid.\n2. Press the button.\n3. Wait.\n4. Press the button.\n\nCall us then.";
    for (text, quotes) in [
        ("1. Open the lid.\n2. Press the button.", true),
        ("2. Press the button.\n3. Wait.\n4. Press the button.\n\nCall us then.", true),
        ("Open the lid, press the button.\n\nWait.", true),
        ("Read this first. Call us then.", true),
        ("Call us then. Read this first.", false),
        ("2. Press the button.\n1. Open the lid.", false),
        ("1. Open the lid.\n2. Wait.", false),
        ("1. Open the lid.\n\n…\n\n3. Wait.", false),
        ("Open the lid.\n\nOpen the lid.", false),
    ] {
        assert_eq!(is_quotation(text, &[source]), quotes, "{text}");
    }
    let two = ["Prices rise. Call us.", "Parcels arrive."];
    assert!(is_quotation("Prices rise. Parcels arrive. Call us.", &two), "each text has its own order");
}

#[test]
fn the_texts_that_hold_an_answer_are_told_from_those_that_are_only_cited() {
    let cited = ["Prices rise.", PARCELS, PLANS];
    let text = "Parcels arrive in two days. Studio costs 23 euros.";
    assert_eq!(held(text, &cited, Language::English), (Held::Quoted, vec![1, 2]));
}

#[test]
fn comparing_is_linear() {
    let own = ["a ", "two days ", "- Open the lid.\n", "1. Open:\n", "Prices are: "];
    growth::linear("verbatim", 16_000, own, |text| {
        // Every unit is another one: none is found at the first place.
        let numbered = text.split_inclusive(' ').enumerate().map(|(at, word)| format!("{word} fee{at}x.\n\n"));
        let text: String = numbered.collect();
        assert_eq!(held(&text, &[&text], Language::English).0, Held::Quoted);
        assert_eq!(held(&text.replace("fee", "a fee"), &[&text], Language::English).0, Held::Reworded);
    });
}
