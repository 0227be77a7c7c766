//! The buckets of rate limits: one small item each, changed by one conditional `UpdateItem`.
//!
//! A call writes one bucket at most: the one that is owed the largest share of its quota, or many tokens for long. What
//! the others are owed stays with this process until it is their turn.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::types::ReturnValue;

use super::client::Store;
use super::keys::{self, Key};
use super::rate_meters::{Bucket, Owed, State};
use super::table::{Item, RETURN_OLD_ITEM, number, text, unavailable};
use domain::models::Scope;
use domain::rate_limit::{Charge, Charged, Draw, Exhausted, Standing};
use domain::{Error, Result};

/// How long a call waits for a bucket to be stored.
const STORE_TIMEOUT: Duration = Duration::from_millis(250);
/// After a failure no bucket is stored for so long, in microseconds: a store that hangs does not delay every call.
const PAUSE_AFTER_FAILURE_US: i64 = 1_000_000;

/// The buckets of rate limits; made by [`Store::rate_buckets`].
#[derive(Debug, Clone, Copy)]
pub struct RateBucketRepository<'a>(&'a Store);

impl Store {
    /// The buckets of rate limits.
    #[must_use]
    pub const fn rate_buckets(&self) -> RateBucketRepository<'_> {
        RateBucketRepository(self)
    }
}

impl RateBucketRepository<'_> {
    /// Takes what a call needs of its buckets: of all, or of none. A bucket that cannot be stored lets the call through.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub async fn take(&self, scope: &Scope, draws: &[Draw]) -> Result<Vec<Standing>, Exhausted> {
        let now_us = self.0.runtime.now().as_millis().saturating_mul(1_000);
        let bucket = |draw| Bucket { key: Arc::new(keys::rate_bucket(scope, draw)), draw };
        let buckets: Vec<Bucket<'_>> = draws.iter().map(bucket).collect();
        let owed = self.0.meters.with(|state| {
            state.take_all(&buckets, now_us)?;
            Ok(state.next_charge(&buckets, now_us))
        })?;
        if let Some(owed) = owed {
            let stored = tokio::time::timeout(STORE_TIMEOUT, self.store(&owed.bucket.key, &owed.charge)).await;
            let stored = stored.unwrap_or_else(|_| Err(Error::unavailable("a rate limit bucket took too long")));
            self.0.meters.with(|state| learn(state, &buckets, &owed, stored, now_us))?;
        }
        Ok(self.0.meters.with(|state| state.standings(&buckets, now_us)))
    }

    /// One conditional write of one write unit.
    async fn store(&self, key: &Key, charge: &Charge) -> Result<Charged> {
        let (set, condition) = if charge.supposed_full {
            ("fullAtUs = :from", "attribute_not_exists(pk) OR fullAtUs <= :now")
        } else {
            (
                "fullAtUs = if_not_exists(fullAtUs, :now) + :move",
                "attribute_not_exists(pk) OR (fullAtUs > :now AND fullAtUs <= :latest)",
            )
        };
        let mut request = self
            .0
            .client
            .update_item()
            .table_name(&*self.0.table)
            .key("pk", text(&key.pk))
            .key("sk", text(&key.sk))
            .update_expression(format!("SET kind = :kind, #ttl = :ttl, {set}"))
            .condition_expression(condition)
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":kind", text("rate_bucket"))
            // A full bucket says nothing that a missing one does not.
            .expression_attribute_values(":ttl", number(charge.latest_us / 1_000_000 + 1))
            .expression_attribute_values(":now", number(charge.now_us))
            .return_values(ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(RETURN_OLD_ITEM);
        request = if charge.supposed_full {
            request.expression_attribute_values(":from", number(charge.now_us + charge.move_us))
        } else {
            request
                .expression_attribute_values(":move", number(charge.move_us))
                .expression_attribute_values(":latest", number(charge.latest_us - charge.move_us))
        };
        let error = match request.send().await {
            Ok(updated) => return Ok(Charged::Stored(full_at(updated.attributes.as_ref()).unwrap_or(charge.now_us))),
            Err(error) => error,
        };
        match error.as_service_error() {
            Some(aws_sdk_dynamodb::operation::update_item::UpdateItemError::ConditionalCheckFailedException(
                failed,
            )) => Ok(Charged::Differs(full_at(failed.item.as_ref()))),
            _ => Err(unavailable("update", error)),
        }
    }
}

/// Learns what became of a charge; where it was refused, the other buckets get back what was taken of them.
fn learn(
    state: &mut State,
    buckets: &[Bucket<'_>],
    owed: &Owed<'_>,
    stored: Result<Charged>,
    now_us: i64,
) -> Result<(), Exhausted> {
    let draw = owed.bucket.draw;
    let outcome = match stored {
        Ok(outcome) => outcome,
        Err(error) => {
            let name = draw.quota.name;
            tracing::warn!(metric.RateLimitStoreFailures = 1, error = %error, rate_limit.name = name, "a rate limit bucket could not be stored; calls are let through");
            state.paused_until_us = now_us + PAUSE_AFTER_FAILURE_US;
            state.meter(owed.bucket, now_us).restore(&owed.charge);
            return Ok(());
        }
    };
    let learnt = state.meter(owed.bucket, now_us).learn(draw, &owed.charge, outcome, now_us);
    if learnt.is_err() {
        state.give_back(buckets.iter().filter(|bucket| bucket.key != owed.bucket.key), now_us);
    }
    learnt
}

fn full_at(item: Option<&Item>) -> Option<i64> {
    item?.get("fullAtUs")?.as_n().ok()?.parse().ok()
}
