//! ID tokens: one of each algorithm is accepted, every other is refused, most of them with a good signature.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::models::Timestamp;
use openid::{AuthTimeRule, SignInError, VerifiedIdentity, nonce_of};
use serde_json::{Value, json};

use crate::support::{
    CLIENT, CODE, LOCAL, NOW, Provider, VERIFIER, message, rs256, rsa_der, signed_by_ec, signed_by_rsa,
};

fn header() -> Value {
    json!({"alg": "RS256", "kid": "rsa", "typ": "JWT"})
}

async fn assert_refused(provider: &Provider, what: &str, token: &str) {
    let result = provider.redeem(token).await;
    assert!(matches!(result, Err(SignInError::IdTokenRefused(_))), "{what}: {result:?} for {token:.300}");
}

#[tokio::test]
async fn a_token_that_was_asked_for_otherwise_is_no_failure_of_the_provider() {
    let provider = Provider::start().await;
    let chosen = [
        ("nonce", vec![json!(nonce_of("another's")), json!(""), json!(VERIFIER), Value::Null]),
        // Without `max_age` a provider may leave it out.
        ("auth_time", vec![Value::Null]),
    ];
    for (claim, values) in chosen {
        for value in values {
            let result = provider.redeem(&rs256(&header(), &provider.claims_but(claim, value.clone()))).await;
            assert!(matches!(result, Err(SignInError::AskedOtherwise(_))), "{claim} {value}: {result:?}");
        }
    }
}

#[tokio::test]
async fn a_good_token_of_each_algorithm_names_the_person() {
    let provider = Provider::start().await;
    let expected = VerifiedIdentity {
        issuer: provider.issuer.clone(),
        subject: "person-1".into(),
        email: Some("ann@example.com".into()),
        email_verified: Some(true),
        auth_time: Timestamp::from_millis((NOW - 10) * 1000),
    };
    let claims = provider.claims();
    for header in [
        header(),
        json!({"alg": "RS256", "kid": "rsa"}),
        json!({"alg": "RS256", "kid": "rsa", "x5t": "a", "x5t#S256": "b"}),
    ] {
        assert_eq!(provider.redeem(&rs256(&header, &claims)).await.as_ref(), Ok(&expected), "{header}");
    }
    let by_ec = signed_by_ec(&message(json!({"alg": "ES256", "kid": "ec"}).to_string(), claims.to_string()));
    assert_eq!(provider.redeem(&by_ec).await, Ok(expected));
}

#[tokio::test]
async fn claims_that_providers_write_differently_are_accepted() {
    let provider = Provider::start().await;
    let sound = [
        ("iat", json!(NOW - 300)),
        ("iat", json!(NOW + 60)),
        ("exp", json!(NOW + 1)),
        ("auth_time", json!(NOW - 86_400)),
        ("auth_time", json!(NOW + 60)),
        ("nbf", json!(NOW + 60)),
        ("azp", json!(CLIENT)),
        ("aud", json!([CLIENT])),
        ("exp", json!(NOW as f64 + 0.5)),
        ("iat", json!(NOW as f64 - 1.25)),
        ("nbf", json!(NOW as f64 - 0.001)),
        ("auth_time", json!(NOW as f64 - 1e-3)),
        ("groups", json!(["a", {"b": [1.5]}])),
        ("sub", json!("x".repeat(255))),
    ];
    for (claim, value) in sound {
        let result = provider.redeem(&rs256(&header(), &provider.claims_but(claim, value.clone()))).await;
        assert!(result.is_ok(), "{claim} {value}: {result:?}");
    }
    let mut several = provider.claims_but("aud", json!([CLIENT, "api"]));
    several["azp"] = json!(CLIENT);
    assert!(provider.redeem(&rs256(&header(), &several)).await.is_ok());
    for (said, verified) in
        [(json!(false), Some(false)), (json!("false"), Some(false)), (json!("true"), Some(true)), (Value::Null, None)]
    {
        let result = provider.redeem(&rs256(&header(), &provider.claims_but("email_verified", said))).await;
        assert_eq!(result.unwrap().email_verified, verified);
    }
    let without = provider.redeem(&rs256(&header(), &provider.claims_but("email", Value::Null))).await;
    assert_eq!(without.unwrap().email, None);
}

#[tokio::test]
async fn a_header_that_says_anything_else_is_refused() {
    let provider = Provider::start().await;
    let others = [
        ("alg", json!("none")),
        ("alg", json!("RS384")),
        ("alg", json!("PS256")),
        ("alg", json!("rs256")),
        ("alg", json!("ES256")),
        ("alg", json!("HS256")),
        ("alg", Value::Null),
        ("alg", json!(["RS256"])),
        ("kid", json!("other")),
        ("kid", json!("ec")),
        ("kid", json!("")),
        ("kid", json!("RSA")),
        ("kid", json!(1)),
        ("jku", json!("https://evil.example/keys")),
        ("x5u", json!("https://evil.example/cert")),
        ("x5c", json!(["AAAA"])),
        ("jwk", json!({"kty": "oct", "k": "AAAA"})),
        ("crit", json!(["exp"])),
        ("b64", json!(false)),
        ("zip", json!("DEF")),
        ("cty", json!("JWT")),
        ("typ", json!("at+jwt")),
        ("typ", json!("logout+jwt")),
        ("typ", json!("desk+jwt")),
    ];
    for (name, value) in others {
        let mut header = header();
        header[name] = value;
        assert_refused(&provider, &header.to_string(), &rs256(&header, &provider.claims())).await;
    }
    for raw in [
        "[]",
        "null",
        "",
        "{}",
        r#"{"alg":"none","alg":"RS256","kid":"rsa"}"#,
        r#"{"kid":"rsa"}"#,
        r#"["RS256","rsa"]"#,
    ] {
        let token = signed_by_rsa(&message(raw, provider.claims().to_string()));
        assert_refused(&provider, raw, &token).await;
    }
}

#[tokio::test]
async fn a_signature_of_nobody_or_of_another_key_is_refused() {
    let provider = Provider::start().await;
    let claims = provider.claims().to_string();
    let none = message(json!({"alg": "none", "kid": "rsa"}).to_string(), &claims);
    assert_refused(&provider, "none", &format!("{none}.")).await;
    let pem = format!("-----BEGIN RSA PUBLIC KEY-----\n{}\n-----END RSA PUBLIC KEY-----\n", STANDARD.encode(rsa_der()));
    for secret in [rsa_der(), pem.as_bytes(), &rsa_der()[9..265]] {
        let text = message(json!({"alg": "HS256", "kid": "rsa"}).to_string(), &claims);
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), text.as_bytes());
        assert_refused(&provider, "HS256", &format!("{text}.{}", URL_SAFE_NO_PAD.encode(tag))).await;
    }
    let sound = provider.token();
    let (text, signature) = sound.rsplit_once('.').unwrap();
    let other = message(header().to_string(), provider.claims_but("sub", json!("person-2")).to_string());
    let by_ec = signed_by_ec(text);
    let broken = [
        format!("{other}.{signature}"),
        format!("{text}."),
        format!("{text}.AAAA"),
        format!("{text}.{signature}A"),
        format!("{text}.{signature}="),
        format!("{text}.{}", &signature[..signature.len() - 2]),
        by_ec,
    ];
    for token in broken {
        assert_refused(&provider, "signature", &token).await;
    }
}

#[tokio::test]
async fn a_text_of_another_form_is_refused() {
    let provider = Provider::start().await;
    let sound = provider.token();
    let payload = |text: &[u8]| signed_by_rsa(&message(header().to_string(), text));
    let forms = [
        String::new(),
        ".".into(),
        "..".into(),
        "a.b.c".into(),
        format!("{sound}."),
        format!(".{sound}"),
        format!("{sound}.x.y"),
        format!(" {sound}"),
        format!("{sound}\n"),
        sound.replacen('.', "=.", 1),
        payload(b"[]"),
        payload(b"null"),
        payload(b""),
        payload(b"{\"sub\":\"\xff\"}"),
        payload(format!("{{\"x\":{}{}}}", "[".repeat(3000), "]".repeat(3000)).as_bytes()),
        rs256(&header(), &provider.claims_but("padding", json!("x".repeat(16 * 1024)))),
    ];
    for token in forms {
        assert_refused(&provider, "form", &token).await;
    }
}

#[tokio::test]
async fn a_claim_that_is_wrong_missing_or_of_another_type_is_refused() {
    let provider = Provider::start().await;
    let issuer = provider.issuer.clone();
    let wrong = [
        ("iss", vec![json!("https://evil.example"), json!(format!("{issuer}/")), json!([issuer]), Value::Null]),
        ("aud", vec![json!("other"), json!([]), json!(["other"]), json!(1), Value::Null]),
        // A list of several needs `azp`.
        ("aud", vec![json!([CLIENT, "other"]), json!([CLIENT, CLIENT])]),
        ("azp", vec![json!("other"), json!(""), json!([CLIENT])]),
        ("sub", vec![json!(""), json!("a b"), json!("é"), json!("x".repeat(256)), json!(["a"]), json!(7), Value::Null]),
        ("nonce", vec![json!([nonce_of(VERIFIER)]), json!(7)]),
        ("exp", vec![json!(NOW), json!(NOW - 1), json!(-1), json!("2030"), json!(1.5e9), json!(true), Value::Null]),
        ("exp", vec![json!(u64::MAX), json!(NOW as f64 - 0.5), json!(1e300)]),
        ("iat", vec![json!(NOW as f64 + 60.5), json!(NOW as f64 - 300.5)]),
        ("iat", vec![json!(NOW - 360), json!(NOW - 301), json!(NOW + 61), json!(NOW + 120), json!("x"), Value::Null]),
        ("nbf", vec![json!(NOW + 61), json!("x")]),
        ("auth_time", vec![json!(NOW + 61), json!(0), json!(-5), json!("1767323100"), json!(i64::MAX)]),
        ("email", vec![json!(["a@b.c"]), json!(1), json!("x".repeat(256))]),
        ("email_verified", vec![json!(1), json!("yes"), json!([true])]),
    ];
    for (claim, values) in wrong {
        for value in values {
            let claims = provider.claims_but(claim, value.clone());
            assert_refused(&provider, &format!("{claim} {value}"), &rs256(&header(), &claims)).await;
        }
    }
    let mut one = provider.claims_but("aud", json!([CLIENT]));
    one["azp"] = json!("other");
    assert_refused(&provider, "one audience for another", &rs256(&header(), &one)).await;
    let mut two = provider.claims_but("aud", json!([CLIENT, "other"]));
    two["azp"] = json!("other");
    assert_refused(&provider, "two audiences for another", &rs256(&header(), &two)).await;
    let twice = provider.claims().to_string().replacen('{', r#"{"sub":"person-2","#, 1);
    assert_refused(&provider, "sub twice", &signed_by_rsa(&message(header().to_string(), twice))).await;
}

#[tokio::test]
async fn a_token_without_auth_time_is_accepted_where_the_operator_says_so_alone() {
    let provider = Provider::start().await;
    let settings = || openid::OpenIdSettings { auth_time: AuthTimeRule::Iat, ..provider.settings() };
    let auth_time = async |value: Value| {
        provider.answer_token(&rs256(&header(), &provider.claims_but("auth_time", value)));
        let identity = provider.client_with(settings(), LOCAL).redeem(CODE, VERIFIER).await;
        identity.map(|identity| identity.auth_time.as_seconds())
    };
    assert_eq!(auth_time(Value::Null).await, Ok(NOW - 5));
    // A claim that is there still counts, and has its limits.
    assert_eq!(auth_time(json!(NOW - 500)).await, Ok(NOW - 500));
    assert!(matches!(auth_time(json!(NOW + 61)).await, Err(SignInError::IdTokenRefused(_))));
}
