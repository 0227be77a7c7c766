//! Escalations: read by id, their position in the queue, and the lists of the inbox.

use super::records::EscalationRecord;
use crate::store::client::Store;
use crate::store::cursor_page::CursorPage;
use crate::store::expression::Expression;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::keys::{ESCALATIONS, IndexKey, Key};
use crate::store::members::MemberAsRead;
use crate::store::table::{
    Consistency, Item, PartitionQuery, SortCondition, boolean, from_value, item, key_of, key_only_item, number,
    set_gsi1_key, set_gsi2_key, text, value,
};
use crate::store::transaction::{Tag, Transaction, Write};
use crate::store::update::{Basis, Decision};
use domain::models::{Escalation, EscalationId, EscalationStatus, LastWords, Priority, Scope, SessionId, Timestamp};
use domain::{Error, Result};

/// Positions and counts are exact up to here.
const COUNT_CAP: u32 = 1_000;

/// So many of a session's newest are read at a time.
const NEWEST_PER_READ: i32 = 5;

/// Requests for a human.
#[derive(Debug, Clone, Copy)]
pub struct EscalationRepository<'a> {
    pub(super) store: &'a Store,
}

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
        let (mut terms, mut values) = (Vec::new(), Vec::new());
        if let Some(agent) = self.claimed_by {
            terms.push("card.claimedBy.id = :agent");
            values.push((":agent", text(agent)));
        }
        if let Some(snoozed) = self.snoozed {
            let wanted =
                if snoozed { "attribute_exists(card.snoozedUntil)" } else { "attribute_not_exists(card.snoozedUntil)" };
            terms.push(wanted);
        }
        if let Some(tag) = self.tag {
            terms.push("contains(card.tags, :tag)");
            values.push((":tag", text(tag)));
        }
        if self.leased {
            terms.push("attribute_exists(card.leaseExpiresAt)");
        }
        (!terms.is_empty()).then(|| Expression { text: terms.join(" AND "), values })
    }
}

/// The position of an escalation in its status's list: the queue by priority and then time, every other list by time.
pub(super) fn index_position(scope: &Scope, escalation: &Escalation) -> IndexKey {
    let priority = match escalation.status {
        EscalationStatus::Pending => escalation.priority,
        EscalationStatus::Claimed | EscalationStatus::Resolved | EscalationStatus::Closed => Priority::Normal,
    };
    let place = (priority, escalation.created_at, escalation.escalation_id.clone());
    keys::inbox_position(scope, escalation.status.as_str(), &place)
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
        key: keys::escalation(scope, id),
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
    let key = keys::escalation(scope, id);
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

impl<'a> EscalationRepository<'a> {
    pub(super) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// One, consistently.
    pub async fn get(&self, scope: &Scope, id: &EscalationId) -> Result<Option<Escalation>> {
        let found: Option<EscalationRecord> = self.store.get(&keys::escalation(scope, id), Consistency::Strong).await?;
        Ok(found.map(Escalation::from))
    }

    /// Changes one by `decide`, over and over until no other change came between or `deadline` has passed; as it is
    /// after that, none if there is none. What `decide` leaves as it is is not written. `actor` is the member who
    /// makes the change.
    ///
    /// # Errors
    /// The error of `decide`; 401 `SIGN_IN_REQUIRED` if the member who acts is no longer as read; 503 once the
    /// deadline has passed.
    pub async fn update(
        &self,
        scope: &Scope,
        id: &EscalationId,
        actor: Option<&MemberAsRead>,
        deadline: Timestamp,
        decide: impl Fn(&Escalation) -> Result<Escalation>,
    ) -> Result<Option<Escalation>> {
        let decide = |seen: Option<EscalationRecord>| {
            let Some(seen) = seen.map(Escalation::from) else { return Ok(Decision::Keep(None)) };
            let decided = decide(&seen)?;
            if decided == seen {
                return Ok(Decision::Keep(Some(seen)));
            }
            let after = Escalation { version: seen.version + 1, ..decided };
            let change = Transaction::of(replace_escalation(scope, seen.version, &after)?);
            let change = change.with(Tag::Actor, actor.map(|member| member.check(&scope.tenant)));
            Ok(Decision::Write(change, Some(after)))
        };
        self.store.update(&keys::escalation(scope, id), Basis::Read, deadline, decide).await
    }

    /// Those of `ids` that there are, in no order, consistently.
    pub async fn get_many(&self, scope: &Scope, ids: impl Iterator<Item = &EscalationId>) -> Result<Vec<Escalation>> {
        let keys: Vec<Key> = ids.map(|id| keys::escalation(scope, id)).collect();
        let found = self.store.get_many::<EscalationRecord>(&keys, Consistency::Strong).await?;
        Ok(found.into_iter().map(Escalation::from).collect())
    }

    /// Every one; over the index, so what changed in the last moment may be missing.
    pub async fn list_all(&self, scope: &Scope) -> Result<Vec<Escalation>> {
        let mut all = Vec::new();
        for status in EscalationStatus::ALL {
            let mut query = PartitionQuery::of_index("gsi1", keys::inbox(scope, status.as_str()));
            loop {
                let page = self.store.query(query.clone()).await?;
                all.extend(page.items.into_iter().map(from_card).collect::<Result<Vec<_>>>()?);
                match page.next {
                    Some(next) => query.start = Some(next),
                    None => break,
                }
            }
        }
        Ok(all)
    }

    /// The place in the queue, from 1; exact up to 1,000 but for what was queued in the last moment. None when not
    /// pending.
    pub async fn get_queue_position(&self, scope: &Scope, escalation: &Escalation) -> Result<Option<u32>> {
        if escalation.status != EscalationStatus::Pending {
            return Ok(None);
        }
        let place = index_position(scope, escalation);
        let before = PartitionQuery {
            condition: SortCondition::Below(place.sk),
            ..PartitionQuery::of_index("gsi1", keys::inbox(scope, EscalationStatus::Pending.as_str()))
        };
        Ok(Some((self.store.count(before, COUNT_CAP).await? + 1).min(COUNT_CAP)))
    }

    /// Those of a status that pass `filter`, from the index, which may lag: pending ones in queue order, all others newest
    /// first. `from` is the `next` of the page before. One call reads 1 MiB at the most: a page may be
    /// short, or empty, and have a `next`.
    pub async fn list(
        &self,
        scope: &Scope,
        status: EscalationStatus,
        filter: InboxFilter<'_>,
        from: Option<&InboxPlace>,
        limit: usize,
    ) -> Result<CursorPage<Escalation, InboxPlace>> {
        let query = PartitionQuery { filter: filter.expression(), ..list_query(scope, status, from) };
        self.store.cursor_page(query, limit).await?.try_map(from_card, |sk| keys::inbox_place(&sk))
    }

    /// Those of a session, oldest first, consistently. `from` is the `next` of the page before.
    pub async fn list_of_session(
        &self,
        scope: &Scope,
        session: &SessionId,
        from: Option<&EscalationId>,
        limit: usize,
    ) -> Result<CursorPage<Escalation, EscalationId>> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Above(format!("{ESCALATIONS}{}", from.map_or("", EscalationId::as_str)));
        query.limit = i32::try_from(limit + 1).ok();
        let pointers = self.store.query(query).await?.items;
        let id = |pointer: &Item| EscalationId::parse(key_of(pointer)?.sk.strip_prefix(ESCALATIONS)?);
        // Behind the pointers stand other items of the session.
        let mut ids: Vec<EscalationId> = pointers.iter().map_while(id).collect();
        let more = ids.len() > limit;
        ids.truncate(limit);
        let mut items = self.get_many(scope, ids.iter()).await?;
        items.sort_by(|a, b| a.escalation_id.cmp(&b.escalation_id));
        Ok(CursorPage { items, next: ids.pop().filter(|_| more) })
    }

    /// Shows `tags`, those of the session, on each of its requests, open or not, and on their cards in the inbox.
    pub async fn set_tags(&self, scope: &Scope, session: &SessionId, tags: &[String]) -> Result<()> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(ESCALATIONS.to_owned());
        loop {
            let page = self.store.query(query.clone()).await?;
            let id = |pointer: &Item| EscalationId::parse(key_of(pointer)?.sk.strip_prefix(ESCALATIONS)?);
            for id in page.items.iter().filter_map(id) {
                self.store.write_if(with_tags(scope, &id, tags)?).await?;
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// The newest of a session's that `is_wanted`, consistently.
    pub async fn newest_of_session(
        &self,
        scope: &Scope,
        session: &SessionId,
        is_wanted: impl Fn(&Escalation) -> bool,
    ) -> Result<Option<Escalation>> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(ESCALATIONS.to_owned());
        (query.forward, query.limit) = (false, Some(NEWEST_PER_READ));
        loop {
            let page = self.store.query(query.clone()).await?;
            for pointer in &page.items {
                let id = key_of(pointer).and_then(|key| EscalationId::parse(key.sk.strip_prefix(ESCALATIONS)?));
                let id = id.ok_or_else(|| Error::internal("a pointer to no escalation"))?;
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
    pub async fn count(&self, scope: &Scope, status: EscalationStatus) -> Result<(u32, bool)> {
        let all = PartitionQuery::of_index("gsi1", keys::inbox(scope, status.as_str()));
        let counted = self.store.count(all, COUNT_CAP + 1).await?;
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
    Ok(Write::Update { key: keys::escalation(scope, id), update, condition: Some(condition) })
}

fn list_query(scope: &Scope, status: EscalationStatus, from: Option<&InboxPlace>) -> PartitionQuery {
    let forward = status == EscalationStatus::Pending;
    let from = from.map(|place| keys::inbox_position(scope, status.as_str(), place).sk);
    let condition = match from {
        None => SortCondition::Any,
        Some(last) if forward => SortCondition::Above(last),
        Some(last) => SortCondition::Below(last),
    };
    PartitionQuery { forward, condition, ..PartitionQuery::of_index("gsi1", keys::inbox(scope, status.as_str())) }
}

fn from_card(mut item: Item) -> Result<Escalation> {
    let card = item.remove("card").ok_or_else(|| Error::internal("an escalation without a card"))?;
    from_value::<EscalationRecord>(card).map(Escalation::from)
}

/// Replaces an escalation that is still at `version`.
pub(super) fn replace_escalation(scope: &Scope, version: u64, after: &Escalation) -> Result<Write> {
    Ok(Write::replace(escalation_item(scope, after)?, version))
}

/// An escalation as an item, with its place in the queue and what lists read of it.
fn escalation_item(scope: &Scope, escalation: &Escalation) -> Result<Item> {
    let key = keys::escalation(scope, &escalation.escalation_id);
    let record = EscalationRecord::from(escalation.clone());
    let mut stored = item(&key, ItemKind::Escalation, &record)?;
    set_gsi1_key(&mut stored, &index_position(scope, escalation));
    stored.insert("card".into(), value(&EscalationRecord { claim_token: None, claimed_generation: None, ..record })?);
    if let Some(at) = escalation.due_at() {
        set_gsi2_key(&mut stored, &keys::due(&key, at));
    }
    Ok(stored)
}

/// A new escalation as items: itself, and its session's pointer to it.
pub(in crate::store) fn escalation_items(scope: &Scope, escalation: &Escalation) -> Result<Vec<Item>> {
    let pointer = keys::escalation_of_session(scope, &escalation.session_id, &escalation.escalation_id);
    Ok(vec![escalation_item(scope, escalation)?, key_only_item(&pointer, ItemKind::SessionEscalation)])
}
