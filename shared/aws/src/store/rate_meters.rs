//! What this process knows of the buckets of rate limits, and what it owes them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::keys::Key;
use domain::rate_limit::{Charge, Draw, Exhausted, Meter, Standing, Urgency};

/// How many buckets a process remembers; then it forgets the full ones, and if that is not enough, all.
const MAX_METERS: usize = 20_000;

/// What this process knows of the buckets; shared by the clones of a store.
#[derive(Debug, Clone, Default)]
pub(super) struct Meters(Arc<Mutex<State>>);

/// What is known of each bucket.
#[derive(Debug, Default)]
pub(super) struct State(HashMap<Arc<Key>, Known>);

/// What is known of a bucket, and until when it is not stored, in microseconds.
#[derive(Debug, Default)]
struct Known {
    meter: Meter,
    paused_until_us: i64,
}

/// A bucket, and what a call takes of it.
pub(super) struct Bucket<'a> {
    pub(super) key: Arc<Key>,
    pub(super) draw: &'a Draw,
}

impl Meters {
    /// Looks at what is known, alone.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    /// What is known of a bucket.
    pub(super) fn meter(&mut self, bucket: &Bucket<'_>, now_us: i64) -> &mut Meter {
        &mut self.known(bucket, now_us).meter
    }

    fn known(&mut self, bucket: &Bucket<'_>, now_us: i64) -> &mut Known {
        let known = &mut self.0;
        if known.len() >= MAX_METERS && !known.contains_key(&bucket.key) {
            known.retain(|_, known| !known.meter.is_full(now_us));
            if known.len() >= MAX_METERS {
                known.clear();
            }
        }
        known.entry(Arc::clone(&bucket.key)).or_default()
    }

    /// Does not store a bucket for `pause_us`.
    pub(super) fn pause(&mut self, bucket: &Bucket<'_>, pause_us: i64, now_us: i64) {
        self.known(bucket, now_us).paused_until_us = now_us + pause_us;
    }

    /// Takes what is needed of all buckets, or of none.
    pub(super) fn take_all(&mut self, buckets: &[Bucket<'_>], now_us: i64) -> Result<(), Exhausted> {
        for (position, bucket) in buckets.iter().enumerate() {
            if let Err(exhausted) = self.meter(bucket, now_us).take(bucket.draw, now_us) {
                self.give_back(buckets.iter().take(position), now_us);
                return Err(exhausted);
            }
        }
        Ok(())
    }

    /// Gives back what was taken for a call that is refused.
    pub(super) fn give_back<'a>(&mut self, buckets: impl Iterator<Item = &'a Bucket<'a>>, now_us: i64) {
        for bucket in buckets {
            self.meter(bucket, now_us).give_back(bucket.draw);
        }
    }

    /// The buckets that are due to be stored: those of exact quotas, and before them the most urgent other one; where
    /// there are exact ones, only if it is overdue.
    pub(super) fn due<'b, 'a: 'b>(
        &mut self,
        buckets: impl Iterator<Item = &'b Bucket<'a>>,
        now_us: i64,
    ) -> Vec<&'b Bucket<'a>> {
        let (mut exact, mut next): (Vec<&Bucket<'_>>, Option<(Urgency, &Bucket<'_>)>) = (Vec::new(), None);
        for bucket in buckets {
            let known = self.known(bucket, now_us);
            if known.paused_until_us > now_us {
                continue;
            }
            match known.meter.urgency(&bucket.draw.quota, now_us) {
                Some(_) if bucket.draw.quota.is_exact() => exact.push(bucket),
                Some(urgency) if next.is_none_or(|(most, _)| urgency > most) => next = Some((urgency, bucket)),
                _ => {}
            }
        }
        let next = next.filter(|(urgency, _)| exact.is_empty() || urgency.is_overdue());
        // The exact ones last: what they store is given back by another write if another bucket refuses the call.
        next.into_iter().map(|(_, bucket)| bucket).chain(exact).collect()
    }

    /// What is to be stored of a bucket now; none where it is owed nothing.
    pub(super) fn charge(&mut self, bucket: &Bucket<'_>, now_us: i64) -> Option<Charge> {
        let (meter, quota) = (self.meter(bucket, now_us), &bucket.draw.quota);
        meter.urgency(quota, now_us).map(|_| meter.charge(quota, now_us))
    }

    /// What is left of each.
    pub(super) fn standings(&mut self, buckets: &[Bucket<'_>], now_us: i64) -> Vec<Standing> {
        buckets.iter().map(|bucket| self.meter(bucket, now_us).standing(bucket.draw, now_us)).collect()
    }
}

#[cfg(test)]
mod tests {
    use domain::models::{Mode, Scope, TenantId, Timestamp};
    use domain::rate_limit::Quota;

    use super::*;
    use crate::store::keys;

    #[test]
    fn a_bucket_that_cannot_be_stored_holds_up_no_other() {
        let scope = Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Test };
        let draws = ["a", "b"].map(|subject| Draw {
            quota: Quota::per_minute("key", 10),
            subject: subject.into(),
            tokens: 10,
            is_reported: true,
        });
        let [failed, other] =
            draws.each_ref().map(|draw| Bucket { key: Arc::new(keys::rate_bucket(&scope, draw)), draw });
        let (mut state, now_us) = (State::default(), 1_000_000_000);
        state.take_all(std::slice::from_ref(&failed), now_us).unwrap();
        state.take_all(std::slice::from_ref(&other), now_us).unwrap();
        state.pause(&failed, 1_000_000, now_us);
        assert!(state.due([&failed].into_iter(), now_us + 999_999).is_empty());
        assert_eq!(state.due([&failed, &other].into_iter(), now_us).len(), 1);
        assert_eq!(state.due([&failed].into_iter(), now_us + 1_000_000).len(), 1);
    }
}
