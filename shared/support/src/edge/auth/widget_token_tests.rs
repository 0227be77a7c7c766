//! The required form of a token, and tokens that must be refused (most of them with a valid signature).

use aws::config::Config;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use domain::models::{MemberId, SignInId};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::{Sha256, Sha384, Sha512};

use super::*;

const NOW: i64 = 1_767_323_100;
const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";
const OLD_KEY: &[u8] = b"fedcba9876543210fedcba9876543210";

fn config() -> Config {
    let key = |kid: &str, secret: &[u8]| WidgetTokenKey { kid: kid.to_owned(), secret: secret.to_vec() };
    let keys = WidgetKeySet {
        previous: Some(key("k1", OLD_KEY)),
        changed_at: Some(now().plus_millis(-60_000)),
        ..WidgetKeySet::of(key("k2", KEY))
    };
    let config = Config::from_vars(|name| (name == "TABLE_NAME").then(|| "table".to_owned())).unwrap();
    Config { widget_token_keys: Some(keys), ..config }
}

/// [`super::verify`] by the configured keys.
fn verify(config: &Config, now: Timestamp, token: &str) -> Result<WidgetIdentity> {
    super::verify(&config.widget_token_issuer, config.widget_token_keys.as_ref().unwrap(), now, token)
}

/// [`super::issue`] by the configured keys.
fn issue(config: &Config, runtime: &Runtime, request: &TokenRequest<'_>) -> Result<IssuedToken> {
    super::issue(&config.widget_token_issuer, &config.widget_token_keys.as_ref().unwrap().current, runtime, request)
}

fn now() -> Timestamp {
    Timestamp::from_millis(NOW * 1000)
}

fn tenant() -> TenantId {
    TenantId::from_parts(now(), 7)
}

fn header() -> Value {
    json!({"alg": "HS256", "typ": "widget+jwt", "kid": "k2"})
}

fn claims() -> Value {
    json!({
        "iss": config().widget_token_issuer, "aud": "widget", "sub": "visitor-1", "tid": tenant().as_str(),
        "mode": "live", "iat": NOW - 10, "exp": NOW + 600, "jti": TokenId::from_parts(now(), 1).as_str(),
    })
}

fn mac(secret: &[u8], message: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    mac.update(message.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// A token of these exact header and payload bytes with a valid MAC.
fn signed(header: impl AsRef<[u8]>, payload: impl AsRef<[u8]>, secret: &[u8]) -> String {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(mac(secret, &message)))
}

fn token() -> String {
    signed(header().to_string(), claims().to_string(), KEY)
}

fn code_of(token: &str) -> Option<Code> {
    verify(&config(), now(), token).err().map(|error| error.code())
}

fn refused(what: &str, token: &str) {
    assert_eq!(code_of(token), Some(Code::Unauthorized), "{what}: {token:.200}");
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
fn the_published_vector_has_the_mac_that_we_compute() {
    let vector = "eyJhbGciOiJIUzI1NiIsInR5cCI6IndpZGdldCtqd3QiLCJraWQiOiJrMSJ9.eyJpc3MiOiJzdmMiLCJhdWQiOiJ3aWRnZXQiLCJzdWIiOiJ3MSIsImV4cCI6MTc2NzMyMzY0NSwiaWF0IjoxNzY3MzIzMDQ1LCJ0aWQiOiJ0MSIsInNpZCI6InMxIn0.-BokdkVFSvDcWK4ALFLKb-sfQl5iSweBDsh4VDutj6c";
    let (message, signature) = vector.rsplit_once('.').unwrap();
    assert_eq!(URL_SAFE_NO_PAD.encode(mac(KEY, message)), signature);
    refused("the vector lacks mode and jti", vector);
}

#[test]
fn a_good_token_is_read_under_either_key() {
    let widget = verify(&config(), now(), &token()).unwrap();
    assert_eq!(widget.scope, Scope { tenant: tenant(), mode: Mode::Live });
    assert_eq!((widget.external_user_id.as_str(), widget.session_id, widget.user), ("visitor-1", None, None));
    let old = signed(with(header(), "kid", Some(json!("k1"))), claims().to_string(), OLD_KEY);
    assert_eq!(code_of(&old), None);
    refused("the other key's name", &signed(with(header(), "kid", Some(json!("k1"))), claims().to_string(), KEY));
}

#[test]
fn an_issued_token_is_verified_with_everything_it_says() {
    let (runtime, config) = (Runtime::system(), config());
    let scope = Scope { tenant: tenant(), mode: Mode::Test };
    let session = SessionId::from_parts(now(), 3);
    let user = Visitor { name: Some("Zoë".repeat(33)), email: Some("é".repeat(254)), verified: true };
    let longest = "🙂".repeat(256);
    let request = TokenRequest {
        scope: &scope,
        external_user_id: &longest,
        session_id: Some(&session),
        user: Some(&user),
        preview_of: None,
        ttl_seconds: 3_600,
    };
    let issued = issue(&config, &runtime, &request).unwrap();
    let widget = verify(&config, runtime.now(), &issued.token).unwrap();
    assert_eq!((widget.scope, widget.external_user_id), (scope, longest));
    assert_eq!((widget.session_id, widget.user), (Some(session), Some(user)));
    let at_the_end = verify(&config, issued.expires_at, &issued.token).unwrap_err();
    assert_eq!(at_the_end.code(), Code::TokenExpired);
    assert!(verify(&config, issued.expires_at.plus_millis(-1), &issued.token).is_ok());
}

#[test]
fn only_time_alone_makes_a_token_expired() {
    for exp in [NOW, NOW - 1] {
        let payload = with(claims(), "exp", Some(json!(exp)));
        assert_eq!(code_of(&signed(header().to_string(), &payload, KEY)), Some(Code::TokenExpired), "{exp}");
        refused("expired and wrongly signed", &signed(header().to_string(), &payload, b"secret"));
        let wrong = with(serde_json::from_str(&payload).unwrap(), "tid", Some(json!("t1")));
        refused("expired and wrong otherwise", &signed(header().to_string(), wrong, KEY));
    }
}

#[test]
fn no_other_algorithm_passes() {
    let payload = claims().to_string();
    for alg in [
        "none", "None", "NONE", "nOnE", "HS384", "HS512", "RS256", "ES256", "EdDSA", "PS256", "HS1", "hs256", "Hs256",
        "HS256 ", "A128KW", "dir", "",
    ] {
        let good = signed(with(header(), "alg", Some(json!(alg))), &payload, KEY);
        refused(alg, &good);
        let (message, _) = good.rsplit_once('.').unwrap();
        refused(alg, &format!("{message}."));
        refused(alg, message);
    }
    for alg in [None, Some(Value::Null), Some(json!(["HS256"])), Some(json!(256))] {
        refused("alg of another type", &signed(with(header(), "alg", alg), &payload, KEY));
    }
    for twice in [
        r#"{"alg":"none","alg":"HS256","typ":"widget+jwt","kid":"k2"}"#,
        r#"{"alg":"HS256","alg":"none","typ":"widget+jwt","kid":"k2"}"#,
    ] {
        refused("alg twice", &signed(twice, &payload, KEY));
    }
    let message = |alg: &str| {
        let header = with(header(), "alg", Some(json!(alg)));
        format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(&payload))
    };
    let mut mac = Hmac::<Sha384>::new_from_slice(KEY).unwrap();
    mac.update(message("HS384").as_bytes());
    refused("HS384", &format!("{}.{}", message("HS384"), URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())));
    let mut mac = Hmac::<Sha512>::new_from_slice(KEY).unwrap();
    mac.update(message("HS512").as_bytes());
    refused("HS512", &format!("{}.{}", message("HS512"), URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())));
    let pem = b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n";
    refused("a public key as secret", &signed(header().to_string(), &payload, pem));
}

#[test]
fn no_other_signature_passes() {
    let token = token();
    let (message, signature) = token.rsplit_once('.').unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(signature).unwrap();
    let standard = STANDARD_NO_PAD.encode([&bytes[..30], &[0xFB, 0xFF]].concat());
    let mut longer = bytes.clone();
    longer.push(0);
    for (what, forged) in [
        ("empty", String::new()),
        ("zeros", URL_SAFE_NO_PAD.encode([0; 32])),
        ("truncated", URL_SAFE_NO_PAD.encode(&bytes[..16])),
        ("one more byte", URL_SAFE_NO_PAD.encode(longer)),
        ("padded", format!("{signature}=")),
        ("standard alphabet", standard),
    ] {
        refused(what, &format!("{message}.{forged}"));
    }
    // 32 bytes leave two unused bits in the last character: every other value of them is another text.
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let last = alphabet.find(signature.chars().last().unwrap()).unwrap();
    for flip in 1..4 {
        let other = alphabet.chars().nth(last ^ flip).unwrap();
        refused("unused bits", &format!("{message}.{}{other}", &signature[..signature.len() - 1]));
    }
    let payload = with(claims(), "sub", Some(json!("visitor-2")));
    refused(
        "tampered",
        &format!("{}.{}.{signature}", URL_SAFE_NO_PAD.encode(header().to_string()), URL_SAFE_NO_PAD.encode(payload)),
    );
    for secret in [&b""[..], b"secret", b"k2", &[0; 32], OLD_KEY] {
        refused("another key", &signed(header().to_string(), claims().to_string(), secret));
    }
}

#[test]
fn no_other_header_passes() {
    let payload = claims().to_string();
    for kid in [
        json!("../../../../dev/null"),
        json!("k2' OR '1'='1"),
        json!("TENANT#t2"),
        json!(""),
        json!("k2\0"),
        json!("K2"),
        json!("k3"),
        json!(2),
        json!(["k2"]),
        Value::Null,
    ] {
        refused("kid", &signed(with(header(), "kid", Some(kid)), &payload, KEY));
    }
    for (name, value) in [
        ("jku", json!("http://169.254.169.254/")),
        ("x5u", json!("http://169.254.169.254/")),
        ("jwk", json!({"kty": "oct", "k": URL_SAFE_NO_PAD.encode(KEY)})),
        ("x5c", json!(["garbage"])),
        ("crit", json!(["unknown"])),
        ("b64", json!(false)),
        ("zip", json!("DEF")),
        ("cty", json!("JWT")),
        ("typ", json!("JWT")),
        ("typ", json!("JOSE+JSON")),
        ("typ", json!("at+jwt")),
        ("typ", json!("Widget+JWT")),
        ("typ", Value::Null),
    ] {
        refused(name, &signed(with(header(), name, Some(value)), &payload, KEY));
    }
    refused("no typ", &signed(with(header(), "typ", None), &payload, KEY));
    refused("no kid", &signed(with(header(), "kid", None), &payload, KEY));
    let good = header().to_string();
    for bad in [
        "x",
        "",
        "null",
        "[]",
        r#"["HS256","widget+jwt","k2"]"#,
        &format!("{good}x"),
        &format!("{good}{good}"),
        &format!("\u{FEFF}{good}"),
    ] {
        refused("header", &signed(bad, &payload, KEY));
    }
}

#[test]
fn no_other_claims_pass() {
    let text = header().to_string();
    let cases = [
        (
            "exp",
            vec![
                Value::Null,
                json!("1"),
                json!(-5),
                json!(true),
                json!([NOW + 60]),
                json!(NOW as f64 + 60.5),
                json!(1e19),
                json!(u64::MAX),
                json!((NOW + 60) * 1000),
                json!(NOW + 315_360_000),
                json!(NOW - 10 + 3_601),
            ],
        ),
        ("nbf", vec![json!(NOW + 60), json!(NOW - 60), json!("x")]),
        ("iat", vec![json!(NOW + 6), json!(NOW + 3_000), json!(0), Value::Null, json!("x"), json!(i64::MIN)]),
        (
            "iss",
            vec![json!("evil"), json!(["support-assistant"]), json!("support-assistant.evil"), json!({}), json!("")],
        ),
        ("aud", vec![json!("Widget"), json!(["widget"]), json!([]), json!(7), json!("")]),
        ("sub", vec![json!(["visitor-1"]), json!(""), json!(7), Value::Null]),
        ("tid", vec![json!({"$ne": null}), json!(""), json!("t2"), json!("ten_x#SES"), json!(null)]),
        ("mode", vec![json!("LIVE"), json!("prod"), json!(null), json!(1)]),
        ("sid", vec![json!("s1"), json!(["ses"]), json!({}), json!("")]),
        ("user", vec![json!("x"), json!([7]), json!({"role": "admin"}), json!({"name": 7})]),
        ("jti", vec![json!(""), json!("x"), json!(7), json!(null)]),
        ("role", vec![json!("admin")]),
    ];
    for (name, values) in cases {
        for value in values {
            let what = format!("{name}: {value}");
            refused(&what, &signed(&text, with(claims(), name, Some(value)), KEY));
        }
    }
    for name in ["iss", "aud", "sub", "tid", "mode", "iat", "exp", "jti"] {
        refused(&format!("no {name}"), &signed(&text, with(claims(), name, None), KEY));
    }
    let good = claims().to_string();
    for twice in [r#""tid":"t2","#, r#""exp":1,"#] {
        refused("twice", &signed(&text, good.replacen('{', &format!("{{{twice}"), 1), KEY));
        refused("twice", &signed(&text, format!("{},{}}}", &good[..good.len() - 1], &twice[..twice.len() - 1]), KEY));
    }
    refused("1e400", &signed(&text, good.replace(&(NOW + 600).to_string(), "1e400"), KEY));
}

#[test]
fn no_other_format_passes() {
    let (text, good) = (header().to_string(), token());
    let deep = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    for payload in ["foo", "[]", "", "null", &deep, &"x".repeat(1_000_000)] {
        refused("payload", &signed(&text, payload, KEY));
    }
    refused("not UTF-8", &signed(&text, b"{\"sub\":\"\xff\"}", KEY));
    let array = claims().as_object().unwrap().values().cloned().collect::<Vec<_>>();
    refused("claims as an array", &signed(&text, Value::from(array).to_string(), KEY));
    for bad in [
        format!("{good}.x"),
        format!("{good}.x.y"),
        format!("{good}."),
        format!(".{good}"),
        String::new(),
        "..".into(),
        ".".into(),
        format!(" {good}"),
        format!("{good}\n"),
        good.replacen('.', ". ", 1),
        format!("Bearer {good}"),
        json!({"payload": good, "signatures": []}).to_string(),
        "a".repeat(1_000_000),
        format!("{good}{}", "A".repeat(4_096)),
    ] {
        refused("format", &bad);
    }
    refused("an API key", "pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO");
}

#[test]
fn time_claims_have_exact_limits() {
    let text = header().to_string();
    let times = |iat: i64, exp: i64| {
        let payload = with(claims(), "iat", Some(json!(iat)));
        code_of(&signed(&text, with(serde_json::from_str(&payload).unwrap(), "exp", Some(json!(exp))), KEY))
    };
    assert_eq!(times(NOW + 5, NOW + 60), None);
    assert_eq!(times(NOW + 6, NOW + 60), Some(Code::Unauthorized));
    assert_eq!(times(NOW, NOW + 3_600), None);
    assert_eq!(times(NOW, NOW + 3_601), Some(Code::Unauthorized));
    assert_eq!(times(NOW, NOW + 1), None);
    assert_eq!(times(NOW + 5, NOW + 5), Some(Code::Unauthorized));
}

#[test]
fn a_token_that_could_not_be_verified_is_not_issued() {
    let scope = Scope { tenant: tenant(), mode: Mode::Live };
    let ask = |config: &Config, visitor: &str, user: &Visitor| {
        let request = TokenRequest {
            scope: &scope,
            external_user_id: visitor,
            session_id: None,
            user: Some(user),
            preview_of: None,
            ttl_seconds: 900,
        };
        issue(config, &Runtime::system(), &request)
    };
    let longest = |letter: &str| {
        let user = Visitor { name: Some(letter.repeat(100)), email: Some(letter.repeat(254)), verified: true };
        (letter.repeat(200), user)
    };
    // The longest of everything is read back, in letters of four bytes and in ones that JSON writes with two.
    for letter in ["\u{1f642}", "\"", "\\"] {
        let (visitor, user) = longest(letter);
        let issued = ask(&config(), &visitor, &user).unwrap();
        verify(&config(), Timestamp::from_millis(issued.expires_at.as_millis() - 1000), &issued.token).unwrap();
    }
    // Room is left for an issuer of an ordinary length only.
    let (visitor, user) = longest("\u{1f642}");
    let wordy = Config { widget_token_issuer: "i".repeat(2_000), ..config() };
    let refused = ask(&wordy, &visitor, &user).err().unwrap();
    assert_eq!((refused.code(), refused.details()[0].code.as_str()), (Code::ValidationError, "TOO_LONG"));
}

fn member_claim() -> Value {
    json!({"id": MemberId::from_parts(now(), 4), "gen": 2, "sin": SignInId::from_parts(now(), 5)})
}

/// The claims of a preview, whose member is `member`.
fn preview(member: Option<Value>) -> String {
    let claims: Value = serde_json::from_str(&with(claims(), "sub", Some(json!("preview_1")))).unwrap();
    with(claims, "mem", member)
}

#[test]
fn a_preview_names_its_member_and_nobody_else_does() {
    let text = header().to_string();
    let owner = verify(&config(), now(), &signed(&text, preview(Some(member_claim())), KEY)).unwrap().preview_of;
    let (member_id, sign_in) = (MemberId::from_parts(now(), 4), SignInId::from_parts(now(), 5));
    assert_eq!(owner, Some(PreviewOwner { member_id, generation: 2, sign_in }));
    refused("a preview of nobody", &signed(&text, preview(None), KEY));
    refused("a customer with a member", &signed(&text, with(claims(), "mem", Some(member_claim())), KEY));
    for (name, value) in [("id", json!("mem_x")), ("gen", json!(-1)), ("sin", json!("")), ("roles", json!([]))] {
        let mut wrong = member_claim();
        wrong[name] = value;
        refused(name, &signed(&text, preview(Some(wrong)), KEY));
    }
    for name in ["id", "gen", "sin"] {
        let mut less = member_claim();
        less.as_object_mut().unwrap().remove(name);
        refused(&format!("no {name}"), &signed(&text, preview(Some(less)), KEY));
    }
}

/// The code for a token of the previous key, `minutes` after its change, with an `iat` so many seconds after it.
fn of_the_previous_key(set: &WidgetKeySet, minutes: i64, iat: i64, exp: i64) -> Option<Code> {
    let changed = set.changed_at.unwrap().as_seconds();
    let mut claims = claims();
    (claims["iat"], claims["exp"]) = (json!(changed + iat), json!(changed + exp));
    let token = signed(with(header(), "kid", Some(json!("k1"))), claims.to_string(), OLD_KEY);
    let now = Timestamp::from_millis((changed + minutes * 60) * 1_000);
    super::verify("support-assistant", set, now, &token).err().map(|error| error.code())
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
        assert_eq!(super::verify("support-assistant", &set, now(), &old).is_ok(), is_good, "{changed_at}");
        assert!(super::verify("support-assistant", &set, now(), &token()).is_ok());
    }
    let unknown = WidgetKeySet { changed_at: None, ..set };
    assert!(super::verify("support-assistant", &unknown, now(), &old).is_err());
}
