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

/// A charge on its way to the table, and the bucket that it is made for.
pub(super) struct Owed<'a> {
    pub(super) bucket: &'a Bucket<'a>,
    pub(super) charge: Charge,
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

    /// The charge of the bucket that is the most urgent to store, if any is due.
    pub(super) fn next_charge<'a>(&mut self, buckets: &'a [Bucket<'a>], now_us: i64) -> Option<Owed<'a>> {
        if self.paused_until_us > now_us {
            return None;
        }
        let mut next: Option<(Urgency, &Bucket<'_>)> = None;
        for bucket in buckets {
            let urgency = self.meter(bucket, now_us).urgency(&bucket.draw.quota, now_us);
            if let Some(urgency) = urgency.filter(|urgency| next.is_none_or(|(most, _)| *urgency > most)) {
                next = Some((urgency, bucket));
            }
        }
        let (_, bucket) = next?;
        let charge = self.meter(bucket, now_us).charge(&bucket.draw.quota, now_us);
        Some(Owed { bucket, charge })
    }

    /// What is left of each.
    pub(super) fn standings(&mut self, buckets: &[Bucket<'_>], now_us: i64) -> Vec<Standing> {
        buckets.iter().map(|bucket| self.meter(bucket, now_us).standing(bucket.draw, now_us)).collect()
    }
}
