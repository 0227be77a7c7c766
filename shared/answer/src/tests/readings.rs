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
    for question in ["how much is a workshop", "how long is a workshop", "how many workshops are there"] {
        let asked = answer(&[workshop], question).await;
        assert!(asked.confidence < 0.5 && asked.confidence < answered.confidence, "{question}: {asked:?}");
    }
}

#[tokio::test]
async fn the_opposite_of_what_is_asked_lowers_the_confidence() {
    let on = ("Turn on automatic renewal", "Open Billing and turn on automatic renewal.");
    let same = answer(&[on], "how do I turn on automatic renewal").await;
    let other = answer(&[on], "how do I turn off automatic renewal").await;
    assert!(other.confidence + 0.15 < same.confidence, "{} and {}", other.confidence, same.confidence);
}

#[tokio::test]
async fn two_sections_of_a_page_that_say_it_are_both_quoted() {
    let index = MemoryIndex::default();
    let write = |path: &str, title: &str, content: &str| index.write(path, title, content, Visibility::Public);
    write(
        "account/delete/web",
        "Delete your account › In the browser",
        "1. Open **Profile**.\n2. Select **Delete account**.",
    );
    write("account/delete/app", "Delete your account › In the * app", "1. Tap the menu.\n2. Tap **Delete account**.");
    write("account/delete/data", "Delete your account › Your invoices", "We keep invoices for ten years.");
    write("account/close/team", "Close a team › In the browser", "1. Open **Team**.\n2. Select **Close**.");
    let answered = ask(&engine(Arc::new(index), None), "how do i delete my account", PUBLIC).await;
    let used: Vec<&str> =
        answered.sources.iter().filter(|source| source.used).map(|source| source.path.as_str()).collect();
    assert_eq!(used.len(), 2, "{answered:?}");
    for text in ["**In the browser**\n\n1. Open **Profile**.", "**In the * app**\n\n1. Tap the menu."] {
        assert!(answered.text.contains(text), "{answered:?}");
    }
    assert!(!answered.text.contains("invoices") && !answered.text.contains("Team"), "{answered:?}");
}
