//! Escalations: read by id, their position in the queue, the lists of the inbox, and the leases of an agent's claims.
//!
//! The revision of an inbox tells a poll with one read that nothing is new. The function that reads the table's stream
//! raises it once a batch. It may be behind, and so may the list: its reader looks at the list itself from time to
//! time.

use domain::models::{Escalation, EscalationId, EscalationStatus, LastWords, Priority, Scope, SessionId, Timestamp};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::members::table::MemberAsRead;
use crate::table::item::{
    Expression, Item, ItemKind, boolean, card, item, key_only_item, number, set_gsi1_key, set_gsi2_key, text, value,
};
use crate::table::keys::{self, IndexKey, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{Tag, Transaction, Write};
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// Positions and counts are exact up to here.
const COUNT_CAP: u32 = 1_000;

/// So many of a session's newest are read at a time.
const NEWEST_PER_READ: i32 = 5;

repository!(escalations: EscalationRepository);

/// The place of a request in its list. Outside the queue all have normal priority.
pub type InboxPlace = (Priority, Timestamp, EscalationId);

/// The filter of the requests of a status.
#[derive(Debug, Clone, Copy, Default)]
pub struct InboxFilter<'a> {
    /// Only what this agent claimed.
    pub claimed_by: Option<&'a str>,
    /// Only what is put off, or what is not.
    pub snoozed: Option<bool>,
    /// Only those whose session has this tag.
    pub tag: Option<&'a str>,
    /// Only claims with a lease.
    pub leased: bool,
}

impl InboxFilter<'_> {
    fn expression(&self) -> Option<Expression> {
        let agent = |agent| Expression::new("card.claimedBy.id = :agent").with(":agent", text(agent));
        let snoozed = |snoozed: bool| match snoozed {
            true => Expression::new("attribute_exists(card.snoozedUntil)"),
            false => Expression::new("attribute_not_exists(card.snoozedUntil)"),
        };
        let tag = |tag| Expression::new("contains(card.tags, :tag)").with(":tag", text(tag));
        let leased = self.leased.then(|| Expression::new("attribute_exists(card.leaseExpiresAt)"));
        let terms = [self.claimed_by.map(agent), self.snoozed.map(snoozed), self.tag.map(tag), leased];
        Expression::all(terms.into_iter().flatten())
    }
}

/// The position of an escalation in its status's list: the queue by priority and then time, every other list by time.
fn index_position(scope: &Scope, escalation: &Escalation) -> IndexKey {
    let priority = match escalation.status {
        EscalationStatus::Pending => escalation.priority,
        EscalationStatus::Claimed | EscalationStatus::Resolved | EscalationStatus::Closed => Priority::Normal,
    };
    let place = (priority, escalation.created_at, escalation.escalation_id.clone());
    inbox_position(scope, escalation.status.as_str(), &place)
}

/// Records the customer's name, none if unknown, on an escalation and on its card in the inbox, and whether the tenant
/// vouches for it.
pub(super) fn set_customer(scope: &Scope, id: &EscalationId, name: Option<&str>, verified: bool) -> Write {
    let counted = "SET version = version + :one, card.version = card.version + :one, \
                   customerVerified = :verified, card.customerVerified = :verified";
    let update = match name {
        Some(name) => Expression::new(format!("{counted}, customerName = :name, card.customerName = :name"))
            .with(":name", text(name)),
        None => Expression::new(format!("{counted} REMOVE customerName, card.customerName")),
    };
    Write::Update {
        key: escalation_key(scope, id),
        update: update.with(":one", number(1)).with(":verified", boolean(verified)),
        condition: Some(Expression::new("attribute_exists(pk)")),
    }
}

/// Records the time of the customer's latest message, and its `words` in short, on an escalation and on its card in the
/// inbox. A claim that has no lease gets `lease`; one that was put off `wakes`.
pub(super) fn set_last_customer_message(
    scope: &Scope,
    id: &EscalationId,
    at: Timestamp,
    words: Option<&LastWords>,
    lease: Option<Timestamp>,
    wakes: bool,
) -> Result<Write> {
    let key = escalation_key(scope, id);
    let wrote = "SET lastCustomerMessageAt = :at, card.lastCustomerMessageAt = :at, lastWords = :words, \
                 card.lastWords = :words, version = version + :one, card.version = card.version + :one";
    let update = match lease {
        None => Expression::new(wrote),
        Some(until) => {
            let due = keys::due(&key, until);
            let waits = "leaseExpiresAt = if_not_exists(leaseExpiresAt, :lease), \
                         card.leaseExpiresAt = if_not_exists(leaseExpiresAt, :lease)";
            let waits = match wakes {
                // An escalation that is put off has the attribute; a missing one must not fail the customer's message.
                true => format!(
                    "{waits}, gsi2pk = :pk, gsi2sk = :sk, wasSnoozedUntil = if_not_exists(snoozedUntil, :at), \
                     card.wasSnoozedUntil = if_not_exists(snoozedUntil, :at) \
                     REMOVE answered, card.answered, dueFailures, snoozedUntil, card.snoozedUntil"
                ),
                false => format!(
                    "{waits}, gsi2pk = if_not_exists(gsi2pk, :pk), gsi2sk = if_not_exists(gsi2sk, :sk) \
                     REMOVE answered, card.answered"
                ),
            };
            Expression::new(format!("{wrote}, {waits}"))
                .with(":lease", value(&until)?)
                .with(":pk", text(due.pk))
                .with(":sk", text(due.sk))
        }
    };
    Ok(Write::Update {
        key,
        update: update.with(":at", value(&at)?).with(":words", value(&words)?).with(":one", number(1)),
        condition: Some(Expression::new("attribute_exists(pk)")),
    })
}

impl EscalationRepository<'_> {
    /// One, consistently.
    pub(crate) async fn get(&self, scope: &Scope, id: &EscalationId) -> Result<Option<Escalation>> {
        self.0.get(&escalation_key(scope, id), Consistency::Strong).await
    }

    /// Changes one by `decide`, over and over until no other change came between or `deadline` has passed; as it is
    /// after that, none if there is none. What `decide` leaves as it is is not written. `actor` is the member who
    /// makes the change.
    ///
    /// # Errors
    /// The error of `decide`; 401 `SIGN_IN_REQUIRED` if the member who acts is no longer as read; 503 once the
    /// deadline has passed.
    pub(crate) async fn update(
        &self,
        scope: &Scope,
        id: &EscalationId,
        actor: Option<&MemberAsRead>,
        deadline: Timestamp,
        decide: impl Fn(&Escalation) -> Result<Escalation>,
    ) -> Result<Option<Escalation>> {
        let decide = |seen: Option<Escalation>| {
            let Some(seen) = seen else { return Ok(Decision::Keep(None)) };
            let decided = decide(&seen)?;
            if decided == seen {
                return Ok(Decision::Keep(Some(seen)));
            }
            let after = Escalation { version: seen.version + 1, ..decided };
            let change = Transaction::of(replace_escalation(scope, seen.version, &after)?);
            let change = change.with(Tag::Actor, actor.map(|member| member.check(&scope.tenant)));
            Ok(Decision::Write(change, Some(after)))
        };
        self.0.update(&escalation_key(scope, id), Basis::Read, deadline, decide).await
    }

    /// Those of `ids` that there are, in no order, consistently.
    pub(in crate::sessions) async fn get_many(
        &self,
        scope: &Scope,
        ids: impl Iterator<Item = &EscalationId>,
    ) -> Result<Vec<Escalation>> {
        let keys: Vec<Key> = ids.map(|id| escalation_key(scope, id)).collect();
        self.0.get_many(&keys, Consistency::Strong).await
    }

    /// Every one; over the index, so what changed in the last moment may be missing.
    pub async fn list_all(&self, scope: &Scope) -> Result<Vec<Escalation>> {
        let mut all = Vec::new();
        for status in EscalationStatus::ALL {
            let query = PartitionQuery::of_index("gsi1", inbox(scope, status.as_str()));
            let items = self.0.query_all_items(query).await?;
            all.extend(items.into_iter().map(card).collect::<Result<Vec<_>>>()?);
        }
        Ok(all)
    }

    /// The place in the queue, from 1; exact up to 1,000 but for what was queued in the last moment. None when not
    /// pending.
    pub(in crate::sessions) async fn get_queue_position(
        &self,
        scope: &Scope,
        escalation: &Escalation,
    ) -> Result<Option<u32>> {
        if escalation.status != EscalationStatus::Pending {
            return Ok(None);
        }
        let place = index_position(scope, escalation);
        let before = PartitionQuery {
            condition: SortCondition::Below(place.sk),
            ..PartitionQuery::of_index("gsi1", inbox(scope, EscalationStatus::Pending.as_str()))
        };
        Ok(Some((self.0.count(before, COUNT_CAP).await? + 1).min(COUNT_CAP)))
    }

    /// Those of a status that pass `filter`, from the index, which may lag: pending ones in queue order, all others newest
    /// first. `from` is the `next` of the page before. One call reads 1 MiB at the most: a page may be
    /// short, or empty, and have a `next`.
    pub(crate) async fn list(
        &self,
        scope: &Scope,
        status: EscalationStatus,
        filter: InboxFilter<'_>,
        from: Option<&InboxPlace>,
        limit: usize,
    ) -> Result<CursorPage<Escalation, InboxPlace>> {
        let query = PartitionQuery { filter: filter.expression(), ..list_query(scope, status, from) };
        self.0.cursor_page(query, limit).await?.try_map(card, |sk| inbox_place(&sk))
    }

    /// Those of a session, oldest first, consistently. `from` is the `next` of the page before.
    pub(crate) async fn list_of_session(
        &self,
        scope: &Scope,
        session: &SessionId,
        from: Option<&EscalationId>,
        limit: usize,
    ) -> Result<CursorPage<Escalation, EscalationId>> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition =
            SortCondition::Above(format!("{ESCALATION_POINTERS}{}", from.map_or("", EscalationId::as_str)));
        query.limit = i32::try_from(limit + 1).ok();
        let pointers = self.0.query(query).await?.items;
        // Behind the pointers stand other items of the session.
        let mut ids: Vec<EscalationId> = pointers.iter().map_while(pointed_escalation).collect();
        let more = ids.len() > limit;
        ids.truncate(limit);
        let mut items = self.get_many(scope, ids.iter()).await?;
        items.sort_by(|a, b| a.escalation_id.cmp(&b.escalation_id));
        Ok(CursorPage { items, next: ids.pop().filter(|_| more) })
    }

    /// Shows `tags`, those of the session, on each of its requests, open or not, and on their cards in the inbox.
    pub(crate) async fn set_tags(&self, scope: &Scope, session: &SessionId, tags: &[String]) -> Result<()> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(ESCALATION_POINTERS.to_owned());
        for id in self.0.query_all_items(query).await?.iter().filter_map(pointed_escalation) {
            self.0.write_if(with_tags(scope, &id, tags)?).await?;
        }
        Ok(())
    }

    /// The newest of a session's that `is_wanted`, consistently.
    pub(in crate::sessions) async fn newest_of_session(
        &self,
        scope: &Scope,
        session: &SessionId,
        is_wanted: impl Fn(&Escalation) -> bool,
    ) -> Result<Option<Escalation>> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(ESCALATION_POINTERS.to_owned());
        (query.forward, query.limit) = (false, Some(NEWEST_PER_READ));
        loop {
            let page = self.0.query(query.clone()).await?;
            for pointer in &page.items {
                let id = pointed_escalation(pointer).ok_or_else(|| Error::internal("a pointer to no escalation"))?;
                if let Some(found) = self.get(scope, &id).await?.filter(&is_wanted) {
                    return Ok(Some(found));
                }
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(None),
            }
        }
    }

    /// How many there are of a status, and whether there are more than the 1,000 that are counted.
    pub(crate) async fn count(&self, scope: &Scope, status: EscalationStatus) -> Result<(u32, bool)> {
        let all = PartitionQuery::of_index("gsi1", inbox(scope, status.as_str()));
        let counted = self.0.count(all, COUNT_CAP + 1).await?;
        Ok((counted.min(COUNT_CAP), counted > COUNT_CAP))
    }
}

/// Records the tags of its session on an escalation and on its card, if they are others.
fn with_tags(scope: &Scope, id: &EscalationId, tags: &[String]) -> Result<Write> {
    let counted = "version = version + :one, card.version = card.version + :one";
    let (update, condition) = match tags {
        [] => (
            Expression::new(format!("SET {counted} REMOVE tags, card.tags")),
            Expression::new("attribute_exists(tags)"),
        ),
        tags => {
            let tags = value(&tags)?;
            let update = format!("SET {counted}, tags = :tags, card.tags = :tags");
            let condition = Expression::new("attribute_exists(pk) AND (attribute_not_exists(tags) OR tags <> :tags)");
            (Expression::new(update).with(":tags", tags.clone()), condition.with(":tags", tags))
        }
    };
    let update = update.with(":one", number(1));
    Ok(Write::Update { key: escalation_key(scope, id), update, condition: Some(condition) })
}

fn list_query(scope: &Scope, status: EscalationStatus, from: Option<&InboxPlace>) -> PartitionQuery {
    let forward = status == EscalationStatus::Pending;
    let from = from.map(|place| inbox_position(scope, status.as_str(), place).sk);
    let condition = match from {
        None => SortCondition::Any,
        Some(last) if forward => SortCondition::Above(last),
        Some(last) => SortCondition::Below(last),
    };
    PartitionQuery { forward, condition, ..PartitionQuery::of_index("gsi1", inbox(scope, status.as_str())) }
}

/// Replaces an escalation that is still at `version`.
pub(super) fn replace_escalation(scope: &Scope, version: u64, after: &Escalation) -> Result<Write> {
    Ok(Write::replace(escalation_item(scope, after)?, version))
}

/// An escalation as an item, with its place in the queue and what lists read of it.
fn escalation_item(scope: &Scope, escalation: &Escalation) -> Result<Item> {
    let key = escalation_key(scope, &escalation.escalation_id);
    let mut stored = item(&key, ItemKind::Escalation, escalation)?;
    set_gsi1_key(&mut stored, &index_position(scope, escalation));
    let card = Escalation { claim_token: None, claimed_generation: None, ..escalation.clone() };
    stored.insert("card".into(), value(&card)?);
    if let Some(at) = escalation.due_at() {
        set_gsi2_key(&mut stored, &keys::due(&key, at));
    }
    Ok(stored)
}

/// A new escalation as items: itself, and its session's pointer to it.
pub(crate) fn escalation_items(scope: &Scope, escalation: &Escalation) -> Result<Vec<Item>> {
    let pointer = escalation_pointer_key(scope, &escalation.session_id, &escalation.escalation_id);
    Ok(vec![escalation_item(scope, escalation)?, key_only_item(&pointer, ItemKind::SessionEscalation)])
}

/// How many leases are renewed in one transaction, which may hold 100 writes.
const RENEWED_AT_ONCE: usize = 90;

impl EscalationRepository<'_> {
    /// Gives every running lease of `agent`'s claims the end `until`, and says how many. The claims are found by the index,
    /// which may lag: one that is not found was made a moment ago, and has a whole lease. A page of them is one transaction;
    /// if one of them changed hands meanwhile, each is written for itself. `actor` is the member who asks.
    ///
    /// # Errors
    /// 401 `SIGN_IN_REQUIRED` if the member who acts is no longer as read; 503 if the table does not answer.
    pub(crate) async fn renew_leases(
        &self,
        scope: &Scope,
        agent: &str,
        actor: Option<&MemberAsRead>,
        until: Timestamp,
        deadline: Timestamp,
    ) -> Result<u32> {
        let filter = InboxFilter { claimed_by: Some(agent), leased: true, ..InboxFilter::default() };
        let (mut renewed, mut from) = (0, None);
        loop {
            let page = self.list(scope, EscalationStatus::Claimed, filter, from.as_ref(), RENEWED_AT_ONCE).await?;
            let ending = page.items.iter().filter(|claim| claim.lease_expires_at < Some(until));
            let writes = ending.map(|claim| renew_lease(scope, &claim.escalation_id, agent, until));
            let writes = writes.collect::<Result<Vec<_>>>()?;
            if self.renew_together(scope, writes.clone(), actor, deadline).await? {
                renewed += writes.len();
            } else {
                for write in writes {
                    renewed += usize::from(self.renew_together(scope, vec![write], actor, deadline).await?);
                }
            }
            match page.next {
                Some(next) => from = Some(next),
                None => return Ok(u32::try_from(renewed).unwrap_or(u32::MAX)),
            }
        }
    }

    /// Commits `writes` for the member who acts; false if one of them is refused.
    async fn renew_together(
        &self,
        scope: &Scope,
        writes: Vec<Write>,
        actor: Option<&MemberAsRead>,
        deadline: Timestamp,
    ) -> Result<bool> {
        if writes.is_empty() {
            return Ok(true);
        }
        let all = Transaction::from(writes).with(Tag::Actor, actor.map(|member| member.check(&scope.tenant)));
        let outcome = self.0.commit(all, Some(deadline)).await?;
        match outcome.at(Tag::Actor) {
            Some(_) => Err(Error::sign_in_required()),
            None => Ok(outcome.is_committed()),
        }
    }
}

/// Gives the running lease of a claim that `agent` still has a new end.
fn renew_lease(scope: &Scope, id: &EscalationId, agent: &str, until: Timestamp) -> Result<Write> {
    let key = escalation_key(scope, id);
    let due = keys::due(&key, until);
    let update = "SET leaseExpiresAt = :lease, card.leaseExpiresAt = :lease, gsi2pk = :pk, gsi2sk = :sk, \
                  version = version + :one, card.version = card.version + :one REMOVE dueFailures";
    let update = Expression::new(update)
        .with(":lease", value(&until)?)
        .with(":pk", text(due.pk))
        .with(":sk", text(due.sk))
        .with(":one", number(1));
    let condition =
        Expression::new("claimedBy.id = :agent AND attribute_exists(leaseExpiresAt)").with(":agent", text(agent));
    Ok(Write::Update { key, update, condition: Some(condition) })
}

repository!(inbox_revisions: InboxRevisions);

#[derive(Deserialize)]
struct RevisionRecord {
    revision: u64,
}

impl InboxRevisions<'_> {
    /// The revision; 0 before anything happened. Half a read unit: it may be a moment old.
    pub(crate) async fn get(&self, scope: &Scope) -> Result<u64> {
        let found: Option<RevisionRecord> = self.0.get(&inbox_revision_key(scope), Consistency::Eventual).await?;
        Ok(found.map_or(0, |record| record.revision))
    }

    /// Raises it. A repetition raises it again, which costs one look at the list.
    pub(crate) async fn raise(&self, scope: &Scope) -> Result<()> {
        self.0.write(vec![raise(scope)]).await
    }
}

/// Raises the revision of an inbox.
pub(super) fn raise(scope: &Scope) -> Write {
    let update = Expression::new("SET kind = :kind ADD revision :one")
        .with(":kind", ItemKind::InboxRevision.attribute())
        .with(":one", number(1));
    Write::Update { key: inbox_revision_key(scope), update, condition: None }
}

/// The stored result of a request that acted on an escalation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimedEscalation {
    /// Which one.
    pub escalation_id: EscalationId,
}

/// The beginning of the sort key of every pointer from a session to its requests for a human.
pub(super) const ESCALATION_POINTERS: &str = "ESC#";

/// Reads back the escalation that an item of its session points to; none for any other item.
pub(super) fn pointed_escalation(item: &Item) -> Option<EscalationId> {
    EscalationId::parse(item.get("sk")?.as_s().ok()?.strip_prefix(ESCALATION_POINTERS)?)
}

/// The pointer from a session to one of its requests for a human, so that they can be erased with it.
pub(super) fn escalation_pointer_key(s: &Scope, id: &SessionId, escalation: &EscalationId) -> Key {
    Key::new(keys::session_partition(s, id), format!("{ESCALATION_POINTERS}{escalation}"))
}

pub(crate) fn escalation_key(s: &Scope, id: &EscalationId) -> Key {
    Key::new(format!("{}#ESC#{id}", keys::scope(s)), "ESCALATION")
}

/// gsi1: the inbox of one status.
fn inbox(s: &Scope, status: &str) -> String {
    format!("{}#INBOX#{status}", keys::scope(s))
}

/// gsi1: a place in the inbox; high priority before normal.
fn inbox_position(s: &Scope, status: &str, place: &(Priority, Timestamp, EscalationId)) -> IndexKey {
    let (priority, created_at, id) = place;
    let rank = match priority {
        Priority::High => 0,
        Priority::Normal => 1,
    };
    IndexKey { pk: inbox(s, status), sk: format!("{rank}#{}#{id}", keys::moment(*created_at)) }
}

/// Reads back a place in the inbox.
fn inbox_place(sk: &str) -> Option<(Priority, Timestamp, EscalationId)> {
    let (rank, place) = sk.split_once('#')?;
    let (created_at, id) = place.split_once('#')?;
    let priority = match rank {
        "0" => Priority::High,
        "1" => Priority::Normal,
        _ => return None,
    };
    Some((priority, keys::moment_of(created_at)?, EscalationId::parse(id)?))
}

fn inbox_revision_key(s: &Scope) -> Key {
    Key::new(format!("{}#REVISION", keys::scope(s)), "INBOX")
}
