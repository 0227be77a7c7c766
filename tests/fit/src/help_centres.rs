//! Real help centres: a set names repositories, commits and paths, and nothing of them is stored. Their files are read from
//! clones, and become entries as an ingest makes them.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use answer::embedding::Embedder;
use domain::models::{Language, Turn};
use page::Page;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;

use crate::player::{EntryLine, Player, said};
use crate::sets::{lines, write};

type Outcome = Result<(), Box<dyn Error>>;

#[derive(Deserialize)]
struct SourceLine {
    repo: String,
    commit: String,
    paths: Vec<String>,
    /// Titles that a site keeps outside of its files, by path.
    #[serde(default)]
    titles: HashMap<String, String>,
    /// Of the site's wiki; English if none is said.
    #[serde(default)]
    language: Option<Language>,
}

#[derive(Deserialize)]
struct QuestionLine {
    id: String,
    repo: String,
    kind: String,
    turns: Vec<AskedTurn>,
}

#[derive(Deserialize)]
struct AskedTurn {
    say: String,
    expect: String,
    kind: Option<String>,
    #[serde(default)]
    gold: Vec<String>,
    #[serde(default)]
    contains: Vec<String>,
    #[serde(default)]
    not_contains: Option<Vec<String>>,
}

/// Every question of `folder` to the site that it is about, whose clone is `mirror/owner+name/repo`.
pub(crate) async fn help_centres(
    folder: &Path,
    mirror: &Path,
    embedder: Option<&Embedder>,
    out: &mut impl Write,
) -> Outcome {
    let questions: Vec<QuestionLine> = lines(&folder.join("questions.jsonl"))?;
    for source in lines::<SourceLine>(&folder.join("sources.jsonl"))? {
        let player =
            Player::new(entries(&source, mirror)?, source.language.unwrap_or(Language::English), embedder).await?;
        for question in questions.iter().filter(|question| question.repo == source.repo) {
            ask(&player, &source, question, out).await?;
        }
    }
    Ok(())
}

async fn ask(player: &Player, source: &SourceLine, question: &QuestionLine, out: &mut impl Write) -> Outcome {
    let mut history: Vec<Turn> = Vec::new();
    for (place, turn) in question.turns.iter().enumerate().filter(|(_, turn)| turn.expect != "not_small_talk") {
        let played = player.ask(&turn.say, &history, true).await;
        let gold: Vec<String> = turn.gold.iter().map(|path| format!("{}/", prefix(&source.repo, path))).collect();
        let about = json!({"set": "help", "id": question.id, "kind": turn.kind.as_ref().unwrap_or(&question.kind),
            "place": place, "answerable": turn.expect == "answered", "gold": gold, "contains": turn.contains,
            "not_contains": turn.not_contains, "domain": source.repo});
        write(out, about, &turn.say, &played)?;
        said(&mut history, &turn.say, &played.answered);
    }
    Ok(())
}

fn entries(source: &SourceLine, mirror: &Path) -> Result<Vec<EntryLine>, Box<dyn Error>> {
    let clone = mirror.join(source.repo.replace('/', "+")).join("repo");
    let mut entries = Vec::new();
    for path in &source.paths {
        let shown =
            Command::new("git").arg("-C").arg(&clone).args(["show", &format!("{}:{path}", source.commit)]).output()?;
        if !shown.status.success() {
            return Err(format!("{}: {}", clone.display(), String::from_utf8_lossy(&shown.stderr)).into());
        }
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        let text = source.titles.get(path).map_or(text.clone(), |title| format!("# {title}\n\n{text}"));
        let prefix = prefix(&source.repo, path);
        let name = prefix.rsplit('/').next().unwrap_or_default().replace('-', " ");
        let page = Page { text: &text, kind: None, url: None, name: &name };
        let Ok(drafts) = page::drafts(&page) else {
            eprintln!("{path} has no text");
            continue;
        };
        let entry = |draft: page::SectionDraft| EntryLine {
            path: format!("{prefix}/{}", draft.slug),
            title: draft.title,
            content: draft.content,
            visibility: None,
        };
        entries.extend(drafts.into_iter().map(entry));
    }
    Ok(entries)
}

/// The path prefix of a file: its folders and name, at most seven segments, of letters, digits and `-`.
fn prefix(repo: &str, path: &str) -> String {
    let name = path.rsplit_once('.').map_or(path, |(name, _)| name);
    let repo = repo.rsplit('/').next().unwrap_or_default();
    let segment = |part: &str| {
        let words = part.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let joined: String = words.collect::<Vec<_>>().join("-").chars().take(90).collect();
        joined.trim_matches('-').to_owned()
    };
    let mut parts: Vec<String> = std::iter::once(repo).chain(name.split('/')).map(segment).collect();
    parts.retain(|part| !part.is_empty());
    if parts.len() > 7 {
        parts.drain(3..parts.len() - 4);
    }
    parts.join("/")
}
