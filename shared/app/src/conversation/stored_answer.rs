//! The reply to a message that was answered before, from what was stored.

use super::attempt::AnswerAttempt;
use super::{ConversationService, Reply};
use domain::models::{Disposition, Ownership, SessionId, Turn};
use domain::{Error, Result};

impl ConversationService {
    /// The reply that the first attempt gave, from what it stored.
    pub(super) async fn find_stored_answer(
        &self,
        attempt: &AnswerAttempt,
        id: &SessionId,
        asked: &Turn,
    ) -> Result<Reply> {
        let number = match asked.answered_by {
            Some(number) => number,
            None => match self.store.sessions().get_turn(&attempt.scope, id, asked.number).await? {
                Some(Turn { answered_by: Some(number), .. }) => number,
                _ => return Err(Error::unavailable("an answer that exists was not found")),
            },
        };
        let answer = self.store.sessions().get_turn(&attempt.scope, id, number).await?;
        let answer = answer.ok_or_else(|| Error::unavailable("an answer that exists was not found"))?;
        let redacted = attempt.redacts && answer.grounded_on_internal;
        let disposition = answer.disposition.unwrap_or(Disposition::Answered);
        let escalated = disposition == Disposition::Escalated;
        Ok(Reply {
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
            replayed: true,
        })
    }
}
