//! One transaction: puts, updates, deletes and checks that are committed together or not at all.
//!
//! The SDK retries lost connections but neither `TransactionCanceled` nor `TransactionConflict`; [`Store::commit`]
//! does, with full jitter until the deadline, under one client request token, so that a lost reply is never applied
//! twice. Each write carries a [`Tag`], by which [`Outcome`] says which condition failed.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, Delete, Put, TransactWriteItem, Update};
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{AuditEntry, TenantId, Timestamp};
use domain::{Error, Result};

use crate::table::item::{Expression, Item, ItemKind, item, number, text};
use crate::table::keys::{self, Key};
use crate::table::{RETURN_OLD_ITEM, Store, unavailable};

/// Holds while an item is at `version`; 0 is none.
pub(crate) fn version_condition(version: u64) -> Expression {
    match version {
        0 => Expression::new("attribute_not_exists(pk)"),
        seen => Expression::new("version = :seen_version").with(":seen_version", number(seen)),
    }
}

/// One write of a transaction.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Put {
        item: Item,
        condition: Option<Expression>,
    },
    Update {
        key: Key,
        update: Expression,
        condition: Option<Expression>,
    },
    Delete {
        key: Key,
        condition: Option<Expression>,
    },
    /// Writes nothing: the transaction is refused if the condition does not hold.
    Check {
        key: Key,
        condition: Expression,
    },
}

impl Write {
    /// Puts an item, whatever is in its place.
    pub(crate) fn put(item: Item) -> Self {
        Self::Put { item, condition: None }
    }

    /// Deletes an item, whatever it is, if it is there.
    pub(crate) fn delete(key: Key) -> Self {
        Self::Delete { key, condition: None }
    }

    /// Puts an item that must not exist yet.
    pub(crate) fn create(item: Item) -> Self {
        Self::Put { item, condition: Some(Expression::new("attribute_not_exists(pk)")) }
    }

    /// Puts an item in the place of the one that is still at `version`; 0 is none.
    pub(crate) fn replace(item: Item, version: u64) -> Self {
        Self::Put { item, condition: Some(version_condition(version)) }
    }

    fn build(self, table: &str) -> Result<TransactWriteItem> {
        let write = TransactWriteItem::builder();
        let write = match self {
            Self::Put { item, condition } => write.put(build_put(table, item, condition)?),
            Self::Update { key, update, condition } => write.update(build_update(table, &key, update, condition)?),
            Self::Delete { key, condition } => write.delete(build_delete(table, &key, condition)?),
            Self::Check { key, condition } => write.condition_check(build_check(table, &key, condition)?),
        };
        Ok(write.build())
    }
}

/// The record of a request, stored in the transaction of what the request does.
#[derive(Debug, Clone)]
pub struct RequestRecord(Write);

impl RequestRecord {
    /// Whoever does the work is named in the item's [`HOLDER`].
    pub(crate) const fn new(write: Write) -> Self {
        Self(write)
    }
}

/// The attribute of a record that names who carries the request out.
pub(crate) const HOLDER: &str = "holder";

/// The role of a write in its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    /// The item that was decided on.
    Item,
    /// Something that only one may have, and that is to be made.
    Taken,
    /// The tenant, with what is counted of it.
    Tenant,
    /// A customer's turn that the transaction answers.
    Answered,
    /// A session that the item quotes.
    Quoted,
    /// The record of the request that the transaction is made for.
    Request,
    /// The member who acts.
    Actor,
    /// Anything else.
    Beside,
}

/// Writes that are committed together or not at all. An item is written once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transaction(Vec<(Tag, Write)>);

impl Transaction {
    /// The write of the item that was decided on.
    pub(crate) fn of(item: Write) -> Self {
        Self::default().with(Tag::Item, [item])
    }

    /// The same with other writes under `tag`.
    pub(crate) fn with(mut self, tag: Tag, writes: impl IntoIterator<Item = Write>) -> Self {
        self.0.extend(writes.into_iter().map(|write| (tag, write)));
        self
    }

    /// The same with more writes that nothing is asked about.
    pub(crate) fn beside(self, writes: impl IntoIterator<Item = Write>) -> Self {
        self.with(Tag::Beside, writes)
    }

    /// The same with the records of the request that it is made for.
    pub(crate) fn recording(self, records: impl IntoIterator<Item = RequestRecord>) -> Self {
        self.with(Tag::Request, records.into_iter().map(|RequestRecord(write)| write))
    }

    /// The holders of its records.
    fn holders(&self) -> Vec<AttributeValue> {
        let holder = |(tag, write): &(Tag, Write)| match (tag, write) {
            (Tag::Request, Write::Put { item, .. }) => item.get(HOLDER).cloned(),
            _ => None,
        };
        self.0.iter().filter_map(holder).collect()
    }
}

impl From<Write> for Transaction {
    fn from(item: Write) -> Self {
        Self::of(item)
    }
}

impl From<Vec<Write>> for Transaction {
    fn from(writes: Vec<Write>) -> Self {
        Self::default().with(Tag::Beside, writes)
    }
}

fn build_error(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("a transaction cannot be built: {error}"))
}

fn build_put(table: &str, item: Item, condition: Option<Expression>) -> Result<Put> {
    let mut put = Put::builder().table_name(table).set_item(Some(item));
    if let Some(condition) = condition {
        put = put.condition_expression(condition.text).return_values_on_condition_check_failure(RETURN_OLD_ITEM);
        for (name, value) in condition.values {
            put = put.expression_attribute_values(name, value);
        }
    }
    put.build().map_err(build_error)
}

fn build_update(table: &str, key: &Key, update: Expression, condition: Option<Expression>) -> Result<Update> {
    let mut built = Update::builder()
        .table_name(table)
        .key("pk", text(&key.pk))
        .key("sk", text(&key.sk))
        .update_expression(&update.text);
    // The plain name is reserved.
    if update.text.contains("#ttl") {
        built = built.expression_attribute_names("#ttl", "ttl");
    }
    let mut values = update.values;
    if let Some(condition) = condition {
        built = built.condition_expression(condition.text).return_values_on_condition_check_failure(RETURN_OLD_ITEM);
        values.extend(condition.values);
    }
    for (name, value) in values {
        built = built.expression_attribute_values(name, value);
    }
    built.build().map_err(build_error)
}

fn build_delete(table: &str, key: &Key, condition: Option<Expression>) -> Result<Delete> {
    let mut built = Delete::builder().table_name(table).key("pk", text(&key.pk)).key("sk", text(&key.sk));
    if let Some(condition) = condition {
        built = built.condition_expression(condition.text).return_values_on_condition_check_failure(RETURN_OLD_ITEM);
        for (name, value) in condition.values {
            built = built.expression_attribute_values(name, value);
        }
    }
    built.build().map_err(build_error)
}

fn build_check(table: &str, key: &Key, condition: Expression) -> Result<ConditionCheck> {
    let mut check = ConditionCheck::builder()
        .table_name(table)
        .key("pk", text(&key.pk))
        .key("sk", text(&key.sk))
        .condition_expression(condition.text)
        .return_values_on_condition_check_failure(RETURN_OLD_ITEM);
    for (name, value) in condition.values {
        check = check.expression_attribute_values(name, value);
    }
    check.build().map_err(build_error)
}

/// The outcome of a transaction.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// All of it is stored.
    Committed,
    /// None of it is stored: the tag of each write whose condition did not hold, and the item as it is (none if
    /// there is none).
    Refused(Vec<(Tag, Option<Item>)>),
}

impl Outcome {
    /// Whether it is stored.
    pub(crate) const fn is_committed(&self) -> bool {
        matches!(self, Self::Committed)
    }

    /// The item behind the first failed condition of `tag`: as it is now, `Some(None)` if there is none. `None` if
    /// every condition of `tag` held.
    pub(crate) fn at(&self, tag: Tag) -> Option<Option<&Item>> {
        match self {
            Self::Refused(failed) => failed.iter().find(|(name, _)| *name == tag).map(|(_, item)| item.as_ref()),
            Self::Committed => None,
        }
    }

    /// The same if no record of a request stands in the way. If that is one of `own`, this very transaction was
    /// committed, and its reply was lost.
    fn judged(self, own: &[AttributeValue]) -> Result<Self> {
        let holder = match self.at(Tag::Request) {
            None => return Ok(self),
            Some(there) => there.and_then(|record| record.get(HOLDER)),
        };
        let is_own = holder.is_some_and(|holder| own.contains(holder));
        if is_own { Ok(Self::Committed) } else { Err(in_progress_for(0)) }
    }

    /// 503 if a condition failed that its caller expects to hold.
    pub(crate) fn expected(self) -> Result<()> {
        match self {
            Self::Committed => Ok(()),
            Self::Refused(failed) => {
                let tags: Vec<_> = failed.iter().map(|(tag, _)| tag).collect();
                Err(Error::unavailable(format!("a condition that should hold failed: {tags:?}")))
            }
        }
    }
}

/// The kind of a failed call.
enum FailureKind {
    Retry,
    /// The positions of the conditions that failed, each with the item as it is.
    Condition(Vec<(usize, Option<Item>)>),
    Failed(Error),
}

impl Store {
    /// Commits all writes or none, until `deadline` at the latest (by default a few seconds).
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` if another attempt stored the record of the request; 503 if the table does not
    /// answer, or conflicts last until the deadline.
    pub(crate) async fn commit(
        &self,
        transaction: impl Into<Transaction>,
        deadline: Option<Timestamp>,
    ) -> Result<Outcome> {
        let mut transaction: Transaction = transaction.into();
        if let Some(audited) = &self.audited {
            let (tenant, entry) = &**audited;
            let item = audit_item(&self.runtime, tenant, entry)?;
            // No entry is overwritten.
            transaction = transaction.with(Tag::Beside, [Write::create(item)]);
        }
        let own = transaction.holders();
        let (tags, writes): (Vec<Tag>, Vec<Write>) = transaction.0.into_iter().unzip();
        let items = writes.into_iter().map(|write| write.build(&self.table)).collect::<Result<Vec<_>>>()?;
        let token = self.runtime.token()?;
        let deadline = deadline.unwrap_or_else(|| self.default_deadline());
        for tries in 0.. {
            let request =
                self.client.transact_write_items().set_transact_items(Some(items.clone())).client_request_token(&token);
            let Err(error) = request.send().await else { return Ok(Outcome::Committed) };
            match classify(error) {
                FailureKind::Condition(failed) => {
                    let outcome = Outcome::Refused(tagged(tags, failed));
                    return outcome.judged(&own);
                }
                FailureKind::Failed(error) => return Err(error),
                FailureKind::Retry if self.runtime.now() >= deadline => break,
                FailureKind::Retry => self.back_off(tries).await?,
            }
        }
        Err(Error::unavailable("a transaction was in conflict until the deadline"))
    }

    /// Commits writes whose conditions are expected to hold.
    pub(crate) async fn write(&self, writes: Vec<Write>) -> Result<()> {
        self.commit(writes, None).await?.expected()
    }

    /// Commits writes, unless a condition does not hold; whether it did.
    pub(crate) async fn write_if(&self, transaction: impl Into<Transaction>) -> Result<bool> {
        Ok(self.commit(transaction, None).await?.is_committed())
    }
}

/// 409 while the first attempt of a request may still be at it, for `left_ms` milliseconds.
#[must_use]
pub fn in_progress_for(left_ms: i64) -> Error {
    let seconds = left_ms.clamp(1, i64::from(u32::MAX)).cast_unsigned().div_ceil(1_000);
    Error::new(Code::IdempotencyInProgress, "The first attempt of this request is still running.")
        .retry_after(u32::try_from(seconds).unwrap_or(u32::MAX))
}

/// The failed conditions by the tags of their writes.
fn tagged(tags: Vec<Tag>, failed: Vec<(usize, Option<Item>)>) -> Vec<(Tag, Option<Item>)> {
    let mut failed: BTreeMap<usize, Option<Item>> = failed.into_iter().collect();
    tags.into_iter().enumerate().filter_map(|(position, tag)| Some((tag, failed.remove(&position)?))).collect()
}

/// A table of what each failure means: conditions are answers, conflicts and throttling pass, the rest is reported.
fn classify(error: SdkError<TransactWriteItemsError>) -> FailureKind {
    match error.as_service_error() {
        Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
            let reasons = cancelled.cancellation_reasons();
            let failed: Vec<_> = reasons
                .iter()
                .enumerate()
                .filter(|(_, r)| r.code() == Some("ConditionalCheckFailed"))
                .map(|(i, r)| (i, r.item.clone()))
                .collect();
            if !failed.is_empty() {
                return FailureKind::Condition(failed);
            }
            let passing = |code: &str| {
                matches!(code, "None" | "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded")
            };
            if !reasons.is_empty() && reasons.iter().filter_map(|r| r.code()).all(passing) {
                FailureKind::Retry
            } else {
                FailureKind::Failed(unavailable("transaction", error))
            }
        }
        Some(other) if is_retryable(other.code().unwrap_or_default()) => FailureKind::Retry,
        Some(_) => FailureKind::Failed(unavailable("transaction", error)),
        // The SDK has tried three times; the token makes a further try safe, but the caller's time is better spent on
        // 503.
        None => FailureKind::Failed(unavailable("transaction", error)),
    }
}

fn is_retryable(code: &str) -> bool {
    matches!(
        code,
        "TransactionConflictException"
            | "TransactionInProgressException"
            | "ThrottlingException"
            | "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
    )
}

/// How long a write is retried when its caller names no deadline, in milliseconds.
const DEFAULT_TIMEOUT_MS: i64 = 8_000;

/// The first step and the cap of the back-off, in milliseconds.
const BACKOFF_RANGE_MS: (u64, u64) = (5, 200);

impl Store {
    /// Until when a write is tried whose caller names no deadline.
    pub(crate) fn default_deadline(&self) -> Timestamp {
        self.runtime.now().plus_millis(DEFAULT_TIMEOUT_MS)
    }

    /// Sleeps a random part of an exponentially growing step.
    pub(crate) async fn back_off(&self, tries: u32) -> Result<()> {
        let (first, cap) = BACKOFF_RANGE_MS;
        let step = first.saturating_mul(1 << tries.min(10)).min(cap);
        let random = u64::from_be_bytes(self.runtime.bytes::<8>()?);
        tokio::time::sleep(Duration::from_millis(random % (step + 1))).await;
        Ok(())
    }
}

/// Adds `change` to the counter; with `most` only while it is below.
pub(crate) fn count(key: Key, kind: ItemKind, change: i32, most: Option<u32>) -> Write {
    let update = Expression::new("SET kind = :kind ADD amount :change")
        .with(":kind", kind.attribute())
        .with(":change", number(change));
    let below = |most| Expression::new("attribute_not_exists(amount) OR amount < :most").with(":most", number(most));
    Write::Update { key, update, condition: most.map(below) }
}

/// How long an entry is kept, in hours.
pub(crate) const KEPT_HOURS: i64 = 365 * 24;

/// The item of an entry, under a key of its own.
pub(crate) fn audit_item(runtime: &Runtime, tenant: &TenantId, entry: &AuditEntry) -> Result<Item> {
    let key = keys::audit_entry(tenant, entry.at, &runtime.token()?);
    let mut stored = item(&key, ItemKind::AuditEntry, entry)?;
    stored.insert("ttl".into(), number(entry.at.plus_hours(KEPT_HOURS).as_seconds()));
    Ok(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_waits_for_what_is_left_of_a_lease_rounded_up() {
        for (left_ms, seconds) in [(-5, 1), (0, 1), (1, 1), (1_000, 1), (1_001, 2), (24_999, 25), (25_000, 25)] {
            assert_eq!(in_progress_for(left_ms).retry_after_seconds(), Some(seconds), "{left_ms}");
        }
    }

    #[test]
    fn a_record_that_stands_in_the_way_is_ones_own_or_of_another_attempt() {
        let record = |holder: &str| Item::from([(HOLDER.to_owned(), text(holder))]);
        let mine = RequestRecord::new(Write::create(record("me")));
        let own = Transaction::of(Write::create(Item::new())).recording([mine]).holders();
        let refused = |tag, there: Option<Item>| Outcome::Refused(vec![(tag, there)]).judged(&own);
        assert!(refused(Tag::Request, Some(record("me"))).unwrap().is_committed());
        assert!(refused(Tag::Item, Some(record("me"))).unwrap().at(Tag::Item).is_some());
        for other in [Some(record("another")), None] {
            assert_eq!(refused(Tag::Request, other).unwrap_err().code(), Code::IdempotencyInProgress);
        }
    }
}
