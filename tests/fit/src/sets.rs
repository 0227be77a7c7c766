//! The formats of the sets, and how each is run.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use domain::models::Turn;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::player::{Played, Player, said};

type Outcome = Result<(), Box<dyn Error>>;

#[derive(Deserialize)]
struct QuestionLine {
    id: String,
    question: String,
    answerable: bool,
    gold_paths: Vec<String>,
    gold_answers: Vec<String>,
    /// Where it comes from.
    #[serde(default)]
    group: String,
}

#[derive(Deserialize)]
struct ConversationLine {
    id: String,
    turns: Vec<String>,
    answerability: String,
    gold_paths: Vec<String>,
    #[serde(default)]
    collection: String,
}

#[derive(Deserialize)]
struct ChatLine {
    id: String,
    kind: String,
    turns: Vec<ChatTurn>,
}

#[derive(Deserialize)]
struct ChatTurn {
    say: String,
    expect: String,
    #[serde(default)]
    gold: Vec<String>,
    #[serde(default)]
    contains: Vec<String>,
}

/// The lines of a file, each a JSON value.
pub(crate) fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Box<dyn Error>> {
    let opened = File::open(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let mut all = Vec::new();
    for line in BufReader::new(opened).lines() {
        let line = line?;
        if !line.trim().is_empty() {
            all.push(serde_json::from_str(&line).map_err(|why| format!("{}: {why}", file.display()))?);
        }
    }
    Ok(all)
}

/// Every question in a session of its own, and its other wordings.
pub(crate) async fn questions(player: &Player, folder: &Path, variants: &[PathBuf], out: &mut impl Write) -> Outcome {
    let questions: Vec<QuestionLine> = lines(&folder.join("questions.jsonl"))?;
    for question in &questions {
        let about = json!({"set": "questions", "id": question.id, "answerable": question.answerable,
            "gold": question.gold_paths, "gold_answers": question.gold_answers, "domain": question.group});
        write(out, about, &question.question, &player.ask(&question.question, &[], false).await)?;
    }
    crossed_questions(player, &questions, out).await?;
    for file in variants {
        for wordings in lines::<Map<String, Value>>(file)? {
            let id = wordings.get("id").and_then(Value::as_str).unwrap_or_default();
            let Some(question) = questions.iter().find(|question| question.id == id) else { continue };
            for (kind, text) in wordings.iter().filter(|(kind, _)| *kind != "id") {
                let text = text.as_str().unwrap_or_default();
                let about = json!({"set": "variants", "id": id, "kind": kind, "answerable": true,
                    "gold": question.gold_paths});
                write(out, about, text, &player.ask(text, &[], false).await)?;
            }
        }
    }
    Ok(())
}

/// Every question after another one, which has nothing to do with it: what was asked before must not make it
/// answerable.
async fn crossed_questions(player: &Player, questions: &[QuestionLine], out: &mut impl Write) -> Outcome {
    let befores = questions.iter().filter(|question| question.answerable).cycle();
    for (question, before) in questions.iter().zip(befores.skip(questions.len() / 2)) {
        let about = json!({"set": "crossed", "id": question.id, "kind": "questions", "answerable": question.answerable,
            "gold": question.gold_paths});
        let history = after(player, &before.question, false).await;
        write(out, about, &question.question, &player.ask(&question.question, &history, false).await)?;
    }
    Ok(())
}

/// The turns before a chat's question: `text` was asked first.
async fn after(player: &Player, text: &str, widget: bool) -> Vec<Turn> {
    let mut history = Vec::new();
    said(&mut history, text, &player.ask(text, &[], widget).await.answered);
    history
}

/// Every conversation, and its last turn alone.
pub(crate) async fn turns(player: &Player, folder: &Path, out: &mut impl Write) -> Outcome {
    for line in lines::<ConversationLine>(&folder.join("conversations.jsonl"))? {
        let Some((last, before)) = line.turns.split_last() else { continue };
        let about = |kind: &str| {
            json!({"set": "turns", "id": line.id, "kind": kind, "answerability": line.answerability,
                "answerable": line.answerability == "answerable", "follows": before.len(), "gold": line.gold_paths,
                "domain": line.collection})
        };
        write(out, about("alone"), last, &player.ask(last, &[], false).await)?;
        let mut history: Vec<Turn> = Vec::new();
        for text in before {
            let played = player.ask(text, &history, false).await;
            said(&mut history, text, &played.answered);
        }
        write(out, about("talk"), last, &player.ask(last, &history, false).await)?;
    }
    Ok(())
}

/// Every turn of every chat that is a question to the wiki, as a widget; what kind of turn it is comes from the set.
pub(crate) async fn chats(player: &Player, folder: &Path, out: &mut impl Write) -> Outcome {
    let chats = lines::<ChatLine>(&folder.join("chats.jsonl"))?;
    crossed_chats(player, &chats, out).await?;
    for chat in chats {
        let mut history: Vec<Turn> = Vec::new();
        for (place, turn) in chat.turns.iter().enumerate() {
            if turn.expect != "answered" && turn.expect != "no_answer" {
                continue;
            }
            let played = player.ask(&turn.say, &history, true).await;
            let about = json!({"set": "chats", "id": chat.id, "kind": chat.kind, "place": place,
                "answerable": turn.expect == "answered", "gold": turn.gold, "contains": turn.contains,
                "domain": folder.file_name().map(|name| name.to_string_lossy())});
            write(out, about, &turn.say, &played)?;
            said(&mut history, &turn.say, &played.answered);
        }
    }
    Ok(())
}

/// How many chats each first question is asked after.
const BEFORES: usize = 4;

/// The first question of every chat after the first ones of others.
async fn crossed_chats(player: &Player, chats: &[ChatLine], out: &mut impl Write) -> Outcome {
    let firsts = || chats.iter().filter_map(|chat| Some((chat, chat.turns.first()?)));
    let befores: Vec<&ChatTurn> = firsts().map(|(_, turn)| turn).filter(|turn| turn.expect == "answered").collect();
    let asked = firsts().filter(|(_, turn)| turn.expect == "answered" || turn.expect == "no_answer");
    for (place, (chat, turn)) in asked.enumerate() {
        for before in befores.iter().cycle().skip(7 * place).step_by(31).filter(|b| b.gold != turn.gold).take(BEFORES) {
            let about = json!({"set": "crossed", "id": chat.id, "kind": "chats", "answerable": turn.expect == "answered",
                "gold": turn.gold, "contains": turn.contains});
            let history = after(player, &before.say, true).await;
            write(out, about, &turn.say, &player.ask(&turn.say, &history, true).await)?;
        }
    }
    Ok(())
}

/// Writes the line of one question.
pub(crate) fn write(out: &mut impl Write, mut about: Value, text: &str, played: &Played) -> Outcome {
    let answered = &played.answered;
    let found: Vec<&str> = answered.sources.iter().map(|source| source.path.as_str()).collect();
    if let Some(fields) = about.as_object_mut() {
        fields.insert("text".to_owned(), json!(text));
        fields.insert("sources".to_owned(), json!(found));
        fields.insert("answer".to_owned(), json!(answered.text));
        fields.insert("answered".to_owned(), json!(!answered.unanswered));
        fields.insert("confidence".to_owned(), json!(answered.confidence));
        fields.insert("quote".to_owned(), json!(played.quote));
        fields.insert("evidence".to_owned(), played.evidence.clone());
        fields.insert("readings".to_owned(), played.readings.clone());
    }
    writeln!(out, "{about}")?;
    Ok(())
}
