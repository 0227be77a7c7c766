//! Rate limits: which quotas there are, and the token bucket that counts them. The clock is passed in; no I/O.
//!
//! Of a bucket only the instant is kept at which it is full again (the generic cell rate algorithm, ITU-T I.371): a call
//! of one token moves it by the time in which one token comes back. The stored bucket is shared by all processes. A
//! [`Meter`] is what one process knows of it: it decides by itself, and stores what it took when that is a fiftieth of the
//! quota, or after five seconds. So a quota of up to fifty is exact: each call is stored before it goes on, and tried
//! again where others changed the bucket. A larger one may be exceeded by a fiftieth for each process.
//!
//! What a process owes stays owed when the bucket looks full to it: other processes take of it, too. It is forgotten
//! after a window without a call, because then it has come back in any case.

/// A process stores what it took after this share of the quota (one of so many parts).
const STORE_AFTER_PART: u64 = 50;
/// And after this many microseconds.
const STORE_AFTER_US: i64 = 5_000_000;
/// So many tokens that are owed for so long are stored before a bucket that is owed a larger share, and beside an exact
/// one: otherwise the large quota of a tenant would wait for ever behind the small ones of its visitors.
const OVERDUE_TOKENS: u32 = 50;
/// So many are, where they are the share after which a process stores.
const OVERDUE_SHARE_TOKENS: u32 = 10;
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

    /// Whether it is never exceeded, however many processes share it: a single token is the share after which a process
    /// stores.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.limit as u64 <= STORE_AFTER_PART
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

/// How urgent it is to store what a bucket is owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Urgency {
    /// It is owed many tokens for long.
    is_overdue: bool,
    /// Which share of the quota, in millionths.
    share: u64,
}

impl Urgency {
    /// Whether it is stored beside what must be stored.
    #[must_use]
    pub const fn is_overdue(&self) -> bool {
        self.is_overdue
    }
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
    /// When it took the first of them.
    unstored_since_us: i64,
    taken_at_us: i64,
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
        if now_us - self.taken_at_us >= draw.quota.window_us() {
            // What was taken before has come back.
            self.unstored = 0;
        }
        if self.unstored == 0 {
            self.unstored_since_us = now_us;
        }
        self.taken_at_us = now_us;
        self.full_at_us = after;
        self.unstored = self.unstored.saturating_add(draw.tokens);
        Ok(())
    }

    /// Gives back what [`Self::take`] took for a call that another bucket refused.
    pub fn give_back(&mut self, draw: &Draw) {
        self.full_at_us -= draw.quota.refill_us(draw.tokens);
        self.unstored = self.unstored.saturating_sub(draw.tokens);
    }

    /// How urgent it is to store what is owed, where that is due; the bucket with the greatest urgency goes first.
    #[must_use]
    pub fn urgency(&self, quota: &Quota, now_us: i64) -> Option<Urgency> {
        let is_recent = self.seen_at_us.is_some_and(|at| now_us - at < STORE_AFTER_US);
        let (unstored, limit) = (u64::from(self.unstored), u64::from(quota.limit.max(1)));
        let is_small = unstored * STORE_AFTER_PART < limit;
        let is_old = now_us - self.unstored_since_us >= STORE_AFTER_US;
        let is_overdue =
            (self.unstored >= OVERDUE_TOKENS && is_old) || (self.unstored >= OVERDUE_SHARE_TOKENS && !is_small);
        let urgency = Urgency { is_overdue, share: unstored * 1_000_000 / limit };
        (unstored > 0 && !(is_recent && is_small)).then_some(urgency)
    }

    /// What is to be stored now; it counts as stored until the outcome is known.
    pub fn charge(&mut self, quota: &Quota, now_us: i64) -> Charge {
        let tokens = std::mem::take(&mut self.unstored);
        self.seen_at_us = Some(now_us);
        Charge {
            move_us: quota.refill_us(tokens),
            now_us,
            latest_us: now_us + quota.window_us(),
            // Who is counted exactly comes seldom: a bucket that this process does not know is most likely full.
            supposed_full: self.stored_full_at_us.map_or(quota.is_exact(), |at| at <= now_us),
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

    /// Gives back what was taken and possibly stored, for something that was not done after all. Returns by how many
    /// microseconds the stored instant moves back, if it does.
    pub fn refund(&mut self, draw: &Draw) -> Option<i64> {
        let stored = draw.tokens.saturating_sub(self.unstored);
        self.give_back(draw);
        (stored > 0).then(|| draw.quota.refill_us(stored))
    }

    /// Learns the stored instant after a refund.
    pub fn refunded(&mut self, quota: &Quota, stored_full_at_us: i64, now_us: i64) {
        self.stored_full_at_us = Some(stored_full_at_us);
        self.full_at_us = stored_full_at_us.max(now_us) + quota.refill_us(self.unstored);
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
mod tests;
