//! The state of a delivery after an attempt.

use app::delivery::queue_can_wait;
use domain::models::{Delivery, DisabledReason, Timestamp, Webhook};
use domain::webhooks::{health, schedule};

use crate::sending::Sent;

/// What is to be done now.
pub(crate) struct Outcome {
    /// What the delivery becomes.
    pub(crate) delivery: Delivery,
    /// In how many milliseconds a message of the queue is to come; none where none is.
    pub(crate) queue_in_ms: Option<i64>,
    /// The receiver is disabled.
    pub(crate) disable: Option<DisabledReason>,
}

/// The outcome of `sent`; none where the delivery no longer waits for one.
pub(crate) fn outcome(
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
    let asked = sent.retry_after.as_deref().and_then(|header| schedule::retry_after_ms(header, now));
    let delay = schedule::delay_ms(leased.attempt + 1, asked, random);
    let queue_in_ms = delay.filter(|delay| disable.is_none() && queue_can_wait(*delay));
    let next = delay.map(|delay| now.plus_millis(delay));
    let mut delivery = leased.clone().failed(attempt, answer, next, queue_in_ms.is_some())?;
    // What is left of its attempts waits until the receiver is active again.
    if disable.is_some() && next.is_some() {
        delivery = delivery.held(now)?;
    }
    Some(Outcome { delivery, queue_in_ms, disable })
}

/// How long a delivery waits for a receiver that is busy with others, in milliseconds: twice as long each time.
pub(crate) fn deferral_ms(deferrals: u32, random: u64) -> i64 {
    const FIRST_MS: i64 = 1_000;
    const LONGEST_MS: i64 = 300_000;
    let step = FIRST_MS.saturating_mul(1 << deferrals.min(9)).min(LONGEST_MS);
    step + i64::try_from(random % u64::try_from(step).unwrap_or(1)).unwrap_or(0)
}
