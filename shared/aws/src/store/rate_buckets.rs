//! The buckets of rate limits: one small item each, changed by one conditional `UpdateItem`.
//!
//! A call writes a bucket when this process keeps too few of its tokens ([`domain::rate_limit`]). The calls of a process
//! that take of one bucket take turns, so that the next ones find what the first one took.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValue;

use super::item::{Item, ItemKind, number, text};
use super::keys::{self, Key};
use super::process::Known;
use super::table::{RETURN_OLD_ITEM, Store, unavailable};
use domain::models::Scope;
use domain::rate_limit::{Charge, Draw, Exhausted, Meter, Standing};
use domain::{Error, Result};

/// After a failure a bucket is not stored for so long, in microseconds: one that hangs does not delay each of its calls.
const PAUSE_AFTER_FAILURE_US: i64 = 1_000_000;

/// How often a bucket is written if others change it at the same moment. Then the call is let through.
const MAX_ATTEMPTS: usize = 5;

/// The buckets of rate limits; made by [`Store::rate_buckets`].
#[derive(Debug, Clone, Copy)]
pub struct RateBucketRepository<'a>(pub(super) &'a Store);

impl RateBucketRepository<'_> {
    /// Takes what `draws` need of their buckets: of all, or of none. A bucket that cannot be stored lets the call
    /// through.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub async fn take(&self, scope: &Scope, draws: &[Draw]) -> Result<Vec<Standing>, Exhausted> {
        self.check(scope, draws)?;
        let mut standings = Vec::with_capacity(draws.len());
        for draw in draws {
            match self.take_one(&rate_bucket_key(scope, draw), draw).await {
                Ok(standing) => standings.push(standing),
                Err(exhausted) => {
                    self.give_back(scope, draws.get(..standings.len()).unwrap_or_default()).await;
                    return Err(exhausted);
                }
            }
        }
        Ok(standings)
    }

    /// Whether there is enough, as far as this process knows. Takes nothing.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub fn check(&self, scope: &Scope, draws: &[Draw]) -> Result<(), Exhausted> {
        let now_us = self.now_us();
        draws.iter().try_for_each(|draw| {
            let known = self.0.meters.of(&rate_bucket_key(scope, draw));
            // The state of a bucket that a call is writing at the moment is not known yet.
            known.try_lock().map_or(Ok(()), |known| known.meter.check(draw, now_us))
        })
    }

    /// Gives back what [`Self::take`] took for something that was not done after all. If that cannot be stored, it is
    /// lost.
    pub async fn give_back(&self, scope: &Scope, draws: &[Draw]) {
        for draw in draws {
            self.give_back_one(&rate_bucket_key(scope, draw), draw).await;
        }
    }

    /// Takes of the bucket of somebody who is not known, by a hash of the address.
    ///
    /// # Errors
    /// The bucket has not enough.
    pub async fn take_of_address(&self, hash: &str, draw: &Draw) -> Result<Standing, Exhausted> {
        self.take_one(&failed_sign_ins_key(hash), draw).await
    }

    /// Gives back what [`Self::take_of_address`] took.
    pub async fn give_back_of_address(&self, hash: &str, draw: &Draw) {
        self.give_back_one(&failed_sign_ins_key(hash), draw).await;
    }

    async fn give_back_one(&self, key: &Key, draw: &Draw) {
        let known = self.0.meters.of(key);
        let meter = &mut known.lock().await.meter;
        let Some(move_us) = meter.give_back(draw) else { return };
        match self.in_time(self.move_back(key, move_us)).await {
            Ok(full_at) => meter.given_back(full_at, self.now_us()),
            Err(error) => {
                let name = draw.quota.name;
                tracing::warn!(error = %error, rate_limit.name = name, "failed to give back what was not done; it counts until it has come back");
            }
        }
    }

    /// Lets what [`Self::take`] took count a tenth, for the next calls of this process.
    pub async fn count_a_tenth(&self, scope: &Scope, draws: &[Draw]) {
        for draw in draws {
            let known = self.0.meters.of(&rate_bucket_key(scope, draw));
            known.lock().await.meter.count_a_tenth(draw);
        }
    }

    fn now_us(&self) -> i64 {
        self.0.runtime.now().as_millis().saturating_mul(1_000)
    }

    async fn take_one(&self, key: &Key, draw: &Draw) -> Result<Standing, Exhausted> {
        let known = self.0.meters.of(key);
        let Known { meter, paused_until_us } = &mut *known.lock().await;
        let now_us = self.now_us();
        for _ in 0..MAX_ATTEMPTS {
            let Some(charge) = meter.spend(draw, now_us)? else { break };
            if now_us < *paused_until_us {
                meter.keep(&charge, None);
            } else if let Err(error) = self.in_time(self.store(key, &charge, meter)).await {
                let name = draw.quota.name;
                tracing::warn!(metric.RateLimitStoreFailures = 1, error = %error, rate_limit.name = name, "a rate limit bucket could not be stored; calls are let through");
                *paused_until_us = now_us + PAUSE_AFTER_FAILURE_US;
            }
        }
        Ok(meter.standing(draw, now_us))
    }

    /// One conditional write of one write unit.
    async fn store(&self, key: &Key, charge: &Charge, meter: &mut Meter) -> Result<()> {
        let Charge { is_idle, move_us, now_us, latest_us, wrong_us, .. } = *charge;
        // Each expression uses each value: DynamoDB refuses one that is not used.
        let (to, condition, [(one, first), (other, second)]) = if is_idle {
            let condition = "attribute_not_exists(pk) OR fullAtUs <= :now OR fullAtUs > :wrong";
            (":to", condition, [(":to", now_us + move_us), (":wrong", wrong_us)])
        } else {
            let condition = "fullAtUs > :now AND fullAtUs <= :latest";
            ("fullAtUs + :move", condition, [(":move", move_us), (":latest", latest_us)])
        };
        let request = self
            .update(key, &format!("SET kind = :kind, #ttl = :ttl, fullAtUs = {to}"), condition)
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":kind", ItemKind::RateBucket.attribute())
            // A full bucket says nothing that a missing one does not.
            .expression_attribute_values(":ttl", number(wrong_us / 1_000_000))
            .expression_attribute_values(":now", number(now_us))
            .expression_attribute_values(one, number(first))
            .expression_attribute_values(other, number(second));
        match request.send().await {
            Ok(updated) => meter.keep(charge, full_at(updated.attributes.as_ref())),
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    meter.learn(charge, full_at(failed.item.as_ref()));
                }
                _ => return Err(unavailable("update", error)),
            },
        }
        Ok(())
    }

    /// Moves a bucket that is not full back; when it is full afterwards.
    async fn move_back(&self, key: &Key, move_us: i64) -> Result<i64> {
        let now_us = self.now_us();
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

    /// The outcome of a write, or `SERVICE_UNAVAILABLE` if it takes too long.
    async fn in_time<T>(&self, write: impl Future<Output = Result<T>>) -> Result<T> {
        let in_time = tokio::time::timeout(self.0.bucket_timeout, write).await;
        in_time.unwrap_or_else(|_| Err(Error::unavailable("a rate limit bucket took too long")))
    }
}

fn full_at(item: Option<&Item>) -> Option<i64> {
    item?.get("fullAtUs")?.as_n().ok()?.parse().ok()
}

/// A bucket of a rate limit. The subject is an id or a hash.
fn rate_bucket_key(s: &Scope, draw: &Draw) -> Key {
    Key::new(format!("{}#RATE#{}#{}", keys::scope(s), draw.quota.name, draw.subject), "BUCKET")
}

/// A rate limit of somebody who is not known, by a hash of the address.
fn failed_sign_ins_key(hash: &str) -> Key {
    Key::new(format!("ATTEMPTS#{hash}"), "ATTEMPTS")
}
