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
