//! The answer that the AI would give to customer turns now, for the agent who has the conversation. Nothing is stored,
//! counted or emitted, except the calls of a language model.

use crate::allowance::Allowance;
use crate::conversation::ConversationService;
use crate::conversation::answering::asked_together;
use crate::conversation::attempt::AnswerAttempt;
use crate::conversation::pending_answer::{HISTORY_TURNS, before};
use crate::conversation::verdict::{Handover, Verdict};
use answer::AnswerFailure;
use aws::store::sessions::SessionWithTurns;
use domain::models::{AnswerVisibility, Disposition, EscalationId, Scope, Settings, Source, Turn, TurnRole};
use domain::{Error, Result};
use text::sanitise;

/// The answer that the AI would give.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// Markdown; empty if the customer wrote nothing.
    pub answer: String,
    /// The nearest entries, at most 3.
    pub sources: Vec<Source>,
    /// Calibrated, 0-1.
    pub confidence: f64,
    /// The disposition that the answer would have.
    pub disposition: Disposition,
}

impl ConversationService {
    /// The AI's answer to all that the customer wrote since the last answer, or else to the customer's last message.
    /// Its sources are the entries that may ground an answer in this session, or, `with_internal`, all entries.
    ///
    /// # Errors
    /// 404 if there is no such request for a human; 503 if the index does not answer.
    pub async fn suggest(&self, scope: &Scope, id: &EscalationId, with_internal: bool) -> Result<Suggestion> {
        let received_at = self.runtime.now();
        let (_, open) = self.get_case_for_update(scope, id, HISTORY_TURNS).await?;
        let mut asked = self.pending_turns(scope, &open.session).await?;
        if asked.is_empty() {
            asked.extend(open.recent.iter().rfind(|turn| turn.role() == TurnRole::Customer).cloned());
        }
        if asked.is_empty() {
            let disposition = Disposition::NoAnswer;
            return Ok(Suggestion { answer: String::new(), sources: Vec::new(), confidence: 0.0, disposition });
        }
        let SessionWithTurns { session, recent, settings } = open;
        let attempt = AnswerAttempt {
            scope: scope.clone(),
            deadline: self.deadline(received_at),
            received_at,
            settings: if with_internal { over_all_entries(settings) } else { settings },
            recent: before(recent, &asked).into_iter().filter(|turn: &Turn| !turn.is_internal()).collect(),
            allows_human_request: false,
            allowance: Allowance::unlimited(),
            redacts: false,
        };
        let understanding = asked_together(&attempt, &session, &asked);
        let found = self.retrieve(&attempt, &session, &understanding).await;
        let (answer, _) = self.make_answer(&attempt, &session, &understanding, found).await;
        if answer.failure == Some(AnswerFailure::Search) {
            return Err(Error::unavailable("the index did not answer a suggestion"));
        }
        let voice = understanding.voice(&session, &attempt.settings, self.runtime.now());
        let verdict = Verdict::new(answer, understanding, voice);
        let (words, _) = verdict.fixed_texts(Handover::None);
        Ok(Suggestion {
            answer: sanitise::shown(&words),
            disposition: verdict.disposition(Handover::None),
            sources: verdict.answer.sources,
            confidence: verdict.answer.confidence,
        })
    }
}

/// The settings of a session that may be answered with every entry.
fn over_all_entries(settings: Settings) -> Settings {
    let all = AnswerVisibility::All;
    Settings { answer_visibility: all, widget_answer_visibility: all, ..settings }
}
