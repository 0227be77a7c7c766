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

/// What is known of each bucket, and since when nothing is stored.
#[derive(Debug, Default)]
pub(super) struct State {
    meters: HashMap<Arc<Key>, Meter>,
    pub(super) paused_until_us: i64,
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
        if self.meters.len() >= MAX_METERS && !self.meters.contains_key(&bucket.key) {
            self.meters.retain(|_, meter| !meter.is_full(now_us));
            if self.meters.len() >= MAX_METERS {
                self.meters.clear();
            }
        }
        self.meters.entry(Arc::clone(&bucket.key)).or_default()
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
        if self.paused_until_us > now_us {
            return Vec::new();
        }
        let (mut exact, mut next): (Vec<&Bucket<'_>>, Option<(Urgency, &Bucket<'_>)>) = (Vec::new(), None);
        for bucket in buckets {
            let urgency = self.meter(bucket, now_us).urgency(&bucket.draw.quota, now_us);
            match urgency {
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
