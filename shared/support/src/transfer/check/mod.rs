//! Checks that lines are an export that may be imported: in its order, complete, nothing twice, and within the limits
//! that the API has for what callers send. What an import computes, and what is only shown, is not checked again. The
//! lines of one entry, job or session must be in a row, so that what concerns several lines is decided with only the ids
//! of what there is once in memory.
//!
//! - [`records`]: the checks of everything besides sessions.
//! - [`session`]: the checks of sessions.
//! - `tests`: every rule, on a whole export.

pub(crate) mod records;
pub(crate) mod session;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use domain::error::Code;
use domain::limits::{self, TextLimit, settings};
use domain::models::{
    AgentRef, ApiKeyId, IngestId, MAX_OPEN_DRAFTS, MAX_PINS, MemberId, Mode, Scope, Settings, TenantId, Timestamp,
    is_member_elsewhere,
};
use domain::{Error, Result, sha256_hex, sha256_hex_of_parts};
use outbound::{OutboundPolicy, OutboundUrl};

use crate::transfer::check::records::{JobLines, PathLines};
use crate::transfer::check::session::SessionLines;
use crate::transfer::table::{DeletedPath, ItemCopy};
use crate::transfer::{Line, refused};

/// The format of the lines.
pub(crate) const FORMAT: u32 = 4;
/// How many things with an id of their own a file may have: the ids are in memory.
const MAX_IDS: usize = 5_000_000;
/// Jobs that are not finished: as many as a key may hand in in an hour.
const MAX_WAITING_JOBS: u32 = 60;
/// Sessions to which the AI owes an answer: as many messages as a key may send in a minute.
const MAX_ANSWERS_DUE: u32 = 600;

/// The summary of a complete export.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// A hash of its lines: only the same file continues an import.
    pub digest: String,
    /// The number of items.
    pub items: u64,
    /// The sessions whose user is verified: the file says so, and the tenant then vouches for the name and the address.
    pub verified_sessions: u64,
    settings: BTreeMap<Mode, Settings>,
}

impl Summary {
    /// The settings of a mode.
    ///
    /// # Errors
    /// An internal error if there are none, which no complete export leaves out.
    pub fn settings(&self, mode: Mode) -> Result<&Settings> {
        self.settings.get(&mode).ok_or_else(|| Error::internal("an export without settings"))
    }
}

/// Lines that pass as long as all before them did.
#[derive(Debug)]
pub(crate) struct Checked<L> {
    rules: Rules,
    lines: L,
    state: State,
    stopped: bool,
}

impl<L: Iterator<Item = Result<(u64, Line)>>> Checked<L> {
    pub(crate) fn new(rules: Rules, lines: L) -> Self {
        Self { rules, lines, state: State::default(), stopped: false }
    }

    /// The summary, once all lines have passed.
    pub(crate) fn summary(self) -> Result<Summary> {
        let State { digest, items, verified_sessions, settings, is_complete, .. } = self.state;
        if is_complete {
            Ok(Summary { digest, items, verified_sessions, settings })
        } else {
            Err(no_export("its end is missing"))
        }
    }
}

impl<L: Iterator<Item = Result<(u64, Line)>>> Iterator for Checked<L> {
    type Item = Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stopped {
            return None;
        }
        let checked = self.lines.next()?.and_then(|(number, line)| {
            self.state.line(self.rules, number, &line)?;
            Ok(line)
        });
        self.stopped = checked.is_err();
        Some(checked)
    }
}

fn no_export(why: &str) -> Error {
    Error::new(Code::ValidationError, format!("The file is not a complete export: {why}."))
}

/// The state after the lines so far.
#[derive(Debug, Default)]
struct State {
    has_begun: bool,
    settings: BTreeMap<Mode, Settings>,
    items: u64,
    verified_sessions: u64,
    ids: HashSet<u128>,
    /// The paths that questions are pinned to; paths stand in no order before or behind them.
    pinned: BTreeMap<u128, u64>,
    counts: BTreeMap<(Mode, &'static str), usize>,
    /// A hash of all lines so far.
    digest: String,
    lines: Family,
    waiting_jobs: u32,
    answers_due: u32,
    is_complete: bool,
}

/// The path, the job or the session to which the lines before belong.
#[derive(Debug, Default)]
enum Family {
    #[default]
    Nothing,
    Path(PathLines),
    Job(JobLines),
    Session(Box<SessionLines>),
}

impl Family {
    /// Whether all of it is there.
    fn is_whole(&self) -> Check {
        match self {
            Self::Nothing | Self::Path(_) => Ok(()),
            Self::Job(job) => job.is_whole(),
            Self::Session(session) => session.is_whole(),
        }
    }
}

impl State {
    fn line(&mut self, rules: Rules, number: u64, line: &Line) -> Result<()> {
        let begins = matches!(line, Line::Export { .. });
        if self.is_complete || begins == self.has_begun {
            return Err(no_export("its lines are not in the order of an export"));
        }
        match line {
            Line::Export { format, .. } if *format != FORMAT => {
                return Err(no_export("another version of the service wrote it"));
            }
            Line::End { items } if *items != self.items => return Err(no_export("lines are missing")),
            Line::End { .. } if self.settings.len() != Mode::ALL.len() => return Err(no_export("it has no settings")),
            _ => {}
        }
        let checked = match line {
            Line::Export { .. } => {
                self.has_begun = true;
                Ok(())
            }
            Line::Settings { mode, settings } => self.settings(rules, *mode, settings),
            Line::Item { mode, item } => self.item(rules, *mode, item),
            Line::End { .. } => self.lines.is_whole(),
        };
        if let Line::Item { mode, item: ItemCopy::Pin(pin) } = line {
            self.pinned.entry(id(*mode, "path", pin.path.as_str())).or_insert(number);
        }
        checked.map_err(|why| refused(number, &why))?;
        if let Line::End { .. } = line
            && let Some((_, number)) = self.pinned.iter().find(|(path, _)| !self.ids.contains(path))
        {
            return Err(refused(*number, "a question is pinned to an entry that is not there"));
        }
        let json = serde_json::to_string(line).map_err(|e| Error::internal(format!("a line as JSON: {e}")))?;
        self.digest = sha256_hex_of_parts(&[&self.digest, &json]);
        self.is_complete = matches!(line, Line::End { .. });
        Ok(())
    }

    fn settings(&mut self, rules: Rules, mode: Mode, given: &Settings) -> Check {
        if self.items > 0 || self.settings.insert(mode, given.clone()).is_some() {
            return Err("the settings of each mode stand once, before everything else".into());
        }
        match settings::problems(given, rules.outbound.allow_loopback).first() {
            Some(problem) => Err(format!("{} {}", problem.field.as_deref().unwrap_or_default(), problem.message)),
            None => Ok(()),
        }
    }

    fn item(&mut self, rules: Rules, mode: Mode, item: &ItemCopy) -> Check {
        self.items += 1;
        match item {
            ItemCopy::Revision(_)
            | ItemCopy::RevisionsEnd(_)
            | ItemCopy::IngestText(_)
            | ItemCopy::Turn(_)
            | ItemCopy::GapQuestion(_) => self.part(rules, mode, item)?,
            ItemCopy::Escalation(escalation) => {
                self.once(mode, "escalation", escalation.escalation_id.as_str())?;
                self.part(rules, mode, item)?;
            }
            _ => {
                self.lines.is_whole()?;
                self.lines = self.root(rules, mode, item)?;
            }
        }
        let anywhere = Scope { tenant: TenantId::from_parts(Timestamp::default(), 0), mode };
        match item.fits(&anywhere) {
            Ok(true) => Ok(()),
            Ok(false) => Err("it is larger than an item may be".into()),
            Err(_) => Err("it is nothing that can be stored".into()),
        }
    }

    /// Something that stands on its own.
    fn root(&mut self, rules: Rules, mode: Mode, item: &ItemCopy) -> Result<Family, String> {
        match item {
            ItemCopy::Entry(entry) => {
                self.once(mode, "path", entry.path.as_str())?;
                records::entry(rules, entry)?;
                Ok(Family::Path(PathLines::new(mode, &entry.path, entry.version)))
            }
            ItemCopy::DeletedEntry(DeletedPath { path, deleted }) => {
                self.once(mode, "path", path.as_str())?;
                version("version", deleted.version)?;
                deleted.by.as_deref().map_or(Ok(()), |by| author("deletedBy", by))?;
                Ok(Family::Path(PathLines::new(mode, path, deleted.version)))
            }
            ItemCopy::Webhook(webhook) => {
                self.once_of(mode, "webhook", webhook.webhook_id.as_str(), crate::webhooks::table::MAX_WEBHOOKS)?;
                records::webhook(rules, webhook).map(|()| Family::Nothing)
            }
            ItemCopy::SavedReply(reply) => {
                self.once_of(mode, "saved reply", reply.reply_id.as_str(), limits::saved_reply::MAX_TEAM)?;
                self.once(mode, "shortcut", &reply.shortcut)?;
                records::saved_reply(reply).map(|()| Family::Nothing)
            }
            ItemCopy::Draft(draft) => {
                self.once_of(mode, "draft", draft.draft_id.as_str(), MAX_OPEN_DRAFTS)?;
                records::draft(draft).map(|()| Family::Nothing)
            }
            ItemCopy::Pin(pin) => {
                self.once_of(mode, "pin", pin.pin_id.as_str(), MAX_PINS)?;
                records::pin(pin).map(|()| Family::Nothing)
            }
            ItemCopy::IngestJob(job) => {
                self.once(mode, "job", job.ingest_id.as_str())?;
                records::job(rules, job)?;
                self.waiting_jobs += u32::from(job.due_at().is_some());
                at_most("jobs that are not finished", self.waiting_jobs, MAX_WAITING_JOBS)?;
                Ok(Family::Job(JobLines::new(mode, job)))
            }
            ItemCopy::Statistics(day) => {
                self.once(mode, "day", &day.day.to_string())?;
                records::day(rules, day).map(|()| Family::Nothing)
            }
            ItemCopy::Session(session) => {
                self.once(mode, "session", session.session_id.as_str())?;
                session::session(rules, mode, session)?;
                self.verified_sessions += u64::from(session.user.as_ref().is_some_and(|user| user.verified));
                self.answers_due += u32::from(session.is_answer_due());
                at_most("answers that are due", self.answers_due, MAX_ANSWERS_DUE)?;
                Ok(Family::Session(Box::new(SessionLines::new(session))))
            }
            ItemCopy::Gap(gap) => {
                self.once(mode, "gap", gap.gap_id.as_str())?;
                let is_session = |session: &str| self.ids.contains(&id(mode, "session", session));
                records::gap(rules, gap, is_session).map(|()| Family::Nothing)
            }
            _ => Err("it belongs to nothing".into()),
        }
    }

    /// Something that belongs to what the lines before are.
    fn part(&mut self, rules: Rules, mode: Mode, item: &ItemCopy) -> Check {
        match &mut self.lines {
            Family::Path(path) => path.part(rules, mode, item),
            Family::Job(job) => job.part(mode, item),
            Family::Session(session) => session.part(rules, mode, item),
            Family::Nothing => Err("it does not belong to the line before it".into()),
        }
    }

    /// Notes an id.
    fn once(&mut self, mode: Mode, kind: &str, name: &str) -> Check {
        if self.ids.len() >= MAX_IDS {
            return Err(format!("an import takes at most {MAX_IDS} things with an id"));
        }
        if self.ids.insert(id(mode, kind, name)) { Ok(()) } else { Err(format!("the {kind} is there twice")) }
    }

    /// Notes an id of a kind of which a mode has at most `most`.
    fn once_of(&mut self, mode: Mode, kind: &'static str, name: &str, most: impl TryInto<usize>) -> Check {
        self.once(mode, kind, name)?;
        let counted = self.counts.entry((mode, kind)).or_default();
        *counted += 1;
        let most = most.try_into().unwrap_or(usize::MAX);
        holds(*counted <= most, &format!("a mode has at most {most} of the kind {kind}"))
    }
}

/// An id in few bytes.
fn id(mode: Mode, kind: &str, name: &str) -> u128 {
    let hash = sha256_hex(format!("{mode} {kind} {name}").as_bytes());
    hash.get(..32).and_then(|half| u128::from_str_radix(half, 16).ok()).unwrap_or_default()
}

/// The inputs of the checks of an import besides the file.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The time.
    pub now: Timestamp,
    /// Which addresses the service may call.
    pub outbound: OutboundPolicy,
}

/// The result of a check: the error says what is wrong with a line.
pub(crate) type Check = Result<(), String>;

/// How far ahead another clock may be, in milliseconds.
const CLOCK_SKEW_MS: i64 = 300_000;
/// The highest version or count: what is counted on from here stays a number that every place can hold.
pub(crate) const MAX_COUNT: u64 = 1_000_000_000;

/// Something that happened.
pub(crate) fn past(name: &str, at: Timestamp, rules: Rules) -> Check {
    let possible = Timestamp::default()..=rules.now.plus_millis(CLOCK_SKEW_MS);
    if possible.contains(&at) { Ok(()) } else { Err(format!("{name} is before 1970 or yet to come")) }
}

/// Something that is to come, within so many milliseconds.
pub(crate) fn within(name: &str, at: Timestamp, ms: i64, rules: Rules) -> Check {
    past(name, at.plus_millis(-ms), rules).map_err(|_| format!("{name} is too far ahead"))
}

/// A version: counts every change, from 1.
pub(crate) fn version(name: &str, version: u64) -> Check {
    if (1..=MAX_COUNT).contains(&version) { Ok(()) } else { Err(format!("{name} must be 1 to {MAX_COUNT}")) }
}

pub(crate) fn at_most<T: PartialOrd + std::fmt::Display>(name: &str, number: T, max: T) -> Check {
    if number <= max { Ok(()) } else { Err(format!("{name} must be at most {max}")) }
}

/// DynamoDB refuses a number such as 1e200, after part of the file is written.
pub(crate) fn share(name: &str, share: f64) -> Check {
    holds((0.0..=1.0).contains(&share), &format!("{name} must be between 0 and 1"))
}

pub(crate) fn holds(rule: bool, why: &str) -> Check {
    if rule { Ok(()) } else { Err(why.to_owned()) }
}

pub(crate) fn text(name: &str, limit: TextLimit, text: &str) -> Check {
    limit.validate(text).map_err(|(_, message)| format!("{name} {message}"))
}

pub(crate) fn text_if(name: &str, limit: TextLimit, value: Option<&String>) -> Check {
    value.map_or(Ok(()), |value| text(name, limit, value))
}

/// The author of an entry or a job: a key, a member of the exported tenant or of one before it, an ingest job, or a word
/// for the service itself.
pub(crate) fn author(name: &str, author: &str) -> Check {
    let is_word = (1..=20).contains(&author.len()) && author.bytes().all(|b| b.is_ascii_lowercase());
    let known = is_word || ApiKeyId::parse(author).is_some() || IngestId::parse(author).is_some();
    if known || MemberId::parse(author).is_some() || is_member_elsewhere(author) {
        Ok(())
    } else {
        Err(format!("{name} must name a key, a member or an ingest job"))
    }
}

pub(crate) fn agent(name: &str, agent: Option<&AgentRef>) -> Check {
    let Some(AgentRef { id, name: shown }) = agent else { return Ok(()) };
    text(name, limits::AGENT_ID, id)?;
    holds(agent.is_none_or(|agent| !agent.is_member()) || MemberId::parse(id).is_some(), "no member has such an id")?;
    text_if(name, limits::PERSON_NAME, shown.as_ref())
}

pub(crate) fn tags(tags: &[String]) -> Check {
    at_most("the number of tags", tags.len(), limits::MAX_TAGS)?;
    tags.iter().try_for_each(|tag| text("a tag", limits::TAG, tag))?;
    let distinct: BTreeSet<_> = tags.iter().collect();
    holds(distinct.len() == tags.len(), "a tag is there twice")
}

/// An address that this service may call.
pub(crate) fn url(rules: Rules, url: &str) -> Check {
    let parsed = OutboundUrl::parse(url, &rules.outbound).map_err(|e| format!("the URL {}", e.message()))?;
    holds(parsed.as_str() == url, "the URL must be written as it is called")
}

#[cfg(test)]
mod tests;
