//! Replies of a language model.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

use answer::prompt::{MAX_ANSWER_BYTES, Prompt, PromptInput, PromptPassage, build, parse};
use domain::clock::Runtime;
use serde_json::{Value, json};
use text::sanitise;

use crate::shown_text::assert_safe;

const WORDS: &[&str] = &[
    "{\"answer\":\"",
    "\",\"sources\":[",
    "],\"answerable\":true}",
    "0",
    "1",
    ",",
    "\"",
    "\\n",
    "\\u0000",
    "```json\n",
    "\n```",
    "```",
    "<img src=x>",
    "[x](javascript:a)",
    "[x](https://ok.example)",
    "https://evil.example",
    "lantern-4193",
    "-harbour",
    "pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO",
    "Refunds take five days.",
    "{",
    "}",
    "é",
    "\u{200B}",
];

static PROMPT: LazyLock<Prompt> = LazyLock::new(|| {
    let passages = [
        PromptPassage { title: "Refunds", text: "Refunds take five days. See https://ok.example for more." },
        PromptPassage { title: "Delivery", text: "Parcels come on Mondays." },
    ];
    let input = PromptInput {
        question: "How long does a refund take?",
        passages: &passages,
        history: &[],
        handover_note: None,
        timeout: Duration::from_secs(1),
    };
    build(&input, &Runtime::system()).unwrap()
});

/// A reply that is used holds nothing that was not offered, and is fit to be shown.
fn check(reply: &str) {
    let Ok(read) = parse(&PROMPT, reply) else { return };
    assert_eq!(read.text.is_empty(), read.not_in_passages, "{reply}");
    assert_eq!(read.cited.is_empty(), read.not_in_passages, "{reply}");
    let distinct: HashSet<usize> = read.cited.iter().copied().collect();
    assert!(distinct.len() == read.cited.len() && read.cited.iter().all(|at| *at < PROMPT.offered()), "{reply}");
    assert!(read.text.len() <= 4 * MAX_ANSWER_BYTES && !read.text.contains("https://evil"), "{reply}");
    assert_safe(&read.text);
    assert_eq!(sanitise::shown(&read.text).trim(), read.text.trim(), "{reply}");
}

#[test]
fn grounded_replies_as_text() {
    fuzz::texts!(WORDS, |text| {
        check(text);
        check(&json!({"answer": text, "sources": [1], "answerable": true}).to_string());
        check(&json!({"answer": text, "sources": [1, 2, 1], "answerable": true}).to_string());
    });
}

#[test]
fn grounded_replies_as_json() {
    let reply = json!({"answer": "Refunds take five days.", "sources": [1, 2], "answerable": true});
    assert!(parse(&PROMPT, &reply.to_string()).is_ok());
    fuzz::mutations!(reply, |value: &Value| check(&value.to_string()));
}
