//! Lets a model title and tidy one section of a page, and keeps only what the section itself says.
//!
//! The section is data between boundary lines, as a passage is in an answer's prompt. Each part of the reply is checked
//! ([`grounding`]): a title or text that says anything else is discarded, and the section stays as read.

pub(super) mod grounding;
mod section;

use std::collections::HashSet;
use std::time::Duration;

use serde::Deserialize;

use super::model::{LanguageModel, ModelError, ModelRequest};
use super::prompt::boundary::Boundary;
use domain::clock::Runtime;
use domain::{Error, Result};
pub use section::Section;
use text::sanitise;

/// The system role: fixed instructions, no text of pages.
const SYSTEM: &str = include_str!("system.txt");
/// A section of more characters is left as it is.
const MAX_CHARS: usize = 8_000;
/// Bytes of a whole reply; more is refused unread.
const MAX_REPLY_BYTES: usize = 64 * 1024;
/// The most characters of a title.
const TITLE_CHARS: usize = 200;

/// The parts of a model's reply that say only what the section says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tidied {
    /// Another title.
    pub title: Option<String>,
    /// Another text.
    pub content: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    title: String,
    content: String,
}

/// Asks once, with the given `timeout`. A section that is too long for one request is not sent.
///
/// # Errors
/// The model did not answer, or not in the requested form; the error never contains what it wrote.
pub async fn tidy(
    model: &dyn LanguageModel,
    runtime: &Runtime,
    section: &Section<'_>,
    timeout: Duration,
) -> Result<Tidied, ModelError> {
    if section.content.chars().count() > MAX_CHARS {
        return Ok(Tidied { title: None, content: None });
    }
    let failed = |error: Error| ModelError::Failed(error.to_string());
    let boundary = Boundary::generate(runtime).map_err(failed)?;
    let mut user = boundary.preamble();
    boundary.fence(&mut user, "heading", &sanitise::visible(section.title));
    boundary.fence(&mut user, "section", &sanitise::visible(section.content));
    user.push_str("Reply with the JSON object and nothing else.\n");
    let max_tokens = 1_024 + u32::try_from(section.content.len() / 2).unwrap_or(u32::MAX);
    let request = ModelRequest { system: SYSTEM.to_owned(), user, max_tokens, timeout };
    let reply = tokio::time::timeout(timeout, model.complete(&request)).await;
    let reply = read(&reply.unwrap_or(Err(ModelError::Timeout))?)?;
    Ok(accepted(section, &boundary, reply))
}

fn read(reply: &str) -> Result<Reply, ModelError> {
    let invalid_reply = |why: &str| ModelError::Unusable(why.to_owned());
    if reply.len() > MAX_REPLY_BYTES {
        return Err(invalid_reply("a reply of more than 64 KB"));
    }
    let reply = reply.trim();
    let inner = reply.strip_prefix("```json").or_else(|| reply.strip_prefix("```"));
    let reply = inner.and_then(|rest| rest.strip_suffix("```")).map_or(reply, str::trim);
    if !reply.starts_with('{') {
        return Err(invalid_reply("no JSON object"));
    }
    serde_json::from_str(reply).map_err(|_| invalid_reply("not the object that was asked for"))
}

fn accepted(section: &Section<'_>, boundary: &Boundary, reply: Reply) -> Tidied {
    let links: HashSet<String> = sanitise::find_links(section.content).map(str::to_owned).collect();
    let clean = |text: &str| sanitise::answer(text, &links);
    let leaks = |text: &str| text.to_lowercase().contains(boundary.as_str()) || text.contains(super::prompt::CANARY);
    let title = clean(&reply.title).split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = (1..=TITLE_CHARS).contains(&title.chars().count()) && !leaks(&title);
    let content = clean(&reply.content);
    // Code and tables are facts as they stand, and so are links.
    let as_it_stands = ["```", "\n|", "](", "\n    "].iter().any(|mark| section.content.contains(mark));
    Tidied {
        title: (fits && grounding::title(section, &title)).then_some(title),
        content: (!as_it_stands && !leaks(&content) && grounding::content(section, &content)).then_some(content),
    }
}

#[cfg(test)]
mod tests;
