//! The rotation of the key that signs widget tokens, in two phases: the new key is first verified by every process,
//! then it signs. Pure: the caller reads and writes the keys.
//!
//! Every process reads keys again that are ten minutes old, before it uses them. So ten minutes after a phase every
//! process knows it. The previous key is verified until the last token that it signed has expired. A revocation leaves
//! out all of that: the old keys end at once, and with them every token.

use aws::config::{MAX_KEY_AGE_MS, WidgetKeySet, WidgetTokenKey};
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::Timestamp;
use domain::{Error, Result};

/// From the first phase to the second, in milliseconds: the age of keys, and a minute for clocks and slow requests.
const KNOWN_AFTER_MS: i64 = MAX_KEY_AGE_MS + 60_000;

/// How long a rotation that began is continued, in milliseconds. Later, somebody who left meanwhile may know the next key.
const CONTINUED_FOR_MS: i64 = 24 * 3_600_000;

/// A new key. Its name tells when it was made, so that of two keys the newer one is known: it is newer than all of
/// `set`, also after a second rotation within a second and by a clock that is behind.
pub fn new_key(set: &WidgetKeySet, runtime: &Runtime) -> Result<WidgetTokenKey> {
    let newest = set.keys().map(WidgetTokenKey::made_at).max().unwrap_or(0);
    let made_at = runtime.now().as_seconds().max(newest.saturating_add(1));
    Ok(WidgetTokenKey { kid: format!("k{made_at}"), secret: runtime.bytes::<32>()?.to_vec() })
}

/// The first phase: `new` is verified, and does not sign. A set that has a next key already stays as it is, if
/// that rotation began within the last day; otherwise `new` takes the place of that key, and the phase begins again.
///
/// # Errors
/// 409 while tokens of the previous key may still be valid.
pub fn prepare(set: WidgetKeySet, new: WidgetTokenKey, now: Timestamp) -> Result<WidgetKeySet> {
    let began = set.known_change(now).filter(|at| now.millis_since(*at) < CONTINUED_FOR_MS);
    if set.next.is_some() && began.is_some() {
        return Ok(set);
    }
    if let Some(until) = set.previous_until(now).filter(|until| *until > now) {
        return Err(Error::new(
            Code::Conflict,
            format!("Tokens of the previous key may be valid until {until}. To end them now, revoke the keys."),
        ));
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

/// The steps of a revocation, in which a failure after each leaves keys that work: `new` signs in the place of the old
/// key; then the caller revokes the old keys; then `new` stands alone.
#[must_use]
pub fn revocation(set: &WidgetKeySet, new: WidgetTokenKey, now: Timestamp) -> [WidgetKeySet; 2] {
    let alone = WidgetKeySet { changed_at: Some(now), ..WidgetKeySet::of(new) };
    [WidgetKeySet { previous: Some(set.current.clone()), ..alone.clone() }, alone]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use aws::widget_keys::{WidgetKeySource, WidgetKeys};

    use super::*;

    fn key(kid: &str) -> WidgetTokenKey {
        let mut secret = kid.as_bytes().to_vec();
        secret.resize(32, 7);
        WidgetTokenKey { kid: kid.to_owned(), secret }
    }

    fn kids(set: &WidgetKeySet) -> Vec<String> {
        set.keys().map(|key| key.kid.clone()).collect()
    }

    /// The stored set, as every process reads it.
    #[derive(Debug, Clone)]
    struct Stored(Arc<Mutex<WidgetKeySet>>);

    #[async_trait::async_trait]
    impl WidgetKeySource for Stored {
        async fn read(&self) -> Result<WidgetKeySet> {
            Ok(self.0.lock().unwrap().clone())
        }
    }

    /// Three processes that start at different times sign and verify every 20 seconds over two rotations. Tokens live
    /// an hour.
    #[tokio::test]
    async fn no_process_refuses_a_token_of_another_at_any_moment_of_a_rotation() {
        const STEP_MS: i64 = 20_000;
        let start = WidgetKeySet::of(key("k1"));
        let stored = Stored(Arc::new(Mutex::new(start)));
        let (mut processes, mut signed) = (Vec::<WidgetKeys>::new(), Vec::<(Timestamp, String)>::new());
        for step in 0..(5 * 3_600_000 / STEP_MS) {
            let now = Timestamp::from_millis(1_000_000_000 + step * STEP_MS);
            // Cold starts in every phase.
            if step % 97 == 0 {
                let keys = stored.0.lock().unwrap().clone();
                processes.push(WidgetKeys::new(keys, now, Some(Arc::new(stored.clone()))));
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
                signed.push((now, process.for_signing(&[], now).await.unwrap().current.kid.clone()));
            }
            // Of each key the oldest and the newest token: what holds for them holds for those between.
            let valid: BTreeMap<&String, [Timestamp; 2]> =
                signed.iter().fold(BTreeMap::new(), |mut valid, (at, kid)| {
                    valid.entry(kid).or_insert([*at, *at])[1] = *at;
                    valid
                });
            for process in &processes {
                for (kid, at) in &valid {
                    let known = process.find_by_kid(kid, &[], now).await.unwrap();
                    let is_good = known.verifying_key(kid, now).is_some()
                        && at.iter().all(|at| known.may_have_signed(kid, at.as_seconds()));
                    assert!(is_good, "a token of {kid} is refused in step {step}");
                }
            }
        }
        assert_eq!(kids(&stored.0.lock().unwrap()), ["k850", "k450"]);
    }

    #[test]
    fn a_new_key_is_verified_first_then_signs_and_the_old_one_goes_last() {
        let at = |minutes: i64| Timestamp::from_millis(minutes * 60_000);
        let start = WidgetKeySet::of(key("k1"));
        let prepared = prepare(start, key("k2"), at(0)).unwrap();
        assert_eq!((kids(&prepared), known_at(&prepared)), (vec!["k1".into(), "k2".into()], Some(at(11))));
        assert_eq!(prepare(prepared.clone(), key("k3"), at(1)).unwrap(), prepared, "a repetition continues");
        let active = activate(prepared, at(11));
        assert_eq!((kids(&active), known_at(&active)), (vec!["k2".into(), "k1".into()], None));
        assert_eq!(prepare(active.clone(), key("k3"), at(85)).unwrap_err().code(), Code::Conflict);
        assert_eq!(kids(&prepare(active.clone(), key("k3"), at(86)).unwrap()), ["k2", "k3"]);
        assert_eq!(WidgetKeySet::parse(active.to_secret().expose()).unwrap(), active);
    }

    #[test]
    fn a_time_that_cannot_be_stops_no_rotation() {
        let at = |minutes: i64| Timestamp::from_millis(minutes * 60_000);
        let active =
            WidgetKeySet { previous: Some(key("k1")), changed_at: Some(at(1_000_000)), ..WidgetKeySet::of(key("k2")) };
        let prepared = prepare(active, key("k3"), at(0)).unwrap();
        assert_eq!((kids(&prepared), known_at(&prepared)), (vec!["k2".into(), "k3".into()], Some(at(11))));
        let ahead = WidgetKeySet { changed_at: Some(at(1_000_000)), ..prepared };
        let again = prepare(ahead, key("k4"), at(5)).unwrap();
        assert_eq!((kids(&again), known_at(&again)), (vec!["k2".into(), "k4".into()], Some(at(16))));
    }

    #[test]
    fn a_rotation_that_was_left_half_done_for_a_day_begins_again() {
        let at = |hours: i64| Timestamp::default().plus_hours(hours);
        let prepared = prepare(WidgetKeySet::of(key("k1")), key("k2"), at(0)).unwrap();
        assert_eq!(prepare(prepared.clone(), key("k3"), at(23)).unwrap(), prepared);
        assert_eq!(kids(&prepare(prepared.clone(), key("k3"), at(24)).unwrap()), ["k1", "k3"]);
        let unknown = WidgetKeySet { changed_at: None, ..prepared };
        assert_eq!(kids(&prepare(unknown, key("k3"), at(1)).unwrap()), ["k1", "k3"]);
    }

    #[test]
    fn a_new_key_has_another_name_than_every_other() {
        let runtime = Runtime::system();
        let mut set = WidgetKeySet::of(new_key(&WidgetKeySet::of(key("k1")), &runtime).unwrap());
        for _ in 0..3 {
            let new = new_key(&set, &runtime).unwrap();
            assert!(new.made_at() > set.current.made_at(), "{new:?}");
            let [both, alone] = revocation(&set, new, runtime.now());
            assert_eq!(WidgetKeySet::parse(both.to_secret().expose()).unwrap(), both);
            set = alone;
        }
        let hostile = WidgetKeySet::of(key("k99999999999999999999"));
        assert!(new_key(&hostile, &runtime).unwrap().made_at() < 10_000_000_000);
    }
}
