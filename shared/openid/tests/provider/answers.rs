//! A provider that is broken, slow or hostile: bounded, the right error, and no code, verifier, token or secret in what
//! is logged. What is remembered of a sound one, and for how long.

use std::time::{Duration, Instant};

use domain::Secret;
use openid::{OpenIdSettings, SignInError};
use outbound::OutboundPolicy;
use serde_json::{Value, json};

use crate::support::{CODE, DISCOVERY, KEYS, LOCAL, NOW, Provider, Reply, TOKEN, VERIFIER, jwks, renamed_jwks, rs256};

/// Redeems a code and tells why that failed, after looking that the reason shows no secret.
async fn failure(provider: &Provider) -> SignInError {
    let settings =
        OpenIdSettings { client_secret: Some(Secret::new("secret-that-no-log-shows".into())), ..provider.settings() };
    let error = provider.client_with(settings, LOCAL).redeem(CODE, VERIFIER).await.unwrap_err();
    let text = format!("{error} {error:?}");
    for hidden in ["no-log-shows", "eyJ", "ann@example.com", "person-1"] {
        assert!(!text.contains(hidden), "{text}");
    }
    error
}

async fn assert_unavailable(provider: &Provider, what: &str) {
    let error = failure(provider).await;
    assert!(matches!(error, SignInError::Unavailable(_)), "{what}: {error}");
}

#[tokio::test]
async fn a_discovery_document_that_is_not_usable_is_a_503() {
    let provider = Provider::start().await;
    let large = json!({"issuer": provider.issuer, "padding": "x".repeat(10 << 20)});
    for (what, reply) in [
        ("10 MB", Reply::Json(200, large)),
        ("a list", Reply::Json(200, json!([]))),
        ("an error", Reply::Json(500, provider.discovery())),
        ("another success", Reply::Json(204, json!({}))),
    ] {
        provider.set(DISCOVERY, reply);
        assert_unavailable(&provider, what).await;
    }
    for field in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
        provider.set_discovery(field, Value::Null);
        assert_unavailable(&provider, &format!("without {field}")).await;
    }
    for other in [format!("{}/", provider.issuer), "https://evil.example".into(), String::new()] {
        provider.set_discovery("issuer", json!(other));
        assert_unavailable(&provider, &format!("the issuer {other}")).await;
    }
    assert!(provider.received(TOKEN).is_empty(), "no code was sent");
}

#[tokio::test]
async fn an_address_that_may_not_be_called_is_not_called() {
    let provider = Provider::start().await;
    for refused in [
        "http://login.example.com/x",
        "https://10.0.0.1/x",
        "https://169.254.169.254/latest",
        "https://user@login.example.com/x",
        "ftp://login.example.com/x",
        "javascript:alert(1)",
        "/token",
    ] {
        for field in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
            provider.set_discovery(field, json!(refused));
            assert_unavailable(&provider, &format!("{field} {refused}")).await;
        }
        provider.set_discovery("end_session_endpoint", json!(refused));
        let metadata = provider.client().metadata().await.unwrap();
        assert_eq!(metadata.end_session_url, None, "{refused}");
    }
    let strict = OutboundPolicy { allow_loopback: false, allow_http: true };
    let result = provider.client_with(provider.settings(), strict).metadata().await;
    assert!(matches!(result, Err(SignInError::Unavailable(_))), "{result:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (provider, elsewhere) = (Provider::start().await, Provider::start().await);
    let sound = [
        (DISCOVERY, Reply::Json(200, provider.discovery())),
        (KEYS, Reply::Json(200, jwks())),
        (TOKEN, Reply::Json(200, json!({"id_token": provider.token()}))),
    ];
    for (path, good) in sound {
        provider.set(path, Reply::Redirect(format!("{}{path}", elsewhere.issuer)));
        assert_unavailable(&provider, path).await;
        assert!(elsewhere.received(path).is_empty(), "{path}");
        provider.set(path, good);
    }
    assert!(provider.client().redeem(CODE, VERIFIER).await.is_ok());
}

#[tokio::test]
async fn a_provider_that_is_silent_costs_five_seconds_and_the_next_caller_nothing() {
    let provider = Provider::start().await;
    provider.set(DISCOVERY, Reply::Silence);
    let client = provider.client();
    let started = Instant::now();
    let all = futures::future::join_all((0..5).map(|_| client.redeem(CODE, VERIFIER))).await;
    assert!(all.iter().all(|result| matches!(result, Err(SignInError::Unavailable(_)))), "{all:?}");
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    assert_eq!(provider.received(DISCOVERY).len(), 1);
    provider.set(DISCOVERY, Reply::Json(200, provider.discovery()));
    provider.clock.advance(5);
    assert!(client.metadata().await.is_ok(), "the failure is forgotten after five seconds");
}

#[tokio::test]
async fn a_key_set_that_is_not_usable_is_a_503_before_the_code_is_sent() {
    let provider = Provider::start().await;
    let key = jwks()["keys"][0].clone();
    let with = |field: &str, value: Value| {
        let mut key = key.clone();
        key[field] = value;
        json!({"keys": [key]})
    };
    let sets = [
        ("10,000 keys", json!({"keys": vec![json!({}); 10_000]})),
        ("10,000 sound keys", json!({"keys": vec![key.clone(); 10_000]})),
        ("101 keys", json!({"keys": vec![key.clone(); 101]})),
        ("no key", json!({"keys": []})),
        ("no list", json!({"keys": {}})),
        ("symmetric keys", json!({"keys": [{"kty": "oct", "kid": "rsa", "k": "AAAA"}]})),
        ("keys for encryption", with("use", json!("enc"))),
        ("keys of another algorithm", with("alg", json!("RS512"))),
        ("keys that do not verify", with("key_ops", json!(["sign"]))),
    ];
    for (what, set) in sets {
        provider.set(KEYS, Reply::Json(200, set));
        assert_unavailable(&provider, what).await;
    }
    assert!(provider.received(TOKEN).is_empty());
}

#[tokio::test]
async fn keys_of_other_kinds_are_passed_over_and_two_of_one_name_are_none() {
    let provider = Provider::start().await;
    let mut set = jwks();
    let more = [json!({"kty": "new", "kid": "x"}), json!(7), json!({"kty": "oct", "kid": "rsa", "k": "AAAA"})];
    set["keys"].as_array_mut().unwrap().extend(more);
    provider.set(KEYS, Reply::Json(200, set.clone()));
    assert!(provider.client().redeem(CODE, VERIFIER).await.is_ok());
    let again = set["keys"][0].clone();
    set["keys"].as_array_mut().unwrap().push(again);
    provider.set(KEYS, Reply::Json(200, set));
    assert!(matches!(failure(&provider).await, SignInError::IdTokenRefused(_)));
}

#[tokio::test]
async fn a_refused_code_is_the_callers_and_a_refused_client_the_operators() {
    let provider = Provider::start().await;
    for (status, error, is_refused) in [
        (400, json!({"error": "invalid_grant", "error_description": CODE}), true),
        (400, json!({"error": "invalid_request"}), true),
        (400, json!({"error": "unauthorized_client"}), false),
        (400, json!({"error": "invalid_client"}), false),
        (401, json!({"error": "invalid_client"}), false),
        (401, json!({"error": "invalid_grant"}), false),
        (400, json!("no"), false),
        (500, json!({"error": "invalid_grant"}), false),
        (200, json!({"access_token": "x"}), false),
        (200, json!({"id_token": 7}), false),
        (429, json!({}), false),
    ] {
        provider.set(TOKEN, Reply::Json(status, error.clone()));
        let failed = failure(&provider).await;
        assert_eq!(matches!(failed, SignInError::Refused(_)), is_refused, "{status} {error}: {failed}");
    }
    provider.set(TOKEN, Reply::Json(200, json!({"id_token": "x".repeat(10 << 20)})));
    assert_unavailable(&provider, "an answer of 10 MB").await;
}

#[tokio::test]
async fn a_code_or_verifier_of_an_impossible_form_is_refused_without_a_request() {
    let provider = Provider::start().await;
    let long = "x".repeat(4097);
    let verifier_of = |length: usize| "v".repeat(length);
    for code in ["", "a\nb", "é", long.as_str()] {
        assert!(matches!(provider.client().redeem(code, VERIFIER).await, Err(SignInError::Refused(_))), "{code:.20}");
    }
    for verifier in [String::new(), verifier_of(42), verifier_of(129), format!("{} ", verifier_of(43))] {
        assert!(matches!(provider.client().redeem(CODE, &verifier).await, Err(SignInError::Refused(_))), "{verifier}");
    }
    assert!(provider.received(DISCOVERY).is_empty());
}

#[tokio::test]
async fn the_document_and_the_keys_are_read_once_an_hour_by_however_many() {
    let provider = Provider::start().await;
    let client = provider.client();
    let all = futures::future::join_all((0..20).map(|_| client.redeem(CODE, VERIFIER))).await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    let reads = || (provider.received(DISCOVERY).len(), provider.received(KEYS).len());
    assert_eq!((reads(), provider.received(TOKEN).len()), ((1, 1), 20));
    provider.clock.advance(3_599);
    client.metadata().await.unwrap();
    assert_eq!(reads(), (1, 1));
    provider.clock.advance(1);
    client.metadata().await.unwrap();
    assert_eq!(reads(), (2, 1));
}

#[tokio::test]
async fn an_unknown_key_reads_the_set_again_at_most_once_a_minute() {
    let provider = Provider::start().await;
    let client = provider.client();
    assert!(client.redeem(CODE, VERIFIER).await.is_ok());
    provider.set(KEYS, Reply::Json(200, renamed_jwks("-new")));
    let sign_in = async |kid: &str, later: i64| {
        let mut claims = provider.claims();
        for claim in ["iat", "exp", "auth_time"] {
            claims[claim] = json!(claims[claim].as_i64().unwrap() + later);
        }
        provider.answer_token(&rs256(&json!({"alg": "RS256", "kid": kid}), &claims));
        client.redeem(CODE, VERIFIER).await.is_ok()
    };
    let reads = || provider.received(KEYS).len();
    assert!(!sign_in("rsa-new", 0).await, "the set was read in this minute");
    assert_eq!(reads(), 1);
    provider.clock.advance(60);
    assert!(sign_in("rsa-new", 60).await);
    assert_eq!(reads(), 2);
    for _ in 0..3 {
        assert!(!sign_in("nobody's", 60).await);
    }
    assert_eq!(reads(), 2);
    assert!(sign_in("rsa-new", 60).await, "at {NOW} plus a minute");
}
