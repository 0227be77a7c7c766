//! The one way to change a session.

use super::SessionRepository;
use super::claims::{Claim, ClaimWrites, FailedClaims, Ruling};
use super::escalations::{self, escalation_items, replace_escalation};
use super::records::{self, TurnRecord};
use crate::store::expression::Expression;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::keys::Key;
use crate::store::table::{Item, item, key_only_item, set_gsi1_key, set_gsi2_key, text, value};
use crate::store::transaction::{RequestRecord, Write, WriteRefused, version_condition};
use crate::store::update::{Decision, ItemChange, WriteAttempt};
use domain::models::{Escalation, EscalationId, Reaction, Scope, Session, SessionId, Timestamp, Turn};
use domain::{Error, Result};

/// What happens to the request for a human in the same transaction.
#[derive(Debug, Clone)]
pub enum EscalationChange {
    /// A new one.
    Create(Escalation),
    /// An existing one, still at `version`.
    Replace {
        /// The version it was read at.
        version: u64,
        /// What it becomes.
        after: Escalation,
    },
    /// The customer wrote while it was open; as good as any version of it.
    CustomerWrote {
        /// Which one.
        id: EscalationId,
        /// When.
        at: Timestamp,
    },
    /// The customer got another name, or was verified or no longer, while it was open; as good as any version of it.
    CustomerNamed {
        /// Which one.
        id: EscalationId,
        /// The name; none if it was cleared.
        name: Option<String>,
        /// Whether the tenant vouches for it.
        verified: bool,
    },
}

/// One change of a session: all of it commits, or none. `C` is what must hold beside the session itself.
#[derive(Debug, Clone)]
pub struct SessionChange<C = ()> {
    /// The version the session was read at.
    pub version: u64,
    /// What it becomes; its version is one more.
    pub after: Session,
    /// New turns.
    pub turns: Vec<Turn>,
    /// The request for a human.
    pub escalation: Option<EscalationChange>,
    /// What must hold beside the session, with what is written about it.
    pub claim: C,
}

impl SessionChange {
    /// A change of `before` into `after` (whose version is set here).
    #[must_use]
    pub fn new(before: &Session, mut after: Session) -> Self {
        after.version = before.version + 1;
        Self { version: before.version, after, turns: Vec::new(), escalation: None, claim: () }
    }

    /// The same, on condition that `claim` holds, too.
    #[must_use]
    pub fn claiming<C>(self, claim: C) -> SessionChange<C> {
        let Self { version, after, turns, escalation, claim: () } = self;
        SessionChange { version, after, turns, escalation, claim }
    }
}

/// What became of a change. `R` is how what it claims beside the session can be refused.
#[derive(Debug)]
pub enum CommitOutcome<R> {
    /// It is stored.
    Done,
    /// The session or its request for a human changed meanwhile: the session as it is now, or gone.
    Moved(Option<Box<Session>>),
    /// What it claims does not hold.
    Refused(R),
}

/// What the writers of a change compete for.
#[derive(Debug, Clone, Copy)]
pub enum Contended<'a> {
    /// A session.
    Session(&'a SessionId),
    /// An escalation.
    Escalation(&'a EscalationId),
}

/// A write of a session's change.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part<T> {
    Session,
    Turn,
    Escalation,
    Claim(T),
}

impl SessionRepository<'_> {
    /// Stores a new session, and the visitor's pointer to it, with the record of its request.
    pub async fn create(&self, scope: &Scope, session: &Session, request: Option<RequestRecord>) -> Result<()> {
        let writes = session_items(scope, session)?.into_iter().map(Write::create).collect();
        self.store.write_for(writes, request).await
    }

    /// Commits a change, retrying conflicts until `deadline`.
    pub async fn commit<C: Claim>(
        &self,
        scope: &Scope,
        change: &SessionChange<C>,
        deadline: Timestamp,
    ) -> Result<CommitOutcome<C::Refusal>> {
        let refused = match self.store.try_write(writes(scope, change)?, Some(deadline)).await {
            Ok(()) => return Ok(CommitOutcome::Done),
            Err(refused @ WriteRefused::Condition(_)) => refused,
            Err(WriteRefused::Other(error)) => return Err(error),
        };
        let session = refused.at(&Part::Session).map(|item| item.cloned().map(records::session).transpose());
        let session = session.transpose()?.map(Option::flatten);
        // The reply of our own commit was lost and the write was sent again: the session is what we made it.
        if session.as_ref().is_some_and(|now| now.as_ref() == Some(&change.after)) {
            return Ok(CommitOutcome::Done);
        }
        // A claim that is refused says more than that the session moved: there is a result to return.
        match change.claim.ruling(&failed_claims(refused))? {
            Some(Ruling::Mine) => Ok(CommitOutcome::Done),
            Some(Ruling::Refused(refusal)) => Ok(CommitOutcome::Refused(refusal)),
            None => {
                let now = match session {
                    Some(now) => now,
                    None => self.get(scope, &change.after.session_id).await?,
                };
                Ok(CommitOutcome::Moved(now.map(Box::new)))
            }
        }
    }

    /// Changes a session by what `decide` says of it, until nothing changed between reading and writing or `deadline`
    /// has passed; the first decision is about `known`. The result is that of the decision, or how what it claims was
    /// refused.
    ///
    /// # Errors
    /// What `decide` refuses with, 404 where the session is gone, 503 once the deadline has passed.
    pub async fn update<C: Claim, T, F>(
        &self,
        scope: &Scope,
        known: Session,
        deadline: Timestamp,
        decide: impl Fn(Session) -> F,
    ) -> Result<Result<T, C::Refusal>>
    where
        F: Future<Output = Result<Decision<SessionChange<C>, T>>>,
    {
        let (id, decide) = (known.session_id.clone(), &decide);
        let id = &id;
        let attempt = |shown: Option<Box<Session>>| async move {
            let session = match shown {
                Some(session) => *session,
                None => self.get(scope, id).await?.ok_or_else(gone)?,
            };
            self.attempt(scope, decide(session).await?, deadline).await
        };
        self.store.retry_from(&keys::session(scope, id), Some(Box::new(known)), deadline, attempt).await
    }

    /// The same where `decide` reads what it decides on, all of it each time; `about` is the session or the escalation
    /// that is changed.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub async fn update_reading<C: Claim, T, F>(
        &self,
        scope: &Scope,
        about: Contended<'_>,
        deadline: Timestamp,
        decide: impl Fn() -> F,
    ) -> Result<Result<T, C::Refusal>>
    where
        F: Future<Output = Result<Decision<SessionChange<C>, T>>>,
    {
        let decide = &decide;
        let attempt = |_| async move { self.attempt(scope, decide().await?, deadline).await };
        let key = match about {
            Contended::Session(id) => keys::session(scope, id),
            Contended::Escalation(id) => keys::escalation(scope, id),
        };
        self.store.retry(&key, deadline, attempt).await
    }

    async fn attempt<C: Claim, T>(
        &self,
        scope: &Scope,
        decision: Decision<SessionChange<C>, T>,
        deadline: Timestamp,
    ) -> Result<WriteAttempt<Box<Session>, Result<T, C::Refusal>>> {
        let (change, result) = match decision {
            Decision::Keep(result) => return Ok(WriteAttempt::Done(Ok(result))),
            Decision::ReadAgain => return Ok(WriteAttempt::Conflict(None)),
            Decision::Write(change, result) => (change, result),
        };
        match self.commit(scope, &change, deadline).await? {
            CommitOutcome::Done => Ok(WriteAttempt::Done(Ok(result))),
            CommitOutcome::Refused(refusal) => Ok(WriteAttempt::Done(Err(refusal))),
            CommitOutcome::Moved(None) => Err(gone()),
            CommitOutcome::Moved(now) => Ok(WriteAttempt::Conflict(now)),
        }
    }

    /// Gives a session without a visitor the one made for it, with the pointer; false if it has one now.
    pub async fn assign_visitor(&self, scope: &Scope, before: &Session, visitor: &str) -> Result<bool> {
        let mut after = before.clone();
        after.external_user_id = Some(visitor.to_owned());
        after.version = before.version + 1;
        let key = keys::visitor_session(scope, visitor, &before.session_id);
        let writes = vec![
            replace_session(scope, before.version, &after)?,
            Write::create(key_only_item(&key, ItemKind::VisitorSession)),
        ];
        self.store.write_all_if(writes).await
    }

    /// Arms a session that is still as it was read for the next look at it; nothing else of it changes, its version
    /// neither.
    pub async fn set_due(&self, scope: &Scope, session: &Session, at: Timestamp) -> Result<()> {
        let key = keys::session(scope, &session.session_id);
        let due = keys::due(&key, at);
        let write = Write::Update {
            key,
            update: Expression::new("SET dueAt = :at, gsi2pk = :pk, gsi2sk = :sk REMOVE dueFailures")
                .with(":at", value(&at)?)
                .with(":pk", text(due.pk))
                .with(":sk", text(due.sk)),
            condition: Some(version_condition(session.version)),
        };
        self.store.write_if(write).await.map(drop)
    }

    /// Records the result of a customer's turn; does nothing if it is answered or recorded already.
    pub async fn store_reply(&self, scope: &Scope, id: &SessionId, turn: &Turn) -> Result<()> {
        let update = match &turn.escalation_id {
            Some(escalation) => Expression::new("SET disposition = :what, latencyMs = :ms, escalationId = :escalation")
                .with(":escalation", value(escalation)?),
            None => Expression::new("SET disposition = :what, latencyMs = :ms"),
        };
        let update = update.with(":what", value(&turn.disposition)?).with(":ms", value(&turn.latency_ms)?);
        let open = "attribute_exists(pk) AND attribute_not_exists(answeredBy) AND attribute_not_exists(disposition)";
        let key = keys::turn(scope, id, turn.number);
        self.store.write_if(Write::Update { key, update, condition: Some(Expression::new(open)) }).await.map(drop)
    }

    /// Adds to a turn's reactions what `with` makes of them, again where they changed meanwhile, with the `record` of
    /// the request that asks for it; all of them after that, none where the turn is gone.
    pub async fn put_reaction(
        &self,
        scope: &Scope,
        id: &SessionId,
        turn: &Turn,
        deadline: Timestamp,
        with: impl Fn(&[Reaction]) -> Vec<Reaction>,
        record: impl Fn(&[Reaction]) -> Result<Option<RequestRecord>>,
    ) -> Result<Option<Vec<Reaction>>> {
        let key = keys::turn(scope, id, turn.number);
        let decide = |seen: Option<TurnRecord>| {
            let Some(seen) = seen.map(|turn| turn.reactions) else { return Ok(Decision::Keep(None)) };
            let after = with(&seen);
            let request = record(&after)?;
            if after == seen && request.is_none() {
                return Ok(Decision::Keep(Some(after)));
            }
            let item = replace_reactions(key.clone(), &seen, &after)?;
            Ok(Decision::Write(ItemChange { request, ..item.into() }, Some(after)))
        };
        self.store.update_known(&key, Some(turn.clone().into()), deadline, decide).await
    }
}

/// Replaces a turn's reactions, on condition that they are still as they were `seen`.
fn replace_reactions(key: Key, seen: &[Reaction], after: &[Reaction]) -> Result<Write> {
    let unchanged = match seen {
        [] => Expression::new("attribute_exists(pk) AND attribute_not_exists(reactions)"),
        seen => Expression::new("reactions = :seen").with(":seen", value(&seen)?),
    };
    let update = match after {
        [] => Expression::new("REMOVE reactions"),
        after => Expression::new("SET reactions = :new").with(":new", value(&after)?),
    };
    Ok(Write::Update { key, update, condition: Some(unchanged) })
}

fn writes<C: Claim>(scope: &Scope, change: &SessionChange<C>) -> Result<Vec<(Part<C::Tag>, Write)>> {
    let id = &change.after.session_id;
    let mut writes = vec![(Part::Session, replace_session(scope, change.version, &change.after)?)];
    for turn in &change.turns {
        writes.push((Part::Turn, Write::create(turn_item(scope, id, turn)?)));
    }
    let ClaimWrites(claims) = change.claim.writes(scope, &change.after)?;
    writes.extend(claims.into_iter().map(|(tag, write)| (Part::Claim(tag), write)));
    if let Some(escalation) = &change.escalation {
        let all = escalation_writes(scope, escalation)?;
        writes.extend(all.into_iter().map(|write| (Part::Escalation, write)));
    }
    Ok(writes)
}

fn escalation_writes(scope: &Scope, change: &EscalationChange) -> Result<Vec<Write>> {
    Ok(match change {
        EscalationChange::Create(new) => escalation_items(scope, new)?.into_iter().map(Write::create).collect(),
        EscalationChange::Replace { version, after } => vec![replace_escalation(scope, *version, after)?],
        EscalationChange::CustomerWrote { id, at } => vec![escalations::set_last_customer_message(scope, id, *at)?],
        EscalationChange::CustomerNamed { id, name, verified } => {
            vec![escalations::set_customer(scope, id, name.as_deref(), *verified)]
        }
    })
}

/// The claims among the conditions that failed.
fn failed_claims<T>(refused: WriteRefused<Part<T>>) -> FailedClaims<T> {
    let WriteRefused::Condition(failed) = refused else { return FailedClaims(Vec::new()) };
    let claim = |(part, item)| match part {
        Part::Claim(tag) => Some((tag, item)),
        Part::Session | Part::Turn | Part::Escalation => None,
    };
    FailedClaims(failed.into_iter().filter_map(claim).collect())
}

fn gone() -> Error {
    Error::not_found("session")
}

fn replace_session(scope: &Scope, version: u64, after: &Session) -> Result<Write> {
    Ok(Write::replace(session_item(scope, after)?, version))
}

fn session_item(scope: &Scope, session: &Session) -> Result<Item> {
    let key = keys::session(scope, &session.session_id);
    let mut stored = item(&key, ItemKind::Session, session)?;
    set_gsi1_key(&mut stored, &keys::session_by_day(scope, &session.session_id, session.created_at));
    if let Some(at) = session.due_at {
        set_gsi2_key(&mut stored, &keys::due(&key, at));
    }
    Ok(stored)
}

/// A new session as items: itself, and the visitor's pointer to it.
pub(in crate::store) fn session_items(scope: &Scope, session: &Session) -> Result<Vec<Item>> {
    let mut items = vec![session_item(scope, session)?];
    if let Some(visitor) = &session.external_user_id {
        let key = keys::visitor_session(scope, visitor, &session.session_id);
        items.push(key_only_item(&key, ItemKind::VisitorSession));
    }
    Ok(items)
}

/// A turn as an item.
pub(in crate::store) fn turn_item(scope: &Scope, id: &SessionId, turn: &Turn) -> Result<Item> {
    item(&keys::turn(scope, id, turn.number), ItemKind::Turn, &TurnRecord::from(turn.clone()))
}
