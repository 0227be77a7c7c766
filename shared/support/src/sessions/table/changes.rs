//! The one way to change a session, its turns and its request for a human.

use domain::error::Code;
use domain::models::{
    Disposition, Escalation, EscalationId, LastWords, Reaction, Scope, Session, SessionId, Silence, Timestamp, Turn,
    TurnBody,
};
use domain::{Error, Result};

use crate::members::table::MemberAsRead;
use crate::sessions::table::escalations::{
    escalation_items, replace_escalation, set_customer, set_last_customer_message,
};
use crate::sessions::table::lists::{dislike_write, email_session_key, session_by_day, visitor_session_key};
use crate::sessions::table::{SessionRepository, session_of_item, turn_key};
use crate::table::Consistency;
use crate::table::item::{
    self, Expression, Item, ItemKind, boolean, item, key_only_item, number, set_gsi1_key, set_gsi2_key, text, value,
};
use crate::table::keys::{self, Key};
use crate::table::transaction::{RequestRecord, Tag, Transaction, Write, version_condition};
use crate::table::update::{Attempt, Basis, Decision, contended};

/// One change of a session: all of it commits, or none.
#[derive(Debug, Clone)]
pub struct SessionChange {
    /// The version the session was read at.
    pub version: u64,
    /// The session after the change; its version is one more.
    pub after: Session,
    /// New turns.
    pub turns: Vec<Turn>,
    /// The numbers of the customer's turns that the first of the new turns answers; none of them has an answer yet.
    pub answers: Vec<u32>,
    /// The request for a human.
    pub escalation: Option<EscalationChange>,
    /// The records of the request that it is made for.
    pub requests: Vec<RequestRecord>,
    /// The member who makes it, who is still as read.
    pub actor: Option<MemberAsRead>,
    /// The member whom it is for, who is still as read.
    pub recipient: Option<MemberAsRead>,
    /// The e-mail address by which the session is no longer found.
    pub former_email: Option<String>,
    /// It has another address than before.
    pub has_other_email: bool,
}

impl SessionChange {
    /// A change of `before` into `after` (whose version is set here).
    #[must_use]
    pub(crate) fn new(before: &Session, after: Session) -> Self {
        let after = after.changed_from(before);
        let (turns, answers, requests) = Default::default();
        let (was, is) = (email(before), email(&after));
        let has_other_email = was != is;
        let former_email = was.filter(|_| has_other_email);
        let (escalation, actor, recipient) = (None, None, None);
        Self {
            version: before.version,
            after,
            turns,
            answers,
            escalation,
            requests,
            actor,
            recipient,
            former_email,
            has_other_email,
        }
    }

    /// The same with the records of the request that it is made for.
    #[must_use]
    pub(crate) fn recording(self, requests: impl IntoIterator<Item = RequestRecord>) -> Self {
        Self { requests: requests.into_iter().collect(), ..self }
    }
}

impl SessionRepository<'_> {
    /// Stores a new session, and the visitor's pointer to it, with the record of its request.
    pub async fn create(&self, scope: &Scope, session: &Session, request: Option<RequestRecord>) -> Result<()> {
        let writes: Vec<Write> = session_items(scope, session)?.into_iter().map(Write::create).collect();
        self.0.commit(Transaction::from(writes).recording(request), None).await?.expected()
    }

    /// Commits a change, retrying conflicts until `deadline`; false if the session or its request for a human changed
    /// meanwhile, or is gone.
    ///
    /// # Errors
    /// Those of a change that is refused, as [`Self::update`].
    pub(crate) async fn commit(&self, scope: &Scope, change: SessionChange, deadline: Timestamp) -> Result<bool> {
        let attempt = self.attempt(scope, Decision::Write(change, ()), deadline).await?;
        Ok(matches!(attempt, Attempt::Done(())))
    }

    /// Changes a session by what `decide` says of it, until nothing changed between reading and writing or `deadline`
    /// has passed; the first decision is about `known`.
    ///
    /// # Errors
    /// The error of `decide`; 404 if the session is gone; 409 `CONFLICT` if somebody else answered a turn that
    /// the change answers; 409 `IDEMPOTENCY_IN_PROGRESS` if another attempt stored the record of the request; 401
    /// `SIGN_IN_REQUIRED` if the member who acts is no longer as read; 503 once the deadline has passed.
    pub(crate) async fn update<T, F>(
        &self,
        scope: &Scope,
        known: Session,
        deadline: Timestamp,
        decide: impl Fn(Session) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<Decision<SessionChange, T>>>,
    {
        let (id, decide) = (known.session_id.clone(), &decide);
        let id = &id;
        let attempt = |basis: Basis<Option<Box<Session>>>| async move {
            let session = match basis {
                Basis::Known(session) => session.map(|session| *session),
                Basis::Read => self.get(scope, id).await?,
            };
            self.attempt(scope, decide(session.ok_or_else(gone)?).await?, deadline).await
        };
        self.0.retry(id.as_str(), Basis::Known(Some(Box::new(known))), deadline, attempt).await
    }

    /// The same if `decide` reads what it decides on, all of it each time; `about` is the id of the session or of the
    /// escalation whose writers compete.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub(crate) async fn update_reading<T, F>(
        &self,
        scope: &Scope,
        about: &str,
        deadline: Timestamp,
        decide: impl Fn() -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<Decision<SessionChange, T>>>,
    {
        let decide = &decide;
        let attempt = |_| async move { self.attempt(scope, decide().await?, deadline).await };
        self.0.retry(about, Basis::Read, deadline, attempt).await
    }

    async fn attempt<T>(
        &self,
        scope: &Scope,
        decision: Decision<SessionChange, T>,
        deadline: Timestamp,
    ) -> Result<Attempt<Option<Box<Session>>, T>> {
        let (change, result) = match decision {
            Decision::Keep(result) => return Ok(Attempt::Done(result)),
            Decision::ReadAgain => return Ok(Attempt::Conflict(Basis::Read)),
            Decision::Write(change, result) => (change, result),
        };
        let outcome = self.0.commit(transaction(scope, &change)?, Some(deadline)).await?;
        if outcome.is_committed() {
            return Ok(Attempt::Done(result));
        }
        let now = match outcome.at(Tag::Item) {
            Some(there) => Basis::Known(there.cloned().map(session_of_item).transpose()?.flatten().map(Box::new)),
            None => Basis::Read,
        };
        // The reply of our own commit was lost and the write was sent again: the session is what we made it.
        if matches!(&now, Basis::Known(Some(now)) if **now == change.after) {
            return Ok(Attempt::Done(result));
        }
        if outcome.at(Tag::Actor).is_some() {
            return Err(Error::sign_in_required());
        }
        // This says more than that the session moved: there is an answer to return.
        if outcome.at(Tag::Answered).is_some() {
            return Err(Error::new(Code::Conflict, "The message has been answered."));
        }
        Ok(Attempt::Conflict(now))
    }

    /// Gives a session without a visitor the one made for it, with the pointer; false if it has one now.
    pub(crate) async fn assign_visitor(&self, scope: &Scope, before: &Session, visitor: &str) -> Result<bool> {
        let mut after = before.clone();
        after.external_user_id = Some(visitor.to_owned());
        after.version = before.version + 1;
        let key = visitor_session_key(scope, visitor, &before.session_id);
        let writes = vec![
            replace_session(scope, before.version, &after)?,
            Write::create(key_only_item(&key, ItemKind::VisitorSession)),
        ];
        self.0.write_if(writes).await
    }

    /// Arms a session that is still as it was read for the next look at it; nothing else of it changes, its version
    /// neither.
    pub(in crate::sessions) async fn set_due(&self, scope: &Scope, session: &Session, at: Timestamp) -> Result<()> {
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
        self.0.write_if(write).await.map(drop)
    }

    /// Records the reply to a customer's turn about which the AI is silent; does nothing if it is answered or recorded
    /// already.
    pub(in crate::sessions) async fn store_silence(
        &self,
        scope: &Scope,
        id: &SessionId,
        turn: u32,
        reply: &Silence,
    ) -> Result<()> {
        let stored = "SET disposition = :what, ownership = :owner, latencyMs = :ms";
        let update = match &reply.escalation_id {
            Some(escalation) => {
                Expression::new(format!("{stored}, escalationId = :escalation")).with(":escalation", value(escalation)?)
            }
            None => Expression::new(stored),
        };
        let update = update
            .with(":what", value(&Disposition::from(reply.reason))?)
            .with(":owner", value(&reply.ownership)?)
            .with(":ms", value(&reply.latency_ms)?);
        let open = "attribute_exists(pk) AND attribute_not_exists(answeredBy) AND attribute_not_exists(disposition)";
        let key = turn_key(scope, id, turn);
        let reply = Write::Update { key, update, condition: Some(Expression::new(open)) };
        let seen = [self.turn_changed(scope, id)?];
        self.0.write_if(Transaction::of(reply).with(Tag::Beside, seen)).await.map(drop)
    }

    /// Adds to a turn's reactions what `with` makes of them, again if they changed meanwhile, with the `record` of
    /// the request that asks for it; all of them after that, none if the turn is gone.
    pub(in crate::sessions) async fn put_reaction(
        &self,
        scope: &Scope,
        id: &SessionId,
        turn: &Turn,
        deadline: Timestamp,
        with: impl Fn(&[Reaction]) -> Vec<Reaction>,
        record: impl Fn(&[Reaction]) -> Result<Option<RequestRecord>>,
    ) -> Result<Option<Vec<Reaction>>> {
        let key = &turn_key(scope, id, turn.number);
        let (with, record) = (&with, &record);
        let attempt = |basis: Basis<Option<Turn>>| async move {
            let seen = match basis {
                Basis::Known(seen) => seen,
                Basis::Read => self.0.get(key, Consistency::Strong).await?,
            };
            let Some(mut turn) = seen else { return Ok(Attempt::Done(None)) };
            let TurnBody::Ai(ai) = &mut turn.body else { return Ok(Attempt::Done(None)) };
            let after = with(&ai.reactions);
            let seen = std::mem::replace(&mut ai.reactions, after.clone());
            let request = record(&after)?;
            if after == seen && request.is_none() {
                return Ok(Attempt::Done(Some(after)));
            }
            let mut change = Transaction::of(replace_reactions(key.clone(), &seen, &after)?);
            if after != seen {
                let listed = dislike_write(scope, id, &turn, &seen)?;
                change = change.with(Tag::Beside, std::iter::once(self.turn_changed(scope, id)?).chain(listed));
            }
            let outcome = self.0.commit(change.recording(request), Some(deadline)).await?;
            let there = outcome.at(Tag::Item).map(|item| item.cloned().map(item::record).transpose());
            Ok(match there.transpose()? {
                _ if outcome.is_committed() => Attempt::Done(Some(after)),
                Some(there) => Attempt::Conflict(Basis::Known(there)),
                // The session is gone.
                None if outcome.at(Tag::Beside).is_some() => Attempt::Done(None),
                None => Attempt::Conflict(Basis::Read),
            })
        };
        let known = Basis::Known(Some(turn.clone()));
        self.0.retry(&contended(key), known, deadline, attempt).await
    }

    /// Counts a change of a turn among those of its session, which is there.
    fn turn_changed(&self, scope: &Scope, id: &SessionId) -> Result<Write> {
        let update = "SET version = version + :one, updatedAt = :now REMOVE publicUpdatedAt";
        let update = Expression::new(update).with(":one", number(1)).with(":now", value(&self.0.runtime.now())?);
        // A tombstone has no version.
        let condition = Some(Expression::new("attribute_exists(version)"));
        Ok(Write::Update { key: keys::session(scope, id), update, condition })
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

fn transaction(scope: &Scope, change: &SessionChange) -> Result<Transaction> {
    let (id, turns) = (&change.after.session_id, &change.turns);
    let new = turns.iter().map(|turn| {
        let mut item = turn_item(scope, id, turn)?;
        mark_preview(&mut item, &change.after);
        Ok(Write::create(item))
    });
    let answers =
        turns.first().into_iter().flat_map(|by| change.answers.iter().map(|turn| answer_write(scope, id, *turn, by)));
    let escalation = change.escalation.as_ref().map(|escalation| escalation_writes(scope, escalation)).transpose()?;
    Ok(Transaction::of(replace_session(scope, change.version, &change.after)?)
        .with(Tag::Beside, email_writes(scope, &change.after, change.former_email.as_deref(), change.has_other_email))
        .with(Tag::Beside, new.collect::<Result<Vec<_>>>()?)
        .with(Tag::Answered, answers)
        .with(Tag::Beside, escalation.unwrap_or_default())
        .with(Tag::Actor, change.actor.iter().map(|member| member.check(&scope.tenant)))
        .with(Tag::Beside, change.recipient.iter().map(|member| member.check(&scope.tenant)))
        .recording(change.requests.clone()))
}

/// Marks a customer's turn as answered by another, on condition that it has no answer yet.
fn answer_write(scope: &Scope, id: &SessionId, turn: u32, by: &Turn) -> Write {
    Write::Update {
        key: turn_key(scope, id, turn),
        update: Expression::new("SET answeredBy = :by").with(":by", number(by.number)),
        condition: Some(Expression::new("attribute_exists(pk) AND attribute_not_exists(answeredBy)")),
    }
}

fn escalation_writes(scope: &Scope, change: &EscalationChange) -> Result<Vec<Write>> {
    Ok(match change {
        EscalationChange::Create(new) => escalation_items(scope, new)?.into_iter().map(Write::create).collect(),
        EscalationChange::Replace { version, after } => vec![replace_escalation(scope, *version, after)?],
        EscalationChange::CustomerWrote { id, at, words, lease, wakes } => {
            vec![set_last_customer_message(scope, id, *at, words.as_ref(), *lease, *wakes)?]
        }
        EscalationChange::CustomerNamed { id, name, verified } => {
            vec![set_customer(scope, id, name.as_deref(), *verified)]
        }
    })
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
    mark_preview(&mut stored, session);
    set_gsi1_key(&mut stored, &session_by_day(scope, &session.session_id, session.created_at));
    if let Some(at) = session.due_at {
        set_gsi2_key(&mut stored, &keys::due(&key, at));
    }
    Ok(stored)
}

/// A new session as items: itself, and the pointers to it of its visitor and of its e-mail address.
pub(crate) fn session_items(scope: &Scope, session: &Session) -> Result<Vec<Item>> {
    let mut items = vec![session_item(scope, session)?];
    if let Some(visitor) = &session.external_user_id {
        let key = visitor_session_key(scope, visitor, &session.session_id);
        items.push(key_only_item(&key, ItemKind::VisitorSession));
    }
    if let Some(email) = email(session) {
        items.push(key_only_item(&email_session_key(scope, &email, &session.session_id), ItemKind::EmailSession));
    }
    Ok(items)
}

pub(crate) fn turn_item(scope: &Scope, id: &SessionId, turn: &Turn) -> Result<Item> {
    item(&turn_key(scope, id, turn.number), ItemKind::Turn, turn)
}

/// The change of the request for a human in the same transaction.
#[derive(Debug, Clone)]
pub enum EscalationChange {
    /// A new one.
    Create(Escalation),
    /// An existing one, still at `version`.
    Replace {
        /// The version it was read at.
        version: u64,
        /// The request after the change.
        after: Escalation,
    },
    /// The customer wrote while it was open; as good as any version of it.
    CustomerWrote {
        /// Which one.
        id: EscalationId,
        /// When.
        at: Timestamp,
        /// The last words from then on.
        words: Option<LastWords>,
        /// For a claim: when its lease ends if it has none.
        lease: Option<Timestamp>,
        /// The claim was put off, and is so no longer.
        wakes: bool,
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

/// The attribute of what belongs to the chat of somebody who tries it.
pub(crate) const PREVIEW: &str = "preview";

/// The e-mail address by which a session is found, in lower case.
pub(super) fn email(session: &Session) -> Option<String> {
    session.user.as_ref()?.email.as_ref().map(|email| email.to_ascii_lowercase())
}

/// Lets a session be found by its e-mail address, and no longer by its former one.
fn email_writes(scope: &Scope, after: &Session, former: Option<&str>, is_other: bool) -> Vec<Write> {
    let key = |email: &str| email_session_key(scope, email, &after.session_id);
    let former = former.map(|email| Write::delete(key(email)));
    let now = email(after).filter(|_| is_other);
    let now = now.map(|email| Write::put(key_only_item(&key(&email), ItemKind::EmailSession)));
    former.into_iter().chain(now).collect()
}

/// Marks what belongs to the chat of somebody who tries it: nothing follows from it in the stream.
fn mark_preview(item: &mut Item, session: &Session) {
    if session.is_preview() {
        item.insert(PREVIEW.into(), boolean(true));
    }
}
