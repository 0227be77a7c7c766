//! Takeover: the first escalation of the queue, or a named one, goes to exactly one agent.
//!
//! Candidates come from the index, which may lag. Each is read again from the table, consistently, and claimed on the
//! condition that it is unchanged. The claim carries a token, so an agent who repeats a request after a lost reply gets
//! the same customer, not the next one.

use std::collections::HashSet;

use super::{Acting, Case, LEASE_MS, MESSAGES};
use crate::conversation::turns::{append, system_turn};
use crate::conversation::{Conversation, summary, transition};
use aws::store::Contest;
use aws::store::sessions::{ClaimMarker, Committed, EscalationChange, OpenSession, SessionChange};
use domain::clock::Ambient;
use domain::error::Code;
use domain::models::{
    AgentRef, Escalation, EscalationAction, EscalationId, EscalationStatus, Ownership, Scope, SessionAction, SessionId,
    SystemEvent, Timestamp,
};
use domain::sha256_hex;
use domain::{Error, Result};

/// How many of the queue are read at a time.
const CANDIDATES: usize = 10;
/// How long the key of a claim is remembered, in hours.
const REMEMBERED_HOURS: i64 = 24;

/// What a claim can be recognised by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimToken {
    /// Lower-case hex of SHA-256.
    text: String,
    /// The caller gave a key, so the claim is remembered under it.
    keyed: bool,
}

impl ClaimToken {
    /// The token of the key that came with a request; without one, of this request alone.
    ///
    /// # Errors
    /// 500 when the system has no randomness to give.
    pub fn new(ambient: &Ambient, acting: &Acting, key: Option<&str>) -> Result<Self> {
        let Some(key) = key else {
            let random = u128::from_be_bytes(ambient.bytes::<16>()?);
            return Ok(Self { text: sha256_hex(&random.to_be_bytes()), keyed: false });
        };
        let parts = [acting.principal.as_str(), acting.agent.id.as_str(), key];
        let whole = parts.map(|part| format!("{}:{part}", part.len())).join("\0");
        Ok(Self { text: sha256_hex(whole.as_bytes()), keyed: true })
    }
}

/// One request to take over.
struct Claiming<'a> {
    acting: &'a Acting,
    token: &'a ClaimToken,
    /// A hash of the request, so that a key with another request is refused.
    fingerprint: String,
    deadline: Timestamp,
}

/// How often others were faster.
struct Race<'a> {
    contest: Contest<'a>,
    lost: u32,
}

/// What became of one candidate.
enum Tried {
    Won(Box<Case>),
    /// Claimed, or no longer waiting.
    Gone {
        status: EscalationStatus,
        claimed_by: Option<AgentRef>,
    },
    /// The key was used before.
    Before(ClaimMarker),
}

impl Conversation {
    /// Gives the first of the queue, or the named one, to the acting agent.
    ///
    /// # Errors 404 for an empty queue (`QUEUE_EMPTY`) and for one that does not exist, 409 `ALREADY_CLAIMED` and
    /// `INVALID_STATE` for a named one, 422 for a key that was used with another request.
    pub async fn takeover(&self, acting: &Acting, named: Option<&EscalationId>, token: &ClaimToken) -> Result<Case> {
        let now = self.ctx.ambient.now();
        let fingerprint = sha256_hex(named.map_or("", EscalationId::as_str).as_bytes());
        let claiming = Claiming { acting, token, fingerprint, deadline: self.deadline(now) };
        if token.keyed {
            let found = self.ctx.store.escalations().claimed_under(&acting.scope, &token.text, now).await?;
            if let Some(marker) = found {
                return self.claimed_before(&claiming, marker).await;
            }
        }
        match named {
            Some(id) => self.take_named(&claiming, id).await,
            None => self.take_next(&claiming).await,
        }
    }

    async fn claimed_before(&self, claiming: &Claiming<'_>, marker: ClaimMarker) -> Result<Case> {
        if marker.fingerprint != claiming.fingerprint {
            return Err(Error::new(Code::IdempotencyKeyReused, "This key was used for another takeover."));
        }
        let case = self.case(&claiming.acting.scope, &marker.escalation_id).await?;
        Ok(Case { replayed: true, ..case })
    }

    async fn take_named(&self, claiming: &Claiming<'_>, id: &EscalationId) -> Result<Case> {
        let mut race = self.race(claiming);
        match self.try_one(claiming, id, None, &mut race).await? {
            Tried::Won(case) => Ok(*case),
            Tried::Before(marker) => self.claimed_before(claiming, marker).await,
            Tried::Gone { status: EscalationStatus::Claimed, claimed_by } => {
                Err(already_claimed(claiming.acting, claimed_by.as_ref()))
            }
            Tried::Gone { status, .. } => Err(super::not_claimed(status)),
        }
    }

    fn race(&self, claiming: &Claiming<'_>) -> Race<'_> {
        Race { contest: self.ctx.store.escalations().contest(&claiming.acting.scope, claiming.deadline), lost: 0 }
    }

    /// Tries the candidates of the queue until a claim succeeds, or none is left.
    async fn take_next(&self, claiming: &Claiming<'_>) -> Result<Case> {
        let mut race = self.race(claiming);
        let mut gone: HashSet<EscalationId> = HashSet::new();
        loop {
            let lost_before = race.lost;
            match self.first_of_queue(claiming, &mut race, &mut gone).await? {
                Some(case) => return Ok(case),
                None if race.lost > lost_before => {}
                None => {
                    let empty = Error::new(Code::NotFound, "No customer is waiting.");
                    return Err(empty.because("QUEUE_EMPTY", "the queue is empty"));
                }
            }
        }
    }

    async fn first_of_queue(
        &self,
        claiming: &Claiming<'_>,
        race: &mut Race<'_>,
        gone: &mut HashSet<EscalationId>,
    ) -> Result<Option<Case>> {
        let escalations = self.ctx.store.escalations();
        let mut from = None;
        loop {
            let page = escalations.list(&claiming.acting.scope, EscalationStatus::Pending, from, CANDIDATES).await?;
            for candidate in page.items {
                let (id, session) = (candidate.escalation_id, candidate.session_id);
                if gone.contains(&id) {
                    continue;
                }
                let first_race = race.lost == 0;
                match self.try_one(claiming, &id, Some(&session), race).await? {
                    Tried::Won(case) => return Ok(Some(*case)),
                    Tried::Before(marker) => return self.claimed_before(claiming, marker).await.map(Some),
                    Tried::Gone { .. } => gone.insert(id),
                };
                // After waiting for other takeovers of this process the queue is read again, because they have taken
                // its head.
                if first_race && race.lost > 0 {
                    return Ok(None);
                }
            }
            match page.next {
                Some(next) => from = Some(next),
                None => return Ok(None),
            }
        }
    }

    /// Claims one candidate, with retries after concurrent changes, until it is claimed or gone.
    async fn try_one(
        &self,
        claiming: &Claiming<'_>,
        id: &EscalationId,
        session: Option<&SessionId>,
        race: &mut Race<'_>,
    ) -> Result<Tried> {
        let scope = &claiming.acting.scope;
        loop {
            let (before, open) = match self.candidate(scope, id, session).await {
                Ok(found) => found,
                // The index still names what has been erased.
                Err(error) if session.is_some() && error.code() == Code::NotFound => {
                    return Ok(Tried::Gone { status: EscalationStatus::Closed, claimed_by: None });
                }
                Err(error) => return Err(error),
            };
            if before.claim_token.as_ref() == Some(&claiming.token.text) {
                let case = self.case(scope, id).await?;
                return Ok(Tried::Won(Box::new(case)));
            }
            if before.status != EscalationStatus::Pending {
                return Ok(Tried::Gone { status: before.status, claimed_by: before.claimed_by });
            }
            let awaited =
                open.session.ownership == Ownership::PendingHandover && open.session.escalation_id.as_ref() == Some(id);
            if awaited {
                let change = self.claim(claiming, &before, &open)?;
                match self.ctx.store.sessions().commit(scope, &change, claiming.deadline).await? {
                    Committed::Done => return self.won(scope, open, change).await.map(Tried::Won),
                    Committed::ClaimedBefore(marker) => return Ok(Tried::Before(marker)),
                    Committed::Moved(_) | Committed::EscalationMoved => {}
                    other => return Err(Error::internal(format!("a takeover came to {other:?}"))),
                }
            }
            race.lost += 1;
            race.contest.lost().await?;
        }
    }

    /// A candidate and its session, read in parallel if the index names the session.
    async fn candidate(
        &self,
        scope: &Scope,
        id: &EscalationId,
        session: Option<&SessionId>,
    ) -> Result<(Escalation, OpenSession)> {
        let Some(session) = session else { return self.case_to_change(scope, id, MESSAGES).await };
        let (escalations, sessions) = (self.ctx.store.escalations(), self.ctx.store.sessions());
        let (found, open) = tokio::try_join!(escalations.get(scope, id), sessions.open(scope, session, MESSAGES))?;
        Ok((found.ok_or_else(|| Error::not_found("escalation"))?, open))
    }

    fn claim(&self, claiming: &Claiming<'_>, before: &Escalation, open: &OpenSession) -> Result<SessionChange> {
        let now = self.ctx.ambient.now();
        let agent = claiming.acting.agent(None);
        let mut after = transition::transition(&open.session, SessionAction::Takeover, now, &open.settings)?;
        let mut joined = system_turn(&self.ctx.ambient, &after, SystemEvent::AgentJoined)?;
        joined.agent = Some(agent.clone());
        append(&mut after, &joined, now);
        let Some(status) = before.status.after(EscalationAction::Takeover) else {
            return Err(super::not_claimed(before.status));
        };
        let mut claimed = before.clone();
        claimed.status = status;
        claimed.claimed_at = Some(now);
        claimed.claimed_by = Some(agent);
        claimed.claim_token = Some(claiming.token.text.clone());
        claimed.lease_expires_at = Some(now.plus_millis(LEASE_MS));
        claimed.last_customer_message_at = after.last_customer_message_at;
        claimed.summary = summary::summary(&open.recent).or(claimed.summary);
        claimed.version += 1;
        let mut change = SessionChange::new(&open.session, after);
        change.turns = vec![joined];
        change.claim = claiming.token.keyed.then(|| ClaimMarker {
            token: claiming.token.text.clone(),
            escalation_id: before.escalation_id.clone(),
            fingerprint: claiming.fingerprint.clone(),
            remembered_until: now.plus_hours(REMEMBERED_HOURS),
        });
        change.escalation = Some(EscalationChange::Replace { version: before.version, after: claimed });
        Ok(change)
    }

    /// The escalation as it was committed. The turns were read in parallel with the session; if one is missing, they
    /// are read again.
    async fn won(&self, scope: &Scope, open: OpenSession, change: SessionChange) -> Result<Box<Case>> {
        let complete = open.recent.last().map_or(0, |turn| turn.number) == open.session.turn_count;
        let mut messages = open.recent;
        if complete {
            messages.extend(change.turns);
            let surplus = messages.len().saturating_sub(usize::from(MESSAGES));
            messages.drain(..surplus);
        } else {
            let id = &change.after.session_id;
            messages = self.ctx.store.sessions().last_turns(scope, id, MESSAGES).await?;
        }
        let Some(EscalationChange::Replace { after: escalation, .. }) = change.escalation else {
            return Err(Error::internal("a takeover without an escalation"));
        };
        Ok(Box::new(Case { escalation, session: change.after, messages, replayed: false }))
    }
}

/// 409 for a conversation that an agent has claimed: the acting one, or another.
fn already_claimed(acting: &Acting, by: Option<&AgentRef>) -> Error {
    let message = match by {
        Some(claimer) if claimer.id == acting.agent.id => "You have already claimed this conversation.",
        _ => "Another agent has claimed this conversation.",
    };
    Error::new(Code::AlreadyClaimed, message)
}
