//! The rotation of the key that signs widget tokens, in two phases: the new key is first verified by every process, then
//! it signs. Pure: the caller reads and writes the keys.
//!
//! Every process reads keys again that are ten minutes old, before it uses them. So ten minutes after a phase every
//! process knows it. The previous key is verified until the last token that it signed has expired.

use aws::config::{WidgetKeySet, WidgetTokenKey};
use aws::widget_keys::MAX_KEY_AGE_MS;
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::Timestamp;
use domain::{Error, Result};

/// From the first phase to the second, in milliseconds: the age of keys, and a minute for clocks and slow requests.
const KNOWN_AFTER_MS: i64 = MAX_KEY_AGE_MS + 60_000;
/// From the second phase until the previous key may go, in milliseconds: the age of keys, the longest life of a token,
/// and five minutes for clocks.
const PREVIOUS_FOR_MS: i64 = MAX_KEY_AGE_MS + 65 * 60_000;

/// A new key; its name tells when it was made, so that of two keys the newer one is known.
pub fn new_key(runtime: &Runtime) -> Result<WidgetTokenKey> {
    let kid = format!("k{}", runtime.now().as_seconds());
    Ok(WidgetTokenKey { kid, secret: runtime.bytes::<32>()?.to_vec() })
}

/// The first phase: `new` is verified, and does not sign. A set that has a next key already stays as it is.
///
/// # Errors
/// 409 while tokens of the previous key may still be valid.
pub fn prepare(set: WidgetKeySet, new: WidgetTokenKey, now: Timestamp) -> Result<WidgetKeySet> {
    if set.next.is_some() {
        return Ok(set);
    }
    let until = set.changed_at.map(|at| at.plus_millis(PREVIOUS_FOR_MS)).filter(|until| *until > now);
    if let (Some(_), Some(until)) = (&set.previous, until) {
        return Err(Error::new(Code::Conflict, format!("Tokens of the previous key may be valid until {until}.")));
    }
    Ok(WidgetKeySet { next: Some(new), previous: None, changed_at: Some(now), ..set })
}

/// When every process knows the next key; none without one.
#[must_use]
pub fn known_at(set: &WidgetKeySet) -> Option<Timestamp> {
    set.next.as_ref()?;
    Some(set.changed_at.unwrap_or_default().plus_millis(KNOWN_AFTER_MS))
}

/// The second phase: the next key signs, and the one that signed is verified. Without a next key nothing changes.
#[must_use]
pub fn activate(set: WidgetKeySet, now: Timestamp) -> WidgetKeySet {
    match set.next {
        Some(next) => WidgetKeySet { current: next, next: None, previous: Some(set.current), changed_at: Some(now) },
        None => set,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    use aws::widget_keys::{WidgetKeySource, WidgetKeys};

    use super::*;

    fn key(kid: &str) -> WidgetTokenKey {
        WidgetTokenKey { kid: kid.to_owned(), secret: vec![7; 32] }
    }

    fn kids(set: &WidgetKeySet) -> Vec<String> {
        set.keys().into_iter().map(|key| key.kid).collect()
    }

    /// The stored set, as every process reads it.
    #[derive(Debug, Clone)]
    struct Stored(Arc<Mutex<WidgetKeySet>>);

    #[async_trait::async_trait]
    impl WidgetKeySource for Stored {
        async fn read(&self) -> Result<Vec<WidgetTokenKey>> {
            Ok(self.0.lock().unwrap().keys())
        }
    }

    /// Three processes that start at different times sign and verify every 20 seconds over two rotations. Tokens live
    /// an hour.
    #[tokio::test]
    async fn no_process_refuses_a_token_of_another_at_any_moment_of_a_rotation() {
        const STEP_MS: i64 = 20_000;
        let start = WidgetKeySet { current: key("k1"), next: None, previous: None, changed_at: None };
        let stored = Stored(Arc::new(Mutex::new(start)));
        let (mut processes, mut signed) = (Vec::<WidgetKeys>::new(), Vec::<(Timestamp, String)>::new());
        for step in 0..(5 * 3_600_000 / STEP_MS) {
            let now = Timestamp::from_millis(1_000_000_000 + step * STEP_MS);
            // Cold starts in every phase.
            if step % 97 == 0 {
                let keys = stored.0.lock().unwrap().keys();
                processes.push(WidgetKeys::new(keys, Some(Arc::new(stored.clone()))));
            }
            let set = stored.0.lock().unwrap().clone();
            let changed = match step % 400 {
                50 => prepare(set, key(&format!("k{step}")), now).unwrap(),
                _ if known_at(&set).is_some_and(|at| at <= now) => activate(set, now),
                _ => set,
            };
            *stored.0.lock().unwrap() = changed;
            signed.retain(|(at, _)| at.plus_hours(1) > now);
            for process in &processes {
                signed.push((now, process.for_signing(now).await[0].kid.clone()));
            }
            let valid: BTreeSet<&String> = signed.iter().map(|(_, kid)| kid).collect();
            for process in &processes {
                for kid in &valid {
                    let known = process.find_by_kid(kid, now).await;
                    assert!(known.iter().any(|key| key.kid == **kid), "a token of {kid} is refused in step {step}");
                }
            }
        }
        assert_eq!(kids(&stored.0.lock().unwrap()), ["k850", "k450"]);
    }

    #[test]
    fn a_new_key_is_verified_first_then_signs_and_the_old_one_goes_last() {
        let at = |minutes: i64| Timestamp::from_millis(minutes * 60_000);
        let start = WidgetKeySet { current: key("k1"), next: None, previous: None, changed_at: None };
        let prepared = prepare(start, key("k2"), at(0)).unwrap();
        assert_eq!((kids(&prepared), known_at(&prepared)), (vec!["k1".into(), "k2".into()], Some(at(11))));
        assert_eq!(prepare(prepared.clone(), key("k3"), at(1)).unwrap(), prepared, "a repetition continues");
        let active = activate(prepared, at(11));
        assert_eq!((kids(&active), known_at(&active)), (vec!["k2".into(), "k1".into()], None));
        assert_eq!(prepare(active.clone(), key("k3"), at(85)).unwrap_err().code(), Code::Conflict);
        assert_eq!(kids(&prepare(active.clone(), key("k3"), at(86)).unwrap()), ["k2", "k3"]);
        assert_eq!(WidgetKeySet::parse(active.to_secret().expose()).unwrap(), active);
    }
}
