//! Knowledge gaps: questions that the wiki does not answer. [`gap_id_for`] finds the gap of a question by its text. An [`UnansweredQuestion`] is
//! merged into its gap, with the same result in any order. [`reviewed`] and [`triaged`] apply a review and a trainer's
//! decision. Personal data is masked before anything is stored.

mod canonical_terms;

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use text::{is_bidi, privacy, wire_enum};

pub use self::canonical_terms::gap_id_for;
use crate::error::Code;
use crate::models::{MessageId, NamedId, SessionId, Source, Timestamp, WikiPath};
use crate::timestamp::written_as_text;
use crate::{Error, Result};

wire_enum! {
    /// Whether the wiki answers it now, or need not.
    pub enum GapStatus {
        /// It does not.
        Open => "open",
        /// A later entry does.
        Resolved => "resolved",
        /// It need not: a trainer dismissed it.
        Dismissed => "dismissed",
    }
}

/// A gap's id, made from the meaning of the question, so that the same question has the same one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GapId(String);

impl JsonSchema for GapId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GapId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The id of a question that the wiki does not answer; the same question has the same one.",
            "pattern": "^gap_[0-9a-f]{32}$",
            "examples": ["gap_0123456789abcdef0123456789abcdef"],
        })
    }
}

impl NamedId for GapId {
    fn named(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|| Self::of_hash(&"0".repeat(32)))
    }
}

impl GapId {
    /// The id of a meaning, given as the lower-case hex of a hash of it.
    #[must_use]
    pub fn of_hash(hex: &str) -> Self {
        Self(format!("gap_{}", hex.get(..32).unwrap_or(hex)))
    }

    /// Reads an id: the prefix and 32 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("gap_")?;
        let sound = hex.len() == 32 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        sound.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

written_as_text!(GapId, "not the id of a gap");

impl fmt::Display for GapId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a customer put it; personal data is masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GapExample {
    /// Where the question was asked.
    pub session_id: SessionId,
    /// The customer's message.
    pub message_id: MessageId,
    /// When.
    pub asked_at: Timestamp,
    /// Masked, and cut at 500 characters.
    pub text: String,
}

/// An entry as it was at one version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryVersion {
    /// Its path.
    pub path: WikiPath,
    /// Its version.
    pub version: u64,
}

/// The entry nearest to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearestEntry {
    /// Its path.
    pub path: WikiPath,
    /// How likely the answer is in this entry.
    #[schemars(range(min = 0, max = 1))]
    pub confidence: f64,
}

/// A gap, as stored.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// Its name.
    pub gap_id: GapId,
    /// How often the question was asked.
    pub count: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// When it was first asked.
    pub first_seen_at: Timestamp,
    /// When it was last asked.
    pub last_seen_at: Timestamp,
    /// The first wording; none if the sessions of all of them are erased.
    pub query: Option<GapExample>,
    /// The nearest entry when it was last asked.
    pub nearest: Option<NearestEntry>,
    /// The entries that were found when a customer last asked, and were no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<EntryVersion>,
    /// Asked in sessions of channel `widget`.
    pub by_widget: bool,
    /// Asked in sessions of other channels.
    pub by_others: bool,
    /// Whether the wiki answers it by now, or need not.
    pub status: GapStatus,
    /// Since when it does; there while `status` is `resolved`.
    pub resolved_at: Option<Timestamp>,
    /// The entry that does.
    pub resolved_by: Option<EntryVersion>,
    /// Counts every change.
    pub version: u64,
}

/// Characters of a wording.
pub const EXAMPLE_CHARS: usize = 500;

/// A decision about a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapTriage {
    /// The wiki need not answer it: it still counts questions and is not listed as open.
    Dismiss,
    /// It is an open gap again.
    Open,
}

/// A question that the wiki did not answer.
#[derive(Debug, Clone, PartialEq)]
pub struct UnansweredQuestion {
    /// Its gap.
    pub gap_id: GapId,
    /// The session and turn of the question.
    pub session_id: SessionId,
    /// The customer's message.
    pub message_id: MessageId,
    /// The number of that turn.
    pub turn: u32,
    /// The place of the question in its turn, from 0.
    pub part: u32,
    /// When.
    pub at: Timestamp,
    /// As the customer wrote it; masked and cut before it is kept.
    pub text: String,
    /// The nearest entries that were found, nearest first.
    pub sources: Vec<Source>,
    /// Whether the session is of channel `widget`.
    pub by_widget: bool,
}

impl UnansweredQuestion {
    /// The gap with this question merged, created if there was none. `new_session`: the question was not asked in this
    /// session before.
    #[must_use]
    pub fn merge_into(&self, gap: Option<Gap>, new_session: bool) -> Gap {
        let mut gap = gap.unwrap_or_else(|| self.empty_gap());
        gap.version += 1;
        gap.count += 1;
        gap.sessions += u64::from(new_session);
        if self.at >= gap.last_seen_at {
            gap.last_seen_at = self.at;
            gap.nearest = self.sources.first().map(nearest);
            gap.known = self.sources.iter().map(version).collect();
        }
        gap.first_seen_at = gap.first_seen_at.min(self.at);
        gap.by_widget |= self.by_widget;
        gap.by_others |= !self.by_widget;
        if gap.resolved_at.is_some_and(|resolved| self.at > resolved) {
            reopen(&mut gap);
        }
        let example = self.example();
        if gap.query.as_ref().is_none_or(|first| key(&example) < key(first)) {
            gap.query = Some(example);
        }
        gap
    }

    fn empty_gap(&self) -> Gap {
        Gap {
            gap_id: self.gap_id.clone(),
            count: 0,
            sessions: 0,
            first_seen_at: self.at,
            last_seen_at: self.at,
            query: None,
            nearest: None,
            known: Vec::new(),
            by_widget: false,
            by_others: false,
            status: GapStatus::Open,
            resolved_at: None,
            resolved_by: None,
            version: 0,
        }
    }

    /// As it is kept.
    #[must_use]
    pub fn example(&self) -> GapExample {
        GapExample {
            session_id: self.session_id.clone(),
            message_id: self.message_id.clone(),
            asked_at: self.at,
            text: masked_question(&self.text),
        }
    }
}

/// A question as people of the tenant read it outside of its conversation: on one line, personal data masked, at most
/// [`EXAMPLE_CHARS`] characters.
#[must_use]
pub fn masked_question(text: &str) -> String {
    privacy::mask_prefix(one_line(text).trim(), EXAMPLE_CHARS)
}

/// The text on one line: without characters that change its direction, and with a space for each control character.
fn one_line(text: &str) -> String {
    let spaced = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    text.chars().map(spaced).filter(|c| !is_bidi(*c)).collect()
}

/// The gap with another first wording, in place of one whose session is erased; its counts stay.
#[must_use]
pub fn with_query(gap: &Gap, query: Option<GapExample>) -> Gap {
    Gap { query, version: gap.version + 1, ..gap.clone() }
}

/// The gap as what was found for it just now leaves it: answered by an entry that was not there when a customer last
/// asked, or open. None if nothing changes, and for a dismissed gap, which no review opens or closes.
#[must_use]
pub fn reviewed(gap: &Gap, found: &[Source], threshold: f64, now: Timestamp) -> Option<Gap> {
    if gap.status == GapStatus::Dismissed {
        return None;
    }
    let later = |source: &&Source| source.confidence >= threshold && !gap.known.contains(&version(source));
    let mut after = gap.clone();
    after.nearest = found.first().map(nearest);
    match found.iter().find(later) {
        Some(answer) => {
            after.status = GapStatus::Resolved;
            after.resolved_at = gap.resolved_at.or(Some(now));
            after.resolved_by = Some(version(answer));
        }
        None => reopen(&mut after),
    }
    let moved = after.status != gap.status || after.resolved_by != gap.resolved_by || !is_similar(&after, gap);
    moved.then(|| Gap { version: gap.version + 1, ..after })
}

/// The gap after a trainer's decision; unchanged if it has that status already.
///
/// # Errors 409 `INVALID_STATE` for opening one that was not dismissed: a resolved gap opens when its answer is
/// deleted.
pub fn triaged(gap: &Gap, triage: GapTriage) -> Result<Gap> {
    let mut after = gap.clone();
    match (triage, gap.status) {
        (GapTriage::Dismiss, _) => {
            (after.status, after.resolved_at, after.resolved_by) = (GapStatus::Dismissed, None, None)
        }
        (GapTriage::Open, GapStatus::Dismissed) => reopen(&mut after),
        (GapTriage::Open, status @ (GapStatus::Open | GapStatus::Resolved)) => {
            let message = format!("Only a dismissed knowledge gap can be opened; this one is `{status}`.");
            return Err(Error::new(Code::InvalidState, message));
        }
    }
    after.version += u64::from(after != *gap);
    Ok(after)
}

/// Whether the nearest entry is the same, and about as near: every entry of a wiki moves all figures a little.
fn is_similar(a: &Gap, b: &Gap) -> bool {
    match (&a.nearest, &b.nearest) {
        (Some(a), Some(b)) => a.path == b.path && (a.confidence - b.confidence).abs() < 0.01,
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn reopen(gap: &mut Gap) {
    gap.status = GapStatus::Open;
    (gap.resolved_at, gap.resolved_by) = (None, None);
}

fn key(example: &GapExample) -> (Timestamp, &MessageId) {
    (example.asked_at, &example.message_id)
}

fn nearest(source: &Source) -> NearestEntry {
    NearestEntry { path: source.path.clone(), confidence: source.confidence }
}

fn version(source: &Source) -> EntryVersion {
    EntryVersion { path: source.path.clone(), version: source.version }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_millis(ms)
    }

    fn session(number: u128) -> SessionId {
        SessionId::from_parts(at(1), number)
    }

    fn source(path: &str, version: u64, confidence: f64) -> Source {
        Source {
            path: WikiPath::parse(path).unwrap(),
            confidence,
            title: String::new(),
            version,
            used: false,
            visibility: None,
        }
    }

    fn question(ms: i64, by: u128, text: &str) -> UnansweredQuestion {
        UnansweredQuestion {
            gap_id: GapId::of_hash("00"),
            session_id: session(by),
            message_id: MessageId::from_parts(at(ms), by),
            turn: 1,
            part: 0,
            at: at(ms),
            text: text.into(),
            sources: vec![source("a/b", 1, 0.2)],
            by_widget: false,
        }
    }

    fn merged(questions: &[UnansweredQuestion]) -> Gap {
        let mut seen = Vec::new();
        let fold = |gap: Option<Gap>, question: &UnansweredQuestion| {
            let new = !seen.contains(&question.session_id);
            seen.push(question.session_id.clone());
            Some(question.merge_into(gap, new))
        };
        questions.iter().fold(None, fold).unwrap()
    }

    #[test]
    fn the_order_of_questions_makes_no_difference() {
        let mut questions: Vec<UnansweredQuestion> =
            (0..9).map(|i| question(i, u128::try_from(i % 4).unwrap(), "Export?")).collect();
        for (i, question) in questions.iter_mut().enumerate() {
            question.text = format!("export {}", i % 7);
            question.sources = vec![source("a/b", u64::try_from(i).unwrap(), 0.2)];
        }
        let first = merged(&questions);
        assert_eq!((first.count, first.sessions), (9, 4));
        assert_eq!(first.query.as_ref().unwrap().text, "export 0");
        for turn in 1..questions.len() {
            questions.rotate_left(1);
            questions.swap(0, turn);
            assert_eq!(merged(&questions), first);
        }
    }

    #[test]
    fn kept_wordings_are_masked_and_cut() {
        let gap = merged(&[question(1, 1, &format!(" mail a@b.com {}", "x".repeat(600)))]);
        let kept = gap.query.unwrap().text;
        assert!(kept.starts_with("mail [email] xxx"));
        assert_eq!(kept.chars().count(), 500);
        let gap = merged(&[question(1, 1, "\u{202e}a@b.com\u{2066}\nwhere\u{2028}is \u{7}it\u{200f}")]);
        assert_eq!(gap.query.unwrap().text, "[email] where is  it\u{200f}");
    }

    #[test]
    fn a_gap_closes_by_a_later_entry_alone_and_opens_when_that_goes() {
        let gap = merged(&[question(1, 1, "export")]);
        // A source that was shown with a miss does not close it, however similar it is.
        assert_eq!(reviewed(&gap, &[source("a/b", 1, 0.9)], 0.4, at(5)).unwrap().status, GapStatus::Open);
        assert_eq!(reviewed(&gap, &[source("a/c", 1, 0.39)], 0.4, at(5)).unwrap().status, GapStatus::Open);
        let closed = reviewed(&gap, &[source("a/b", 1, 0.9), source("a/b", 2, 0.5)], 0.4, at(5)).unwrap();
        assert_eq!((closed.status, closed.resolved_at), (GapStatus::Resolved, Some(at(5))));
        let opened = reviewed(&closed, &[source("a/b", 1, 0.2)], 0.4, at(9)).unwrap();
        assert_eq!((opened.status, opened.resolved_at, opened.resolved_by.clone()), (GapStatus::Open, None, None));
        assert_eq!(reviewed(&opened, &[source("a/b", 1, 0.2)], 0.4, at(10)), None);
    }

    #[test]
    fn a_dismissed_gap_counts_on_and_opens_on_demand_alone() {
        let gap = merged(&[question(1, 1, "export")]);
        let resolved = reviewed(&gap, &[source("a/c", 1, 0.9)], 0.4, at(5)).unwrap();
        for before in [&gap, &resolved] {
            let dismissed = triaged(before, GapTriage::Dismiss).unwrap();
            assert_eq!((dismissed.status, dismissed.resolved_at), (GapStatus::Dismissed, None));
            assert_eq!(dismissed.version, before.version + 1);
            assert_eq!(triaged(&dismissed, GapTriage::Dismiss).unwrap(), dismissed);
            assert_eq!(reviewed(&dismissed, &[source("a/c", 1, 0.9)], 0.4, at(6)), None, "no review touches it");
            let later = question(9, 2, "export again").merge_into(Some(dismissed.clone()), true);
            assert_eq!((later.status, later.count, later.sessions), (GapStatus::Dismissed, 2, 2));
            assert_eq!(triaged(&later, GapTriage::Open).unwrap().status, GapStatus::Open);
            assert_eq!(triaged(before, GapTriage::Open).unwrap_err().code(), Code::InvalidState);
        }
    }

    #[test]
    fn a_question_after_the_answer_opens_a_gap_and_one_before_it_does_not() {
        let gap = merged(&[question(1, 1, "export")]);
        let closed = reviewed(&gap, &[source("a/c", 1, 0.9)], 0.4, at(5)).unwrap();
        assert_eq!(question(4, 2, "late news").merge_into(Some(closed.clone()), true).status, GapStatus::Resolved);
        assert_eq!(question(6, 2, "again").merge_into(Some(closed), true).status, GapStatus::Open);
    }
}
