//! Erases a session: at once it becomes an unreadable tombstone, and its data is deleted piece by piece.
//!
//! Nothing can restore it. Every write about a session is conditioned on the session's version, which a tombstone does
//! not have, and every update of a turn or marker on its existence.

use domain::models::{EscalationId, Scope, Session, SessionId, Timestamp, Turn};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::sessions::table::changes::email;
use crate::sessions::table::escalations::{
    ESCALATION_POINTERS, escalation_key, escalation_pointer_key, pointed_escalation, raise,
};
use crate::sessions::table::lists::{dislike_item, email_session_key, visitor_session_key};
use crate::sessions::table::{SessionRepository, session_of_item};
use crate::table::item::{Expression, Item, ItemKind, item, key_of, number, record, set_gsi2_key};
use crate::table::transaction::Write;
use crate::table::update::{Attempt, Basis};
use crate::table::{Consistency, PartitionQuery, SortCondition, keys};
use crate::wiki::table::answers::pointer_items;

/// So many requests for a human, each with its pointer, go in the transaction that deletes their session, the open one
/// among them; the others are erased afterwards.
const ESCALATIONS_PER_TRANSACTION: i32 = 45;

/// So many items are erased in one transaction, of which each may name another.
const ERASE_BATCH_SIZE: i32 = 45;

/// The most writes that DynamoDB takes in one transaction.
const WRITES_PER_TRANSACTION: usize = 100;

/// The item that replaces a deleted session while everything that belonged to it is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tombstone {
    /// When it was deleted.
    pub erased_at: Timestamp,
    /// How often everything that belonged to it was erased.
    pub passes: u32,
    /// When that is to be done next.
    pub due_at: Timestamp,
    /// The request that deleted it, so that it knows its own work again.
    holder: String,
}

/// The item in the place of a session.
#[derive(Debug, Clone)]
pub enum Rest {
    Session(Box<Session>),
    /// The tombstone of a deleted one.
    Tombstone(Tombstone),
}

impl SessionRepository<'_> {
    /// The item in the place of a session, read consistently; none if there never was one, or if it is erased
    /// entirely.
    pub(in crate::sessions) async fn get_item_state(&self, scope: &Scope, id: &SessionId) -> Result<Option<Rest>> {
        let Some(found) = self.0.get_item(&keys::session(scope, id), Consistency::Strong).await? else {
            return Ok(None);
        };
        if let Some(session) = session_of_item(found.clone())? {
            return Ok(Some(Rest::Session(Box::new(session))));
        }
        record(found).map(|tombstone| Some(Rest::Tombstone(tombstone)))
    }

    /// Deletes a session that `visible` lets go, whatever changes about it meanwhile.
    ///
    /// # Errors
    /// 404 if there is none, or none that is visible; 503 once `deadline` has passed.
    pub(in crate::sessions) async fn delete(
        &self,
        scope: &Scope,
        id: &SessionId,
        deadline: Timestamp,
        visible: impl Fn(&Session) -> bool,
    ) -> Result<()> {
        let visible = &visible;
        let attempt = |_: Basis<()>| async move {
            let session = self.get(scope, id).await?.filter(visible).ok_or_else(|| Error::not_found("session"))?;
            self.soft_delete(scope, &session, deadline).await.map(Attempt::of)
        };
        self.0.retry(id.as_str(), Basis::Read, deadline, attempt).await
    }

    /// Puts a tombstone in the place of a session that is still as it was read, and takes away its requests for a human
    /// and the pointers to it with it; false if the session has changed meanwhile. The tombstone is due at once.
    pub(in crate::sessions) async fn soft_delete(
        &self,
        scope: &Scope,
        session: &Session,
        deadline: Timestamp,
    ) -> Result<bool> {
        let id = &session.session_id;
        let holder = self.0.runtime.token()?;
        let erased_at = self.0.runtime.now();
        let tombstone = Tombstone { erased_at, passes: 0, due_at: erased_at, holder };
        let mut writes = vec![Write::replace(tombstone_item(scope, id, &tombstone)?, session.version)];
        for escalation in self.escalations_of(scope, session).await? {
            writes.push(Write::delete(escalation_key(scope, &escalation)));
            writes.push(Write::delete(escalation_pointer_key(scope, id, &escalation)));
        }
        if let Some(visitor) = &session.external_user_id {
            writes.push(Write::delete(visitor_session_key(scope, visitor, id)));
        }
        if let Some(email) = email(session) {
            writes.push(Write::delete(email_session_key(scope, &email, id)));
        }
        if session.ever_escalated {
            // Nothing follows a deletion in the stream.
            writes.push(raise(scope));
        }
        if self.0.commit(writes, Some(deadline)).await?.is_committed() {
            return Ok(true);
        }
        // The reply may have been lost and the write sent again: then the tombstone is this one.
        let now = self.get_item_state(scope, id).await?;
        Ok(matches!(now, Some(Rest::Tombstone(there)) if there.holder == tombstone.holder))
    }

    /// The open request for a human, which the inbox shows, and as many ended ones as fit in a transaction.
    async fn escalations_of(&self, scope: &Scope, session: &Session) -> Result<Vec<EscalationId>> {
        let mut query = PartitionQuery::new(keys::session(scope, &session.session_id).pk);
        query.condition = SortCondition::Prefix(ESCALATION_POINTERS.into());
        query.limit = Some(ESCALATIONS_PER_TRANSACTION - 1);
        let page = self.0.query(query).await?;
        let open = session.escalation_id();
        let ended = page.items.iter().filter_map(pointed_escalation).filter(|id| Some(id) != open);
        Ok(open.cloned().into_iter().chain(ended).collect())
    }

    /// Erases the turns, markers and escalations of a deleted session, and what points to its answers: everything in its partition but the tombstone.
    /// Can be interrupted and repeated.
    pub(in crate::sessions) async fn erase_contents(&self, scope: &Scope, id: &SessionId) -> Result<()> {
        let tombstone = keys::session(scope, id);
        let mut query = PartitionQuery::new(tombstone.pk.clone());
        query.limit = Some(ERASE_BATCH_SIZE);
        loop {
            let page = self.0.query(query.clone()).await?;
            let (mut writes, mut pointers) = (Vec::new(), Vec::new());
            for found in &page.items {
                let Some(key) = key_of(found).filter(|key| *key != tombstone) else { continue };
                // A turn that does not read has no pointers, and is erased all the same.
                let turn = (ItemKind::of(found) == Some(ItemKind::Turn)).then(|| record::<Turn>(found.clone()));
                if let Some(Ok(turn)) = turn {
                    pointers.extend(pointer_items(scope, id, &turn)?.iter().filter_map(key_of));
                    pointers.extend(dislike_item(scope, id, &turn)?.as_ref().and_then(key_of));
                }
                if let Some(escalation) = pointed_escalation(found) {
                    writes.push(Write::delete(escalation_key(scope, &escalation)));
                }
                writes.push(Write::delete(key));
            }
            // The turns name the pointers, so they are deleted after them.
            for some in pointers.chunks(WRITES_PER_TRANSACTION) {
                let deleted = some.iter().map(|key| Write::delete(key.clone()));
                self.0.write(deleted.collect()).await?;
            }
            if !writes.is_empty() {
                self.0.write(writes).await?;
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// Records another completed erasure, and that the tombstone is due again at `next`; without `next` the tombstone
    /// is deleted. Does nothing if another one was faster.
    pub(in crate::sessions) async fn record_erasure(
        &self,
        scope: &Scope,
        id: &SessionId,
        seen: &Tombstone,
        next: Option<Timestamp>,
    ) -> Result<()> {
        let unchanged = Some(Expression::new("passes = :seen").with(":seen", number(seen.passes)));
        let write = match next {
            Some(at) => {
                let after = Tombstone { passes: seen.passes + 1, due_at: at, ..seen.clone() };
                Write::Put { item: tombstone_item(scope, id, &after)?, condition: unchanged }
            }
            None => Write::Delete { key: keys::session(scope, id), condition: unchanged },
        };
        self.0.write_if(write).await.map(drop)
    }
}

/// Its kind is none that anything follows from: no event, no figure and no copy comes of a tombstone.
fn tombstone_item(scope: &Scope, id: &SessionId, tombstone: &Tombstone) -> Result<Item> {
    let key = keys::session(scope, id);
    let mut stored = item(&key, ItemKind::SessionTombstone, tombstone)?;
    set_gsi2_key(&mut stored, &keys::due(&key, tombstone.due_at));
    Ok(stored)
}
