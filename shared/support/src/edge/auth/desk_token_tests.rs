//! The required form of a desk token, and tokens that must be refused (most of them with a valid signature).

use aws::config::DeskTokenKey;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::error::Code;
use jsonwebtoken::{Header, encode};
use serde_json::{Value, json};

use super::*;

const NOW: i64 = 1_767_323_100;
const ISSUER: &str = "support-assistant";

fn now() -> Timestamp {
    Timestamp::from_millis(NOW * 1_000)
}

fn key() -> DeskSigningKey {
    let pair = format!("d1:{}", base64::engine::general_purpose::STANDARD.encode([7; 32]));
    DeskSigningKey::new(&DeskTokenKey::parse_pair(&pair).unwrap()).unwrap()
}

fn header() -> Value {
    json!({"alg": "ES256", "typ": "desk+jwt", "kid": "d1"})
}

fn claims() -> Value {
    json!({
        "iss": ISSUER, "aud": "desk", "sub": MemberId::from_parts(now(), 1).as_str(),
        "tid": TenantId::from_parts(now(), 7).as_str(), "mode": "live", "gen": 3,
        "sin": SignInId::from_parts(now(), 2).as_str(), "auth_time": NOW - 60, "iat": NOW - 10, "exp": NOW + 600,
        "jti": TokenId::from_parts(now(), 1).as_str(),
    })
}

/// A token of these exact header and payload bytes with a valid signature.
fn signed(header: impl AsRef<[u8]>, payload: impl AsRef<[u8]>) -> String {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    let key = EncodingKey::from_ec_der(&key().pkcs8);
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::ES256).unwrap();
    format!("{message}.{signature}")
}

fn verify(token: &str) -> Result<DeskClaims> {
    verify_desk_token(ISSUER, &key().public_key, now(), token)
}

fn refused(what: &str, token: &str) {
    let outcome = verify(token).err().map(|error| error.code());
    assert_eq!(outcome, Some(Code::Unauthorized), "{what}: {token:.200}");
}

/// `value` with a field set, or left out if `new` is none.
fn with(mut value: Value, name: &str, new: Option<Value>) -> String {
    let map = value.as_object_mut().unwrap();
    match new {
        Some(new) => map.insert(name.to_owned(), new),
        None => map.remove(name),
    };
    value.to_string()
}

#[test]
fn an_issued_token_is_verified_with_everything_it_says() {
    let runtime = Runtime::system();
    let claims = DeskClaims {
        scope: Scope { tenant: TenantId::from_parts(now(), 7), mode: Mode::Test },
        member_id: MemberId::from_parts(now(), 1),
        generation: 9,
        sign_in: SignInId::from_parts(now(), 2),
        authenticated_at: Timestamp::from_millis(runtime.now().as_seconds() * 1_000),
        expires_at: Timestamp::default(),
    };
    let issued = issue_desk_token(ISSUER, &key(), &runtime, &claims).unwrap();
    let verified = verify_desk_token(ISSUER, &key().public_key, runtime.now(), &issued.token).unwrap();
    assert_eq!(verified, DeskClaims { expires_at: issued.expires_at, ..claims });
    let expired = verify_desk_token(ISSUER, &key().public_key, issued.expires_at, &issued.token).unwrap();
    assert!(expired.expires_at <= issued.expires_at, "that the time is over is told by the claims");
}

#[test]
fn a_good_token_is_read_and_every_claim_must_be_there_once_and_of_its_type() {
    verify(&signed(header().to_string(), claims().to_string())).unwrap();
    let names: Vec<String> = claims().as_object().unwrap().keys().cloned().collect();
    for name in &names {
        refused("missing", &signed(header().to_string(), with(claims(), name, None)));
        for wrong in [json!(null), json!([]), json!({}), json!(true), json!("x"), json!(-1), json!(1.5)] {
            refused(name, &signed(header().to_string(), with(claims(), name, Some(wrong))));
        }
        let twice = claims().to_string().replacen('{', &format!("{{\"{name}\":{},", claims()[name.as_str()]), 1);
        refused("twice", &signed(header().to_string(), twice));
    }
    refused("another claim", &signed(header().to_string(), with(claims(), "role", Some(json!("admin")))));
}

#[test]
fn times_that_cannot_be_are_refused() {
    for (name, value) in [
        ("exp", json!(NOW - 10)),
        ("exp", json!(NOW + 891)),
        ("iat", json!(NOW + 6)),
        ("auth_time", json!(NOW + 600)),
        ("exp", json!(u64::MAX)),
        ("iat", json!(i64::MIN)),
    ] {
        refused(name, &signed(header().to_string(), with(claims(), name, Some(value))));
    }
}

#[test]
fn no_other_header_and_no_other_algorithm_passes() {
    for alg in ["none", "None", "HS256", "ES384", "RS256", "es256", "ES256 ", "EdDSA", ""] {
        refused(alg, &signed(with(header(), "alg", Some(json!(alg))), claims().to_string()));
    }
    for (name, value) in [
        ("typ", json!("widget+jwt")),
        ("typ", json!("JWT")),
        ("jku", json!("http://169.254.169.254/")),
        ("x5u", json!("http://169.254.169.254/")),
        ("jwk", json!({})),
        ("crit", json!(["b64"])),
    ] {
        refused(name, &signed(with(header(), name, Some(value)), claims().to_string()));
    }
    for name in ["alg", "typ", "kid"] {
        refused(name, &signed(with(header(), name, None), claims().to_string()));
    }
    for header in ["", "null", "[]", "foo", "\u{feff}{}"] {
        refused("no header", &signed(header, claims().to_string()));
    }
}

#[test]
fn the_public_key_as_a_secret_makes_no_token() {
    let mut header = Header::new(Algorithm::HS256);
    header.typ = Some(KIND.typ.into());
    header.kid = Some("d1".into());
    let forged = encode(&header, &claims(), &EncodingKey::from_secret(&key().public_key)).unwrap();
    refused("HS256 by the public key", &forged);
}

#[test]
fn signatures_and_formats_that_are_wrong_are_refused() {
    let good = signed(header().to_string(), claims().to_string());
    let (message, signature) = good.rsplit_once('.').unwrap();
    for bad in ["", "AAAA", &signature[1..], &format!("{signature}A"), &format!("{signature}=")] {
        refused("signature", &format!("{message}.{bad}"));
    }
    let other = signed(header().to_string(), with(claims(), "gen", Some(json!(4))));
    refused("the signature of another", &format!("{message}.{}", other.rsplit_once('.').unwrap().1));
    for bad in ["", ".", "..", &format!("{good}."), &format!(".{good}"), &format!("{good} "), &format!("Bearer {good}")]
    {
        refused("format", bad);
    }
    refused("too long", &"a".repeat(10_000));
    assert!(verify_desk_token("another", &key().public_key, now(), &good).is_err());
}

#[test]
fn a_widget_token_has_not_the_shape_of_a_desk_token_and_the_other_way_round() {
    let desk = signed(header().to_string(), claims().to_string());
    let widget = signed(r#"{"alg":"HS256","typ":"widget+jwt","kid":"d1"}"#, claims().to_string());
    assert!(DeskTokens::has_shape_of(&desk) && !DeskTokens::has_shape_of(&widget));
    assert_eq!(crate::edge::auth::widget_token::KIND.read_kid(&desk), None);
    refused("a widget token", &widget);
}
