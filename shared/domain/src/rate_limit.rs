//! Rate limits: which quotas there are, and the token bucket that counts them. The clock is passed in; no I/O.
//!
//! Of a bucket only the instant is kept at which it is full again (the generic cell rate algorithm, ITU-T I.371): a call
//! of one token moves it by the time in which one token comes back. The stored bucket is shared by all processes. A
//! [`Meter`] is what one process knows of it: it decides by itself, and stores what it took when that is more than a
//! fiftieth of the quota, or after five seconds. So a quota of up to fifty is exact, but for the first call of a process
//! that finds an idle bucket, and a larger one may be exceeded by a fiftieth for each process.

/// A process stores what it took after this share of the quota (one of so many parts).
const STORE_AFTER_PART: u64 = 50;
/// And after this many microseconds.
const STORE_AFTER_US: i64 = 5_000_000;
const US_PER_SECOND: i64 = 1_000_000;
/// By how much the clocks of two processes may differ.
const MAX_CLOCK_SKEW_US: i64 = 10 * US_PER_SECOND;

/// So many tokens in a window of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Its name in the `RateLimit` fields.
    pub name: &'static str,
    /// How many tokens a full bucket has, at least 1.
    pub limit: u32,
    /// How long an empty bucket takes to be full again, in seconds, at least 1.
    pub window_seconds: u32,
}

impl Quota {
    /// `limit` tokens a minute.
    #[must_use]
    pub const fn per_minute(name: &'static str, limit: u32) -> Self {
        Self { name, limit, window_seconds: 60 }
    }

    /// `limit` tokens an hour.
    #[must_use]
    pub const fn per_hour(name: &'static str, limit: u32) -> Self {
        Self { name, limit, window_seconds: 3_600 }
    }

    fn window_us(&self) -> i64 {
        i64::from(self.window_seconds) * US_PER_SECOND
    }

    /// In how many microseconds `tokens` come back.
    fn refill_us(&self, tokens: u32) -> i64 {
        self.window_us() / i64::from(self.limit.max(1)) * i64::from(tokens)
    }
}

/// What a call takes of one bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// The quota.
    pub quota: Quota,
    /// Whose bucket it is, within a tenant and mode: an id, or a hash.
    pub subject: String,
    /// How many tokens.
    pub tokens: u32,
    /// Whether the caller is told what is left of it.
    pub is_reported: bool,
}

/// What is left of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The quota.
    pub quota: Quota,
    /// Tokens that are left.
    pub remaining: u32,
    /// Seconds until the bucket is full again.
    pub reset_seconds: u64,
    /// Whether the caller is told.
    pub is_reported: bool,
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// What is left.
    pub standing: Standing,
    /// Seconds until the call would be let through, at least 1.
    pub retry_after_seconds: u64,
}

/// What is to be stored of a bucket: one conditional write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// How far the stored instant moves, in microseconds.
    pub move_us: i64,
    /// Now, in microseconds since 1970 UTC.
    pub now_us: i64,
    /// The latest instant that the bucket may have afterwards.
    pub latest_us: i64,
    /// The bucket is known to be full: it is set from now on. Otherwise the stored instant moves, from now on where there
    /// is none.
    pub supposed_full: bool,
    tokens: u32,
}

/// What became of a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charged {
    /// It is stored; the bucket is full again at this instant.
    Stored(i64),
    /// Its condition did not hold: the bucket as it is, none where there is none.
    Differs(Option<i64>),
}

/// What a process knows of a bucket.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    /// When the bucket is full again, with what this process took.
    full_at_us: i64,
    /// The same as it was last seen stored.
    stored_full_at_us: Option<i64>,
    /// Tokens that this process took and has not stored.
    unstored: u32,
    seen_at_us: Option<i64>,
}

impl Meter {
    /// Takes the tokens of a draw, as far as this process knows.
    ///
    /// # Errors
    /// Where they are not there; then nothing is taken.
    pub fn take(&mut self, draw: &Draw, now_us: i64) -> Result<(), Exhausted> {
        let start = self.full_at_us.max(now_us);
        let after = start + draw.quota.refill_us(draw.tokens);
        if after > now_us + draw.quota.window_us() {
            return Err(self.exhausted(draw, now_us));
        }
        if self.full_at_us <= now_us {
            // What was taken before has come back.
            self.unstored = 0;
        }
        self.full_at_us = after;
        self.unstored = self.unstored.saturating_add(draw.tokens);
        Ok(())
    }

    /// Gives back what [`Self::take`] took for a call that another bucket refused.
    pub fn give_back(&mut self, draw: &Draw) {
        self.full_at_us -= draw.quota.refill_us(draw.tokens);
        self.unstored = self.unstored.saturating_sub(draw.tokens);
    }

    /// Which share of the quota is not stored, in millionths, where it is to be stored now.
    #[must_use]
    pub fn unstored_share(&self, quota: &Quota, now_us: i64) -> Option<u64> {
        let is_recent = self.seen_at_us.is_some_and(|at| now_us - at < STORE_AFTER_US);
        let (unstored, limit) = (u64::from(self.unstored), u64::from(quota.limit.max(1)));
        let is_small = unstored * STORE_AFTER_PART < limit;
        (unstored > 0 && !(is_recent && is_small)).then_some(unstored * 1_000_000 / limit)
    }

    /// What is to be stored now; it counts as stored until the outcome is known.
    pub fn charge(&mut self, quota: &Quota, now_us: i64) -> Charge {
        let tokens = std::mem::take(&mut self.unstored);
        self.seen_at_us = Some(now_us);
        Charge {
            move_us: quota.refill_us(tokens),
            now_us,
            latest_us: now_us + quota.window_us(),
            supposed_full: self.stored_full_at_us.is_some_and(|at| at <= now_us),
            tokens,
        }
    }

    /// Learns what became of a charge that was made for `draw`.
    ///
    /// # Errors
    /// Where others took the tokens of the draw; then they are not taken.
    pub fn learn(&mut self, draw: &Draw, charge: &Charge, outcome: Charged, now_us: i64) -> Result<(), Exhausted> {
        let (stored, is_refused) = match outcome {
            Charged::Stored(full_at) => (full_at, false),
            Charged::Differs(seen) => {
                // A bucket is full again within its window. What says more was stored under a clock that was ahead, and
                // would refuse calls until this one has caught up.
                let seen = seen.filter(|at| *at <= charge.latest_us + MAX_CLOCK_SKEW_US).unwrap_or(0);
                let is_refused = seen.max(now_us) + charge.move_us > charge.latest_us;
                let owed = if is_refused { charge.tokens.saturating_sub(draw.tokens) } else { charge.tokens };
                self.unstored = self.unstored.saturating_add(owed);
                // What is owed is stored with the next call.
                self.seen_at_us = None;
                (seen, is_refused)
            }
        };
        self.stored_full_at_us = Some(stored);
        self.full_at_us = stored.max(now_us) + draw.quota.refill_us(self.unstored);
        if is_refused { Err(self.exhausted(draw, now_us)) } else { Ok(()) }
    }

    /// The charge was not stored because the store failed: it is still owed.
    pub fn restore(&mut self, charge: &Charge) {
        self.unstored = self.unstored.saturating_add(charge.tokens);
    }

    /// What is left.
    #[must_use]
    pub fn standing(&self, draw: &Draw, now_us: i64) -> Standing {
        let quota = draw.quota;
        let left_us = (now_us + quota.window_us() - self.full_at_us.max(now_us)).max(0);
        let remaining = left_us / quota.refill_us(1).max(1);
        Standing {
            quota,
            remaining: u32::try_from(remaining).unwrap_or(u32::MAX).min(quota.limit),
            reset_seconds: whole_seconds(self.full_at_us - now_us),
            is_reported: draw.is_reported,
        }
    }

    fn exhausted(&self, draw: &Draw, now_us: i64) -> Exhausted {
        let after = self.full_at_us.max(now_us) + draw.quota.refill_us(draw.tokens);
        let wait_us = after - now_us - draw.quota.window_us();
        Exhausted { standing: self.standing(draw, now_us), retry_after_seconds: whole_seconds(wait_us).max(1) }
    }

    /// Whether the bucket is full, so that nothing needs to be known of it.
    #[must_use]
    pub const fn is_full(&self, now_us: i64) -> bool {
        self.full_at_us <= now_us
    }
}

/// Microseconds in whole seconds, rounded up.
fn whole_seconds(us: i64) -> u64 {
    u64::try_from(us.max(0)).unwrap_or(0).div_ceil(US_PER_SECOND.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Quota = Quota::per_minute("key", 600);
    const HOUR: Quota = Quota::per_hour("sessions", 10);

    fn draw(quota: Quota, tokens: u32) -> Draw {
        Draw { quota, subject: "s".into(), tokens, is_reported: true }
    }

    /// A stored bucket that carries out charges as the table does.
    #[derive(Default)]
    struct Stored(Option<i64>);

    impl Stored {
        fn charge(&mut self, charge: &Charge) -> Charged {
            let seen = self.0.unwrap_or(charge.now_us);
            let after = if charge.supposed_full { charge.now_us } else { seen } + charge.move_us;
            let moves = self.0.is_none_or(|seen| seen > charge.now_us);
            let holds = if charge.supposed_full { seen <= charge.now_us } else { moves };
            if !holds || after > charge.latest_us {
                return Charged::Differs(self.0);
            }
            self.0 = Some(after);
            Charged::Stored(after)
        }
    }

    /// One call; whether it was stored.
    fn call(meter: &mut Meter, stored: &mut Stored, draw: &Draw, now_us: i64) -> Result<bool, Exhausted> {
        meter.take(draw, now_us)?;
        let is_due = meter.unstored_share(&draw.quota, now_us).is_some();
        if is_due {
            let charge = meter.charge(&draw.quota, now_us);
            let outcome = stored.charge(&charge);
            meter.learn(draw, &charge, outcome, now_us)?;
        }
        Ok(is_due)
    }

    #[test]
    fn a_quota_is_let_through_and_comes_back_evenly() {
        let (mut meter, mut stored) = (Meter::default(), Stored::default());
        for quota in [MINUTE, HOUR] {
            let now = 1_000_000_000_000_000 + i64::from(quota.limit);
            let one = draw(quota, 1);
            (meter, stored) = (Meter::default(), Stored::default());
            for left in (0..quota.limit).rev() {
                call(&mut meter, &mut stored, &one, now).unwrap();
                assert_eq!(meter.standing(&one, now).remaining, left);
            }
            let refused = call(&mut meter, &mut stored, &one, now).unwrap_err();
            assert_eq!(refused.retry_after_seconds, u64::from(quota.window_seconds.div_ceil(quota.limit)));
            assert_eq!(refused.standing.remaining, 0);
            assert_eq!(refused.standing.reset_seconds, u64::from(quota.window_seconds));
            let later = now + quota.refill_us(1);
            call(&mut meter, &mut stored, &one, later).unwrap();
            assert!(call(&mut meter, &mut stored, &one, later).is_err());
        }
        assert!(stored.0.is_some() && !meter.is_full(0));
    }

    #[test]
    fn a_busy_process_stores_a_fiftieth_at_a_time_and_a_small_quota_each_call() {
        let count = |quota: Quota, calls: usize| {
            let (mut meter, mut stored) = (Meter::default(), Stored::default());
            let one = draw(quota, 1);
            (0..calls).filter(|_| call(&mut meter, &mut stored, &one, 1_000_000).unwrap()).count()
        };
        assert_eq!(count(MINUTE, 600), 1 + 599 / 12);
        assert_eq!(count(Quota::per_minute("messages", 20), 20), 20);
        assert_eq!(count(HOUR, 10), 10);
    }

    #[test]
    fn processes_share_a_quota_but_for_a_fiftieth_each() {
        let mut stored = Stored::default();
        for (quota, most) in [(HOUR, 10), (MINUTE, 600 + 4 * 12)] {
            stored.0 = None;
            let mut meters: Vec<Meter> = vec![Meter::default(); 4];
            let mut passed = 0;
            for i in 0..4_000_usize {
                let meter = meters.get_mut(i % 4).unwrap();
                passed += u32::from(call(meter, &mut stored, &draw(quota, 1), 7_000_000).is_ok());
            }
            assert!((quota.limit..=most).contains(&passed), "{passed} of {}", quota.limit);
        }
    }

    #[test]
    fn a_call_that_another_bucket_refuses_takes_nothing_and_a_failing_store_lets_through() {
        let mut meter = Meter::default();
        let three = draw(MINUTE, 3);
        meter.take(&three, 5).unwrap();
        meter.give_back(&three);
        assert_eq!(meter.standing(&three, 5).remaining, 600);
        assert_eq!(meter.unstored_share(&MINUTE, 5), None);
        meter.take(&three, 5).unwrap();
        let charge = meter.charge(&MINUTE, 5);
        meter.restore(&charge);
        assert_eq!(meter.standing(&three, 5).remaining, 597);
        assert_eq!(meter.charge(&MINUTE, 5), charge);
    }

    #[test]
    fn an_idle_bucket_forgets_what_was_not_stored() {
        let mut meter = Meter::default();
        let one = draw(MINUTE, 1);
        meter.take(&one, 0).unwrap();
        meter.take(&one, 60_000_000).unwrap();
        assert_eq!(meter.unstored, 1);
    }

    #[test]
    fn a_bucket_stored_under_a_clock_that_was_ahead_refuses_nothing() {
        let (mut meter, one, now) = (Meter::default(), draw(MINUTE, 1), 1_000_000_000);
        let mut stored = Stored(Some(now + MINUTE.window_us() + 300 * US_PER_SECOND));
        let passed = (0..700).filter(|_| call(&mut meter, &mut stored, &one, now).is_ok()).count();
        assert_eq!(passed, 600, "the process counts by itself");
        let later = now + 600 * US_PER_SECOND;
        assert!(call(&mut meter, &mut stored, &one, later).unwrap());
        assert_eq!(stored.0, Some(later + MINUTE.refill_us(1)));
    }
}
