//! The buckets of rate limits: one small item each, changed by one conditional `UpdateItem`.
//!
//! A call writes a bucket when this process keeps too few of its tokens ([`domain::rate_limit`]). The calls of a process
//! that take of one bucket take turns, so that the next ones find what the first one took.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ReturnValue;
use domain::models::Scope;
use domain::rate_limit::{Charge, Draw, Exhausted, Standing};
use domain::{Error, Result};

use crate::table::item::{Item, ItemKind, number, text};
use crate::table::keys::{self, Key};
use crate::table::{RETURN_OLD_ITEM, repository, unavailable};

/// How often a bucket is written if others change it at the same moment. Then the call is let through.
const MAX_ATTEMPTS: usize = 5;

repository!(rate_buckets: RateBucketRepository);

impl RateBucketRepository<'_> {
    /// Takes what `draws` need of their buckets: of all, or of none. A bucket that cannot be stored lets the call
    /// through.
    ///
    /// # Errors
    /// The bucket that has not enough.
    pub(crate) async fn take(&self, scope: &Scope, draws: &[Draw]) -> Result<Vec<Standing>, Exhausted> {
        self.check(scope, draws)?;
        let mut standings = Vec::with_capacity(draws.len());
        for draw in draws {
            match self.take_one(&bucket_key(scope, draw), draw).await {
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
    pub(in crate::edge) fn check(&self, scope: &Scope, draws: &[Draw]) -> Result<(), Exhausted> {
        let now_us = self.now_us();
        draws.iter().try_for_each(|draw| {
            let meter = self.0.meters.of(&bucket_key(scope, draw));
            // The state of a bucket that a call is writing at the moment is not known yet.
            meter.try_lock().map_or(Ok(()), |meter| meter.check(draw, now_us))
        })
    }

    /// Gives back what [`Self::take`] took for something that was not done after all. If that cannot be stored, it is
    /// lost.
    pub(crate) async fn give_back(&self, scope: &Scope, draws: &[Draw]) {
        for draw in draws {
            self.give_back_one(&bucket_key(scope, draw), draw).await;
        }
    }

    /// Takes of the bucket of somebody whose tenant is not known, by a hash of the address.
    ///
    /// # Errors
    /// The bucket has not enough.
    pub(crate) async fn take_of_address(&self, draw: &Draw) -> Result<Standing, Exhausted> {
        self.take_one(&address_key(draw), draw).await
    }

    /// Gives back what [`Self::take_of_address`] took.
    pub(crate) async fn give_back_of_address(&self, draw: &Draw) {
        self.give_back_one(&address_key(draw), draw).await;
    }

    /// Lets what [`Self::take`] took count a tenth, for the next calls of this process.
    pub(in crate::edge) async fn count_a_tenth(&self, scope: &Scope, draws: &[Draw]) {
        for draw in draws {
            self.0.meters.of(&bucket_key(scope, draw)).lock().await.count_a_tenth(draw);
        }
    }

    fn now_us(&self) -> i64 {
        self.0.runtime.now().as_millis().saturating_mul(1_000)
    }

    async fn take_one(&self, key: &Key, draw: &Draw) -> Result<Standing, Exhausted> {
        let meter = self.0.meters.of(key);
        let meter = &mut *meter.lock().await;
        let now_us = self.now_us();
        for attempt in 0..=MAX_ATTEMPTS {
            let Some(charge) = meter.spend(draw, now_us)? else { break };
            if attempt == MAX_ATTEMPTS || meter.is_paused(now_us) {
                meter.let_through(draw);
                break;
            }
            match self.store(key, &charge).await {
                Ok((is_taken, full_at_us)) => {
                    meter.learn(&charge, full_at_us, if is_taken { charge.move_us } else { 0 })
                }
                Err(error) => {
                    let name = draw.quota.name;
                    tracing::warn!(metric.RateLimitStoreFailures = 1, error = %error, rate_limit.name = name, "a rate limit bucket could not be stored; the call is let through");
                    meter.pause(now_us);
                }
            }
        }
        Ok(meter.standing(draw, now_us))
    }

    async fn give_back_one(&self, key: &Key, draw: &Draw) {
        let meter = self.0.meters.of(key);
        let (meter, charge) = (&mut *meter.lock().await, Charge::give_back(draw, self.now_us()));
        if meter.forgive(draw) {
            return;
        }
        match self.store(key, &charge).await {
            Ok((_, full_at_us)) => meter.learn(&charge, full_at_us, 0),
            Err(error) => {
                let name = draw.quota.name;
                tracing::warn!(error = %error, rate_limit.name = name, "failed to give back what was not done; it counts until it has come back");
            }
        }
    }

    /// One conditional write of one write unit, in time: whether its condition held, and the instant that is stored
    /// afterwards.
    async fn store(&self, key: &Key, charge: &Charge) -> Result<(bool, Option<i64>)> {
        let Charge { is_idle, move_us, now_us, latest_us, wrong_us } = *charge;
        // Each expression uses each value: DynamoDB refuses one that is not used.
        let (to, condition, [(one, first), (other, second)]) = if is_idle {
            let condition = "attribute_not_exists(pk) OR fullAtUs <= :now OR fullAtUs > :wrong";
            (":to", condition, [(":to", now_us + move_us), (":wrong", wrong_us)])
        } else {
            let condition = "fullAtUs > :now AND fullAtUs <= :latest";
            ("fullAtUs + :move", condition, [(":move", move_us), (":latest", latest_us)])
        };
        let request = self
            .0
            .client
            .update_item()
            .table_name(&*self.0.table)
            .key("pk", text(&key.pk))
            .key("sk", text(&key.sk))
            .update_expression(format!("SET kind = :kind, #ttl = :ttl, fullAtUs = {to}"))
            .condition_expression(condition)
            .return_values(ReturnValue::UpdatedNew)
            .return_values_on_condition_check_failure(RETURN_OLD_ITEM)
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":kind", ItemKind::RateBucket.attribute())
            // A full bucket says nothing that a missing one does not.
            .expression_attribute_values(":ttl", number(wrong_us / 1_000_000))
            .expression_attribute_values(":now", number(now_us))
            .expression_attribute_values(one, number(first))
            .expression_attribute_values(other, number(second));
        let sent = tokio::time::timeout(self.0.bucket_timeout, request.send()).await;
        match sent.map_err(|_| Error::unavailable("a rate limit bucket took too long"))? {
            Ok(updated) => Ok((true, full_at(updated.attributes.as_ref()))),
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(failed)) => {
                    Ok((false, full_at(failed.item.as_ref())))
                }
                _ => Err(unavailable("update", error)),
            },
        }
    }
}

fn full_at(item: Option<&Item>) -> Option<i64> {
    item?.get("fullAtUs")?.as_n().ok()?.parse().ok()
}

/// A bucket of a rate limit. The subject is an id or a hash.
fn bucket_key(scope: &Scope, draw: &Draw) -> Key {
    Key::new(format!("{}#RATE#{}#{}", keys::scope(scope), draw.quota.name, draw.subject), "BUCKET")
}

/// A rate limit of somebody whose tenant is not known. The subject is a hash of the address.
fn address_key(draw: &Draw) -> Key {
    Key::new(format!("ATTEMPTS#{}", draw.subject), "ATTEMPTS")
}
