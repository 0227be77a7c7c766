//! The buckets of rate limits: one small item each, changed by one conditional `UpdateItem`.
//!
//! A call writes the buckets of exact quotas that it takes of, which is one at most, and otherwise one: the one that is
//! owed the largest share of its quota, or many tokens for long. What the others are owed stays with this process until
//! it is their turn.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValue;

use super::client::Store;
use super::keys::{self, Key};
use super::rate_meters::{Bucket, State};
use super::table::{Item, RETURN_OLD_ITEM, number, text, unavailable};
use crate::store::item_kind::ItemKind;
use domain::models::Scope;
use domain::rate_limit::{Charge, Charged, Draw, Exhausted, Standing};
use domain::{Error, Result};

/// How long a call waits for a bucket to be stored.
const STORE_TIMEOUT: Duration = Duration::from_millis(250);
/// After a failure a bucket is not stored for so long, in microseconds: one that hangs does not delay each of its calls.
const PAUSE_AFTER_FAILURE_US: i64 = 1_000_000;
/// How often the bucket of an exact quota is written where others change it at the same moment.
const MAX_ATTEMPTS: usize = 3;

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
    /// Takes what `draws` need of their buckets: of all, or of none. With them is stored what was taken before of `owed`,
    /// as far as that is due. A bucket that cannot be stored lets the call through.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub async fn take(&self, scope: &Scope, draws: &[Draw], owed: &[Draw]) -> Result<Vec<Standing>, Exhausted> {
        let taken = buckets(scope, draws);
        // The calls of this process that are counted exactly take turns, so that each stores what it takes itself.
        let mut turns = Vec::new();
        for bucket in taken.iter().filter(|bucket| bucket.draw.quota.is_exact()) {
            turns.push(self.0.contended.lock(&format!("{}#{}", bucket.key.pk, bucket.key.sk)).await);
        }
        let now_us = self.now_us();
        self.0.meters.with(|state| state.take_all(&taken, now_us))?;
        // Nothing more is taken of them.
        let owed: Vec<Draw> = owed.iter().map(|draw| Draw { tokens: 0, ..draw.clone() }).collect();
        self.store_due(&taken, &buckets(scope, &owed), now_us).await?;
        Ok(self.0.meters.with(|state| state.standings(&taken, now_us)))
    }

    /// Takes the same as far as this process knows, and stores nothing: it is owed until it is stored with others.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub fn take_unstored(&self, scope: &Scope, draws: &[Draw]) -> Result<Vec<Standing>, Exhausted> {
        let now_us = self.now_us();
        let taken = buckets(scope, draws);
        self.0.meters.with(|state| {
            state.take_all(&taken, now_us)?;
            Ok(state.standings(&taken, now_us))
        })
    }

    /// Whether there is enough, as far as this process knows. Takes nothing.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub fn check(&self, scope: &Scope, draws: &[Draw]) -> Result<(), Exhausted> {
        let now_us = self.now_us();
        let asked = buckets(scope, draws);
        self.0.meters.with(|state| {
            state.take_all(&asked, now_us)?;
            state.give_back(asked.iter(), now_us);
            Ok(())
        })
    }

    /// Gives back what [`Self::take`] took for something that was not done after all. Where that cannot be stored, it is
    /// lost.
    pub async fn give_back(&self, scope: &Scope, draws: &[Draw]) {
        let now_us = self.now_us();
        for bucket in buckets(scope, draws) {
            let Some(move_us) = self.0.meters.with(|state| state.meter(&bucket, now_us).refund(bucket.draw)) else {
                continue;
            };
            let stored = tokio::time::timeout(STORE_TIMEOUT, self.refund(&bucket.key, move_us, now_us)).await;
            match stored.unwrap_or_else(|_| Err(too_slow())) {
                Ok(full_at) => self.0.meters.with(|state| {
                    state.meter(&bucket, now_us).refunded(&bucket.draw.quota, full_at, now_us);
                }),
                Err(error) => {
                    let name = bucket.draw.quota.name;
                    tracing::warn!(error = %error, rate_limit.name = name, "failed to give back what was not done; it counts until it has come back");
                }
            }
        }
    }

    fn now_us(&self) -> i64 {
        self.0.runtime.now().as_millis().saturating_mul(1_000)
    }

    /// Stores what is due.
    async fn store_due(&self, taken: &[Bucket<'_>], owed: &[Bucket<'_>], now_us: i64) -> Result<(), Exhausted> {
        let due = self.0.meters.with(|state| state.due(taken.iter().chain(owed), now_us));
        for bucket in due {
            let settled = self.settle(bucket, now_us).await;
            if settled.is_err() && taken.iter().any(|own| own.key == bucket.key) {
                let others = taken.iter().filter(|other| other.key != bucket.key);
                self.0.meters.with(|state| state.give_back(others, now_us));
                return settled;
            }
        }
        Ok(())
    }

    /// Stores what one bucket is owed.
    async fn settle(&self, bucket: &Bucket<'_>, now_us: i64) -> Result<(), Exhausted> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(charge) = self.0.meters.with(|state| state.charge(bucket, now_us)) else { return Ok(()) };
            let stored = tokio::time::timeout(STORE_TIMEOUT, self.store(&bucket.key, &charge)).await;
            let stored = stored.unwrap_or_else(|_| Err(too_slow()));
            let is_settled = !matches!(stored, Ok(Charged::Differs(_))) || !bucket.draw.quota.is_exact();
            self.0.meters.with(|state| learn(state, bucket, &charge, stored, now_us))?;
            if is_settled {
                break;
            }
        }
        Ok(())
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
            .update(key, &format!("SET kind = :kind, #ttl = :ttl, {set}"), condition)
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":kind", ItemKind::RateBucket.attribute())
            // A full bucket says nothing that a missing one does not.
            .expression_attribute_values(":ttl", number(charge.latest_us / 1_000_000 + 1))
            .expression_attribute_values(":now", number(charge.now_us));
        request = if charge.supposed_full {
            request.expression_attribute_values(":from", number(charge.now_us + charge.move_us))
        } else {
            request
                .expression_attribute_values(":move", number(charge.move_us))
                .expression_attribute_values(":latest", number(charge.latest_us - charge.move_us))
        };
        match request.send().await {
            Ok(updated) => Ok(Charged::Stored(full_at(updated.attributes.as_ref()).unwrap_or(charge.now_us))),
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    Ok(Charged::Differs(full_at(failed.item.as_ref())))
                }
                _ => Err(unavailable("update", error)),
            },
        }
    }

    /// Moves a bucket that is not full back; when it is full afterwards.
    async fn refund(&self, key: &Key, move_us: i64, now_us: i64) -> Result<i64> {
        let request = self
            .update(key, "SET fullAtUs = fullAtUs - :move", "fullAtUs > :now")
            .expression_attribute_values(":move", number(move_us))
            .expression_attribute_values(":now", number(now_us));
        match request.send().await {
            Ok(updated) => Ok(full_at(updated.attributes.as_ref()).unwrap_or(now_us)),
            Err(error) => match error.as_service_error() {
                // It is full, so nothing is missing.
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    Ok(full_at(failed.item.as_ref()).unwrap_or(0))
                }
                _ => Err(unavailable("update", error)),
            },
        }
    }

    fn update(&self, key: &Key, update: &str, condition: &str) -> UpdateItemFluentBuilder {
        self.0
            .client
            .update_item()
            .table_name(&*self.0.table)
            .key("pk", text(&key.pk))
            .key("sk", text(&key.sk))
            .update_expression(update)
            .condition_expression(condition)
            .return_values(ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(RETURN_OLD_ITEM)
    }
}

fn buckets<'a>(scope: &Scope, draws: &'a [Draw]) -> Vec<Bucket<'a>> {
    draws.iter().map(|draw| Bucket { key: Arc::new(keys::rate_bucket(scope, draw)), draw }).collect()
}

/// Learns what became of a charge.
fn learn(
    state: &mut State,
    bucket: &Bucket<'_>,
    charge: &Charge,
    stored: Result<Charged>,
    now_us: i64,
) -> Result<(), Exhausted> {
    match stored {
        Ok(outcome) => state.meter(bucket, now_us).learn(bucket.draw, charge, outcome, now_us),
        Err(error) => {
            let name = bucket.draw.quota.name;
            tracing::warn!(metric.RateLimitStoreFailures = 1, error = %error, rate_limit.name = name, "a rate limit bucket could not be stored; calls are let through");
            state.pause(bucket, PAUSE_AFTER_FAILURE_US, now_us);
            state.meter(bucket, now_us).restore(charge);
            Ok(())
        }
    }
}

fn too_slow() -> Error {
    Error::unavailable("a rate limit bucket took too long")
}

fn full_at(item: Option<&Item>) -> Option<i64> {
    item?.get("fullAtUs")?.as_n().ok()?.parse().ok()
}
