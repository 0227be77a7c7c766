//! Escalation to a human: by the customer, the caller, or the AI. Also the sentence that says when somebody is there.
//!
//! While a customer waits for a person and nobody has had the request yet, the AI says the wiki's answer. If nobody is
//! there, it says when somebody is, but not twice in a row. All else is for the person.

use domain::access::Principal;
use domain::clock::Runtime;
use domain::hours::told;
use domain::models::{
    AgentName, AgentRef, AiTurn, Channel, CustomerLanguage, Disposition, Escalation, EscalationId, EscalationStatus,
    Ownership, Presence, Priority, Reaction, ReasonCategory, RequestedBy, Scope, Session, SessionAction, SessionId,
    SessionState, Settings, SystemEvent, Timestamp, Turn, TurnBody,
};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::dialogue::{Sentence, nobody_there};

use crate::edge::allowance::{Allowance, LimitedAction};
use crate::edge::table::RequestKey;
use crate::sessions::conversation::answering::{AnswerAttempt, Verdict, shown, text_of};
use crate::sessions::conversation::classification::{TurnClassification, Voice};
use crate::sessions::conversation::message::{self, Reply};
use crate::sessions::conversation::pending_answer::{append, is_reply_to_customer, next_turn, system_turn};
use crate::sessions::conversation::{ConversationService, can_access_session, lifecycle};
use crate::sessions::table::SessionWithTurns;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::table::update::Decision;
use crate::tenants::hours::presence;

/// How many turns the agent's summary uses.
const SUMMARY_TURNS: u16 = 50;

/// The request for a human.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Escalated")]
pub(crate) struct EscalationResult {
    /// The request for a human.
    escalation_id: EscalationId,
    /// The conversation.
    session_id: SessionId,
    /// Who answers the customer now.
    ownership: Ownership,
    /// Where the request stands.
    status: EscalationStatus,
    /// Why, in words.
    reason: String,
    /// From 1, exact up to 1,000; null where it is not in the queue.
    queue_position: Option<u32>,
    /// When it was asked for.
    created_at: Timestamp,
    /// Whether people are there.
    #[serde(flatten)]
    presence: Presence,
}

impl EscalationResult {
    fn new(made: Escalation, ownership: Ownership, queue_position: Option<u32>, presence: Presence) -> Self {
        Self {
            escalation_id: made.escalation_id,
            session_id: made.session_id,
            ownership,
            status: made.status,
            reason: made.reason,
            queue_position,
            created_at: made.created_at,
            presence,
        }
    }
}

/// The requester, reason and priority of an escalation.
struct EscalationRequest<'a> {
    reason: &'a str,
    category: ReasonCategory,
    by: RequestedBy,
    priority: Priority,
}

/// A new request for a human about `session`, in which `said` was said, oldest first; its priority is normal.
pub(crate) fn new_escalation(
    runtime: &Runtime,
    settings: &Settings,
    session: &Session,
    reason: &str,
    reason_category: ReasonCategory,
    requested_by: RequestedBy,
    said: &[Turn],
) -> Result<Escalation> {
    let now = runtime.now();
    Ok(Escalation {
        escalation_id: EscalationId::generate(runtime)?,
        session_id: session.session_id.clone(),
        status: EscalationStatus::Pending,
        reason: reason.to_owned(),
        reason_category,
        requested_by,
        priority: Priority::Normal,
        created_at: now,
        claimed_at: None,
        claimed_by: None,
        claim_token: None,
        claimed_generation: None,
        lease_expires_at: None,
        answered: false,
        former_agent: None,
        release_reason: None,
        snoozed_until: None,
        was_snoozed_until: None,
        notice_due_at: settings.notice_due_at(now),
        noticed_at: None,
        first_response_at: None,
        rating: None,
        resolved_at: None,
        closed_at: None,
        outcome: None,
        resolution: None,
        summary: message::summary(said)
            .or_else(|| (requested_by == RequestedBy::Customer).then(|| message::of_reason(reason))),
        last_customer_message_at: session.last_customer_message_at,
        last_words: session.last_words.clone(),
        customer_external_user_id: session.external_user_id.clone(),
        customer_name: session.user.as_ref().and_then(|user| user.name.clone()),
        customer_verified: session.user.as_ref().is_some_and(|user| user.verified),
        tags: session.tags.clone(),
        earlier_parts: 0,
        earlier_parts_ms: 0,
        version: 1,
    })
}

impl ConversationService {
    /// Asks for a human; asked again, it is the same request, with the priority that it has. Says whether it is the
    /// result of an earlier request with the key `request`.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `SESSION_CLOSED`, 422 for a key that was used for another request,
    /// 429 for a visitor's request that is one too many.
    pub(crate) async fn escalate(
        &self,
        caller: &Principal,
        id: &SessionId,
        reason: &str,
        priority: Priority,
        request: Option<RequestKey>,
        allowance: &Allowance,
    ) -> Result<(EscalationResult, bool)> {
        let scope = caller.scope();
        let open = self.store.sessions().get_with_turns(scope, id, SUMMARY_TURNS).await?;
        if !can_access_session(caller, &open.session) {
            return Err(Error::not_found("session"));
        }
        let key = request.map(|key| key.beside(id));
        let by = if caller.widget().is_some() { RequestedBy::Customer } else { RequestedBy::Api };
        let request = EscalationRequest { reason, category: ReasonCategory::Manual, by, priority };
        let work = self.escalate_session(scope, open, request, key.as_ref(), allowance);
        self.store.idempotency().once(scope, key.as_ref(), work, async |escalated| Ok(escalated)).await
    }

    /// The place in the queue of a session that awaits a human, from 1, exact up to 1,000; none for any other.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(crate) async fn queue_position(&self, scope: &Scope, session: &Session) -> Result<Option<u32>> {
        let SessionState::PendingHandover { escalation_id: id } = &session.state else { return Ok(None) };
        let escalations = self.store.escalations();
        match escalations.get(scope, id).await? {
            Some(escalation) => escalations.get_queue_position(scope, &escalation).await,
            None => Ok(None),
        }
    }

    /// The agent who had the part of this session that ended last, if nobody was asked for since.
    pub(crate) async fn former_agent(&self, scope: &Scope, session: &Session) -> Result<Option<AgentRef>> {
        let Some(ended) = &session.last_human_part else { return Ok(None) };
        let ended = self.store.escalations().get(scope, ended).await?;
        Ok(ended.and_then(|ended| ended.claimed_by))
    }

    /// Asks for a human because of two rejected answers, if the AI still owns the session.
    pub(crate) async fn escalate_after_reactions(
        &self,
        scope: &Scope,
        open: SessionWithTurns,
        allowance: &Allowance,
    ) -> Result<()> {
        let category = ReasonCategory::NegativeFeedback;
        let reason = reason(category);
        let request = EscalationRequest { reason, category, by: RequestedBy::Ai, priority: Priority::Normal };
        self.escalate_session(scope, open, request, None, allowance).await.map(drop)
    }

    async fn escalate_session(
        &self,
        scope: &Scope,
        open: SessionWithTurns,
        request: EscalationRequest<'_>,
        key: Option<&RequestKey>,
        allowance: &Allowance,
    ) -> Result<EscalationResult> {
        let SessionWithTurns { session, recent, settings } = open;
        let deadline = self.deadline(self.runtime.now());
        let (request, recent, settings, requests) = (&request, &recent, &settings, self.store.idempotency());
        let counting = allowance.trying(LimitedAction::Escalation);
        let counted = &counting;
        let decide = |session: Session| async move {
            if let Some(open) = session.escalation_id() {
                let found = self.store.escalations().get(scope, open).await?;
                let found = found.ok_or_else(|| Error::not_found("session"))?;
                let escalated = self.escalated(scope, settings, found, session.ownership()).await?;
                requests.store_completed(scope, key, escalated.clone()).await?;
                return Ok(Decision::Keep((escalated, false)));
            }
            let former_agent = self.former_agent(scope, &session).await?;
            let (change, made) = self.escalation_of(&session, request, recent, settings, former_agent)?;
            if session.is_preview() {
                // In a preview of the chat nobody is there, and nobody is called.
                let told = EscalationResult::new(made, session.ownership(), None, Presence::NOBODY);
                requests.store_completed(scope, key, told.clone()).await?;
                return Ok(Decision::Keep((told, false)));
            }
            counted.count().await?;
            // The place is counted before the request is queued, so that the same transaction stores the result.
            let escalated = self.escalated(scope, settings, made, Ownership::PendingHandover).await?;
            let record = requests.completed(scope, key, escalated.clone())?;
            Ok(Decision::Write(change.recording(record), (escalated, true)))
        };
        let updated = self.store.sessions().update(scope, session, deadline, decide).await;
        counting.end(matches!(updated, Ok((_, true)))).await;
        updated.map(|(escalated, _)| escalated)
    }

    async fn escalated(
        &self,
        scope: &Scope,
        settings: &Settings,
        escalation: Escalation,
        ownership: Ownership,
    ) -> Result<EscalationResult> {
        let escalations = self.store.escalations();
        let place = escalations.get_queue_position(scope, &escalation);
        let (queue_position, presence) = tokio::try_join!(place, self.presence(scope, settings))?;
        Ok(EscalationResult::new(escalation, ownership, queue_position, presence))
    }

    fn escalation_of(
        &self,
        session: &Session,
        request: &EscalationRequest<'_>,
        recent: &[Turn],
        settings: &Settings,
        former_agent: Option<AgentRef>,
    ) -> Result<(SessionChange, Escalation)> {
        let now = self.runtime.now();
        let made =
            new_escalation(&self.runtime, settings, session, request.reason, request.category, request.by, recent)?;
        let made = Escalation { priority: request.priority, former_agent, ..made };
        let action = SessionAction::Escalate(made.escalation_id.clone());
        let mut after = lifecycle::transition(session, &action, now, settings)?;
        let note = system_turn(&self.runtime, &after, SystemEvent::HandoverRequested, None)?;
        append(&mut after, &note, now);
        let mut change = SessionChange::new(session, after);
        change.turns = vec![note];
        change.escalation = Some(EscalationChange::Create(made.clone()));
        Ok((change, made))
    }
}

/// So many answers in a row without an answer, or with thumbs down, ask for a human.
const ESCALATE_AFTER_CONSECUTIVE: u32 = 2;

/// The reason to escalate after an answer that is about to be stored; none if there is no reason. It is a field of
/// the decision, never a word in the text.
///
/// The AI escalates on request, if a customer comes back after a person's part, at `maxAiTurns`, if search or model
/// fail, and after two misses in a row, except in a chat: there the customer reads the offer of a person, and says yes.
pub(crate) fn escalation_after_answer(
    session: &Session,
    settings: &Settings,
    verdict: &Verdict<'_>,
) -> Option<ReasonCategory> {
    let Verdict { answer, understanding, .. } = verdict;
    if understanding.wants_human {
        return Some(ReasonCategory::CustomerRequest);
    }
    if answer.disposition == Disposition::SmallTalk {
        return None;
    }
    if answer.failure.is_some() {
        return Some(ReasonCategory::AiFailure);
    }
    if understanding.comes_back || (understanding.is_after_person && answer.disposition == Disposition::NoAnswer) {
        return Some(ReasonCategory::CameBack);
    }
    let misses_again = session.no_answer_streak + 1 >= ESCALATE_AFTER_CONSECUTIVE;
    if answer.disposition == Disposition::NoAnswer && misses_again && session.channel != Channel::Widget {
        return Some(ReasonCategory::LowConfidence);
    }
    (session.ai_turns + 1 >= settings.max_ai_turns).then_some(ReasonCategory::MaxTurns)
}

/// Whether the last answers since the session became `ai` all got thumbs down. `turns` oldest first.
pub(crate) fn escalation_after_reaction(session: &Session, turns: &[Turn]) -> bool {
    let mut last = turns
        .iter()
        .rev()
        .filter(|turn| turn.number > session.ai_since_turn)
        .filter_map(Turn::ai)
        .filter(|answer| answer.disposition != Disposition::SmallTalk)
        .take(ESCALATE_AFTER_CONSECUTIVE as usize)
        .map(|answer| answer.reactions.contains(&Reaction::ThumbsDown));
    let count = last.clone().count();
    count == ESCALATE_AFTER_CONSECUTIVE as usize && last.all(|down| down)
}

/// The requester of an automatic escalation.
pub(crate) const fn requested_by(category: ReasonCategory) -> RequestedBy {
    match category {
        ReasonCategory::CustomerRequest => RequestedBy::Customer,
        _ => RequestedBy::Ai,
    }
}

/// The text of a reason, for the agent.
pub(crate) const fn reason(category: ReasonCategory) -> &'static str {
    match category {
        ReasonCategory::Manual => "A human was asked for.",
        ReasonCategory::CustomerRequest => "The customer asked for a human.",
        ReasonCategory::LowConfidence => "The wiki had no answer to the last two questions.",
        ReasonCategory::NegativeFeedback => "The customer rejected the last two answers.",
        ReasonCategory::MaxTurns => "The AI has answered as often as the settings allow.",
        ReasonCategory::AiFailure => "The AI could not answer for a technical reason.",
        ReasonCategory::StepIn => "An agent stepped in.",
        ReasonCategory::CameBack => "The customer came back after a person had ended their part.",
    }
}

/// The same, with the case that a customer comes back to.
pub(crate) fn reason_after(category: ReasonCategory, earlier: Option<&EscalationId>) -> String {
    match earlier.filter(|_| category == ReasonCategory::CameBack) {
        Some(earlier) => format!("{} The earlier case: {earlier}.", reason(category)),
        None => reason(category).to_owned(),
    }
}

/// The text for a customer if nobody is there: it names the next opening time by the tenant's clock, and that clock's
/// zone if the customer's, in `timezone`, shows another time.
pub(crate) fn away(
    language: CustomerLanguage,
    settings: &Settings,
    presence: &Presence,
    timezone: Option<&str>,
    now: Timestamp,
) -> String {
    let hours = settings.hours.as_ref().zip(presence.next_open_at);
    nobody_there(language, hours.and_then(|(hours, next)| told(hours, timezone, now, next)).as_ref())
}

impl ConversationService {
    /// Whether somebody is there now.
    pub(crate) async fn presence(&self, scope: &Scope, settings: &Settings) -> Result<Presence> {
        presence(&self.store, scope, settings, self.runtime.now()).await
    }
}

/// A sentence for a customer who waits, with the turn that says it.
struct Said {
    words: String,
    ai: AiTurn,
}

impl ConversationService {
    /// Answers the stored turn `asked` of a customer who waits, or says when somebody is there. Returns `queued`, the
    /// silence that is stored with the turn, if there is nothing to say, if the tenant does not want it, if the session
    /// changed hands meanwhile, and if that fails: the message waits for its person in any case.
    pub(crate) async fn answer_while_waiting(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        asked: Turn,
        understanding: TurnClassification,
        queued: Reply,
    ) -> Reply {
        let id = session.session_id.clone();
        match self.try_while_waiting(attempt, session, asked, understanding, queued.clone()).await {
            Ok(reply) => reply,
            Err(error) => {
                tracing::warn!(error = %error, session.id = %id, "failed to answer a customer who waits; the message waits for a person");
                queued
            }
        }
    }

    async fn try_while_waiting(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        asked: Turn,
        understanding: TurnClassification,
        queued: Reply,
    ) -> Result<Reply> {
        let SessionState::PendingHandover { escalation_id: open } = &session.state else { return Ok(queued) };
        let is_silent = !attempt.settings.answers_while_waiting || understanding.small_talk.is_some();
        if is_silent || self.was_claimed(&attempt.scope, open).await? {
            return Ok(queued);
        }
        let voice = understanding.voice(&session, &attempt.settings, self.runtime.now());
        let answered = self.waiting_answer(attempt, &session, &asked, &understanding).await;
        let away = queued.presence.filter(|presence| !presence.people_available && !was_told(&attempt.recent));
        let said = answered.or_else(|| away.map(|presence| away_sentence(&voice, presence, &asked)));
        match said {
            Some(said) => self.say_while_waiting(attempt, session, &asked, &voice, said, queued).await,
            None => Ok(queued),
        }
    }

    /// Whether an agent had the request before: then the conversation is theirs.
    async fn was_claimed(&self, scope: &Scope, id: &EscalationId) -> Result<bool> {
        let open = self.store.escalations().get(scope, id).await?;
        Ok(open.is_none_or(|open| open.release_reason.is_some() || !open.is_pending()))
    }

    /// The wiki's answer; none if it has none to a part of the message, and if the message is for people.
    async fn waiting_answer(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        asked: &Turn,
        understanding: &TurnClassification,
    ) -> Option<Said> {
        if understanding.wants_human || understanding.complains {
            return None;
        }
        let found = self.retrieve(attempt, session, understanding).await;
        let (answer, last_error) = self.make_answer(attempt, session, understanding, found).await;
        if let Some(last_error) = last_error {
            self.store
                .agent_runs()
                .record(AgentName::Answer, attempt.received_at, self.runtime.now(), last_error)
                .await;
        }
        // A part without an answer would count as answered, and nobody would see to it.
        let is_whole = answer.disposition == Disposition::Answered && !answer.unanswered && answer.left_out.is_empty();
        is_whole.then(|| Said {
            words: text_of(attempt, session, &answer),
            ai: AiTurn {
                sources: answer.sources,
                confidence: answer.confidence,
                grounded_on_internal: answer.internal,
                queries: 1,
                ..AiTurn::new(Disposition::Answered, asked.number)
            },
        })
    }

    /// Stores what is said, unless the session changed hands.
    async fn say_while_waiting(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        asked: &Turn,
        voice: &Voice<'_>,
        said: Said,
        queued: Reply,
    ) -> Result<Reply> {
        let (epoch, said, queued) = (session.epoch, &said, &queued);
        let decide = |session: Session| async move {
            if session.epoch != epoch {
                return Ok(Decision::Keep(queued.clone()));
            }
            let now = self.runtime.now();
            let ai = AiTurn {
                notice: (!session.notice_given).then(|| voice.say(Sentence::Notice)),
                latency_ms: attempt.latency_ms(now),
                escalation_id: session.escalation_id().cloned(),
                presence: queued.presence,
                ..said.ai.clone()
            };
            let body = TurnBody::Ai(Box::new(ai.clone()));
            let turn = next_turn(&self.runtime, &session, shown(attempt, &session, &said.words), body)?;
            let mut after = session.clone();
            append(&mut after, &turn, now);
            after.notice_given = true;
            let reply = Reply::answer(&turn, &ai);
            let mut change = SessionChange::new(&session, after);
            // The hours are no answer: the question stays for whoever answers next.
            change.answers = if ai.disposition == Disposition::Answered { vec![asked.number] } else { Vec::new() };
            change.turns = vec![turn];
            Ok(Decision::Write(change, reply))
        };
        self.store.sessions().update(&attempt.scope, session, attempt.deadline, decide).await
    }
}

/// When somebody is there.
fn away_sentence(voice: &Voice<'_>, presence: Presence, asked: &Turn) -> Said {
    Said {
        words: voice.say_who_is_away(ReasonCategory::Manual, &presence),
        // A short sentence that is in no figure.
        ai: AiTurn::new(Disposition::SmallTalk, asked.number),
    }
}

/// Whether the last thing that was said to the customer was said while nobody was there, and says so.
fn was_told(recent: &[Turn]) -> bool {
    let last = recent.iter().rev().find(|turn| is_reply_to_customer(turn)).and_then(Turn::ai);
    let is_told = |ai: &AiTurn| matches!(ai.disposition, Disposition::Escalated | Disposition::SmallTalk);
    last.is_some_and(|ai| is_told(ai) && ai.presence.is_some_and(|presence| !presence.people_available))
}
