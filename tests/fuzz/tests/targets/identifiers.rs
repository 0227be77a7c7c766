//! Paths, prefixes, ids and times.

use domain::models::{MessageId, PathPrefix, SessionId, Timestamp, WikiPath};
use text::slug;

const WORDS: &[&str] = &[
    "/",
    "//",
    "a",
    "billing",
    "refunds",
    ".",
    "..",
    "-",
    "_",
    "%2F",
    "%",
    "\\",
    "é",
    "\u{0}",
    " ",
    "A",
    "0",
    "z9",
    "ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG",
    "msg_01JDB8Q7XKZ3T5V9W2Y4A6C8EG",
    "ses_",
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "ilou",
    "2026-01-02T03:04:05.678Z",
    "2026-",
    "-01-",
    "T23:59:60",
    "+14:00",
    "Z",
    "z",
    "T",
    ":",
    "9999-12-31T23:59:59.999999999Z",
    "0000",
    "Größe",
    "返金",
    "🙂",
    "'",
];

#[test]
fn wiki_paths() {
    fuzz::texts!(WORDS, |text| {
        if let Ok(path) = WikiPath::parse(text) {
            assert_eq!((path.as_str(), WikiPath::parse(path.as_str()).as_ref()), (text, Ok(&path)));
            assert!(text.is_ascii() && text.len() <= 512 && !text.contains("//"), "{text}");
            assert!(!text.split('/').any(|segment| segment.starts_with('.')), "{text}");
            assert!((2..=8).contains(&text.split('/').count()), "{text}");
        }
        let named = slug(text, 80);
        assert!(named.len() <= 80 && slug(&named, 80) == named, "{text:?} {named}");
        if let Ok(prefix) = PathPrefix::parse(text) {
            assert_eq!(prefix.as_str(), text);
            let path = prefix.path(if named.is_empty() { "x" } else { &named });
            assert!(path.is_some_and(|path| path.as_str().starts_with(text)), "{text} {named}");
        }
    });
}

#[test]
fn ids_and_times() {
    fuzz::texts!(WORDS, |text| {
        if let Some(id) = SessionId::parse(text) {
            assert_eq!(id.as_str(), text);
            assert_eq!(SessionId::parse(&id.to_string()), Some(id));
        }
        if let Some(id) = MessageId::parse(text) {
            assert!(id.as_str() == text && id.turn_number() < 1 << 24, "{text}");
        }
        if let Some(time) = Timestamp::parse(text) {
            assert_eq!(Timestamp::parse(&time.to_string()), Some(time), "{text}");
        }
    });
}
