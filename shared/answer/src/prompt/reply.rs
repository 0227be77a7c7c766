//! Strict parsing of a model's reply: exactly one JSON object without forbidden content.

use std::collections::HashSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{CANARY, Prompt, SYSTEM, words};
use crate::model::ModelError;
use text::sanitise;

/// Bytes of an answer.
pub const MAX_ANSWER_BYTES: usize = 8 * 1024;
/// Bytes of a whole reply; more is refused unread.
const MAX_REPLY_BYTES: usize = 64 * 1024;
/// This many words of [`SYSTEM`] in a row are not a coincidence.
const ECHO_WORDS: usize = 8;

/// A model's reply, fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundedReply {
    /// The answer, sanitised; empty if the passages do not hold it.
    pub text: String,
    /// Positions in the passages given to [`super::build`], each once, as cited; never empty with an answer.
    pub cited: Vec<usize>,
    /// The model's vote that the passages do not hold the answer.
    pub not_in_passages: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    answer: String,
    sources: Vec<usize>,
    answerable: bool,
}

/// Parses the reply to `prompt`.
///
/// # Errors [`ModelError::Unusable`] for anything but the requested object, for sources that were not offered or an
/// answer without any, for an empty or too long answer, and for one that repeats the instructions, the boundary or the
/// handover note, or shows something like a key. The error never contains what the model wrote.
pub fn parse(prompt: &Prompt, reply: &str) -> Result<GroundedReply, ModelError> {
    let reply: Reply = object(reply)?;
    let cited = positions(&reply.sources, prompt.offered)?;
    if !reply.answerable {
        return Ok(GroundedReply { text: String::new(), cited: Vec::new(), not_in_passages: true });
    }
    if cited.is_empty() {
        return Err(invalid_reply("an answer that cites nothing"));
    }
    if reply.answer.len() > MAX_ANSWER_BYTES {
        return Err(invalid_reply("an answer of more than 8 KB"));
    }
    let text = sanitise::answer(&reply.answer, &prompt.links);
    let rendered = sanitise::to_plain_text(&reply.answer);
    if text.is_empty() || rendered.trim().is_empty() {
        return Err(invalid_reply("an empty answer"));
    }
    for shown in [&sanitise::visible(&reply.answer), &text, &rendered] {
        check_leaks(prompt, shown)?;
    }
    Ok(GroundedReply { text, cited, not_in_passages: false })
}

pub(crate) fn invalid_reply(why: &str) -> ModelError {
    ModelError::Unusable(why.to_owned())
}

/// The requested object, alone or alone in one fence.
///
/// # Errors [`ModelError::Unusable`] for anything else.
pub(crate) fn object<T: DeserializeOwned>(reply: &str) -> Result<T, ModelError> {
    if reply.len() > MAX_REPLY_BYTES {
        return Err(invalid_reply("a reply of more than 64 KB"));
    }
    let reply = strip_code_fence(reply.trim());
    if reply.is_empty() {
        return Err(invalid_reply("an empty reply"));
    }
    // serde reads an array as a struct too.
    if !reply.starts_with('{') {
        return Err(invalid_reply("no JSON object"));
    }
    serde_json::from_str(reply).map_err(|error| {
        invalid_reply(&format!("not the object that was asked for (line {}, column {})", error.line(), error.column()))
    })
}

fn strip_code_fence(reply: &str) -> &str {
    let inner = reply.strip_prefix("```json").or_else(|| reply.strip_prefix("```"));
    inner.and_then(|rest| rest.strip_suffix("```")).map_or(reply, str::trim)
}

/// From the numbers that the model was given, 1 and up, to positions.
fn positions(numbers: &[usize], offered: usize) -> Result<Vec<usize>, ModelError> {
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for &number in numbers {
        let position = number.checked_sub(1).filter(|position| *position < offered);
        let position = position.ok_or_else(|| invalid_reply("a source that was not retrieved"))?;
        if seen.insert(position) {
            positions.push(position);
        }
    }
    Ok(positions)
}

fn check_leaks(prompt: &Prompt, text: &str) -> Result<(), ModelError> {
    let lower = text.to_lowercase();
    if lower.contains(CANARY) || repeats_instructions(&lower) {
        return Err(invalid_reply("an answer that repeats the instructions"));
    }
    if lower.contains(prompt.boundary.as_str()) {
        return Err(invalid_reply("an answer that repeats the boundary"));
    }
    if prompt.note.are_repeated_in(&lower) {
        return Err(invalid_reply("an answer that repeats the handover note"));
    }
    if looks_like_secret(text) {
        return Err(invalid_reply("an answer that shows something like a key"));
    }
    Ok(())
}

fn repeats_instructions(lower: &str) -> bool {
    let system = SYSTEM.to_lowercase();
    let system = words(&system);
    let known: HashSet<&[&str]> = system.windows(ECHO_WORDS).collect();
    words(lower).windows(ECHO_WORDS).any(|run| known.contains(run))
}

/// How many characters of a token must follow a prefix of a key to make it one, and the prefixes.
const KEY_PREFIXES: [(usize, &str); 5] = [
    (1, "pk_live_ pk_test_ sk_live_ sk_test_ whsec_"),
    (10, "eyJ xoxb-"),
    (16, "AKIA ASIA glpat-"),
    (20, "sk- ghp_ github_pat_"),
    (30, "AIza"),
];

fn looks_like_secret(text: &str) -> bool {
    let private_key = text.contains("-----BEGIN") && text.contains("PRIVATE KEY");
    let has = |(following, prefixes): (usize, &str)| {
        prefixes.split(' ').any(|prefix| contains_token(text, prefix, following))
    };
    private_key || KEY_PREFIXES.into_iter().any(has)
}

/// Whether `prefix` begins a word somewhere and at least `following` token characters come after it.
fn contains_token(text: &str, prefix: &str, following: usize) -> bool {
    text.match_indices(prefix).any(|(at, _)| {
        let inside_a_word = text.get(..at).and_then(|head| head.chars().next_back()).is_some_and(char::is_alphanumeric);
        let rest = text.get(at + prefix.len()..).unwrap_or_default();
        let is_token = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/');
        !inside_a_word && rest.chars().take_while(is_token).count() >= following
    })
}
