//! One transaction: puts, updates and deletes that are committed together or not at all.
//!
//! The SDK retries lost connections but neither `TransactionCanceled` nor `TransactionConflict`. This code does, with
//! full jitter until the deadline, under one client request token, so that a lost reply is never applied twice.

use std::time::Duration;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{Delete, Put, TransactWriteItem, Update};

use super::Store;
use super::expression::Expression;
use super::keys::Key;
use super::table::{Item, SHOW_OLD, text, unavailable};
use domain::models::Timestamp;
use domain::{Error, Result};

/// How long a transaction is retried when its caller names no deadline, in milliseconds.
const DEFAULT_PATIENCE_MS: i64 = 8_000;
/// The first step and the cap of the back-off, in milliseconds.
const BACKOFF_MS: (u64, u64) = (5, 200);

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

    fn build(self, table: &str) -> Result<TransactWriteItem> {
        let write = TransactWriteItem::builder();
        let write = match self {
            Self::Put { item, condition } => write.put(put(table, item, condition)?),
            Self::Update { key, update, condition } => write.update(updating(table, &key, update, condition)?),
            Self::Delete { key, condition } => write.delete(deleting(table, &key, condition)?),
        };
        Ok(write.build())
    }
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("a transaction cannot be built: {error}"))
}

fn put(table: &str, item: Item, condition: Option<Expression>) -> Result<Put> {
    let mut put = Put::builder().table_name(table).set_item(Some(item));
    if let Some(condition) = condition {
        put = put.condition_expression(condition.text).return_values_on_condition_check_failure(SHOW_OLD);
        for (name, value) in condition.values {
            put = put.expression_attribute_values(name, value);
        }
    }
    put.build().map_err(broken)
}

fn updating(table: &str, key: &Key, update: Expression, condition: Option<Expression>) -> Result<Update> {
    let mut built = Update::builder()
        .table_name(table)
        .key("pk", text(&key.pk))
        .key("sk", text(&key.sk))
        .update_expression(update.text);
    let mut values = update.values;
    if let Some(condition) = condition {
        built = built.condition_expression(condition.text).return_values_on_condition_check_failure(SHOW_OLD);
        values.extend(condition.values);
    }
    for (name, value) in values {
        built = built.expression_attribute_values(name, value);
    }
    built.build().map_err(broken)
}

fn deleting(table: &str, key: &Key, condition: Option<Expression>) -> Result<Delete> {
    let mut built = Delete::builder().table_name(table).key("pk", text(&key.pk)).key("sk", text(&key.sk));
    if let Some(condition) = condition {
        built = built.condition_expression(condition.text).return_values_on_condition_check_failure(SHOW_OLD);
        for (name, value) in condition.values {
            built = built.expression_attribute_values(name, value);
        }
    }
    built.build().map_err(broken)
}

/// Why a transaction did not happen.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Conditions that did not hold: position among the writes, and the item as it is (none where there is none).
    Condition(Vec<(usize, Option<Item>)>),
    /// Anything else.
    Other(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl Refused {
    /// The failed condition of the write at `position`: the item as it is.
    pub(crate) fn at(&self, position: usize) -> Option<Option<&Item>> {
        match self {
            Self::Condition(failed) => failed.iter().find(|(i, _)| *i == position).map(|(_, item)| item.as_ref()),
            Self::Other(_) => None,
        }
    }

    /// As an error, where the caller expected no condition to fail.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Other(error) => error,
            Self::Condition(failed) => {
                let positions: Vec<_> = failed.iter().map(|(i, _)| *i).collect();
                Error::unavailable(format!("a transaction lost its race at {positions:?}"))
            }
        }
    }
}

enum Verdict {
    Retry,
    Refused(Refused),
}

impl Store {
    /// Commits all writes or none, until `deadline` at the latest (by default a few seconds).
    pub(crate) async fn transact(&self, writes: Vec<Write>, deadline: Option<Timestamp>) -> Result<(), Refused> {
        let items = writes.into_iter().map(|w| w.build(&self.table)).collect::<Result<Vec<_>>>()?;
        let token = u128::from_be_bytes(self.ambient.bytes::<16>()?);
        let deadline = deadline.unwrap_or_else(|| self.patience());
        let mut tries = 0_u32;
        loop {
            let request = self
                .client
                .transact_write_items()
                .set_transact_items(Some(items.clone()))
                .client_request_token(format!("{token:032x}"));
            let Err(error) = request.send().await else { return Ok(()) };
            match judge(error) {
                Verdict::Refused(refused) => return Err(refused),
                Verdict::Retry if self.ambient.now() >= deadline => {
                    return Err(Error::unavailable("a transaction was in conflict until the deadline").into());
                }
                Verdict::Retry => self.back_off(tries).await?,
            }
            tries += 1;
        }
    }

    /// Until when a write is tried whose caller names no deadline.
    pub(crate) fn patience(&self) -> Timestamp {
        self.ambient.now().plus_millis(DEFAULT_PATIENCE_MS)
    }

    /// Sleeps a random part of an exponentially growing step ("full jitter").
    pub(crate) async fn back_off(&self, tries: u32) -> Result<()> {
        let (first, cap) = BACKOFF_MS;
        let step = first.saturating_mul(1 << tries.min(10)).min(cap);
        let random = u64::from_be_bytes(self.ambient.bytes::<8>()?);
        tokio::time::sleep(Duration::from_millis(random % (step + 1))).await;
        Ok(())
    }
}

/// A table of what each failure means: conditions are answers, conflicts and throttling pass, the rest is reported.
fn judge(error: SdkError<TransactWriteItemsError>) -> Verdict {
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
                return Verdict::Refused(Refused::Condition(failed));
            }
            let passing = |code: &str| {
                matches!(code, "None" | "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded")
            };
            if !reasons.is_empty() && reasons.iter().filter_map(|r| r.code()).all(passing) {
                Verdict::Retry
            } else {
                Verdict::Refused(Refused::Other(unavailable("transaction", error)))
            }
        }
        Some(other) if is_passing(other.code().unwrap_or_default()) => Verdict::Retry,
        Some(_) => Verdict::Refused(Refused::Other(unavailable("transaction", error))),
        // The SDK has tried three times; the token makes a further try safe, but the caller's time is better spent on 503.
        None => Verdict::Refused(Refused::Other(unavailable("transaction", error))),
    }
}

fn is_passing(code: &str) -> bool {
    matches!(
        code,
        "TransactionConflictException"
            | "TransactionInProgressException"
            | "ThrottlingException"
            | "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
    )
}
