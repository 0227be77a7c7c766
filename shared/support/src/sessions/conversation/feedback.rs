//! Reactions of customers to answers, and their ratings of the people who helped.

use domain::access::Principal;
use domain::error::Code;
use domain::models::{
    Escalation, EscalationId, MessageId, Ownership, Rating, Reaction, Scope, Session, SessionId, Turn,
};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edge::allowance::Allowance;
use crate::edge::table::RequestKey;
use crate::sessions::conversation::{ConversationService, can_access_session, handover};
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::table::update::Decision;

/// The turns among which rejected answers are looked for.
const RECENT_TURNS: u16 = 50;

/// All reactions of that answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReactionsOfAnswer")]
pub(crate) struct ReactionResult {
    /// The conversation.
    session_id: SessionId,
    /// The answer.
    message_id: MessageId,
    /// The reaction that was sent.
    reaction: Reaction,
    /// All reactions of the answer.
    reactions: Vec<Reaction>,
}

impl ConversationService {
    /// Adds a reaction to an AI turn, by default the newest. Repeating changes nothing. Says whether it is the result of
    /// an earlier `request`.
    ///
    /// # Errors 404 for a session the caller may not see and for a message that is not an AI turn of it, 409
    /// `NO_AI_RESPONSE`, 422 for a key that was used for another request.
    pub(crate) async fn react(
        &self,
        caller: &Principal,
        id: &SessionId,
        reaction: Reaction,
        message: Option<&MessageId>,
        request: Option<RequestKey>,
        allowance: &Allowance,
    ) -> Result<(ReactionResult, bool)> {
        let session = self.session(caller, id).await?;
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let request = request.map(|key| key.beside(id));
        let work = self.store_reaction(scope, &session, reaction, message, request.as_ref());
        let (result, replayed) = requests.once(scope, request.as_ref(), work, async |reacted| Ok(reacted)).await?;
        if reaction == Reaction::ThumbsDown {
            self.escalate_if_rejected(scope, session, allowance).await?;
        }
        Ok((result, replayed))
    }

    /// Takes back a reaction to an AI turn, by default the newest; one that is not there changes nothing.
    ///
    /// # Errors
    /// As those of [`Self::react`].
    pub(crate) async fn take_back_reaction(
        &self,
        caller: &Principal,
        id: &SessionId,
        reaction: Reaction,
        message: Option<&MessageId>,
    ) -> Result<()> {
        let session = self.session(caller, id).await?;
        let (scope, deadline) = (caller.scope(), self.deadline(self.runtime.now()));
        let turn = self.get_ai_turn(scope, &session, message).await?;
        let without = |before: &[Reaction]| before.iter().copied().filter(|old| *old != reaction).collect();
        let sessions = self.store.sessions();
        let stored = sessions.put_reaction(scope, id, &turn, deadline, without, |_| Ok(None)).await?;
        stored.map(drop).ok_or_else(|| Error::not_found("AI message"))
    }

    async fn store_reaction(
        &self,
        scope: &Scope,
        session: &Session,
        reaction: Reaction,
        message: Option<&MessageId>,
        request: Option<&RequestKey>,
    ) -> Result<ReactionResult> {
        let deadline = self.deadline(self.runtime.now());
        let turn = self.get_ai_turn(scope, session, message).await?;
        let result = |reactions: &[Reaction]| ReactionResult {
            session_id: session.session_id.clone(),
            message_id: turn.message_id.clone(),
            reaction,
            reactions: reactions.to_vec(),
        };
        let record = |after: &[Reaction]| self.store.idempotency().completed(scope, request, result(after));
        let with = |before: &[Reaction]| with(before, reaction);
        let sessions = self.store.sessions();
        let stored = sessions.put_reaction(scope, &session.session_id, &turn, deadline, with, record).await?;
        stored.map(|reactions| result(&reactions)).ok_or_else(|| Error::not_found("AI message"))
    }

    async fn get_ai_turn(&self, scope: &Scope, session: &Session, message: Option<&MessageId>) -> Result<Turn> {
        let id = &session.session_id;
        match message {
            Some(wanted) => {
                let found = self.store.sessions().get_turn(scope, id, wanted.turn_number()).await?;
                found
                    .filter(|turn| turn.message_id == *wanted && turn.ai().is_some())
                    .ok_or_else(|| Error::not_found("AI message"))
            }
            None => {
                let (sessions, is_of_ai) = (self.store.sessions(), |turn: &Turn| turn.ai().is_some());
                let newest = sessions.list_newest_until(scope, id, |_| false, is_of_ai, 1).await?.pop();
                newest.ok_or_else(|| Error::new(Code::NoAiResponse, "The AI has not answered in this session yet."))
            }
        }
    }

    /// The reaction is stored: a session that changed hands or was closed meanwhile is not an error, and neither is a
    /// visitor who has no escalation left.
    async fn escalate_if_rejected(&self, scope: &Scope, session: Session, allowance: &Allowance) -> Result<()> {
        match self.escalate_when_rejected(scope, session, allowance).await {
            Err(error) => match error.code() {
                Code::SessionClosed | Code::InvalidState | Code::NotFound | Code::RateLimited => Ok(()),
                _ => Err(error),
            },
            Ok(()) => Ok(()),
        }
    }

    /// Two rejected answers in a row ask for a human. Repeating the reaction asks again if the first attempt died
    /// here.
    async fn escalate_when_rejected(&self, scope: &Scope, session: Session, allowance: &Allowance) -> Result<()> {
        if session.ownership() != Ownership::Ai {
            return Ok(());
        }
        let open = self.store.sessions().get_with_turns(scope, &session.session_id, RECENT_TURNS).await?;
        if open.session.ownership() == Ownership::Ai && handover::escalation_after_reaction(&open.session, &open.recent)
        {
            self.escalate_after_reactions(scope, open, allowance).await?;
        }
        Ok(())
    }
}

/// `thumbs_up` and `thumbs_down` replace each other, the others add up.
fn with(reactions: &[Reaction], new: Reaction) -> Vec<Reaction> {
    let opposite = match new {
        Reaction::ThumbsUp => Some(Reaction::ThumbsDown),
        Reaction::ThumbsDown => Some(Reaction::ThumbsUp),
        Reaction::Flag | Reaction::Copy => None,
    };
    let mut after: Vec<_> = reactions.iter().copied().filter(|old| Some(*old) != opposite).collect();
    if !after.contains(&new) {
        after.push(new);
    }
    after
}

/// How long after its end a human part may be rated, in milliseconds: 14 days.
const RATING_WINDOW_MS: i64 = 14 * 86_400_000;

/// The rating as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RatingOfSession")]
pub(crate) struct RatingResult {
    /// The conversation.
    session_id: SessionId,
    /// The request for a human that it is about.
    escalation_id: EscalationId,
    #[serde(flatten)]
    rating: Rating,
}

impl ConversationService {
    /// Rates the newest human part of a session; a rating that is there is replaced. Says whether it is the result of an
    /// earlier `request`.
    ///
    /// # Errors
    /// 404 for a session the caller may not see, 409 `INVALID_STATE` if no person took part or the last one left more
    /// than 14 days ago, 422 for a key that was used for another request.
    pub(crate) async fn rate(
        &self,
        caller: &Principal,
        id: &SessionId,
        score: u32,
        comment: Option<String>,
        request: Option<RequestKey>,
    ) -> Result<(RatingResult, bool)> {
        let session = self.session(caller, id).await?;
        let (scope, requests) = (caller.scope(), self.store.idempotency());
        let request = request.map(|key| key.beside(id));
        let (key, comment) = (request.as_ref(), &comment);
        let decide = |session: Session| async move {
            if !can_access_session(caller, &session) {
                return Err(Error::not_found("session"));
            }
            let rated = self.rated_part(scope, &session).await?;
            let now = self.runtime.now();
            let rating = Rating { score, comment: comment.clone(), at: now };
            let result = RatingResult {
                session_id: id.clone(),
                escalation_id: rated.escalation_id.clone(),
                rating: rating.clone(),
            };
            let mut after = session.clone();
            after.updated_at = now;
            let mut change = SessionChange::new(&session, after);
            let version = rated.version;
            let rated = Escalation { rating: Some(rating), version: version + 1, ..rated };
            change.escalation = Some(EscalationChange::Replace { version, after: rated });
            let record = requests.completed(scope, key, result.clone())?;
            Ok(Decision::Write(change.recording(record), result))
        };
        let deadline = self.deadline(self.runtime.now());
        let sessions = self.store.sessions();
        let work = Box::pin(sessions.update(scope, session, deadline, decide));
        requests.once(scope, key, work, async |rated| Ok(rated)).await
    }

    /// The part of a session that a person took last, while it may be rated: by an agent who has it now, else that which
    /// began last. A request that was reopened is older than one that was made after it.
    async fn rated_part(&self, scope: &Scope, session: &Session) -> Result<Escalation> {
        let (escalations, taken) =
            (self.store.escalations(), |escalation: &Escalation| escalation.human_part_began_at().is_some());
        let mut parts = Vec::new();
        for id in [session.escalation_id(), session.last_human_part.as_ref()].into_iter().flatten() {
            parts.extend(escalations.get(scope, id).await?.filter(taken));
        }
        if session.ownership() != Ownership::Human {
            parts.extend(escalations.newest_of_session(scope, &session.session_id, taken).await?);
        }
        let newest = parts.into_iter().max_by_key(Escalation::human_part_began_at);
        let refused = |why: &'static str| Error::new(Code::InvalidState, why);
        let part = newest.ok_or_else(|| refused("No person has taken part in this session yet."))?;
        let last_moment = part.ended_at().map(|ended| ended.plus_millis(RATING_WINDOW_MS));
        if last_moment.is_some_and(|last| self.runtime.now() > last) {
            return Err(refused("The human part of this session ended more than 14 days ago."));
        }
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbs_replace_each_other_and_the_others_add_up() {
        use Reaction as R;
        assert_eq!(with(&[], R::ThumbsUp), [R::ThumbsUp]);
        assert_eq!(with(&[R::ThumbsUp, R::Flag], R::ThumbsDown), [R::Flag, R::ThumbsDown]);
        assert_eq!(with(&[R::Flag], R::Copy), [R::Flag, R::Copy]);
        assert_eq!(with(&[R::Flag, R::Copy], R::Flag), [R::Flag, R::Copy]);
    }
}
