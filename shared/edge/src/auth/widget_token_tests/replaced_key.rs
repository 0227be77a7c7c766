//! Tokens of a signing key that was replaced.

use super::*;

/// The code for a token of the previous key, `minutes` after its change, with an `iat` so many seconds after it.
fn of_the_previous_key(set: &WidgetKeySet, minutes: i64, iat: i64, exp: i64) -> Option<Code> {
    let changed = set.changed_at.unwrap().as_seconds();
    let mut claims = claims();
    (claims["iat"], claims["exp"]) = (json!(changed + iat), json!(changed + exp));
    let token = signed(with(header(), "kid", Some(json!("k1"))), claims.to_string(), OLD_KEY);
    let now = Timestamp::from_millis((changed + minutes * 60) * 1_000);
    crate::auth::verify("support-assistant", set, now, &token).err().map(|error| error.code())
}

#[test]
fn the_previous_key_signs_for_ten_minutes_and_ends_after_75() {
    let set = config().widget_token_keys.unwrap();
    for (iat, code) in [(9 * 60, None), (10 * 60, None), (10 * 60 + 1, Some(Code::Unauthorized))] {
        assert_eq!(of_the_previous_key(&set, 12, iat, iat + 3_600), code, "{iat}");
    }
    // A holder of the key writes any `iat`: what was not signed before ends with the longest life of what was.
    assert_eq!(of_the_previous_key(&set, 69, 600, 600 + 3_600), None);
    assert_eq!(of_the_previous_key(&set, 70, 600, 600 + 3_600), Some(Code::TokenExpired));
    for (minutes, code) in [(74, Code::TokenExpired), (75, Code::Unauthorized), (76, Code::Unauthorized)] {
        assert_eq!(of_the_previous_key(&set, minutes, 600, 600 + 3_600), Some(code), "{minutes}");
        for iat in [0, minutes * 60, i64::MIN / 2_000] {
            assert_eq!(of_the_previous_key(&set, minutes, iat, minutes * 60 + 60), Some(Code::Unauthorized), "{iat}");
        }
    }
}

#[test]
fn a_previous_key_of_which_nobody_knows_when_it_was_replaced_verifies_nothing() {
    let set = config().widget_token_keys.unwrap();
    let old = signed(with(header(), "kid", Some(json!("k1"))), claims().to_string(), OLD_KEY);
    for (changed_at, is_good) in [(0, true), (300_000, true), (300_001, false), (i64::MAX, false)] {
        let set = WidgetKeySet { changed_at: Some(now().plus_millis(changed_at)), ..set.clone() };
        assert_eq!(crate::auth::verify("support-assistant", &set, now(), &old).is_ok(), is_good, "{changed_at}");
        assert!(crate::auth::verify("support-assistant", &set, now(), &token()).is_ok());
    }
    let unknown = WidgetKeySet { changed_at: None, ..set };
    assert!(crate::auth::verify("support-assistant", &unknown, now(), &old).is_err());
}
