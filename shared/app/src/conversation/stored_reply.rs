//! The reply to a message that was answered before, from what is stored.

use super::attempt::AnswerAttempt;
use super::turns::silent;
use super::{ConversationService, Reply};
use domain::models::{Disposition, Ownership, SessionId, Turn};
use domain::{Error, Result};

impl ConversationService {
    /// The reply to a message that a customer's turn stores; none where it has no reply yet.
    pub(super) async fn reply_from(
        &self,
        attempt: &AnswerAttempt,
        id: &SessionId,
        asked: &Turn,
    ) -> Result<Option<Reply>> {
        if let Some(what @ (Disposition::QueuedForHuman | Disposition::Superseded)) = asked.disposition {
            let reply = silent(asked, asked.ownership.unwrap_or(Ownership::PendingHandover), what);
            return Ok(Some(Reply { replayed: true, ..reply }));
        }
        let Some(number) = asked.answered_by else { return Ok(None) };
        let answer = self.store.sessions().get_turn(&attempt.scope, id, number).await?;
        let answer = answer.ok_or_else(|| Error::unavailable("an answer that exists was not found"))?;
        let redacted = attempt.redacts && answer.grounded_on_internal;
        let disposition = answer.disposition.unwrap_or(Disposition::Answered);
        let escalated = disposition == Disposition::Escalated;
        Ok(Some(Reply {
            message_id: answer.message_id,
            answer: if redacted { String::new() } else { answer.content },
            sources: if redacted { Vec::new() } else { answer.sources },
            notice: answer.notice,
            confidence: answer.confidence.unwrap_or(0.0),
            ownership: if escalated { Ownership::PendingHandover } else { Ownership::Ai },
            disposition,
            unanswered: answer.unanswered.unwrap_or(false),
            turn: answer.number,
            latency_ms: answer.latency_ms.unwrap_or(0),
            escalation_id: answer.escalation_id,
            presence: answer.presence,
            replayed: true,
        }))
    }
}
