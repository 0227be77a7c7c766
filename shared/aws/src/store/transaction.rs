//! One transaction: puts, updates and deletes that are committed together or not at all.
//!
//! The SDK retries lost connections but neither `TransactionCanceled` nor `TransactionConflict`; [`Store::try_write`]
//! does, with full jitter until the deadline, under one client request token, so that a lost reply is never applied
//! twice. Each write carries a tag, by which [`WriteRefused`] says which condition failed.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem, Update};

use super::client::Store;
use super::expression::Expression;
use super::keys::Key;
use super::table::{Item, RETURN_OLD_ITEM, number, text, unavailable};
use domain::models::Timestamp;
use domain::{Error, Result};

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
    Put { item: Item, condition: Option<Expression> },
    Update { key: Key, update: Expression, condition: Option<Expression> },
    Delete { key: Key, condition: Option<Expression> },
}

impl Write {
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
        };
        Ok(write.build())
    }
}

/// The record of a request that is complete with the transaction that stores it.
#[derive(Debug, Clone)]
pub struct RequestRecord(Write);

impl RequestRecord {
    pub(super) const fn new(write: Write) -> Self {
        Self(write)
    }

    pub(super) fn into_write(self) -> Write {
        self.0
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
        .update_expression(update.text);
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

/// Why a transaction did not happen; `T` names its writes.
#[derive(Debug)]
pub(crate) enum WriteRefused<T> {
    /// Conditions that did not hold: the tag of each write, and the item as it is (none where there is none).
    Condition(Vec<(T, Option<Item>)>),
    /// Anything else.
    Other(Error),
}

impl<T> From<Error> for WriteRefused<T> {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl<T: PartialEq + std::fmt::Debug> WriteRefused<T> {
    /// The item behind the failed condition of the write `tag`: as it is now, `Some(None)` where there is none. `None`
    /// where that condition held.
    pub(crate) fn at(&self, tag: &T) -> Option<Option<&Item>> {
        match self {
            Self::Condition(failed) => failed.iter().find(|(name, _)| name == tag).map(|(_, item)| item.as_ref()),
            Self::Other(_) => None,
        }
    }

    /// As an error, where the caller expected no condition to fail.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Other(error) => error,
            Self::Condition(failed) => {
                let tags: Vec<_> = failed.iter().map(|(tag, _)| tag).collect();
                Error::unavailable(format!("a condition that should hold failed: {tags:?}"))
            }
        }
    }
}

/// What a failed call means.
enum FailureKind {
    Retry,
    /// The positions of the conditions that failed, each with the item as it is.
    Condition(Vec<(usize, Option<Item>)>),
    Failed(Error),
}

impl Store {
    /// Commits all writes or none, until `deadline` at the latest (by default a few seconds).
    pub(crate) async fn try_write<T>(
        &self,
        writes: Vec<(T, Write)>,
        deadline: Option<Timestamp>,
    ) -> Result<(), WriteRefused<T>> {
        let (tags, writes): (Vec<T>, Vec<Write>) = writes.into_iter().unzip();
        let items = writes.into_iter().map(|write| write.build(&self.table)).collect::<Result<Vec<_>>>()?;
        let token = self.runtime.token()?;
        let deadline = deadline.unwrap_or_else(|| self.default_deadline());
        for tries in 0.. {
            let request =
                self.client.transact_write_items().set_transact_items(Some(items.clone())).client_request_token(&token);
            let Err(error) = request.send().await else { return Ok(()) };
            match classify(error) {
                FailureKind::Condition(failed) => return Err(WriteRefused::Condition(tagged(tags, failed))),
                FailureKind::Failed(error) => return Err(error.into()),
                FailureKind::Retry if self.runtime.now() >= deadline => break,
                FailureKind::Retry => self.back_off(tries).await?,
            }
        }
        Err(Error::unavailable("a transaction was in conflict until the deadline").into())
    }

    /// Commits writes whose conditions are expected to hold.
    pub(crate) async fn write(&self, writes: Vec<Write>) -> Result<()> {
        let writes = writes.into_iter().map(|write| ((), write)).collect();
        self.try_write(writes, None).await.map_err(WriteRefused::into_error)
    }

    /// The same with the record of the request that they are made for.
    pub(crate) async fn write_for(&self, writes: Vec<Write>, request: Option<RequestRecord>) -> Result<()> {
        self.write(writes.into_iter().chain(request.map(RequestRecord::into_write)).collect()).await
    }

    /// Commits one write, unless its condition does not hold; whether it did.
    pub(crate) async fn write_if(&self, write: Write) -> Result<bool> {
        self.write_all_if(vec![write]).await
    }

    /// Commits all writes, unless a condition does not hold; whether it did.
    pub(crate) async fn write_all_if(&self, writes: Vec<Write>) -> Result<bool> {
        match self.try_write(writes.into_iter().map(|write| ((), write)).collect(), None).await {
            Ok(()) => Ok(true),
            Err(WriteRefused::Condition(_)) => Ok(false),
            Err(WriteRefused::Other(error)) => Err(error),
        }
    }
}

/// The failed conditions by the tags of their writes.
fn tagged<T>(tags: Vec<T>, failed: Vec<(usize, Option<Item>)>) -> Vec<(T, Option<Item>)> {
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
