//! Key sets and ID tokens with and without the names of keys: exactly one fitting key is used, and no other.

use openid::SignInError;
use serde_json::{Value, json};

use crate::support::{CODE, KEYS, NOW, Provider, Reply, VERIFIER, jwks, renamed_jwks, rs256};

/// Keys of the set by their place, without their names.
fn unnamed(places: &[usize]) -> Value {
    let set = jwks();
    let keys = places.iter().map(|place| {
        let mut key = set["keys"][*place].clone();
        key.as_object_mut().unwrap().remove("kid");
        key
    });
    json!({"keys": keys.collect::<Vec<_>>()})
}

/// A set with another key of the RSA key's algorithm, which is nobody's.
fn with_another(mut set: Value, kid: Value) -> Value {
    let mut other = jwks()["keys"][0].clone();
    other["n"] = json!("A".repeat(342));
    other["kid"] = kid;
    if other["kid"].is_null() {
        other.as_object_mut().unwrap().remove("kid");
    }
    set["keys"].as_array_mut().unwrap().push(other);
    set
}

#[tokio::test]
async fn a_key_is_used_without_its_name_where_it_alone_fits() {
    let (named, nameless) = (json!({"alg": "RS256", "kid": "rsa"}), json!({"alg": "RS256"}));
    for (what, set, header, is_good) in [
        ("neither has a name", unnamed(&[0, 1]), &nameless, true),
        ("the token has no name", jwks(), &nameless, true),
        ("the set has no name", unnamed(&[0]), &named, true),
        ("the set has no key of the algorithm", unnamed(&[1]), &nameless, false),
        ("two keys of the set fit", with_another(jwks(), json!("other")), &nameless, false),
        ("two keys without a name fit", with_another(unnamed(&[0]), Value::Null), &named, false),
        ("the named key stands beside one without a name", with_another(jwks(), Value::Null), &named, true),
        ("the key without a name stands beside another", with_another(unnamed(&[0]), json!("other")), &named, true),
        ("every key has another name", renamed_jwks("-other"), &named, false),
    ] {
        let provider = Provider::start().await;
        provider.set(KEYS, Reply::Json(200, set));
        let result = provider.redeem(&rs256(header, &provider.claims())).await;
        assert_eq!(result.is_ok(), is_good, "{what}: {result:?}");
        assert!(is_good || matches!(result, Err(SignInError::IdTokenRefused(_))), "{what}: {result:?}");
    }
}

#[tokio::test]
async fn the_reason_says_that_several_keys_fit_and_quotes_nothing_of_the_token() {
    let provider = Provider::start().await;
    provider.set(KEYS, Reply::Json(200, with_another(jwks(), json!("other"))));
    let refused = provider.redeem(&rs256(&json!({"alg": "RS256"}), &provider.claims())).await.unwrap_err();
    let reason = refused.to_string();
    assert!(reason.contains("several keys of the provider fit it") && !reason.contains("person-1"), "{reason}");
}

#[tokio::test]
async fn a_key_without_a_name_that_was_replaced_is_read_again_at_most_once_a_minute() {
    let provider = Provider::start().await;
    provider.set(KEYS, Reply::Json(200, with_another(json!({"keys": []}), Value::Null)));
    let client = provider.client();
    let sign_in = async |later: i64| {
        let mut claims = provider.claims();
        for claim in ["iat", "exp", "auth_time"] {
            claims[claim] = json!(claims[claim].as_i64().unwrap() + later);
        }
        provider.answer_token(&rs256(&json!({"alg": "RS256"}), &claims));
        client.redeem(CODE, VERIFIER).await.is_ok()
    };
    assert!(!sign_in(0).await, "another key, read at {NOW}");
    provider.set(KEYS, Reply::Json(200, unnamed(&[0])));
    assert!(!sign_in(0).await);
    assert_eq!(provider.received(KEYS).len(), 1);
    provider.clock.advance(60);
    assert!(sign_in(60).await);
    assert_eq!(provider.received(KEYS).len(), 2);
}
