//! The one way to change a session.

use super::claims::{ClaimMarker, claim_write};
use super::records::{self, EscalationRecord, SentMarker, TurnRecord};
use super::{SessionRepo, escalations};
use crate::store::expression::Expression;
use crate::store::keys;
use crate::store::keys::Key;
use crate::store::table::{Item, in_gsi1, in_gsi2, item, number, record, text, value};
use crate::store::transaction::{Refused, Write};
use domain::Result;
use domain::models::{Escalation, EscalationId, Reaction, Scope, Session, SessionId, Timestamp, Turn};

/// The kind of a visitor's pointer to a session.
const VISITOR_SESSION: &str = "visitor_session";

/// A message's token with what is to be remembered under it.
#[derive(Debug, Clone)]
pub struct Token {
    /// As the caller gave it.
    pub token: String,
    /// What is remembered.
    pub marker: SentMarker,
}

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
    /// The customer got another name while it was open; as good as any version of it.
    CustomerNamed {
        /// Which one.
        id: EscalationId,
        /// The name; none if it was cleared.
        name: Option<String>,
    },
}

/// One change of a session: all of it commits, or none.
#[derive(Debug, Clone)]
pub struct SessionChange {
    /// The version the session was read at.
    pub version: u64,
    /// What it becomes; its version is one more.
    pub after: Session,
    /// New turns.
    pub turns: Vec<Turn>,
    /// Numbers of customer turns that the AI turn `answered_by` answers; each must be unanswered yet.
    pub answered: Vec<u32>,
    /// The AI turn's number.
    pub answered_by: u32,
    /// Tokens that must be new.
    pub tokens: Vec<Token>,
    /// The request for a human.
    pub escalation: Option<EscalationChange>,
    /// What is to be remembered of a claim.
    pub claim: Option<ClaimMarker>,
}

impl SessionChange {
    /// A change of `before` into `after` (whose version is set here).
    #[must_use]
    pub fn new(before: &Session, mut after: Session) -> Self {
        after.version = before.version + 1;
        Self {
            version: before.version,
            after,
            turns: Vec::new(),
            answered: Vec::new(),
            answered_by: 0,
            tokens: Vec::new(),
            escalation: None,
            claim: None,
        }
    }
}

/// What became of a change.
#[derive(Debug)]
pub enum Committed {
    /// It is stored.
    Done,
    /// The session changed meanwhile: as it is now, or gone.
    Moved(Option<Box<Session>>),
    /// A token was used before.
    Repeated(SentMarker),
    /// A customer turn was answered before.
    AlreadyAnswered,
    /// The request for a human changed meanwhile.
    EscalationMoved,
    /// The claim's token was used before.
    ClaimedBefore(ClaimMarker),
}

/// The position of each kind of write in the transaction.
struct Positions {
    tokens: usize,
    answered: usize,
    escalation: usize,
    claim: usize,
}

impl SessionRepo<'_> {
    /// Stores a new session, and the visitor's pointer to it.
    pub async fn create(&self, scope: &Scope, session: &Session) -> Result<()> {
        let mut writes = vec![Write::create(session_item(scope, session)?)];
        if let Some(visitor) = &session.external_user_id {
            let key = keys::visitor_session(scope, visitor, &session.session_id);
            writes.push(Write::create(pointer(&key, VISITOR_SESSION)));
        }
        self.store.transact(writes, None).await.map_err(Refused::into_error)
    }

    /// Commits a change, retrying conflicts until `deadline`.
    pub async fn commit(&self, scope: &Scope, change: &SessionChange, deadline: Timestamp) -> Result<Committed> {
        let (writes, positions) = writes(scope, change)?;
        match self.store.transact(writes, Some(deadline)).await {
            Ok(()) => Ok(Committed::Done),
            Err(refused) => explain(refused, &positions, change),
        }
    }

    /// Gives a session without a visitor the one made for it, with the pointer; false if it has one now.
    pub async fn assign_visitor(&self, scope: &Scope, before: &Session, visitor: &str) -> Result<bool> {
        let mut after = before.clone();
        after.external_user_id = Some(visitor.to_owned());
        after.version = before.version + 1;
        let key = keys::visitor_session(scope, visitor, &before.session_id);
        let writes =
            vec![replace_session(scope, before.version, &after)?, Write::create(pointer(&key, VISITOR_SESSION))];
        match self.store.transact(writes, None).await {
            Ok(()) => Ok(true),
            Err(Refused::Condition(_)) => Ok(false),
            Err(refused) => Err(refused.into_error()),
        }
    }

    /// Arms a session that is still as it was read for the next look at it; nothing else of it changes, its version
    /// neither.
    pub async fn arm(&self, scope: &Scope, session: &Session, at: Timestamp) -> Result<()> {
        let key = keys::session(scope, &session.session_id);
        let due = keys::due(&key, at);
        let write = Write::Update {
            key,
            update: Expression::new("SET dueAt = :at, gsi2pk = :pk, gsi2sk = :sk REMOVE dueFailures")
                .with(":at", value(&at)?)
                .with(":pk", text(due.pk))
                .with(":sk", text(due.sk)),
            condition: Some(Expression::new("version = :seen").with(":seen", number(session.version))),
        };
        self.applied(write).await.map(drop)
    }

    /// Takes over the lease of a message whose first attempt died; false if another one was faster.
    pub async fn take_lease(
        &self,
        scope: &Scope,
        id: &SessionId,
        token: &str,
        seen: &SentMarker,
        taken: &SentMarker,
    ) -> Result<bool> {
        let write = Write::Update {
            key: keys::sent(scope, id, token),
            update: Expression::new("SET leaseUntil = :lease, holder = :me")
                .with(":lease", value(&taken.lease_until)?)
                .with(":me", text(&taken.holder)),
            condition: Some(
                Expression::new("leaseUntil = :seen AND holder = :other")
                    .with(":seen", value(&seen.lease_until)?)
                    .with(":other", text(&seen.holder)),
            ),
        };
        self.applied(write).await
    }

    /// Records the result of a customer's turn; does nothing if it is answered or recorded already.
    pub async fn settle(&self, scope: &Scope, id: &SessionId, turn: &Turn) -> Result<()> {
        let update = match &turn.escalation_id {
            Some(escalation) => Expression::new("SET disposition = :what, latencyMs = :ms, escalationId = :escalation")
                .with(":escalation", value(escalation)?),
            None => Expression::new("SET disposition = :what, latencyMs = :ms"),
        };
        let update = update.with(":what", value(&turn.disposition)?).with(":ms", value(&turn.latency_ms)?);
        let open = "attribute_exists(pk) AND attribute_not_exists(answeredBy) AND attribute_not_exists(disposition)";
        let key = keys::turn(scope, id, turn.number);
        self.applied(Write::Update { key, update, condition: Some(Expression::new(open)) }).await.map(drop)
    }

    /// Replaces a turn's reactions; false where they changed meanwhile.
    pub async fn set_reactions(
        &self,
        scope: &Scope,
        id: &SessionId,
        turn: &Turn,
        reactions: &[Reaction],
    ) -> Result<bool> {
        let seen = match turn.reactions.as_slice() {
            [] => Expression::new("attribute_exists(pk) AND attribute_not_exists(reactions)"),
            seen => Expression::new("reactions = :seen").with(":seen", value(&seen)?),
        };
        let update = if reactions.is_empty() {
            Expression::new("REMOVE reactions")
        } else {
            Expression::new("SET reactions = :new").with(":new", value(&reactions)?)
        };
        let key = keys::turn(scope, id, turn.number);
        self.applied(Write::Update { key, update, condition: Some(seen) }).await
    }

    async fn applied(&self, write: Write) -> Result<bool> {
        match self.store.transact(vec![write], None).await {
            Ok(()) => Ok(true),
            Err(Refused::Condition(_)) => Ok(false),
            Err(refused) => Err(refused.into_error()),
        }
    }
}

fn writes(scope: &Scope, change: &SessionChange) -> Result<(Vec<Write>, Positions)> {
    let id = &change.after.session_id;
    let mut writes = vec![replace_session(scope, change.version, &change.after)?];
    for turn in &change.turns {
        let record = TurnRecord::from(turn.clone());
        writes.push(Write::create(item(&keys::turn(scope, id, turn.number), "turn", &record)?));
    }
    let tokens = writes.len();
    for token in &change.tokens {
        writes.push(Write::create(item(&keys::sent(scope, id, &token.token), "sent", &token.marker)?));
    }
    let answered = writes.len();
    for turn in &change.answered {
        writes.push(Write::Update {
            key: keys::turn(scope, id, *turn),
            update: Expression::new("SET answeredBy = :by").with(":by", number(change.answered_by)),
            condition: Some(Expression::new("attribute_exists(pk) AND attribute_not_exists(answeredBy)")),
        });
    }
    let escalation = writes.len();
    match &change.escalation {
        None => {}
        Some(EscalationChange::Create(new)) => {
            writes.push(Write::create(escalation_item(scope, new)?));
            let key = keys::escalation_of_session(scope, id, &new.escalation_id);
            writes.push(Write::create(pointer(&key, "session_escalation")));
        }
        Some(EscalationChange::Replace { version, after }) => {
            writes.push(replace_escalation(scope, *version, after)?);
        }
        Some(EscalationChange::CustomerWrote { id, at }) => writes.push(escalations::customer_wrote(scope, id, *at)?),
        Some(EscalationChange::CustomerNamed { id, name }) => {
            writes.push(escalations::customer_named(scope, id, name.as_deref()));
        }
    }
    let claim = writes.len();
    if let Some(marker) = &change.claim {
        writes.push(claim_write(scope, marker, change.after.updated_at)?);
    }
    Ok((writes, Positions { tokens, answered, escalation, claim }))
}

fn explain(refused: Refused, at: &Positions, change: &SessionChange) -> Result<Committed> {
    for (offset, token) in change.tokens.iter().enumerate() {
        if let Some(Some(found)) = refused.at(at.tokens + offset) {
            let marker: SentMarker = record(found.clone())?;
            return Ok(if marker.holder == token.marker.holder {
                Committed::Done
            } else {
                Committed::Repeated(marker)
            });
        }
    }
    if let (Some(mine), Some(Some(found))) = (&change.claim, refused.at(at.claim)) {
        let marker: ClaimMarker = record(found.clone())?;
        return Ok(if marker == *mine { Committed::Done } else { Committed::ClaimedBefore(marker) });
    }
    let moved = match refused.at(0) {
        None => None,
        Some(found) => {
            let session = found.cloned().map(records::session).transpose()?.flatten();
            // The reply of our own commit was lost and the write was sent again: the session is what we made it.
            if session.as_ref().is_some_and(|now| *now == change.after) {
                return Ok(Committed::Done);
            }
            Some(session)
        }
    };
    // Answered says more than moved: there is a result to return.
    if (0..change.answered.len()).any(|offset| refused.at(at.answered + offset).is_some()) {
        return Ok(Committed::AlreadyAnswered);
    }
    if let Some(session) = moved {
        return Ok(Committed::Moved(session.map(Box::new)));
    }
    if change.escalation.is_some() && refused.at(at.escalation).is_some() {
        return Ok(Committed::EscalationMoved);
    }
    Err(refused.into_error())
}

fn replace_session(scope: &Scope, version: u64, after: &Session) -> Result<Write> {
    Ok(Write::Put {
        item: session_item(scope, after)?,
        condition: Some(Expression::new("version = :seen").with(":seen", number(version))),
    })
}

fn session_item(scope: &Scope, session: &Session) -> Result<Item> {
    let key = keys::session(scope, &session.session_id);
    let mut stored = item(&key, "session", session)?;
    in_gsi1(&mut stored, &keys::session_by_day(scope, &session.session_id, session.created_at));
    if let Some(at) = session.due_at {
        in_gsi2(&mut stored, &keys::due(&key, at));
    }
    Ok(stored)
}

/// Replaces an escalation that is still at `version`.
pub(super) fn replace_escalation(scope: &Scope, version: u64, after: &Escalation) -> Result<Write> {
    Ok(Write::Put {
        item: escalation_item(scope, after)?,
        condition: Some(Expression::new("version = :seen").with(":seen", number(version))),
    })
}

fn escalation_item(scope: &Scope, escalation: &Escalation) -> Result<Item> {
    let key = keys::escalation(scope, &escalation.escalation_id);
    let record = EscalationRecord::from(escalation.clone());
    let mut stored = item(&key, "escalation", &record)?;
    in_gsi1(&mut stored, &escalations::place(scope, escalation));
    stored.insert("card".into(), value(&EscalationRecord { claim_token: None, ..record })?);
    if let Some(at) = escalation.lease_expires_at {
        in_gsi2(&mut stored, &keys::due(&key, at));
    }
    Ok(stored)
}

fn pointer(key: &Key, kind: &str) -> Item {
    Item::from([("pk".into(), text(&key.pk)), ("sk".into(), text(&key.sk)), ("kind".into(), text(kind))])
}
