//! The words of the AI while a customer waits for a person and nobody had the request yet: the wiki's answer, and if nobody
//! is there, when somebody is, but not twice in a row. All else is for the person.

use super::answering::{shown, text_of};
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

/// A sentence for a customer who waits, with the turn that says it.
struct Said {
    words: String,
    ai: AiTurn,
}

impl ConversationService {
    /// Answers the stored turn `asked` of a customer who waits, or says when somebody is there. Returns `queued`, the
    /// silence that is stored with the turn, if there is nothing to say, if the tenant does not want it, if the session
    /// changed hands meanwhile, and if that fails: the message waits for its person in any case.
    pub(super) async fn answer_while_waiting(
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
