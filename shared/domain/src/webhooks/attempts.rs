//! What follows from an attempt to deliver: the next one, ten over three days, and whether the receiver is disabled. It is at
//! once if it answers 410 or its secret cannot be decrypted, and after 120 hours of only failures.

use text::wire_enum;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use crate::models::{DisabledReason, Timestamp, WebhookHealth};

wire_enum! {
    /// Why an attempt had no response. Closed, filtered and forbidden addresses look the same, so that nobody can scan
    /// ports.
    pub enum AttemptError {
        /// No connection.
        ConnectionFailed => "CONNECTION_FAILED",
        /// No answer in time.
        Timeout => "TIMEOUT",
        /// The response is not HTTP, or ended early.
        InvalidResponse => "INVALID_RESPONSE",
        /// Nothing was sent: the receiver's secret cannot be decrypted.
        SecretUnreadable => "SECRET_UNREADABLE",
        /// Workers ended repeatedly without recording a result.
        Interrupted => "INTERRUPTED",
    }
}

/// One attempt to deliver an event.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// Why there was none.
    pub error: Option<AttemptError>,
    /// Where the answer redirects to, which is not followed: `https://www.example.com`, without path and query.
    pub redirects_to: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
}

impl Attempt {
    /// Only 2xx is success; a redirect is none.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// The steps between one attempt and the next, in milliseconds.
const RETRY_DELAYS_MS: [i64; 9] = [
    5_000,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
];
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// How long to wait, in milliseconds, after `made` attempts have failed; none when that was the last one.
///
/// Every step is a random one of ±20 %. What the receiver asked for, `retry_after_ms`, is done between that step and
/// twice that step.
#[must_use]
pub fn delay_ms(made: u32, retry_after_ms: Option<i64>, random: u64) -> Option<i64> {
    let position = usize::try_from(made).ok()?.checked_sub(1)?;
    let step = *RETRY_DELAYS_MS.get(position)?;
    let spread = step / 5;
    let jitter = i64::try_from(random % u64::try_from(2 * spread + 1).unwrap_or(1)).unwrap_or(0);
    let step = step - spread + jitter;
    Some(retry_after_ms.map_or(step, |asked| asked.clamp(step, 2 * step)))
}

/// How long a receiver asks to be left alone, in milliseconds from `now`: `Retry-After` as seconds, which may have a
/// fraction, or as an HTTP date (RFC 9110, 10.2.3). None for anything else.
#[must_use]
pub fn retry_after_ms(header: &str, now: Timestamp) -> Option<i64> {
    let header = header.trim();
    if header.starts_with(|c: char| c.is_ascii_digit()) && header.chars().all(|c| c.is_ascii_digit() || c == '.') {
        let seconds: f64 = header.parse().ok()?;
        // The longest step is a day, so what is beyond a year makes no difference.
        #[allow(clippy::cast_possible_truncation, reason = "bounded above")]
        return Some((seconds.min(31_536_000.0) * 1_000.0) as i64);
    }
    let at = OffsetDateTime::parse(header, &Rfc2822).ok()?;
    Some(at.unix_timestamp().saturating_mul(1_000).saturating_sub(now.as_millis()).max(0))
}

/// After this long with only failures a receiver is disabled, in milliseconds.
const DISABLE_AFTER_MS: i64 = 120 * HOUR_MS;
/// A run of failures ends if none was added for so long, in milliseconds: the longest step of the schedule, doubled
/// by a receiver that asked for it, is shorter. So two failures a week apart are two accidents.
const FAILURE_RUN_GAP_MS: i64 = 60 * HOUR_MS;
/// The interval at which successes in a row are recorded, in milliseconds.
const SUCCESS_RECORD_INTERVAL_MS: i64 = 1_000;
/// The status by which a receiver says that it will never be back (RFC 9110, 15.5.11).
const GONE: u16 = 410;
/// A receiver whose latest response took longer, in milliseconds, counts as slow.
const SLOW_MS: u32 = 2_000;

/// A receiver's health after another attempt; none if nothing needs to be recorded.
#[must_use]
pub fn after(health: &WebhookHealth, attempt: &Attempt) -> Option<WebhookHealth> {
    let tried = WebhookHealth {
        last_delivery_at: Some(attempt.at.max(health.last_delivery_at.unwrap_or_default())),
        last_status: attempt.status,
        last_duration_ms: attempt.duration_ms,
        version: health.version,
        ..WebhookHealth::default()
    };
    if attempt.is_success() {
        let is_recent = |last| attempt.at.millis_since(last) < SUCCESS_RECORD_INTERVAL_MS;
        let is_same = health.consecutive_failures == 0 && health.last_status == attempt.status;
        let is_known = health.last_delivery_at.is_some_and(is_recent) && is_same;
        return (!is_known || is_slow(health) || is_slow(&tried)).then_some(tried);
    }
    let goes_on = health.last_failure_at.is_some_and(|last| attempt.at.millis_since(last) <= FAILURE_RUN_GAP_MS);
    Some(WebhookHealth {
        consecutive_failures: health.consecutive_failures.saturating_add(1),
        failing_since: health.failing_since.filter(|_| goes_on).or(Some(attempt.at)),
        last_failure_at: Some(attempt.at),
        ..tried
    })
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn there_are_ten_attempts_over_75_hours() {
        let middle = |made: u32| delay_ms(made, None, u64::try_from(RETRY_DELAYS_MS[made as usize - 1] / 5).unwrap());
        let total: i64 = (1..=9).map(|made| middle(made).unwrap()).sum();
        assert_eq!(total, ((75 * 60 + 35) * 60 + 5) * 1_000);
        assert_eq!(delay_ms(10, None, 0), None);
        assert_eq!(delay_ms(0, None, 0), None);
        assert_eq!(delay_ms(u32::MAX, Some(1), 0), None);
    }

    proptest! {
        #[test]
        fn every_delay_is_near_its_step_and_what_was_asked_for_lies_between_it_and_twice_it(
            made in 1u32..=9, random: u64, asked in proptest::option::of(0i64..400_000_000),
        ) {
            let step = RETRY_DELAYS_MS[made as usize - 1];
            let alone = delay_ms(made, None, random).unwrap();
            prop_assert!((step * 4 / 5..=step * 6 / 5).contains(&alone));
            let delay = delay_ms(made, asked, random).unwrap();
            prop_assert!((alone..=2 * alone).contains(&delay));
            if let Some(asked) = asked.filter(|asked| (alone..=2 * alone).contains(asked)) {
                prop_assert_eq!(delay, asked);
            }
        }

        #[test]
        fn no_header_breaks_the_reading(header in ".{0,80}") {
            let _ = retry_after_ms(&header, Timestamp::from_millis(0));
        }
    }

    #[test]
    fn a_receiver_asks_in_seconds_or_with_a_date() {
        let now = Timestamp::parse("2015-10-21T07:27:00Z").unwrap();
        for (header, expected) in [
            ("120", Some(120_000)),
            (" 7 ", Some(7_000)),
            ("1.5", Some(1_500)),
            ("0", Some(0)),
            ("Wed, 21 Oct 2015 07:28:00 GMT", Some(60_000)),
            ("Wed, 21 Oct 2015 07:26:00 GMT", Some(0)),
            ("99999999999999999999", Some(31_536_000_000)),
            ("-1", None),
            ("", None),
            ("soon", None),
            ("1e3", None),
            ("1.2.3", None),
            ("0x10", None),
            ("inf", None),
            ("NaN", None),
            ("Wed, 99 Oct 2015 07:28:00 GMT", None),
        ] {
            assert_eq!(retry_after_ms(header, now), expected, "{header}");
        }
    }

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
