//! What a language model that reads perfectly makes of the chats with a small shop: whether the right passages reach it,
//! and whether its answers reach the customer.
//!
//! The chats (`tests/fixtures/chats/plants`) were written for this project. A turn is right if its disposition is the
//! expected one and an answer comes from an expected entry, shows every fact, and has at most 90 words.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use answer::model::ModelRequest;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::{Actor, ModelStub, TestService, answered, rewrites, rewritten};

/// The share of chats that are right, without embeddings: without them no question in other words is found.
const LEAST_RIGHT: f64 = 0.76;

#[derive(Deserialize)]
struct Chat {
    id: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize, Clone, Default)]
struct Turn {
    say: String,
    expect: String,
    /// The entries that may be the first source.
    #[serde(default)]
    gold: Vec<String>,
    /// What the answer must show.
    #[serde(default)]
    contains: Vec<String>,
}

#[derive(Deserialize)]
struct Entry {
    path: String,
    title: String,
}

fn lines<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chats/plants");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The passages of a request: number, title and text.
fn passages(request: &ModelRequest) -> Vec<(usize, &str, &str)> {
    let parts = request.user.split(" begin passage ").skip(1);
    let read = parts.filter_map(|part| {
        let (number, rest) = part.split_once("]\n")?;
        let (data, _) = rest.split_once("\n[data-")?;
        let (title, text) = data.strip_prefix("Title: ")?.split_once('\n')?;
        Some((number.parse().ok()?, title, text))
    });
    read.collect()
}

/// The units that hold the facts of `turn`, each once, and the passages that they stand in.
fn read(request: &ModelRequest, turn: &Turn, titles: &HashMap<String, String>) -> Option<String> {
    if rewrites(request) {
        return Some(rewritten(&turn.say));
    }
    let (mut said, mut cited) = (Vec::new(), Vec::new());
    let is_gold = |title: &str| turn.gold.iter().any(|path| titles.get(path).is_some_and(|gold| gold == title));
    for fact in &turn.contains {
        let found = passages(request).into_iter().filter(|(_, title, _)| is_gold(title)).find_map(|(number, _, text)| {
            let unit = text::units(text).into_iter().find(|unit| unit.text.contains(fact.as_str()))?;
            Some((number, unit.text.into_owned()))
        });
        let Some((number, unit)) = found else { return Some(not_in_passages()) };
        if !said.contains(&unit) {
            said.push(unit);
        }
        cited.push(number);
    }
    Some(if said.is_empty() { not_in_passages() } else { answered(&said.join("\n\n"), &cited) })
}

fn not_in_passages() -> String {
    json!({"answer": "", "sources": [], "answerable": false}).to_string()
}

fn is_right(turn: &Turn, got: &Value) -> bool {
    let answer = got["answer"].as_str().unwrap();
    let source = got["sources"][0]["path"].as_str().unwrap_or_default();
    match turn.expect.as_str() {
        "answered" => {
            got["disposition"] == "answered"
                && turn.gold.iter().any(|path| path == source)
                && turn.contains.iter().all(|fact| answer.contains(fact.as_str()))
                && answer.split_whitespace().count() <= 90
        }
        "no_answer" => got["unanswered"] == true,
        "human" => got["ownership"] != "ai",
        _ => {
            let sources = got["sources"].as_array().unwrap();
            got["disposition"] == "small_talk"
                && sources.is_empty()
                && got["unanswered"] == false
                && got["ownership"] == "ai"
        }
    }
}

/// What was wrong in a chat of its own.
async fn wrong(widget: &Actor, chat: &Chat, asked: &Mutex<Turn>) -> Option<String> {
    let session = widget.session_with(json!({"channel": "widget"})).await;
    for turn in &chat.turns {
        *asked.lock().unwrap() = turn.clone();
        let reply = widget.ask(&session, &turn.say).await;
        let got = reply.expect(200);
        if !is_right(turn, got) {
            let first = &got["sources"][0]["path"];
            return Some(format!("{} {:?}: {} from {first}: {}", chat.id, turn.say, got["disposition"], got["answer"]));
        }
    }
    None
}

#[tokio::test]
async fn a_model_that_reads_perfectly_gets_the_chats_with_a_small_shop_right() {
    let entries: Vec<Value> = lines("entries.jsonl");
    let titles = lines::<Entry>("entries.jsonl").into_iter().map(|entry| (entry.path, entry.title)).collect();
    let asked = Arc::new(Mutex::new(Turn::default()));
    let turn = asked.clone();
    let model = ModelStub::new(move |request| read(request, &turn.lock().unwrap(), &titles));
    let service = TestService::with(|options| options.model = Some(model)).await;
    let trainer = service.trainer();
    for entry in entries {
        trainer.post("/wiki", entry).await.expect(201);
    }
    let chats: Vec<Chat> = lines("chats.jsonl");
    let mut wrongs = Vec::new();
    for chat in &chats {
        wrongs.extend(wrong(&service.integration(), chat, &asked).await);
    }
    let right = 1.0 - wrongs.len() as f64 / chats.len() as f64;
    assert!(right >= LEAST_RIGHT, "{right:.3} of {} chats are right; not:\n{}", chats.len(), wrongs.join("\n"));
}
