//! What the AI says while a customer waits for a person and nobody had the request yet: what the wiki knows, and once, if
//! nobody is there, when somebody is. All else is for the person.

use super::attempt::AnswerAttempt;
use super::classification::{TurnClassification, Voice};
use super::turns::{append, is_reply_to_customer, next_turn};
use super::{ConversationService, Reply};
use aws::store::Decision;
use aws::store::sessions::SessionChange;
use domain::Result;
use domain::models::{
    AgentName, AiTurn, Disposition, EscalationId, Presence, ReasonCategory, Scope, Session, SessionState, Turn,
    TurnBody,
};
use text::dialogue::Sentence;
use text::sanitise;

/// A sentence for a customer who waits, with the turn that says it.
struct Said {
    words: String,
    ai: AiTurn,
}

impl ConversationService {
    /// Answers the stored turn `asked` of a customer who waits, or says when somebody is there. Returns `queued`, the
    /// silence that is stored with the turn, if there is nothing to say, if the tenant does not want it, and if the session
    /// changed hands meanwhile.
    ///
    /// # Errors
    /// 503 when the table does not answer.
    pub(super) async fn answer_while_waiting(
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

    /// What the wiki knows about it; none where it does not, and where it is said to people.
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
        (answer.disposition == Disposition::Answered).then(|| Said {
            words: answer.text,
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
            let turn = next_turn(&self.runtime, &session, sanitise::shown(&said.words), body)?;
            let mut after = session.clone();
            append(&mut after, &turn, now);
            after.notice_given = true;
            let reply = Reply::answer(&turn, &ai);
            let mut change = SessionChange::new(&session, after);
            change.answers = vec![asked.number];
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
