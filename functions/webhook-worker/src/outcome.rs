//! The result of processing a delivery, and the delivery after an attempt.

use app::jobs::delivery::fits_queue_delay;
use domain::models::{Delivery, DisabledReason, Timestamp, Webhook};
use domain::webhooks::{health, schedule};

use crate::sending::Sent;

/// The result of processing a delivery once.
pub(crate) enum Processed {
    /// Nothing more to do now.
    Done,
    /// It changed between the read and the write, and may still be due.
    Changed,
}

impl Processed {
    pub(crate) const fn from_replaced(replaced: bool) -> Self {
        if replaced { Self::Done } else { Self::Changed }
    }
}

/// The result of an attempt.
pub(crate) struct Outcome {
    /// The delivery's next state.
    pub(crate) delivery: Delivery,
    /// The delay of the next queue message, in milliseconds; `None` if the queue gets none.
    pub(crate) queue_in_ms: Option<i64>,
    /// The receiver is disabled.
    pub(crate) disable: Option<DisabledReason>,
}

/// The outcome of `sent`; `None` if the delivery no longer waits for one.
pub(crate) fn decide_outcome(
    leased: &Delivery,
    webhook: &Webhook,
    sent: &Sent,
    now: Timestamp,
    random: u64,
) -> Option<Outcome> {
    let (attempt, answer) = (sent.attempt.clone(), sent.answer.clone());
    if attempt.is_success() {
        let delivery = leased.clone().succeeded(attempt, answer)?;
        return Some(Outcome { delivery, queue_in_ms: None, disable: None });
    }
    let after = health::after(&webhook.health, &attempt).unwrap_or_else(|| webhook.health.clone());
    let disable = health::disabled_reason(&after, &attempt);
    let retry_after = sent.retry_after.as_deref().and_then(|header| schedule::retry_after_ms(header, now));
    let delay = schedule::delay_ms(leased.attempt + 1, retry_after, random);
    let queue_in_ms = delay.filter(|delay| disable.is_none() && fits_queue_delay(*delay));
    let next = delay.map(|delay| now.plus_millis(delay));
    let mut delivery = leased.clone().failed(attempt, answer, next, queue_in_ms.is_some())?;
    // Its remaining attempts wait until the receiver is active again.
    if disable.is_some() && next.is_some() {
        delivery = delivery.held(now)?;
    }
    Some(Outcome { delivery, queue_in_ms, disable })
}

/// How long a delivery waits for a receiver that is busy with others, in milliseconds: doubled each time.
pub(crate) fn deferral_delay_ms(deferrals: u32, random: u64) -> i64 {
    const MIN_DEFERRAL_MS: i64 = 1_000;
    const MAX_DEFERRAL_MS: i64 = 300_000;
    let step = MIN_DEFERRAL_MS.saturating_mul(1 << deferrals.min(9)).min(MAX_DEFERRAL_MS);
    step + i64::try_from(random % u64::try_from(step).unwrap_or(1)).unwrap_or(0)
}
