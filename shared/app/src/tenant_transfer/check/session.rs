//! Sessions with their turns, requests for a human, and questions without an answer.

use std::collections::{BTreeMap, BTreeSet};

use aws::store::GapQuestion;
use domain::limits::{self, TextLimit, email, locale, metadata};
use domain::models::{
    AgentTurn, AiTurn, CustomerTurn, Escalation, EscalationStatus, LastWords, Mode, Rating, Session, SessionId,
    SystemTurn, Turn, TurnBody,
};
use serde_json::Value;
use text::sanitise;

use super::Rules;
use super::gap;
use super::values::{self, Check};

/// The most turns: a message's id holds the number in 24 bits.
const MAX_TURNS: u32 = 0x00FF_FFFF;
/// The most requests for a human of one session.
const MAX_ESCALATIONS: usize = 10_000;
/// The limit of a text that the service writes for the AI or an agent.
const NOTE: TextLimit = TextLimit::prose(0, 10_000);
/// The most bytes of an AI turn: an answer of up to 8 KiB, a fixed text of the tenant after it, and escapes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The most questions of a turn that have no answer.
const MAX_MISSING: usize = 3;
/// The most sources of an answer.
const MAX_SOURCES: usize = 10;
/// The longest an answer took, in milliseconds.
const MAX_LATENCY_MS: u64 = 10_000_000_000;
/// How long a claim lasts without a word of its agent, in milliseconds.
const MAX_LEASE_MS: i64 = 30 * 60_000;
/// How long a claim is put off at the most, in milliseconds.
const MAX_SNOOZE_MS: i64 = 7 * 24 * HOUR_MS;
/// The most claims of one request for a human that ended before it was reopened.
const MAX_PARTS: u32 = 1_000_000;
/// How long one of them may have taken, in milliseconds: ten years.
const MAX_PART_MS: i64 = 10 * 365 * 24 * HOUR_MS;
/// The latest notice that a customer waits.
const MAX_NOTICE_MS: i64 = *limits::settings::NOTICE_AFTER_MINUTES.end() as i64 * 60_000;
const HOUR_MS: i64 = 3_600_000;
const NO_SUCH_TURN: &str = "it answers turns that are not there";

/// A session without what belongs to it.
pub(super) fn session(rules: Rules, mode: Mode, session: &Session) -> Check {
    values::holds(session.mode == mode, "the session is of another mode")?;
    values::holds(!session.is_preview(), "an export has no previews of the chat")?;
    values::version("version", session.version)?;
    values::at_most("epoch", session.epoch, values::MAX_COUNT)?;
    values::at_most("turnCount", session.turn_count, MAX_TURNS)?;
    let counted = [session.ai_since_turn, session.ai_turns, session.no_answer_streak, session.ai_reads_after_turn];
    values::holds(counted.iter().all(|n| *n <= session.turn_count), "it counts more turns than there are")?;
    values::holds(session.due_at.is_none(), "when a session is due is not read from a file")?;
    values::text_if("handoverNote", NOTE, session.handover_note.as_ref())?;
    details(session)?;
    times(rules, session)
}

/// Checks the fields that callers set.
fn details(session: &Session) -> Check {
    values::text_if("externalUserId", limits::EXTERNAL_USER_ID, session.external_user_id.as_ref())?;
    if let Some(user) = &session.user {
        values::holds(user.name.is_some() || user.email.is_some(), "a user has a name or an e-mail address")?;
        values::text_if("the name", limits::PERSON_NAME, user.name.as_ref())?;
        values::text_if("the e-mail address", limits::PERSON_EMAIL, user.email.as_ref())?;
        let address = user.email.as_deref().map_or(Ok(()), email::parse);
        address.map_err(|why| format!("the e-mail address {why}"))?;
    }
    if let Some(language) = &session.locale {
        values::text("locale", limits::LOCALE, language)?;
        locale::parse(language).map_err(|why| format!("locale {why}"))?;
    }
    values::text_if("timezone", limits::hours::TIMEZONE, session.timezone.as_ref())?;
    last_words(session.last_words.as_ref())?;
    values::holds(session.widget_sent.is_none() || session.opened_by_widget, "no widget opened it")?;
    let (sent_tags, sent_metadata) = session.sent_by_widget();
    labels(&session.tags, &session.metadata)?;
    labels(&sent_tags, &sent_metadata)
}

fn last_words(words: Option<&LastWords>) -> Check {
    let Some(words) = words else { return Ok(()) };
    values::at_most("the characters of the last words", words.text.chars().count(), LastWords::MAX_CHARS)?;
    let question = words.question.as_deref().unwrap_or_default();
    values::at_most("the characters of the last question", question.chars().count(), LastWords::MAX_CHARS)
}

/// The tags and the metadata of a session.
fn labels(tags: &[String], fields: &BTreeMap<String, Value>) -> Check {
    values::tags(tags)?;
    values::at_most("the keys of metadata", fields.len(), metadata::MAX_KEYS)?;
    let bytes = serde_json::to_vec(fields).map_or(usize::MAX, |json| json.len());
    values::at_most("the bytes of metadata", bytes, metadata::MAX_BYTES)?;
    fields.iter().try_for_each(|(key, value)| {
        values::text("a key of metadata", metadata::KEY, key)?;
        metadata::value_problem(value).map_or(Ok(()), |(_, why)| Err(format!("metadata: {why}")))
    })
}

fn times(rules: Rules, session: &Session) -> Check {
    values::holds(session.created_at == session.session_id.created_at(), "createdAt is not the time of its id")?;
    values::past("createdAt", session.created_at, rules)?;
    values::past("updatedAt", session.updated_at, rules)?;
    values::past("lastActivityAt", session.last_activity_at, rules)?;
    values::past("ownerSince", session.owner_since, rules)?;
    values::past_if("lastCustomerMessageAt", session.last_customer_message_at, rules)?;
    let Some(closing) = session.closing() else { return Ok(()) };
    values::past("closedAt", closing.at, rules)?;
    let longest_ms = i64::from(*limits::settings::RESUME_WINDOW_HOURS.end()) * HOUR_MS;
    values::within("resumableUntil", closing.resumable_until, longest_ms, rules)
}

/// The session that the lines after it belong to.
#[derive(Debug)]
pub(super) struct SessionLines {
    session: Session,
    escalations: usize,
}

impl SessionLines {
    pub(super) fn new(session: &Session) -> Self {
        Self { session: session.clone(), escalations: 0 }
    }

    /// Refuses what is of another session: nothing would erase it.
    pub(super) fn is_mine(&self, mode: Mode, id: &SessionId) -> Check {
        let is_mine = self.session.mode == mode && self.session.session_id == *id;
        values::holds(is_mine, "it belongs to another session than the lines before it")
    }

    pub(super) fn escalation(&mut self, rules: Rules, escalation: &Escalation) -> Check {
        values::at_most("the requests for a human", self.escalations, MAX_ESCALATIONS)?;
        self.escalations += 1;
        if matches!(escalation.status, EscalationStatus::Pending | EscalationStatus::Claimed) {
            let user = self.session.user.as_ref();
            let is_named = escalation.customer_name.as_ref() == user.and_then(|user| user.name.as_ref())
                && escalation.customer_verified == user.is_some_and(|user| user.verified);
            values::holds(is_named, "it shows another customer than its session")?;
        }
        escalation_texts(escalation)?;
        escalation_times(rules, escalation)
    }

    pub(super) fn turn(&self, rules: Rules, turn: &Turn) -> Check {
        let is_its = self.has_turn(turn.number) && turn.message_id.turn_number() == turn.number;
        values::holds(is_its, "a turn has a number of its session, which its id names")?;
        values::past("createdAt", turn.created_at, rules)?;
        match &turn.body {
            TurnBody::Customer(CustomerTurn { answered_by, silence }) => {
                values::text("content", limits::MESSAGE, &turn.content)?;
                let is_later = |by: u32| by > turn.number && self.has_turn(by);
                values::holds(answered_by.is_none_or(is_later), NO_SUCH_TURN)?;
                silence.as_ref().map_or(Ok(()), |it| latency(it.latency_ms))
            }
            TurnBody::Ai(ai) => {
                let is_earlier = ai.answers >= 1 && ai.answers < turn.number && ai.queries < turn.number;
                values::holds(is_earlier, NO_SUCH_TURN)?;
                latency(ai.latency_ms)?;
                answer(&turn.content, ai)
            }
            TurnBody::Agent(AgentTurn { agent, .. }) => {
                values::agent("agent", Some(agent))?;
                values::text("content", limits::MESSAGE, &turn.content)
            }
            TurnBody::System(SystemTurn { agent, .. }) => {
                values::agent("agent", agent.as_ref())?;
                values::holds(turn.content.is_empty(), "a system turn has no text")
            }
        }
    }

    pub(super) fn question(&self, rules: Rules, question: &GapQuestion) -> Check {
        gap::example(rules, &question.asked)?;
        values::holds(question.part < 3, "a turn has fewer questions")?;
        let is_its = self.has_turn(question.turn) && question.asked.message_id.turn_number() == question.turn;
        values::holds(is_its, "a question names the message of a turn of its session")
    }

    fn has_turn(&self, number: u32) -> bool {
        (1..=self.session.turn_count).contains(&number)
    }
}

fn latency(latency_ms: u64) -> Check {
    values::at_most("latencyMs", latency_ms, MAX_LATENCY_MS)
}

fn answer(content: &str, answer: &AiTurn) -> Check {
    values::at_most("the bytes of content", content.len(), MAX_ANSWER_BYTES)?;
    values::holds(sanitise::with_images(content) == content, "content is not what the AI may show")?;
    values::text_if("notice", NOTE, answer.notice.as_ref())?;
    values::share("confidence", answer.confidence)?;
    values::at_most("the number of questions", answer.missing.len(), MAX_MISSING)?;
    answer.missing.iter().try_for_each(|question| values::text("a question", limits::MESSAGE, question))?;
    values::at_most("the number of sources", answer.sources.len(), MAX_SOURCES)?;
    for source in &answer.sources {
        values::text("the title of a source", limits::ENTRY_TITLE, &source.title)?;
        values::share("the confidence of a source", source.confidence)?;
        values::version("the version of a source", source.version)?;
    }
    let distinct: BTreeSet<_> = answer.reactions.iter().collect();
    values::holds(distinct.len() == answer.reactions.len(), "a reaction is there twice")
}

fn escalation_texts(escalation: &Escalation) -> Check {
    values::text("reason", limits::REMARK, &escalation.reason)?;
    values::text_if("resolution", limits::REMARK, escalation.resolution.as_ref())?;
    let rating = escalation.rating.as_ref();
    let is_rated = |rating: &Rating| limits::SCORE.contains(&rating.score);
    values::holds(rating.is_none_or(is_rated), "a rating is from 1 to 5")?;
    values::text_if("the comment of a rating", limits::REMARK, rating.and_then(|rating| rating.comment.as_ref()))?;
    values::text_if("summary", NOTE, escalation.summary.as_ref())?;
    last_words(escalation.last_words.as_ref())?;
    values::text_if("the customer", limits::EXTERNAL_USER_ID, escalation.customer_external_user_id.as_ref())?;
    values::text_if("the customer's name", limits::PERSON_NAME, escalation.customer_name.as_ref())?;
    values::agent("claimedBy", escalation.claimed_by.as_ref())?;
    values::agent("formerAgent", escalation.former_agent.as_ref())?;
    values::tags(&escalation.tags)?;
    values::version("version", escalation.version)?;
    values::holds(escalation.claim_token.is_none(), "an export has no claim tokens")
}

fn escalation_times(rules: Rules, escalation: &Escalation) -> Check {
    values::past("createdAt", escalation.created_at, rules)?;
    for (name, at) in [
        ("claimedAt", escalation.claimed_at),
        ("firstResponseAt", escalation.first_response_at),
        ("the time of the rating", escalation.rating.as_ref().map(|rating| rating.at)),
        ("resolvedAt", escalation.resolved_at),
        ("closedAt", escalation.closed_at),
        ("lastCustomerMessageAt", escalation.last_customer_message_at),
    ] {
        values::past_if(name, at, rules)?;
    }
    let (lease, snooze) = (escalation.lease_expires_at, escalation.snoozed_until);
    lease.map_or(Ok(()), |until| values::within("leaseExpiresAt", until, MAX_LEASE_MS, rules))?;
    for (name, until) in [("snoozedUntil", snooze), ("wasSnoozedUntil", escalation.was_snoozed_until)] {
        until.map_or(Ok(()), |until| values::within(name, until, MAX_SNOOZE_MS, rules))?;
    }
    values::holds(escalation.claimed_generation.is_none(), "an import brings no member")?;
    values::at_most("the earlier claims", escalation.earlier_parts, MAX_PARTS)?;
    values::holds(
        (0..=i64::from(escalation.earlier_parts) * MAX_PART_MS).contains(&escalation.earlier_parts_ms),
        "the earlier claims took less or more than they can",
    )?;
    values::past_if("noticedAt", escalation.noticed_at, rules)?;
    escalation.notice_due_at.map_or(Ok(()), |at| values::within("noticeDueAt", at, MAX_NOTICE_MS, rules))
}
