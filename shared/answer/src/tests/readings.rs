//! The entry whose text says what was asked, and how sure that is.

use super::*;

async fn answer(entries: &[(&str, &str)], question: &str) -> Answered {
    let index = MemoryIndex::default();
    for (number, (title, content)) in entries.iter().enumerate() {
        index.write(&format!("help/{number}"), title, content, Visibility::Public);
    }
    ask(&engine(Arc::new(index), None), question, PUBLIC).await
}

#[tokio::test]
async fn the_entry_that_has_the_kind_of_answer_is_chosen() {
    let entries = [
        (
            "Returns",
            "Returns are free of charge. Print the label for your returns, and hand in the parcel of the returns.",
        ),
        ("Return policy", "You can return an item within 30 days."),
    ];
    let answered = answer(&entries, "how long do i have to return something?").await;
    assert!(answered.text.contains("30 days"), "{answered:?}");
    assert_eq!(paths(&answered).first(), Some(&"help/1"));
}

#[tokio::test]
async fn a_text_without_the_kind_of_answer_lowers_the_confidence() {
    let workshop = ("Workshops", "Each workshop is about bouquets and wreaths. Bring gloves to the workshop.");
    let answered = answer(&[workshop], "what are the workshops about").await;
    assert!(answered.confidence > 0.6, "{answered:?}");
    for question in
        ["how much is a workshop", "how long is a workshop", "how many workshops are there", "who gives a workshop"]
    {
        let asked = answer(&[workshop], question).await;
        assert!(asked.confidence < 0.5 && asked.confidence < answered.confidence, "{question}: {asked:?}");
    }
}

/// The confidences in answers from an entry, and from the same one with `more` behind it.
async fn confidences((title, says): (&str, &str), more: &str, question: &str) -> (f64, f64) {
    let without = answer(&[(title, says)], question).await;
    let with = answer(&[(title, &format!("{says} {more}"))], question).await;
    (without.confidence, with.confidence)
}

#[tokio::test]
async fn a_text_that_only_looks_like_the_kind_of_answer_lowers_the_confidence() {
    for (entry, more, question) in [
        (
            ("Postpone a show", "Once you postpone a show, we tell your followers of the show."),
            "A show can be postponed 3 times.",
            "how often can i postpone a show",
        ),
        (("Members", "We rely 100% on our members."), "We have 2,000 members.", "how many members do you have"),
        (
            ("Android app", "The Android app is free of ads."),
            "Android 8.1 is needed.",
            "what android version do i need",
        ),
        (
            ("Export from Safari", "Select File in Safari, then Export."),
            "You need Safari 15.0.",
            "which safari do i need",
        ),
        (
            ("Studentenrabatt", "Studenten bekommen den Rabatt auf Nachweis."),
            "Der Rabatt beträgt 40 %.",
            "Wie viel Rabatt bekommen Studenten?",
        ),
        (
            ("Licences", "Watch shows of your hosts for free. Buy the licence of a team in your account."),
            "A licence costs $50.",
            "how much is a licence of a team",
        ),
    ] {
        let (without, with) = confidences(entry, more, question).await;
        assert!(without < 0.75 && with > without + 0.15, "{question}: {without} {with}");
    }
}

#[tokio::test]
async fn what_says_it_in_other_words_is_the_kind_of_answer() {
    for (entry, question) in [
        (("Card", "Once your order ships, we charge your card."), "when do you charge my card"),
        (("Name", "Your name can be changed once a year."), "how often can i change my name"),
        (("Name", "Deinen Namen änderst du beliebig oft."), "wie oft ändere ich meinen namen"),
        (
            ("Browsers", "We support the last two versions of Chrome and Safari."),
            "which versions of Chrome do you support",
        ),
        (("Rechte", "Die App läuft auf Android ab der Version 8.0."), "Welche Android-Version brauche ich?"),
        (
            ("Install on Windows", "To install the app on Windows you need the rights of an admin."),
            "what do I need to install the app on Windows",
        ),
        (("Shipping", "Shipping is free for large orders."), "how much is shipping"),
        (("Returns", "They are free."), "how much are returns"),
        (("Members", "10 members get 10 % off."), "how many members get it"),
        (("Rabatt", "Studenten bekommen 40 % Rabatt."), "Wie viele Prozent Rabatt bekommen Studenten?"),
        (("Discount code", "Enter the discount code in the cart."), "what is the discount code for"),
    ] {
        let answered = answer(&[entry], question).await;
        assert!(answered.confidence > 0.6, "{question}: {answered:?}");
    }
}

#[tokio::test]
async fn the_opposite_of_what_is_asked_lowers_the_confidence() {
    let on = ("Turn on automatic renewal", "Open Billing and turn on automatic renewal.");
    let same = answer(&[on], "how do I turn on automatic renewal").await;
    let other = answer(&[on], "how do I turn off automatic renewal").await;
    assert!(other.confidence + 0.15 < same.confidence, "{} and {}", other.confidence, same.confidence);
}

/// The answer to "how do i delete my account" from two sections of a page and another page, and the entries it uses.
async fn delete(sections: [(&str, &str); 2]) -> (String, Vec<String>) {
    let index = MemoryIndex::default();
    let write = |path: &str, title: &str, content: &str| index.write(path, title, content, Visibility::Public);
    for (number, (section, content)) in sections.into_iter().enumerate() {
        write(&format!("account/delete/{number}"), &format!("Delete your account › {section}"), content);
    }
    write("account/close/team", "Close a team › In the browser", "1. Open **Team**.\n2. Select **Close**.");
    let answered = ask(&engine(Arc::new(index), None), "how do i delete my account", PUBLIC).await;
    let used = answered.sources.iter().filter(|source| source.used).map(|source| source.path.to_string());
    (answered.text.clone(), used.collect())
}

const BROWSER: &str = "1. Open **Profile**.\n2. Select **Delete account**.";
const APP: &str = "1. Tap the menu.\n2. Tap **Delete account**.";

#[tokio::test]
async fn two_sections_of_a_page_that_say_it_are_both_quoted() {
    let (text, used) = delete([("In the browser", BROWSER), ("In the * app", APP)]).await;
    assert_eq!(used.len(), 2, "{text}");
    for part in [format!("**In the browser**\n\n{BROWSER}"), format!("**In the * app**\n\n{APP}")] {
        assert!(text.contains(&part), "{text}");
    }
}

#[tokio::test]
async fn two_parts_of_a_section_are_quoted_in_their_order_under_one_heading() {
    let (text, used) = delete([("Steps (10/11)", APP), ("Steps (9/11)", BROWSER)]).await;
    assert_eq!((text, used.len()), (format!("**Steps**\n\n{BROWSER}\n\n{APP}"), 2));
}

#[tokio::test]
async fn a_section_that_does_not_say_it_is_not_quoted_beside_another() {
    let invoices = "We keep invoices for ten years.";
    let (text, used) = delete([("In the browser", BROWSER), ("Invoices", invoices)]).await;
    assert_eq!((used.len(), text.contains(invoices)), (1, false), "{text}");
}

#[tokio::test]
async fn two_sections_of_more_than_two_hundred_words_are_not_quoted_together() {
    let step =
        |number| format!("{number}. Open page {number} of your account, read what it says, and select **Delete**.\n");
    let steps: String = (1..=10).map(step).collect();
    let (text, used) = delete([("In the browser", &steps), ("In the app", &steps)]).await;
    assert_eq!((used.len(), text.contains("**In the")), (1, false), "{text}");
}
