//! One customer message: stored together with its answer, or before it, if the answer takes time. A repeated one is neither
//! stored nor answered twice, and answered now if the first attempt died. The reply is made of what is stored, also that
//! to a repetition.
//!
//! Also the summary of a conversation in a few lines, for the agent who takes it over and for the AI that gets it back.

use std::time::Duration;

use domain::access::Principal;
use domain::models::{
    AiTurn, AnswerVisibility, CustomerTurn, Disposition, Escalation, EscalationId, MessageId, Ownership, Presence,
    Session, SessionId, Silence, SilenceReason, Timestamp, Turn, TurnBody, TurnRole,
};
use domain::wire::SourceOut;
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::caught;
use crate::edge::allowance::{Allowance, LimitedAction};
use crate::edge::table::{Remembered, RequestKey};
use crate::sessions::conversation::answering::{AnswerAttempt, Verdict};
use crate::sessions::conversation::classification::TurnClassification;
use crate::sessions::conversation::lifecycle::{pending_answer_turn, session_closed};
use crate::sessions::conversation::pending_answer::{append, next_turn};
use crate::sessions::conversation::{ConversationService, can_access_session};
use crate::sessions::table::StoredTurn;
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::table::transaction::in_progress_for;
use crate::table::update::Decision;

/// How many turns before the message an answer may look at.
const RECENT_TURNS: u16 = 12;
/// How long a message waits unstored for what is found for it, so that one transaction stores it and its answer.
const MAX_UNSTORED: Duration = Duration::from_millis(150);

/// A received message.
#[derive(Debug, Clone)]
pub(crate) struct IncomingMessage {
    /// The customer's text, 1-8,000 characters.
    pub content: String,
    /// Of `clientMessageId`, which is valid as long as the session is there, and of `Idempotency-Key`.
    pub keys: Vec<RequestKey>,
    /// When the request came in.
    pub(crate) received_at: Timestamp,
}

/// The outcome of storing the customer's turn.
enum StoreOutcome {
    /// The session with the turn.
    New(Box<(Session, Turn)>),
    /// The turn was stored with its answer.
    Answered(Box<Reply>),
    /// The message was sent before.
    Before(Remembered<StoredTurn>),
}

impl ConversationService {
    /// Takes one customer message: stores it, and answers it if the AI owns the session.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `SESSION_CLOSED`, 409 `IDEMPOTENCY_IN_PROGRESS` and
    /// 422 `IDEMPOTENCY_KEY_REUSED` for a repeated token, 429 for a visitor's message that is one too many, 503 when the
    /// table does not answer.
    pub(crate) async fn answer(
        &self,
        caller: &Principal,
        id: &SessionId,
        incoming: IncomingMessage,
        allowance: &Allowance,
    ) -> Result<Reply> {
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let refused = allowance.check(LimitedAction::Message).err();
        let refused = match refused {
            // Before anything else is read.
            Some(refused) if incoming.keys.is_empty() => return Err(refused),
            refused => refused,
        };
        let sessions = self.store.sessions();
        let open = Box::pin(sessions.get_with_turns(scope, id, RECENT_TURNS));
        let (open, before) = tokio::join!(open, requests.find(scope, &incoming.keys));
        let open = open?;
        if !can_access_session(caller, &open.session) {
            return Err(Error::not_found("session"));
        }
        let widgets_see = open.settings.widget_answer_visibility;
        let attempt = AnswerAttempt {
            scope: scope.clone(),
            deadline: self.deadline(incoming.received_at),
            received_at: incoming.received_at,
            settings: open.settings,
            recent: open.recent,
            allows_human_request: true,
            allowance: allowance.clone(),
            redacts: caller.widget().is_some() && widgets_see == AnswerVisibility::Public,
        };
        if let Some(before) = before? {
            return Box::pin(self.repeated(attempt, id, before)).await;
        }
        if let Some(refused) = refused {
            return Err(refused);
        }
        let understanding = TurnClassification::of(&attempt, &open.session, &[&incoming.content]);
        let small_talk = understanding.small_talk.is_some();
        let is_for_ai = open.session.ownership() == Ownership::Ai;
        let mut retrieval = Box::pin(async {
            if is_for_ai { self.retrieve(&attempt, &open.session, &understanding).await } else { None }
        });
        let at_once = async {
            if !is_for_ai || self.asks_model(&attempt, &understanding) {
                return Ok(None);
            }
            match tokio::time::timeout(MAX_UNSTORED, &mut retrieval).await {
                Ok(found) => Ok(Some(self.decide(&attempt, &open.session, understanding.clone(), found).await)),
                Err(_) => Ok(None),
            }
        };
        // A panic costs the answer, and not the message, which is then stored alone.
        let decided = caught(at_once).await;
        let is_retrieved = !matches!(decided, Ok(None));
        let (decision, run) = decided.ok().flatten().unzip();
        let store = self.store_customer_turn(&attempt, open.session.clone(), &incoming, small_talk, decision.as_ref());
        // The search runs in parallel with the first write: it calls no language model, and its result is used only
        // once the message is durable. If the session becomes the AI's while the message is being stored, it runs
        // afterwards.
        let (stored, found) = tokio::join!(store, async { if is_retrieved { None } else { retrieval.await } });
        match stored? {
            StoreOutcome::Answered(reply) => {
                self.recording_run(&attempt, run.flatten(), std::future::ready(Ok(*reply))).await
            }
            StoreOutcome::Before(before) => Box::pin(self.repeated(attempt, id, before)).await,
            StoreOutcome::New(new) => match (Reply::of(&new.1), *new) {
                (Some(queued), (session, turn)) => {
                    Ok(Box::pin(self.answer_while_waiting(&attempt, session, turn, understanding, queued)).await)
                }
                (None, (session, turn)) => self.answer_turns(&attempt, session, vec![turn], understanding, found).await,
            },
        }
    }

    /// The reply to a repeated message: that of the first attempt, also if the turn was answered later with others. If
    /// the first attempt died, the message is answered.
    async fn repeated(&self, attempt: AnswerAttempt, id: &SessionId, before: Remembered<StoredTurn>) -> Result<Reply> {
        let (sessions, scope) = (self.store.sessions(), attempt.scope.clone());
        let StoredTurn { turn: number } = before.result;
        let (session, turn) = tokio::try_join!(sessions.get(&scope, id), sessions.get_turn(&scope, id, number))?;
        let (Some(session), Some(turn)) = (session, turn) else {
            return Err(Error::not_found("session"));
        };
        let (requests, replayed) = (self.store.idempotency(), !before.is_own());
        if let Some(reply) = self.reply_from(&attempt, id, &turn).await? {
            requests.store_others(&scope, &before).await?;
            return Ok(Reply { replayed, ..reply });
        }
        match session.ownership() {
            Ownership::Ai => {}
            // The session was closed: nobody is there to answer until it is resumed.
            Ownership::Closed => return Err(session_closed()),
            // The session was escalated or claimed.
            Ownership::PendingHandover | Ownership::Human => {
                let presence = self.presence(&scope, &attempt.settings).await?;
                let silence = queued(&session, 0, presence);
                return Ok(Reply { replayed, ..Reply::silence(&turn, &silence) });
            }
        }
        // An answer to this turn and others is being made, or the sweeper makes it.
        if pending_answer_turn(&session).is_some_and(|since| turn.number <= since) {
            let left = session.due_at.map_or(0, |at| at.millis_since(self.runtime.now()));
            return Err(in_progress_for(left));
        }
        if replayed {
            requests.take_over(&scope, &before, attempt.deadline).await?;
        }
        let recent = attempt.recent.into_iter().filter(|earlier| earlier.number < turn.number).collect();
        let attempt = AnswerAttempt { recent, ..attempt };
        let understanding = TurnClassification::of(&attempt, &session, &[&turn.content]);
        self.answer_turns(&attempt, session, vec![turn], understanding, None).await
    }

    /// Whether a language model is asked for the answer.
    fn asks_model(&self, attempt: &AnswerAttempt, understanding: &TurnClassification) -> bool {
        let may_ask = self.engine.model.is_some() && attempt.settings.model_calls_per_day != Some(0);
        may_ask && !understanding.question.is_empty()
    }

    /// Stores the message, with its answer by `decision` if the AI still has the session.
    async fn store_customer_turn(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        incoming: &IncomingMessage,
        small_talk: bool,
        decision: Option<&Verdict<'_>>,
    ) -> Result<StoreOutcome> {
        let [counting, escalating] =
            [LimitedAction::Message, LimitedAction::Escalation].map(|action| attempt.allowance.trying(action));
        let (counted, escalated, epoch) = (&counting, &escalating, session.epoch);
        let decide = |session: Session| async move {
            if session.ownership() == Ownership::Closed {
                return Err(session_closed());
            }
            counted.count().await?;
            let presence = match session.ownership() {
                Ownership::Ai => None,
                _ => Some(self.presence(&attempt.scope, &attempt.settings).await?),
            };
            let (change, turn) = self.customer_turn(attempt, &session, incoming, small_talk, presence)?;
            let is_as_decided = session.ownership() == Ownership::Ai && session.epoch == epoch;
            Ok(match decision.filter(|_| is_as_decided) {
                Some(decision) => {
                    let message = (change, turn);
                    let drafted = self.draft_with_message(attempt, &session, message, decision, escalated).await?;
                    Decision::Write(drafted.0, StoreOutcome::Answered(Box::new(drafted.1)))
                }
                None => {
                    let stored = StoreOutcome::New(Box::new((change.after.clone(), turn)));
                    Decision::Write(change, stored)
                }
            })
        };
        let (sessions, requests) = (self.store.sessions(), self.store.idempotency());
        let work = Box::pin(sessions.update(&attempt.scope, session, attempt.deadline, decide));
        let before = async |before: Remembered<StoredTurn>| Ok(StoreOutcome::Before(before));
        let stored = requests.once_leased(&attempt.scope, &incoming.keys, work, before).await;
        counting.end(matches!(stored, Ok((_, false)))).await;
        let is_escalated = |reply: &Reply| reply.disposition == Disposition::Escalated;
        escalating.end(matches!(&stored, Ok((StoreOutcome::Answered(reply), _)) if is_escalated(reply))).await;
        stored.map(|(stored, _)| stored)
    }

    fn customer_turn(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        incoming: &IncomingMessage,
        small_talk: bool,
        presence: Option<Presence>,
    ) -> Result<(SessionChange, Turn)> {
        let latency_ms = attempt.latency_ms(self.runtime.now());
        let silence = presence.map(|presence| queued(session, latency_ms, presence));
        let body = TurnBody::Customer(CustomerTurn { answered_by: None, silence });
        let turn = next_turn(&self.runtime, session, incoming.content.clone(), body)?;
        let mut after = session.clone();
        append(&mut after, &turn, turn.created_at);
        // A message to people counts, small talk included.
        after.has_customer_message |= !small_talk || session.ownership() != Ownership::Ai;
        after.set_snoozed(false);
        let mut change = SessionChange::new(session, after);
        change.turns = vec![turn.clone()];
        // The inbox shows that the customer wrote; what its agent answered or put off waits for that agent again.
        let (open, at) = (session.escalation_id().cloned(), turn.created_at);
        let lease = (session.ownership() == Ownership::Human).then(|| Escalation::lease_after_message(at));
        let words = change.after.last_words.clone();
        let wakes = session.is_snoozed();
        change.escalation = open.map(|id| EscalationChange::CustomerWrote { id, at, words, lease, wakes });
        let requests = self.store.idempotency();
        let record = |key| requests.started(&attempt.scope, key, attempt.deadline, StoredTurn { turn: turn.number });
        change.requests = incoming.keys.iter().map(record).collect::<Result<_>>()?;
        Ok((change, turn))
    }
}

/// The reply to a message while people have the session, or are awaited.
fn queued(session: &Session, latency_ms: u64, presence: Presence) -> Silence {
    Silence {
        reason: SilenceReason::QueuedForHuman,
        ownership: session.ownership(),
        latency_ms,
        escalation_id: session.escalation_id().cloned(),
        presence: Some(presence),
    }
}

/// The reply to a customer's message.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// The AI's turn; the customer's own where the AI is silent.
    pub(crate) message_id: MessageId,
    /// Markdown (CommonMark) without raw HTML and without images; links lead to `https:`, `http:`, `mailto:` and `tel:`
    /// alone. A `<` that would open a tag, a comment or a declaration is written `&lt;`. Empty where the AI is silent.
    pub(crate) answer: String,
    /// The entries nearest to the question, those that the answer was made from first.
    pub(crate) sources: Vec<SourceOut>,
    /// With the first answer of a session: the sentence that an automatic assistant answers. Show it before the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) notice: Option<String>,
    /// How likely the answer is in the wiki.
    #[schemars(range(min = 0, max = 1))]
    pub(crate) confidence: f64,
    /// Who answers the customer now.
    pub(crate) ownership: Ownership,
    /// The outcome of the message.
    pub(crate) disposition: Disposition,
    /// The wiki has a gap here.
    pub(crate) unanswered: bool,
    /// The answer asks whether the customer wants a human: yes is a request for one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) offers_human: bool,
    /// The number of the turn.
    pub(crate) turn: u32,
    /// Milliseconds from receipt to answer.
    pub(crate) latency_ms: u64,
    /// The request for a human that was made with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) escalation_id: Option<EscalationId>,
    /// If the message escalates, or waits for a human: whether people are there.
    #[serde(flatten)]
    pub(crate) presence: Option<Presence>,
    /// This is the first result of a message that was sent again.
    #[serde(skip)]
    pub(crate) replayed: bool,
}

impl Reply {
    /// The reply that a turn is: an answer, or the silence about a message; none if it is neither.
    pub(crate) fn of(turn: &Turn) -> Option<Self> {
        match &turn.body {
            TurnBody::Ai(ai) => Some(Self::answer(turn, ai)),
            TurnBody::Customer(customer) => customer.silence.as_ref().map(|silence| Self::silence(turn, silence)),
            TurnBody::Agent(_) | TurnBody::System(_) => None,
        }
    }

    /// The answer `ai` of `turn`.
    pub(crate) fn answer(turn: &Turn, ai: &AiTurn) -> Self {
        Self {
            message_id: turn.message_id.clone(),
            answer: turn.content.clone(),
            sources: ai.sources.iter().cloned().map(SourceOut::from).collect(),
            notice: ai.notice.clone(),
            confidence: ai.confidence,
            ownership: if ai.escalation_id.is_some() { Ownership::PendingHandover } else { Ownership::Ai },
            disposition: ai.disposition,
            unanswered: ai.unanswered,
            offers_human: ai.offers_human,
            turn: turn.number,
            latency_ms: ai.latency_ms,
            escalation_id: ai.escalation_id.clone(),
            presence: ai.presence,
            replayed: false,
        }
    }

    /// The silence about a customer's turn.
    pub(crate) fn silence(turn: &Turn, silence: &Silence) -> Self {
        Self {
            message_id: turn.message_id.clone(),
            answer: String::new(),
            sources: Vec::new(),
            notice: None,
            confidence: 0.0,
            ownership: silence.ownership,
            disposition: silence.reason.into(),
            unanswered: false,
            offers_human: false,
            turn: turn.number,
            latency_ms: silence.latency_ms,
            escalation_id: silence.escalation_id.clone(),
            presence: silence.presence,
            replayed: false,
        }
    }
}

impl ConversationService {
    /// The reply to a message that was stored before as the turn `asked`; none if it has no reply yet.
    pub(crate) async fn reply_from(
        &self,
        attempt: &AnswerAttempt,
        id: &SessionId,
        asked: &Turn,
    ) -> Result<Option<Reply>> {
        let silence = Reply::of(asked).map(|silence| Reply { replayed: true, ..silence });
        let Some(number) = asked.answered_by() else { return Ok(silence) };
        let answer = self.store.sessions().get_turn(&attempt.scope, id, number).await?;
        let reply = answer.as_ref().and_then(Reply::of);
        let mut reply = reply.ok_or_else(|| Error::unavailable("an answer that exists was not found"))?;
        // The AI was silent about it, and answered it once it had the conversation back.
        if silence.is_some() && !answer.as_ref().is_some_and(Turn::is_said_while_waiting) {
            return Ok(silence);
        }
        if attempt.redacts && answer.is_some_and(|turn| turn.is_grounded_on_internal()) {
            reply.answer.clear();
            reply.sources.clear();
        }
        Ok(Some(Reply { replayed: true, ..reply }))
    }
}

/// The longest quotation, in characters.
const QUOTE_CHARS: usize = 240;

/// The conversation so far, in short: how it began, the latest message, and the AI's reply. `turns` oldest first; none
/// if the customer has not written.
///
/// It consists of quotations, and no model is called.
pub(crate) fn summary(turns: &[Turn]) -> Option<String> {
    let customers = asked(turns);
    let (first, last) = (customers.first()?, customers.last()?);
    let mut lines = vec![format!("The customer wrote: {}", quote(&first.content))];
    if last.number != first.number {
        let between = customers.len().saturating_sub(2);
        let more = if between > 0 { format!(" ({between} more in between)") } else { String::new() };
        lines.push(format!("And last{more}: {}", quote(&last.content)));
    }
    lines.extend(of_answers(turns));
    lines.extend(of_people(turns));
    Some(lines.join("\n"))
}

/// The summary if the customer has written nothing: the reason for the request.
pub(crate) fn of_reason(reason: &str) -> String {
    format!("The customer asked for a person: {}", quote(reason))
}

/// The summary of a case to which the customer comes back, with what the AI was told about the earlier one.
pub(crate) fn with_earlier_part(summary: Option<String>, note: Option<&str>) -> Option<String> {
    let lines: Vec<String> = summary.into_iter().chain(note.map(str::to_owned)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The customer's turns, without small talk if there is anything else.
fn asked(turns: &[Turn]) -> Vec<&Turn> {
    let customers = || turns.iter().filter(|turn| turn.role() == TurnRole::Customer);
    let is_small_talk = |asked: &&Turn| {
        let reply = turns.iter().find(|turn| turn.number > asked.number && !turn.is_internal());
        reply.is_some_and(|turn| turn.disposition() == Some(Disposition::SmallTalk))
    };
    let questions: Vec<&Turn> = customers().filter(|turn| !is_small_talk(turn)).collect();
    if questions.is_empty() { customers().collect() } else { questions }
}

fn of_answers(turns: &[Turn]) -> Option<String> {
    let answers: Vec<&AiTurn> = turns.iter().filter_map(Turn::ai).collect();
    let last = answers.last()?;
    let gaps = answers.iter().filter(|answer| answer.unanswered).count();
    let found = match last.sources.first() {
        Some(source) if last.disposition == Disposition::Answered => {
            format!("the last from “{}”", source.title)
        }
        Some(source) => format!("the last was no answer; nearest was “{}”", source.title),
        None => "the last without a source".to_owned(),
    };
    Some(format!("The AI replied {}, {gaps} without an answer in the wiki, {found}.", times(answers.len())))
}

fn of_people(turns: &[Turn]) -> Option<String> {
    let last = turns.iter().rev().find(|turn| turn.role() == TurnRole::Agent && !turn.is_internal())?;
    Some(format!("The team wrote last: {}", quote(&last.content)))
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// The beginning of a text on one line, in quotation marks.
fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTE_CHARS) {
        Some((end, _)) => format!("“{}…”", line.get(..end).unwrap_or_default().trim_end()),
        None => format!("“{line}”"),
    }
}

#[cfg(test)]
mod tests {
    use domain::models::{AgentRef, AgentTurn, CustomerTurn, MessageId, Timestamp, TurnBody};

    use super::*;

    fn turn(number: u32, content: &str, body: TurnBody) -> Turn {
        let at = Timestamp::default();
        let message_id = MessageId::from_parts(at, u128::from(number));
        Turn { message_id, number, content: content.to_owned(), created_at: at, body }
    }

    fn asked(number: u32, content: &str) -> Turn {
        turn(number, content, TurnBody::Customer(CustomerTurn::default()))
    }

    fn answer(content: &str, answer: AiTurn) -> Turn {
        turn(2, content, TurnBody::Ai(Box::new(answer)))
    }

    #[test]
    fn a_summary_says_how_it_began_what_came_last_and_what_the_ai_made_of_it() {
        let gap = AiTurn { unanswered: true, ..AiTurn::new(Disposition::NoAnswer, 1) };
        let turns =
            [asked(1, "My  order\nis late."), answer("No idea.", gap), asked(3, "Really?"), asked(4, &"x".repeat(500))];
        let text = summary(&turns).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "The customer wrote: “My order is late.”");
        assert_eq!(lines[1], format!("And last (1 more in between): “{}…”", "x".repeat(QUOTE_CHARS)));
        assert_eq!(lines[2], "The AI replied once, 1 without an answer in the wiki, the last without a source.");
    }

    #[test]
    fn a_greeting_is_no_matter_unless_it_is_all_that_was_said() {
        let hello = answer("Hello!", AiTurn::new(Disposition::SmallTalk, 1));
        let turns = [asked(1, "hi"), hello, asked(3, "Where is my order?")];
        assert!(summary(&turns).unwrap().starts_with("The customer wrote: “Where is my order?”"));
        assert!(summary(&turns[..2]).unwrap().starts_with("The customer wrote: “hi”"));
        assert_eq!(of_reason("My parcel"), "The customer asked for a person: “My parcel”");
    }

    #[test]
    fn nothing_is_said_of_a_conversation_without_a_customer_and_notes_are_left_out() {
        assert_eq!(summary(&[answer("hello", AiTurn::new(Disposition::Answered, 1))]), None);
        let agent = AgentRef { id: "bob".into(), name: None };
        let note = turn(2, "a secret", TurnBody::Agent(AgentTurn { agent, internal: true }));
        let text = summary(&[asked(1, "Hi"), note]).unwrap();
        assert_eq!(text, "The customer wrote: “Hi”");
    }
}
