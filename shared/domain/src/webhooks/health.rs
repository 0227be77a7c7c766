//! When a receiver is disabled: at once if it answers 410 or its secret cannot be decrypted, and after 120 hours of
//! only failures.

use crate::models::{Attempt, AttemptError, DisabledReason, WebhookHealth};

/// After this long with only failures a receiver is disabled, in milliseconds.
const DISABLE_AFTER_MS: i64 = 120 * 3_600_000;
/// A run of failures ends if none was added for so long, in milliseconds: the longest step of the schedule, doubled
/// by a receiver that asked for it, is shorter. So two failures a week apart are two accidents.
const FAILURE_RUN_GAP_MS: i64 = 60 * 3_600_000;
/// The interval at which successes in a row are recorded, in milliseconds.
const SUCCESS_RECORD_INTERVAL_MS: i64 = 1_000;
/// The status by which a receiver says that it will never be back (RFC 9110, 15.5.11).
const GONE: u16 = 410;
/// A receiver whose latest response took longer, in milliseconds, counts as slow.
const SLOW_MS: u32 = 2_000;

/// A receiver's health after another attempt; none if nothing needs to be recorded.
#[must_use]
pub fn after(health: &WebhookHealth, attempt: &Attempt) -> Option<WebhookHealth> {
    if attempt.is_success() { after_success(health, attempt) } else { Some(after_failure(health, attempt)) }
}

fn after_success(health: &WebhookHealth, attempt: &Attempt) -> Option<WebhookHealth> {
    let fresh = health.last_delivery_at.is_some_and(|last| attempt.at.millis_since(last) < SUCCESS_RECORD_INTERVAL_MS);
    let same = health.consecutive_failures == 0 && health.last_status == attempt.status;
    let slow = is_slow(health) || attempt.duration_ms >= SLOW_MS;
    if fresh && same && !slow {
        return None;
    }
    Some(WebhookHealth {
        last_delivery_at: Some(attempt.at.max(health.last_delivery_at.unwrap_or_default())),
        last_status: attempt.status,
        last_duration_ms: attempt.duration_ms,
        consecutive_failures: 0,
        failing_since: None,
        last_failure_at: None,
        version: health.version,
    })
}

fn after_failure(health: &WebhookHealth, attempt: &Attempt) -> WebhookHealth {
    let goes_on = health.last_failure_at.is_some_and(|last| attempt.at.millis_since(last) <= FAILURE_RUN_GAP_MS);
    WebhookHealth {
        last_delivery_at: Some(attempt.at.max(health.last_delivery_at.unwrap_or_default())),
        last_status: attempt.status,
        last_duration_ms: attempt.duration_ms,
        consecutive_failures: health.consecutive_failures.saturating_add(1),
        failing_since: health.failing_since.filter(|_| goes_on).or(Some(attempt.at)),
        last_failure_at: Some(attempt.at),
        version: health.version,
    }
}

/// Whether a receiver with this health is disabled after `attempt`, and why.
#[must_use]
pub fn disabled_reason(health: &WebhookHealth, attempt: &Attempt) -> Option<DisabledReason> {
    if attempt.status == Some(GONE) {
        return Some(DisabledReason::Gone);
    }
    if attempt.error == Some(AttemptError::SecretUnreadable) {
        return Some(DisabledReason::SecretUnreadable);
    }
    let failing = !attempt.is_success()
        && health.failing_since.is_some_and(|since| attempt.at.millis_since(since) >= DISABLE_AFTER_MS);
    failing.then_some(DisabledReason::Failing)
}

/// Whether its last answer took so long that it must not occupy too many who wait for it.
#[must_use]
pub const fn is_slow(health: &WebhookHealth) -> bool {
    health.last_duration_ms >= SLOW_MS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Timestamp;

    const HOUR_MS: i64 = 3_600_000;

    fn attempt(hours: i64, status: Option<u16>) -> Attempt {
        Attempt {
            at: Timestamp::from_millis(hours * HOUR_MS),
            status,
            error: None,
            redirects_to: None,
            duration_ms: 10,
        }
    }

    /// The verdict after each of a series of attempts.
    fn disabled_reasons(series: &[(i64, u16)]) -> Vec<Option<DisabledReason>> {
        let mut health = WebhookHealth::default();
        let mut next_reason = |(hours, status): &(i64, u16)| {
            let attempt = attempt(*hours, Some(*status));
            health = after(&health, &attempt).unwrap_or_else(|| health.clone());
            disabled_reason(&health, &attempt)
        };
        series.iter().map(&mut next_reason).collect()
    }

    #[test]
    fn only_failures_for_120_hours_give_a_receiver_up() {
        let failing: Vec<_> = (0..=12).map(|n| (n * 10, 500)).collect();
        let reasons = disabled_reasons(&failing);
        assert!(reasons[..12].iter().all(Option::is_none), "{reasons:?}");
        assert_eq!(reasons[12], Some(DisabledReason::Failing));
    }

    #[test]
    fn one_success_clears_what_was_before() {
        let reasons = disabled_reasons(&[
            (0, 500),
            (50, 500),
            (60, 204),
            (61, 500),
            (110, 500),
            (160, 500),
            (180, 500),
            (181, 500),
        ]);
        assert!(reasons[..7].iter().all(Option::is_none), "{reasons:?}");
        assert_eq!(reasons[7], Some(DisabledReason::Failing));
    }

    #[test]
    fn failures_with_long_silence_between_them_are_accidents() {
        let reasons = disabled_reasons(&[(0, 500), (61, 500), (122, 500), (183, 500), (500, 500)]);
        assert!(reasons.iter().all(Option::is_none), "{reasons:?}");
    }

    #[test]
    fn gone_is_believed_at_once() {
        assert_eq!(disabled_reasons(&[(0, 410)]), [Some(DisabledReason::Gone)]);
        assert_eq!(disabled_reasons(&[(0, 404), (1, 429), (2, 503), (3, 301)]), [None; 4]);
    }

    #[test]
    fn successes_in_quick_succession_are_noted_once() {
        let first = after(&WebhookHealth::default(), &attempt(0, Some(200))).unwrap();
        assert_eq!(after(&first, &attempt(0, Some(200))), None);
        assert!(after(&first, &attempt(0, Some(204))).is_some());
        assert!(after(&first, &attempt(1, Some(200))).is_some());
    }
}
