//! Rate limits: which quotas there are, and the token bucket that counts them. The clock is passed in; no I/O.
//!
//! Of a bucket only the instant is stored at which it is full again (the generic cell rate algorithm, ITU-T I.371): to
//! take a token moves it by the time in which one comes back. Tokens are taken of the stored bucket before they are
//! spent. A [`Meter`] is what one process knows of a bucket: it takes up to a fiftieth of the quota beside what a call
//! needs, and spends that on the next calls without a write. So a larger quota is exceeded by a fiftieth for each process
//! at most, which is what a process keeps while the bucket is full again, and one of up to fifty is exact.
//!
//! A process keeps tokens of the upper eighth of a bucket only. So who uses seven eighths of a quota is not refused for
//! what many processes keep.

/// A process keeps at most this share of a quota (one of so many parts).
const KEPT_PART: u32 = 50;
/// Of this part of a bucket, while it is nearly full, a process takes more than a call needs.
const SHARED_PART: i64 = 8;
const US_PER_SECOND: i64 = 1_000_000;
const TENTHS: u32 = 10;
/// Of the tokens that a process owes to draws that counted a tenth, so many are left once the bucket is full again: what
/// it spends more than the quota.
const MOST_CREDIT: u32 = 6;
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

    /// The most tokens that a process keeps; none of a quota of up to fifty.
    const fn most_kept(&self) -> u32 {
        self.limit.saturating_sub(1) / KEPT_PART
    }

    fn window_us(&self) -> i64 {
        i64::from(self.window_seconds) * US_PER_SECOND
    }

    /// In how many microseconds `tokens` come back.
    fn refill_us(&self, tokens: u32) -> i64 {
        self.window_us() / i64::from(self.limit.max(1)) * i64::from(tokens)
    }
}

/// The tokens that a call takes of one bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// The quota.
    pub quota: Quota,
    /// The owner of the bucket, within a tenant and mode: an id, or a hash.
    pub subject: String,
    /// How many tokens.
    pub tokens: u32,
    /// Whether the caller is told what is left of it.
    pub is_reported: bool,
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
    /// Whether the caller is told.
    pub is_reported: bool,
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
    tokens: u32,
    /// How much of `move_us` is of earlier charges that could not be stored.
    unstored_us: i64,
}

/// The state of a bucket, as far as a process knows it.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    /// When the bucket is full again, as it was last seen stored, with what could not be stored.
    full_at_us: i64,
    /// By how much that is later for what could not be stored.
    unstored_us: i64,
    /// Tokens that were taken of the bucket and are not spent.
    kept: u32,
    /// Tenths of tokens that the next draws need not spend.
    credit_tenths: u32,
}

impl Meter {
    /// Spends the tokens of a draw, if the process keeps as many. Otherwise returns the write to make before.
    ///
    /// # Errors
    /// The bucket does not have them.
    pub fn spend(&mut self, draw: &Draw, now_us: i64) -> Result<Option<Charge>, Exhausted> {
        self.check(draw, now_us)?;
        let (quota, due) = (draw.quota, self.due(draw, now_us));
        let missing = due.saturating_sub(self.kept);
        if missing == 0 {
            self.kept -= due;
            self.credit_tenths = self.credit_tenths(now_us) - (draw.tokens - due) * TENTHS;
            return Ok(None);
        }
        let full_at = self.full_at_us.max(now_us);
        let nearly_full = now_us + quota.window_us() / SHARED_PART;
        let with_share = missing + quota.most_kept();
        let (tokens, latest) = if full_at + quota.refill_us(with_share) <= nearly_full {
            (with_share, nearly_full)
        } else {
            (missing, now_us + quota.window_us())
        };
        // The rest of it has come back.
        let unstored_us = self.unstored_us.min(full_at - now_us);
        let move_us = quota.refill_us(tokens) + unstored_us;
        Ok(Some(Charge {
            is_idle: full_at - unstored_us <= now_us,
            move_us,
            now_us,
            latest_us: latest - move_us,
            wrong_us: now_us + quota.window_us() + MAX_CLOCK_SKEW_US,
            tokens,
            unstored_us,
        }))
    }

    /// The tokens of a draw that no credit pays.
    fn due(&self, draw: &Draw, now_us: i64) -> u32 {
        draw.tokens.saturating_sub(self.credit_tenths(now_us) / TENTHS)
    }

    /// The credit at a time, in tenths of tokens.
    fn credit_tenths(&self, now_us: i64) -> u32 {
        let is_full = self.full_at_us <= now_us;
        if is_full { self.credit_tenths.min(MOST_CREDIT * TENTHS) } else { self.credit_tenths }
    }

    /// Lets what a draw spent count a tenth: the next draws of this process spend so much less.
    pub fn count_a_tenth(&mut self, draw: &Draw) {
        let credit = self.credit_tenths.saturating_add(draw.tokens.saturating_mul(TENTHS - 1));
        self.credit_tenths = credit.min(draw.quota.limit.saturating_mul(TENTHS));
    }

    /// Whether a draw would be let through.
    ///
    /// # Errors
    /// The bucket does not have the tokens.
    pub fn check(&self, draw: &Draw, now_us: i64) -> Result<(), Exhausted> {
        let missing = draw.quota.refill_us(self.due(draw, now_us).saturating_sub(self.kept));
        let wait_us = self.full_at_us.max(now_us) + missing - now_us - draw.quota.window_us();
        if missing == 0 || wait_us <= 0 {
            return Ok(());
        }
        Err(Exhausted { standing: self.standing(draw, now_us), retry_after_seconds: whole_seconds(wait_us).max(1) })
    }

    /// Keeps the tokens of a charge that was stored, after which the bucket is full at `full_at_us`; or none if it
    /// could not be stored. Then the next charge stores it, too.
    pub fn keep(&mut self, charge: &Charge, full_at_us: Option<i64>) {
        self.kept += charge.tokens;
        let unstored_full_at_us = self.full_at_us.max(charge.now_us) + charge.move_us - charge.unstored_us;
        self.unstored_us = if full_at_us.is_some() { 0 } else { charge.move_us };
        self.full_at_us = full_at_us.unwrap_or(unstored_full_at_us);
    }

    /// Learns the stored instant, none if nothing is stored, from a charge whose condition did not hold.
    pub fn learn(&mut self, charge: &Charge, full_at_us: Option<i64>) {
        let stored = full_at_us.filter(|at| *at <= charge.wrong_us).unwrap_or(0);
        self.unstored_us = charge.unstored_us;
        self.full_at_us = stored.max(charge.now_us) + charge.unstored_us;
    }

    /// Takes back what a draw spent. Returns by how many microseconds the stored instant is to move back, if the
    /// process may not keep the tokens.
    pub fn give_back(&mut self, draw: &Draw) -> Option<i64> {
        let kept = self.kept + draw.tokens;
        if kept > draw.quota.most_kept() {
            return Some(draw.quota.refill_us(draw.tokens));
        }
        self.kept = kept;
        None
    }

    /// Learns the stored instant after it moved back.
    pub fn given_back(&mut self, full_at_us: i64, now_us: i64) {
        self.full_at_us = full_at_us.max(now_us) + self.unstored_us;
    }

    /// The remainder of the quota after a draw.
    #[must_use]
    pub fn standing(&self, draw: &Draw, now_us: i64) -> Standing {
        let quota = draw.quota;
        let left_us = (now_us + quota.window_us() - self.full_at_us.max(now_us)).max(0);
        let left = u32::try_from(left_us / quota.refill_us(1).max(1)).unwrap_or(u32::MAX);
        // Tokens that are kept while the bucket is full come on top of the whole quota, so the sum is capped.
        let remaining = left
            .saturating_add(self.kept + self.credit_tenths(now_us) / TENTHS)
            .min(quota.limit.saturating_sub(draw.tokens));
        let reset_seconds = whole_seconds(quota.refill_us(quota.limit - remaining));
        Standing { quota, remaining, reset_seconds, is_reported: draw.is_reported }
    }
}

/// Microseconds in whole seconds, rounded up.
fn whole_seconds(us: i64) -> u64 {
    u64::try_from(us.max(0)).unwrap_or(0).div_ceil(US_PER_SECOND.unsigned_abs())
}

#[cfg(test)]
mod tests;
