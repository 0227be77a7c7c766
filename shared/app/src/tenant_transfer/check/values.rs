//! Values that occur in several kinds of items.

use std::collections::BTreeSet;

use domain::limits::{self, TextLimit};
use domain::models::{AgentRef, ApiKeyId, IngestId, MemberId, Timestamp, is_member_elsewhere};
use outbound::{OutboundPolicy, OutboundUrl};

/// The inputs of the checks of an import besides the file.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The time.
    pub now: Timestamp,
    /// Which addresses the service may call.
    pub outbound: OutboundPolicy,
}

/// The result of a check: the error says what is wrong with a line.
pub(super) type Check = Result<(), String>;

/// How far ahead another clock may be, in milliseconds.
const CLOCK_SKEW_MS: i64 = 300_000;
/// The highest version or count: what is counted on from here stays a number that every place can hold.
pub(super) const MAX_COUNT: u64 = 1_000_000_000;

/// Something that happened.
pub(super) fn past(name: &str, at: Timestamp, rules: Rules) -> Check {
    let possible = Timestamp::default()..=rules.now.plus_millis(CLOCK_SKEW_MS);
    if possible.contains(&at) { Ok(()) } else { Err(format!("{name} is before 1970 or yet to come")) }
}

/// Something that happened, if it did.
pub(super) fn past_if(name: &str, at: Option<Timestamp>, rules: Rules) -> Check {
    at.map_or(Ok(()), |at| past(name, at, rules))
}

/// Something that is to come, within so many milliseconds.
pub(super) fn within(name: &str, at: Timestamp, ms: i64, rules: Rules) -> Check {
    past(name, at.plus_millis(-ms), rules).map_err(|_| format!("{name} is too far ahead"))
}

/// A version: counts every change, from 1.
pub(super) fn version(name: &str, version: u64) -> Check {
    if (1..=MAX_COUNT).contains(&version) { Ok(()) } else { Err(format!("{name} must be 1 to {MAX_COUNT}")) }
}

pub(super) fn at_most<T: PartialOrd + std::fmt::Display>(name: &str, number: T, max: T) -> Check {
    if number <= max { Ok(()) } else { Err(format!("{name} must be at most {max}")) }
}

pub(super) fn holds(rule: bool, why: &str) -> Check {
    if rule { Ok(()) } else { Err(why.to_owned()) }
}

pub(super) fn text(name: &str, limit: TextLimit, text: &str) -> Check {
    limit.validate(text).map_err(|(_, message)| format!("{name} {message}"))
}

pub(super) fn text_if(name: &str, limit: TextLimit, value: Option<&String>) -> Check {
    value.map_or(Ok(()), |value| text(name, limit, value))
}

pub(super) fn share(name: &str, share: f64) -> Check {
    if (0.0..=1.0).contains(&share) { Ok(()) } else { Err(format!("{name} must be between 0 and 1")) }
}

/// A random name.
pub(super) fn token(name: &str, token: &str) -> Check {
    let sound = token.len() == 32 && token.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if sound { Ok(()) } else { Err(format!("{name} must be 32 lower-case hexadecimal digits")) }
}

/// The author of an entry or a job: a key, a member of the exported tenant or of one before it, an ingest job, or a word
/// for the service itself.
pub(super) fn author(name: &str, author: &str) -> Check {
    let is_word = (1..=20).contains(&author.len()) && author.bytes().all(|b| b.is_ascii_lowercase());
    let known = is_word || ApiKeyId::parse(author).is_some() || IngestId::parse(author).is_some();
    if known || MemberId::parse(author).is_some() || is_member_elsewhere(author) {
        Ok(())
    } else {
        Err(format!("{name} must name a key, a member or an ingest job"))
    }
}

pub(super) fn agent(name: &str, agent: Option<&AgentRef>) -> Check {
    let Some(AgentRef { id, name: shown }) = agent else { return Ok(()) };
    text(name, limits::AGENT_ID, id)?;
    holds(agent.is_none_or(|agent| !agent.is_member()) || MemberId::parse(id).is_some(), "no member has such an id")?;
    text_if(name, limits::PERSON_NAME, shown.as_ref())
}

pub(super) fn tags(tags: &[String]) -> Check {
    at_most("the number of tags", tags.len(), limits::MAX_TAGS)?;
    tags.iter().try_for_each(|tag| text("a tag", limits::TAG, tag))?;
    let distinct: BTreeSet<_> = tags.iter().collect();
    holds(distinct.len() == tags.len(), "a tag is there twice")
}

/// An address that this service may call.
pub(super) fn url(rules: Rules, url: &str) -> Check {
    let parsed = OutboundUrl::parse(url, &rules.outbound).map_err(|e| format!("the URL {}", e.message()))?;
    holds(parsed.as_str() == url, "the URL must be written as it is called")
}
