//! Keys, tokens and cursors.

use std::sync::{Arc, LazyLock};

use aws::config::{WidgetKeySet, WidgetTokenKey};
use domain::access::ApiKey;
use domain::clock::Runtime;
use domain::models::{ApiKeyId, Mode, Scope, TenantId, Timestamp};
use serde_json::{Value, json};
use support::edge::auth::{IssuedToken, TokenRequest, issue, verify};
use support::edge::cursor::{CursorKeys, ListId, decode, encode};
use support::ingest::table::IngestPlace;
use support::sessions::table::escalations::InboxPlace;
use support::sessions::table::lists::DayCursor;

const KEY: &str = "pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO";
const WORDS: &[&str] = &[
    KEY,
    "pk_live_",
    "pk_test_",
    "pk_",
    "abcdefghijklmnopqrstuvwxyzABCD",
    "3AEZJO",
    "A",
    "0",
    "z",
    ".",
    "-",
    "_",
    "=",
    "eyJ",
    "é",
    "\u{0}",
    "e30",
    "eyJsIjoi",
    "eyJhbGciOiJub25lIn0",
    " ",
    "\n",
];

#[test]
fn api_keys() {
    fuzz::texts!(WORDS, |text| {
        let Some(key) = ApiKey::parse(text) else { return };
        assert_eq!(key.expose(), text);
        assert_eq!(text.len(), KEY.len());
        assert!(text.starts_with(&key.prefix()) && key.prefix().len() < 16, "{text}");
        assert!(!format!("{key:?} {:?}", key.hash()).contains(text), "{text}");
        let mut other = text.to_owned();
        let last = other.pop().unwrap();
        other.push(if last == 'A' { 'B' } else { 'A' });
        assert!(ApiKey::parse(&other).is_none(), "{other}");
    });
}

struct Signed {
    keys: WidgetKeySet,
    now: Timestamp,
    token: IssuedToken,
}

static SIGNED: LazyLock<Signed> = LazyLock::new(|| {
    let keys = WidgetKeySet::of(WidgetTokenKey { kid: "k1".into(), secret: vec![7; 32] });
    let runtime = Runtime::system();
    let now = runtime.now();
    let scope = Scope { tenant: TenantId::from_parts(now, 7), mode: Mode::Live };
    let request = TokenRequest {
        scope: &scope,
        external_user_id: "ann",
        session_id: None,
        user: None,
        preview_of: None,
        ttl_seconds: 900,
    };
    let token = issue("support", &keys.current, &runtime, &request).unwrap();
    Signed { keys, now, token }
});

#[test]
fn widget_tokens() {
    fuzz::texts!(WORDS, |text| {
        let Signed { keys, now, token } = &*SIGNED;
        assert!(verify("support", keys, *now, &token.token).is_ok());
        // The text stands in the place of a part, of the end, and alone.
        let [header, payload, mac] = token.token.split('.').collect::<Vec<_>>()[..] else { panic!("{}", token.token) };
        let cut: String = token.token.chars().take(token.token.len() - text.chars().count().min(9)).collect();
        for forged in [
            text.to_owned(),
            format!("{text}.{payload}.{mac}"),
            format!("{header}.{text}.{mac}"),
            format!("{header}.{payload}.{text}"),
            format!("{cut}{text}"),
        ] {
            assert!(forged == token.token || verify("support", keys, *now, &forged).is_err(), "{forged}");
        }
    });
}

fn cursor_keys() -> CursorKeys {
    CursorKeys::new(Arc::new(WidgetKeySet::of(WidgetTokenKey { kid: "k1".into(), secret: vec![7; 32] })))
}

#[test]
fn cursors() {
    fuzz::texts!(WORDS, |text| {
        let (list, other) = (
            ListId::new("sessions", &[Some(text)], cursor_keys()),
            ListId::new("sessions", &[Some(text), None], cursor_keys()),
        );
        let read: Option<(String, u32)> = decode(&list, text);
        assert_eq!(read, None, "a text that names no list");
        let cursor = encode(&list, &(text, 7_u32)).unwrap();
        let read: Option<(String, u32)> = decode(&list, &cursor);
        assert!(read == Some((text.to_owned(), 7)) || cursor.len() > 2_048, "{text:?}");
        assert_eq!(decode::<(String, u32)>(&other, &cursor), None);
    });
}

/// A position of a cursor is a key that an item can have: it has no other characters than keys do, and comes back.
fn check_position<P: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(given: &Value) {
    let list = ListId::new("ten_1 live /api/v1/sessions", &[None], cursor_keys());
    let Some(position) = decode::<P>(&list, &encode(&list, given).unwrap()) else { return };
    let shown = serde_json::to_string(&position).unwrap();
    assert!(shown.bytes().all(|b| b.is_ascii_alphanumeric() || b"[]{}\",:_.-".contains(&b)), "{shown}");
    assert_eq!(decode::<P>(&list, &encode(&list, &position).unwrap()), Some(position), "{shown}");
}

const AT: &str = "2026-01-02T03:04:05.678Z";

#[test]
fn cursors_of_keys() {
    fuzz::mutations!(json!("key_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"), check_position::<ApiKeyId>);
}

#[test]
fn cursors_of_sessions() {
    fuzz::mutations!(json!({"d": AT, "k": "ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"}), check_position::<DayCursor>);
}

#[test]
fn cursors_of_ingest_jobs() {
    fuzz::mutations!(json!([AT, "ing_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"]), check_position::<IngestPlace>);
}

#[test]
fn cursors_of_the_inbox() {
    fuzz::mutations!(json!(["high", AT, "esc_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"]), check_position::<InboxPlace>);
}
