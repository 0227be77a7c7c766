//! The reply to a message, made of what is stored: the first one, and that to a repetition.

use super::ConversationService;
use super::attempt::AnswerAttempt;
use domain::models::{
    AiTurn, Disposition, EscalationId, MessageId, Ownership, Presence, SessionId, Silence, Source, Turn, TurnBody,
};
use domain::{Error, Result};

/// The reply to the caller of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The AI turn; the customer's own if the AI is silent.
    pub message_id: MessageId,
    /// Empty if the AI is silent.
    pub answer: String,
    /// The nearest entries, at most 3.
    pub sources: Vec<Source>,
    /// Says that an automatic assistant answers; with the first AI turn of the session.
    pub notice: Option<String>,
    /// Calibrated, 0-1.
    pub confidence: f64,
    /// The current ownership of the session.
    pub ownership: Ownership,
    /// The disposition of the message.
    pub disposition: Disposition,
    /// The wiki has a gap here.
    pub unanswered: bool,
    /// The answer asks whether the customer wants a human.
    pub offers_human: bool,
    /// The number of the turn that `message_id` names.
    pub turn: u32,
    /// Receipt to answer, milliseconds.
    pub latency_ms: u64,
    /// The request for a human, if one is open.
    pub escalation_id: Option<EscalationId>,
    /// Whether somebody was there, if the message escalates or waits for a human.
    pub presence: Option<Presence>,
    /// This is the first result of a message that was sent again.
    pub replayed: bool,
}

impl Reply {
    /// The reply that a turn is: an answer, or the silence about a message; none if it is neither.
    pub(super) fn of(turn: &Turn) -> Option<Self> {
        match &turn.body {
            TurnBody::Ai(ai) => Some(Self::answer(turn, ai)),
            TurnBody::Customer(customer) => customer.silence.as_ref().map(|silence| Self::silence(turn, silence)),
            TurnBody::Agent(_) | TurnBody::System(_) => None,
        }
    }

    /// The answer `ai` of `turn`.
    pub(super) fn answer(turn: &Turn, ai: &AiTurn) -> Self {
        Self {
            message_id: turn.message_id.clone(),
            answer: turn.content.clone(),
            sources: ai.sources.clone(),
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
    pub(super) fn silence(turn: &Turn, silence: &Silence) -> Self {
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
    pub(super) async fn reply_from(
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
