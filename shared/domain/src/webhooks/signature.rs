//! Signatures of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use text::is_invisible;

use crate::Secret;
use crate::models::{EventId, Timestamp};

/// The beginning of a secret that is base64 of its key.
const PREFIX: &str = "whsec_";
/// The beginning of a signature, and of secrets of some other services.
const SIGNATURE_PREFIX: &str = "v1,";
/// How many bytes such a key has, at least and at most.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;
/// Base64 as libraries that verify signatures read it: padded or not.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// Checks that a secret which names a key in base64 really has one, so that every library verifies what it signs.
///
/// # Errors
/// For people: what begins with `whsec_` or `v1,`, in any case and behind white space, is not `whsec_` and strict base64
/// of 24-64 bytes (Standard Webhooks 1.0.0, "Signature scheme").
pub fn check_secret(secret: &str) -> Result<(), &'static str> {
    let start = secret.trim_start_matches(|c: char| c.is_whitespace() || is_invisible(c));
    let begins_with =
        |prefix: &str| start.get(..prefix.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(prefix));
    if decoded_key(secret).is_some() || !(begins_with(PREFIX) || begins_with(SIGNATURE_PREFIX)) {
        return Ok(());
    }
    Err(
        "must be whsec_ and padded base64 (A-Z, a-z, 0-9, + and /) of 24 to 64 bytes, or a text that begins with neither whsec_ nor v1,",
    )
}

/// Whether a secret without `whsec_` is base64 of a key of 24 bytes and more, in either alphabet: libraries decode it,
/// and this service signs with its text.
#[must_use]
pub fn is_unprefixed_base64(secret: &str) -> bool {
    let is_key = |alphabet| {
        let decoded = GeneralPurpose::new(alphabet, LENIENT).decode(secret);
        decoded.is_ok_and(|key| key.len() >= *KEY_BYTES.start())
    };
    // `whsec_` is of the second alphabet, too.
    decoded_key(secret).is_none() && (is_key(&alphabet::STANDARD) || is_key(&alphabet::URL_SAFE))
}

/// The headers of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// `webhook-id`.
    pub id: String,
    /// `webhook-timestamp`: whole seconds since 1970 UTC.
    pub timestamp: String,
    /// `webhook-signature`: one for each secret, in their order, with spaces between.
    pub signature: String,
}

/// Signs an attempt that begins at `at` with every one of `secrets`.
#[must_use]
pub fn sign(secrets: &[Secret], id: &EventId, at: Timestamp, body: &[u8]) -> Signed {
    let seconds = at.as_seconds();
    let signatures: Vec<_> = secrets.iter().map(|secret| signature(secret, id.as_str(), seconds, body)).collect();
    Signed { id: id.to_string(), timestamp: seconds.to_string(), signature: signatures.join(" ") }
}

fn signature(secret: &Secret, id: &str, seconds: i64, body: &[u8]) -> String {
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key(secret.expose())) else { return String::new() };
    mac.update(format!("{id}.{seconds}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// The key of a secret: the bytes behind `whsec_` if they are strict base64 of a key's length, otherwise the text.
fn key(secret: &str) -> Vec<u8> {
    decoded_key(secret).unwrap_or_else(|| secret.as_bytes().to_vec())
}

fn decoded_key(secret: &str) -> Option<Vec<u8>> {
    let decoded = secret.strip_prefix(PREFIX).and_then(|rest| STANDARD.decode(rest).ok());
    decoded.filter(|key| KEY_BYTES.contains(&key.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const B: &str = concat!(
        r#"{"type":"handover.requested","timestamp":"2026-01-02T03:04:05.678Z","data":{"sessionId":"ses_01","#,
        r#""escalationId":"esc_01","reason":"café 😀"}}"#
    );
    const CURRENT: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const OLD: &str = "whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";
    const OURS: (&str, i64) = ("msg_01JGZX0000000000000000TEST", 1_767_323_045);

    fn signed(secret: &str, (id, seconds): (&str, i64), body: &str) -> String {
        signature(&Secret::new(secret.into()), id, seconds, body.as_bytes())
    }

    #[test]
    fn the_official_vectors_hold() {
        let first = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330);
        let second = ("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553);
        assert_eq!(
            signed("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", first, r#"{"test": 2432232314}"#),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
        assert_eq!(
            signed(
                "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
                second,
                r#"{"email":"test@example.com","username":"test_user"}"#
            ),
            "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="
        );
    }

    #[test]
    fn a_body_that_is_not_ascii_and_a_secret_that_is_no_base64_are_signed_by_their_bytes() {
        assert_eq!(B.len(), 144);
        assert_eq!(signed(CURRENT, OURS, B), "v1,7EkwiaNnXhuMY+MfJiPsWVfmXkEwdxmq9lhPYIbwiHs=");
        let raw = signed("my-plain-secret-chosen-by-user", OURS, B);
        assert_eq!(raw, "v1,mbHkHjN0wiAUApK4UU1E82uDfStULl4CykB+i1Jwm24=");
    }

    #[test]
    fn during_a_rotation_both_secrets_sign_the_new_one_first() {
        let secrets = [CURRENT, OLD].map(|secret| Secret::new(secret.into()));
        let id = EventId::from_parts(Timestamp::from_millis(1), 2);
        let both = sign(&secrets, &id, Timestamp::from_millis(1_767_323_045_678), B.as_bytes());
        let alone = |secret: &str| signed(secret, (id.as_str(), 1_767_323_045), B);
        assert_eq!(both.signature, format!("{} {}", alone(CURRENT), alone(OLD)));
        assert_eq!((both.id.as_str(), both.timestamp.as_str()), (id.as_str(), "1767323045"));
        assert_eq!(signed(OLD, OURS, B), "v1,dJV5w/MIj5SJP6HedXAB79mwhARBuK/WtQqt2AQ1h08=");
    }

    #[test]
    fn only_strict_base64_of_24_to_64_bytes_behind_the_prefix_is_decoded() {
        let of = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
        for bytes in [24, 32, 63, 64] {
            assert_eq!(key(&of(bytes)), vec![7; bytes], "{bytes}");
        }
        let unpadded = of(25).trim_end_matches('=').to_owned();
        let spaced = format!("{} ", of(24));
        for raw in
            [&of(23), &of(65), &unpadded, &spaced, "whsec_", "whsec_%", "whsec_test", "WHSEC_AAAA", "plainsecret"]
        {
            assert_eq!(key(raw), raw.as_bytes(), "{raw}");
        }
    }
}
