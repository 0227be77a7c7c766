//! The checks of sessions with their turns, requests for a human, and questions without an answer.

use std::collections::{BTreeMap, BTreeSet};

use domain::limits::{self, TextLimit, email, locale, metadata};
use domain::models::{
    AgentTurn, AiTurn, CustomerTurn, Disposition, Escalation, EscalationId, EscalationStatus, LastWords, MessageId,
    Mode, Ownership, Rating, Session, SystemTurn, Turn, TurnBody, TurnRole,
};
use serde_json::Value;
use text::sanitise;

use crate::transfer::check::{self, Check, Rules, records};
use crate::transfer::table::{GapQuestion, ItemCopy};

/// The most turns: a message's id holds the number in 24 bits.
const MAX_TURNS: u32 = 0x00FF_FFFF;
/// The most requests for a human of one session.
const MAX_ESCALATIONS: usize = 10_000;
/// The limit of a text that the service writes for the AI or an agent.
const NOTE: TextLimit = TextLimit::prose(0, 10_000);
/// The most bytes of an AI turn: an answer of up to 8 KiB, a fixed text of the tenant after it, and escapes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The longest an answer took, in milliseconds.
const MAX_LATENCY_MS: u64 = 10_000_000_000;
/// How long a claim lasts without a word of its agent, in milliseconds.
const MAX_LEASE_MS: i64 = 30 * 60_000;
/// How long a claim is put off at the most, in milliseconds.
const MAX_SNOOZE_MS: i64 = 7 * 24 * HOUR_MS;
/// The most earlier claims of one request for a human.
const MAX_PARTS: u32 = 1_000_000;
/// How long they may have taken together, in milliseconds: a thousand years.
const MAX_PARTS_MS: i64 = 1_000 * 365 * 24 * HOUR_MS;
/// The latest notice that a customer waits.
const MAX_NOTICE_MS: i64 = *limits::settings::NOTICE_AFTER_MINUTES.end() as i64 * 60_000;
const HOUR_MS: i64 = 3_600_000;
const NO_SUCH_TURN: &str = "it answers turns that are not there";

/// A session without what belongs to it.
pub(crate) fn session(rules: Rules, mode: Mode, session: &Session) -> Check {
    check::holds(session.mode == mode, "the session is of another mode")?;
    check::holds(!session.is_preview(), "an export has no previews of the chat")?;
    check::version("version", session.version)?;
    check::at_most("epoch", session.epoch, check::MAX_COUNT)?;
    check::at_most("turnCount", session.turn_count, MAX_TURNS)?;
    let counted = [session.ai_since_turn, session.ai_turns, session.no_answer_streak, session.ai_reads_after_turn];
    check::holds(counted.iter().all(|n| *n <= session.turn_count), "it counts more turns than there are")?;
    check::text_if("handoverNote", NOTE, session.handover_note.as_ref())?;
    details(session)?;
    times(rules, session)
}

/// Checks the fields that callers set.
fn details(session: &Session) -> Check {
    check::text_if("externalUserId", limits::EXTERNAL_USER_ID, session.external_user_id.as_ref())?;
    if let Some(user) = &session.user {
        check::holds(user.name.is_some() || user.email.is_some(), "a user has a name or an e-mail address")?;
        check::text_if("the name", limits::PERSON_NAME, user.name.as_ref())?;
        check::text_if("the e-mail address", limits::PERSON_EMAIL, user.email.as_ref())?;
        let address = user.email.as_deref().map_or(Ok(()), email::parse);
        address.map_err(|why| format!("the e-mail address {why}"))?;
    }
    if let Some(language) = &session.locale {
        check::text("locale", limits::LOCALE, language)?;
        locale::parse(language).map_err(|why| format!("locale {why}"))?;
    }
    check::text_if("timezone", limits::hours::TIMEZONE, session.timezone.as_ref())?;
    last_words(session.last_words.as_ref())?;
    let (sent_tags, sent_metadata) = session.sent_by_widget();
    labels(&session.tags, &session.metadata)?;
    labels(&sent_tags, &sent_metadata)
}

fn last_words(words: Option<&LastWords>) -> Check {
    let Some(words) = words else { return Ok(()) };
    check::at_most("the characters of the last words", words.text.chars().count(), LastWords::MAX_CHARS)?;
    let question = words.question.as_deref().unwrap_or_default();
    check::at_most("the characters of the last question", question.chars().count(), LastWords::MAX_CHARS)
}

/// The tags and the metadata of a session.
fn labels(tags: &[String], fields: &BTreeMap<String, Value>) -> Check {
    check::tags(tags)?;
    check::at_most("the keys of metadata", fields.len(), metadata::MAX_KEYS)?;
    let bytes = serde_json::to_vec(fields).map_or(usize::MAX, |json| json.len());
    check::at_most("the bytes of metadata", bytes, metadata::MAX_BYTES)?;
    fields.iter().try_for_each(|(key, value)| {
        check::text("a key of metadata", metadata::KEY, key)?;
        metadata::value_problem(value).map_or(Ok(()), |(_, why)| Err(format!("metadata: {why}")))
    })
}

fn times(rules: Rules, session: &Session) -> Check {
    check::holds(session.created_at == session.session_id.created_at(), "createdAt is not the time of its id")?;
    check::past("createdAt", session.created_at, rules)?;
    check::past("lastActivityAt", session.last_activity_at, rules)?;
    check::past("ownerSince", session.owner_since, rules)?;
    let Some(closing) = session.closing() else { return Ok(()) };
    check::past("closedAt", closing.at, rules)?;
    let longest_ms = i64::from(*limits::settings::RESUME_WINDOW_HOURS.end()) * HOUR_MS;
    check::within("resumableUntil", closing.resumable_until, longest_ms, rules)
}

/// The lines of a session: its requests for a human, its turns, and its questions, in this order.
#[derive(Debug)]
pub(crate) struct SessionLines {
    session: Session,
    escalations: BTreeSet<EscalationId>,
    has_open_case: bool,
    /// Whether the turn of this number less one is a customer's.
    is_customers: Vec<bool>,
    last: Option<MessageId>,
    last_public: Option<MessageId>,
    /// The turn and the part.
    last_question: (u32, u32),
}

impl SessionLines {
    pub(crate) fn new(session: &Session) -> Self {
        Self {
            session: session.clone(),
            escalations: BTreeSet::new(),
            has_open_case: false,
            is_customers: Vec::new(),
            last: None,
            last_public: None,
            last_question: (0, 0),
        }
    }

    pub(crate) fn part(&mut self, rules: Rules, mode: Mode, item: &ItemCopy) -> Check {
        let id = match item {
            ItemCopy::Escalation(escalation) => &escalation.session_id,
            ItemCopy::Turn(turn) => &turn.session_id,
            ItemCopy::GapQuestion(question) => &question.asked.session_id,
            _ => return Err("it does not belong to the session before it".into()),
        };
        let is_mine = self.session.mode == mode && self.session.session_id == *id;
        check::holds(is_mine, "it belongs to another session than the lines before it")?;
        match item {
            ItemCopy::Escalation(escalation) => self.escalation(rules, escalation),
            ItemCopy::Turn(turn) => self.turn(rules, &turn.turn),
            ItemCopy::GapQuestion(question) => self.question(question),
            _ => Ok(()),
        }
    }

    pub(crate) fn is_whole(&self) -> Check {
        let Session { turn_count, last_message_id, last_public_message_id, .. } = &self.session;
        check::holds(self.turns() == *turn_count, "turns of the session before it are missing")?;
        let is_last = self.last == *last_message_id && self.last_public == *last_public_message_id;
        check::holds(is_last, "the session before it names other turns as its last")?;
        let is_open = self.session.escalation_id().is_some();
        check::holds(self.has_open_case == is_open, "the request for a human of the session before it is missing")?;
        let ended = self.session.last_human_part.as_ref();
        check::holds(
            ended.is_none_or(|id| self.escalations.contains(id)),
            "the session before it names a request for a human that is not its own",
        )
    }

    fn escalation(&mut self, rules: Rules, escalation: &Escalation) -> Check {
        check::holds(self.turns() == 0, "requests for a human stand before the turns")?;
        check::at_most("the requests for a human", self.escalations.len(), MAX_ESCALATIONS)?;
        self.escalations.insert(escalation.escalation_id.clone());
        check::holds(self.session.ever_escalated, "the session says that no human was ever asked for")?;
        let owner = match escalation.status {
            EscalationStatus::Pending => Some(Ownership::PendingHandover),
            EscalationStatus::Claimed => Some(Ownership::Human),
            EscalationStatus::Resolved | EscalationStatus::Closed => None,
        };
        if let Some(owner) = owner {
            let is_it = self.session.escalation_id() == Some(&escalation.escalation_id);
            check::holds(is_it && self.session.ownership() == owner, "its session does not wait for it")?;
            let user = self.session.user.as_ref();
            let is_named = escalation.customer_name.as_ref() == user.and_then(|user| user.name.as_ref())
                && escalation.customer_verified == user.is_some_and(|user| user.verified);
            check::holds(is_named, "it shows another customer than its session")?;
            let is_snoozed = escalation.snoozed_until.is_some();
            check::holds(is_snoozed == self.session.is_snoozed(), "its session says otherwise whether it is put off")?;
            self.has_open_case = true;
        }
        escalation_texts(escalation)?;
        escalation_times(rules, escalation)
    }

    fn turn(&mut self, rules: Rules, turn: &Turn) -> Check {
        check::holds(self.last_question == (0, 0), "turns stand before the questions")?;
        self.is_customers.push(turn.role() == TurnRole::Customer);
        let is_next = turn.number == self.turns() && turn.number <= self.session.turn_count;
        check::holds(is_next && turn.message_id.turn_number() == turn.number, "the turns are not 1, 2, … in order")?;
        self.last = Some(turn.message_id.clone());
        if !turn.is_internal() {
            self.last_public.clone_from(&self.last);
        }
        check::past("createdAt", turn.created_at, rules)?;
        match &turn.body {
            TurnBody::Customer(CustomerTurn { answered_by, silence }) => {
                check::text("content", limits::MESSAGE, &turn.content)?;
                let is_later = |by: u32| by > turn.number && by <= self.session.turn_count;
                check::holds(answered_by.is_none_or(is_later), NO_SUCH_TURN)?;
                silence.as_ref().map_or(Ok(()), |it| self.reply(it.latency_ms, it.escalation_id.as_ref()))
            }
            TurnBody::Ai(ai) => {
                let is_earlier = ai.answers >= 1 && ai.answers < turn.number && ai.queries < turn.number;
                check::holds(is_earlier, NO_SUCH_TURN)?;
                self.reply(ai.latency_ms, ai.escalation_id.as_ref())?;
                answer(&turn.content, ai)
            }
            TurnBody::Agent(AgentTurn { agent, .. }) => {
                check::agent("agent", Some(agent))?;
                check::text("content", limits::MESSAGE, &turn.content)
            }
            TurnBody::System(SystemTurn { agent, .. }) => {
                check::agent("agent", agent.as_ref())?;
                check::holds(turn.content.is_empty(), "a system turn has no text")
            }
        }
    }

    /// Checks what every reply to a message has.
    fn reply(&self, latency_ms: u64, escalation: Option<&EscalationId>) -> Check {
        check::at_most("latencyMs", latency_ms, MAX_LATENCY_MS)?;
        let is_known = escalation.is_none_or(|id| self.escalations.contains(id));
        check::holds(is_known, "it names a request for a human that is not of its session")
    }

    fn question(&mut self, question: &GapQuestion) -> Check {
        records::example(&question.asked)?;
        let place = (question.turn, question.part);
        let is_next = place > self.last_question;
        self.last_question = place;
        check::holds(question.part < 3, "a turn has fewer questions")?;
        let is_its = question.asked.message_id.turn_number() == question.turn;
        check::holds(is_its, "a question names the message of its turn")?;
        let turn = usize::try_from(question.turn).ok().and_then(|number| number.checked_sub(1));
        let is_customers = turn.and_then(|turn| self.is_customers.get(turn)).is_some_and(|is_customers| *is_customers);
        check::holds(is_next && is_customers, "the questions are customers' turns of the session, in order")
    }

    /// How many turns there were.
    fn turns(&self) -> u32 {
        u32::try_from(self.is_customers.len()).unwrap_or(u32::MAX)
    }
}

fn answer(content: &str, answer: &AiTurn) -> Check {
    let is_silent = matches!(answer.disposition, Disposition::QueuedForHuman | Disposition::Superseded);
    check::holds(!is_silent, "the AI was silent")?;
    check::at_most("the bytes of content", content.len(), MAX_ANSWER_BYTES)?;
    check::holds(sanitise::with_images(content) == content, "content is not what the AI may show")?;
    check::text_if("notice", NOTE, answer.notice.as_ref())?;
    check::share("confidence", answer.confidence)?;
    answer.missing.iter().try_for_each(|question| check::text("a question", limits::MESSAGE, question))?;
    let mut titles = answer.sources.iter().map(|source| &source.title);
    titles.try_for_each(|title| check::text("the title of a source", limits::ENTRY_TITLE, title))?;
    answer.sources.iter().try_for_each(|source| check::share("the confidence of a source", source.confidence))
}

fn escalation_texts(escalation: &Escalation) -> Check {
    check::text("reason", limits::REMARK, &escalation.reason)?;
    check::text_if("resolution", limits::REMARK, escalation.resolution.as_ref())?;
    let rating = escalation.rating.as_ref();
    let is_rated = |rating: &Rating| limits::SCORE.contains(&rating.score);
    check::holds(rating.is_none_or(is_rated), "a rating is from 1 to 5")?;
    check::text_if("the comment of a rating", limits::REMARK, rating.and_then(|rating| rating.comment.as_ref()))?;
    check::text_if("summary", NOTE, escalation.summary.as_ref())?;
    last_words(escalation.last_words.as_ref())?;
    check::text_if("the customer", limits::EXTERNAL_USER_ID, escalation.customer_external_user_id.as_ref())?;
    check::text_if("the customer's name", limits::PERSON_NAME, escalation.customer_name.as_ref())?;
    check::agent("claimedBy", escalation.claimed_by.as_ref())?;
    check::agent("formerAgent", escalation.former_agent.as_ref())?;
    check::tags(&escalation.tags)?;
    check::version("version", escalation.version)
}

fn escalation_times(rules: Rules, escalation: &Escalation) -> Check {
    check::past("createdAt", escalation.created_at, rules)?;
    let is_claimed = escalation.status == EscalationStatus::Claimed;
    let (lease, snooze) = (escalation.lease_expires_at, escalation.snoozed_until);
    let is_held = lease.is_some() || snooze.is_some() || escalation.answered;
    check::holds(is_held == is_claimed, "a claim, and nothing else, has a lease, is put off or answered")?;
    check::holds(!is_claimed || escalation.claimed_by.is_some(), "a claim is somebody's")?;
    for (name, until, longest_ms) in [
        ("leaseExpiresAt", lease, MAX_LEASE_MS),
        ("snoozedUntil", snooze, MAX_SNOOZE_MS),
        ("noticeDueAt", escalation.notice_due_at, MAX_NOTICE_MS),
    ] {
        until.map_or(Ok(()), |until| check::within(name, until, longest_ms, rules))?;
    }
    check::at_most("the earlier claims", escalation.earlier_parts, MAX_PARTS)?;
    let is_possible = (0..=MAX_PARTS_MS).contains(&escalation.earlier_parts_ms);
    check::holds(is_possible, "the earlier claims took less or more than they can")
}
