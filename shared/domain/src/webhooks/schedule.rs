//! The retry schedule of a delivery: ten attempts over three days.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use crate::models::Timestamp;

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
}
