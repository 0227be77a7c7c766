//! Reads sources from standard input and writes their entries to standard output, one JSON object a line.

use std::io::{self, BufRead, Write};

use page::{Kind, Page};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

/// A line of input.
#[derive(Deserialize)]
struct Source {
    id: Value,
    text: String,
    name: String,
    /// The address of a fetched page; none for a submitted text.
    url: Option<String>,
    /// `html`, `markdown` or `plain`; detected if it is missing.
    kind: Option<String>,
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let source: Source = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &entries(&source))?;
        writeln!(out)?;
    }
    Ok(())
}

fn entries(source: &Source) -> Value {
    let kind = match source.kind.as_deref() {
        Some("html") => Some(Kind::Html),
        Some("markdown") => Some(Kind::Markdown),
        Some("plain") => Some(Kind::Plain),
        _ => None,
    };
    let url = source.url.as_deref().and_then(|url| Url::parse(url).ok());
    let page = Page { text: &source.text, kind, url: url.as_ref(), name: &source.name };
    match page::drafts(&page) {
        Ok(drafts) => {
            let entries: Vec<Value> =
                drafts.iter().map(|draft| json!({ "title": draft.title, "content": draft.content })).collect();
            json!({ "id": source.id, "entries": entries })
        }
        Err(error) => json!({ "id": source.id, "error": format!("{error:?}") }),
    }
}
