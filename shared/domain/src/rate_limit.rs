//! Rate limits: which quotas there are, and the token bucket that counts them. The clock is passed in; no I/O.
//!
//! Of a bucket only the instant is stored at which it is full again (the generic cell rate algorithm, ITU-T I.371): to
//! take a token moves it by the time in which one comes back, and tokens are counted in that time. A [`Meter`] is what
//! one process knows of a bucket. It takes up to a fiftieth of the quota beside what a call needs, and spends that on
//! the next calls, because a write for each call would cost as much as the call. So a larger quota is exceeded by a
//! fiftieth, and the rest of one draw that counted a tenth, for each process at most, and one of up to fifty is exact.
//!
//! A process keeps tokens of the upper eighth of a bucket only. So who uses seven eighths of a quota is not refused for
//! what many processes keep.

/// A process keeps at most this share of a quota (one of so many parts).
const KEPT_PART: u32 = 50;
/// Of this part of a bucket, while it is nearly full, a process takes more than a call needs.
const SHARED_PART: i64 = 8;
const US_PER_SECOND: i64 = 1_000_000;
/// After a failure a bucket is not stored for so long: one that hangs does not delay each of its calls.
const PAUSE_US: i64 = US_PER_SECOND;

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

    /// The quota with the one number a minute that an operator gives every quota.
    #[must_use]
    pub fn or_per_minute(self, limit: Option<u32>) -> Self {
        limit.map_or(self, |limit| Self::per_minute(self.name, limit))
    }

    fn window_us(&self) -> i64 {
        i64::from(self.window_seconds) * US_PER_SECOND
    }

    /// In how many microseconds `tokens` come back.
    fn refill_us(&self, tokens: u32) -> i64 {
        self.window_us() / i64::from(self.limit.max(1)) * i64::from(tokens)
    }

    /// The most that a process keeps; nothing of a quota of up to fifty.
    fn most_kept_us(&self) -> i64 {
        self.refill_us(self.limit.saturating_sub(1) / KEPT_PART)
    }
}

/// The tokens that a call takes of one bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// The quota.
    pub quota: Quota,
    /// The owner of the bucket: an id within a tenant and mode, or a hash.
    pub subject: String,
    /// How many tokens, at most the quota's.
    pub tokens: u32,
}

/// The remainder of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The quota.
    pub quota: Quota,
    /// Tokens that are left.
    pub remaining: u32,
    /// Seconds until the bucket is full again.
    pub reset_seconds: u64,
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    /// The remainder of the quota.
    pub standing: Standing,
    /// Seconds until the call would be let through, at least 1.
    pub retry_after_seconds: u64,
}

/// A conditional write that takes tokens of a stored bucket. The bucket is set to `now_us + move_us` if it
/// `is_idle`, which holds while its instant is not after `now_us`, or is after `wrong_us`. Otherwise its instant moves by
/// `move_us`, which holds while it is after `now_us` and not after `latest_us`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    /// Whether the bucket is supposed to be full.
    pub is_idle: bool,
    /// How far the instant moves, in microseconds.
    pub move_us: i64,
    /// Now, in microseconds since 1970 UTC.
    pub now_us: i64,
    /// The latest instant of a bucket that has the tokens.
    pub latest_us: i64,
    /// A later instant was stored under a clock that was ahead.
    pub wrong_us: i64,
}

impl Charge {
    /// Gives back what a draw took, unless the bucket is full.
    #[must_use]
    pub fn give_back(draw: &Draw, now_us: i64) -> Self {
        let wrong_us = now_us + 2 * draw.quota.window_us();
        Self { is_idle: false, move_us: -draw.quota.refill_us(draw.tokens), now_us, latest_us: wrong_us, wrong_us }
    }
}

/// The state of a bucket, as far as a process knows it.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    /// When the bucket is full again, as it was last seen stored.
    full_at_us: i64,
    /// What was taken of the bucket and is not spent.
    kept_us: i64,
    /// What calls were let through with without being stored: it is not given back.
    unstored_us: i64,
    paused_until_us: i64,
}

impl Meter {
    /// Spends the tokens of a draw, if the process keeps as many. Otherwise returns the write to make before.
    ///
    /// # Errors
    /// The bucket does not have them.
    pub fn spend(&mut self, draw: &Draw, now_us: i64) -> Result<Option<Charge>, Exhausted> {
        self.check(draw, now_us)?;
        let missing_us = draw.quota.refill_us(draw.tokens) - self.kept_us;
        if missing_us <= 0 {
            self.kept_us = -missing_us;
            return Ok(None);
        }
        let (window_us, full_at_us) = (draw.quota.window_us(), self.full_at_us.max(now_us));
        let (with_share, nearly_full) = (missing_us + draw.quota.most_kept_us(), now_us + window_us / SHARED_PART);
        let (move_us, latest_us) = if full_at_us + with_share <= nearly_full {
            (with_share, nearly_full - with_share)
        } else {
            (missing_us, now_us + window_us - missing_us)
        };
        let wrong_us = now_us + 2 * window_us;
        Ok(Some(Charge { is_idle: full_at_us <= now_us, move_us, now_us, latest_us, wrong_us }))
    }

    /// Whether a draw would be let through.
    ///
    /// # Errors
    /// The bucket does not have the tokens.
    pub fn check(&self, draw: &Draw, now_us: i64) -> Result<(), Exhausted> {
        let missing_us = draw.quota.refill_us(draw.tokens) - self.kept_us;
        let wait_us = self.full_at_us.max(now_us) + missing_us - now_us - draw.quota.window_us();
        if missing_us <= 0 || wait_us <= 0 {
            return Ok(());
        }
        Err(Exhausted { standing: self.standing(draw, now_us), retry_after_seconds: whole_seconds(wait_us).max(1) })
    }

    /// Learns the stored instant, none if nothing is stored, from a charge, and keeps what it took.
    pub fn learn(&mut self, charge: &Charge, full_at_us: Option<i64>, taken_us: i64) {
        self.full_at_us = full_at_us.filter(|at| *at <= charge.wrong_us).unwrap_or(0);
        self.kept_us += taken_us;
    }

    /// The bucket could not be stored.
    pub fn pause(&mut self, now_us: i64) {
        self.paused_until_us = now_us + PAUSE_US;
    }

    /// Whether a failure is so recent that the bucket is not stored.
    #[must_use]
    pub const fn is_paused(&self, now_us: i64) -> bool {
        now_us < self.paused_until_us
    }

    /// Lets a draw through that is not stored.
    pub fn let_through(&mut self, draw: &Draw) {
        self.unstored_us = (self.unstored_us + draw.quota.refill_us(draw.tokens)).min(draw.quota.window_us());
    }

    /// Whether there is nothing to give back of a draw, because none was stored.
    pub fn forgive(&mut self, draw: &Draw) -> bool {
        let rest_us = self.unstored_us - draw.quota.refill_us(draw.tokens);
        if rest_us >= 0 {
            self.unstored_us = rest_us;
        }
        rest_us >= 0
    }

    /// Lets what a draw spent count a tenth: the next draws of this process spend the rest, which it keeps beside its
    /// share. Of a quota of up to fifty, which is exact, it counts whole.
    pub fn count_a_tenth(&mut self, draw: &Draw) {
        let (rest_us, most_us) = (draw.quota.refill_us(draw.tokens) / 10 * 9, draw.quota.most_kept_us());
        if most_us > 0 && !self.forgive(draw) {
            self.kept_us = self.kept_us.min(most_us) + rest_us;
        }
    }

    /// The remainder of the quota after a draw.
    #[must_use]
    pub fn standing(&self, draw: &Draw, now_us: i64) -> Standing {
        let quota = draw.quota;
        let left_us = (now_us + quota.window_us() - self.full_at_us.max(now_us)).max(0) + self.kept_us;
        // What is kept while the bucket is full comes on top of the whole quota, so the sum is capped.
        let left = u32::try_from(left_us / quota.refill_us(1).max(1)).unwrap_or(u32::MAX);
        let remaining = left.min(quota.limit.saturating_sub(draw.tokens));
        Standing { quota, remaining, reset_seconds: whole_seconds(quota.refill_us(quota.limit - remaining)) }
    }
}

/// Microseconds in whole seconds, rounded up.
fn whole_seconds(us: i64) -> u64 {
    u64::try_from(us.max(0)).unwrap_or(0).div_ceil(US_PER_SECOND.unsigned_abs())
}

#[cfg(test)]
mod tests;
