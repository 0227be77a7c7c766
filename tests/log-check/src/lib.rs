//! Fails a test whose service logged a credential or what people wrote.
//!
//! A test client gives [`Confidential`] what it sends and receives. When the service stops, its log is searched for all
//! of it in one pass.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails says where")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use aho_corasick::AhoCorasick;
use serde_json::Value;

/// The fields that hold a credential.
const CREDENTIALS: [&str; 3] = ["key", "secret", "token"];

/// The fields that hold what people or a model wrote.
const TEXTS: [&str; 22] = [
    "aboutMe",
    "answer",
    "content",
    "description",
    "email",
    "excerpt",
    "failure",
    "farewell",
    "greeting",
    "handover",
    "name",
    "noAnswer",
    "note",
    "q",
    "query",
    "question",
    "reason",
    "resolution",
    "summary",
    "text",
    "thanks",
    "title",
];

/// Credentials that are shorter name nobody: a test made them up to be refused.
const MIN_CREDENTIAL_CHARS: usize = 8;
/// A shorter text can stand in a log by accident.
const MIN_TEXT_CHARS: usize = 12;
/// The characters of a longer text that are searched for, so that a part of it is found too.
const MAX_TEXT_CHARS: usize = 32;

/// The texts that the log of a service must not hold. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Confidential(Arc<Mutex<BTreeSet<String>>>);

impl Confidential {
    /// Adds an API key, a token or a secret.
    pub fn add_credential(&self, credential: &str) {
        if credential.chars().count() >= MIN_CREDENTIAL_CHARS {
            self.0.lock().unwrap().insert(credential.to_owned());
        }
    }

    /// Adds the credentials, the texts and the e-mail addresses of a request's or a response's body.
    pub fn add_body(&self, body: &Value) {
        match body {
            // The path of an entry is no text, and the parts of its highlight are neither.
            Value::Object(fields) if fields.get("field").is_some_and(|field| field == "path") => {}
            Value::Object(fields) => fields.iter().for_each(|(name, value)| self.add_field(name, value)),
            Value::Array(items) => items.iter().for_each(|item| self.add_body(item)),
            Value::String(text) if is_email(text) => self.add_text(text),
            _ => {}
        }
    }

    /// Adds the search text of a request's target.
    pub fn add_target(&self, target: &str) {
        let pairs = target.split_once('?').map_or("", |(_, query)| query).split('&');
        for text in pairs.filter_map(|pair| pair.strip_prefix("q=")) {
            self.add_text(text);
            self.add_text(&text.replace("%20", " ").replace('+', " "));
        }
    }

    fn add_field(&self, name: &str, value: &Value) {
        match value {
            Value::String(text) if CREDENTIALS.contains(&name) => self.add_credential(text),
            Value::String(text) if TEXTS.contains(&name) || is_email(text) => self.add_text(text),
            // Metadata, and a string as DynamoDB writes it.
            Value::Object(fields) if name == "metadata" || TEXTS.contains(&name) => {
                fields.values().filter_map(Value::as_str).for_each(|text| self.add_text(text));
            }
            other => self.add_body(other),
        }
    }

    /// Adds the beginning of the longest part of `text` that a log writes as it is.
    fn add_text(&self, text: &str) {
        let parts = text.split(|c: char| c.is_control() || c == '"' || c == '\\').map(str::trim);
        let longest: String =
            parts.max_by_key(|part| part.len()).unwrap_or_default().chars().take(MAX_TEXT_CHARS).collect();
        if longest.chars().count() >= MIN_TEXT_CHARS {
            self.0.lock().unwrap().insert(longest);
        }
    }

    /// The first line of `log` that holds something of it, with what it holds.
    #[must_use]
    pub fn leak<'l>(&self, log: impl IntoIterator<Item = &'l str>) -> Option<String> {
        let texts = self.0.lock().unwrap();
        let search = AhoCorasick::new(texts.iter()).unwrap();
        let found = log.into_iter().find_map(|line| search.find(line).map(|found| (line, found.range())));
        found.map(|(line, range)| format!("{:?} is in a log line: {line}", line.get(range).unwrap_or_default()))
    }

    /// Fails when `log` holds something of it, unless the test failed already.
    pub fn assert_not_in<'l>(&self, log: impl IntoIterator<Item = &'l str>) {
        if !std::thread::panicking()
            && let Some(leak) = self.leak(log)
        {
            panic!("{leak}");
        }
    }
}

fn is_email(text: &str) -> bool {
    text.contains('@') && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_that_a_log_must_not_hold_is_found() {
        let confidential = Confidential::default();
        confidential.add_credential("pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO");
        confidential.add_target("/wiki?limit=2&q=where%20is%20my%20parcel");
        confidential.add_body(&json!({
            "content": "He said \"I never got the parcel from you\"\nand left",
            "user": {"email": "z@example.org"},
            "items": [{"secret": "whsec_12345678"}, {"token": "aaaa.bbbb.cccc"}],
            "metadata": {"order": "the blue one of May"}, "note": {"S": "as the stream of the table has it"},
            "externalUserId": "ann@example.org",
            "path": "billing/refunds/and-more", "code": "UNAUTHORIZED", "title": "Refunds",
        }));
        for line in [
            "refused pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO",
            "searched for where is my parcel",
            "GET /wiki?q=where%20is%20my%20parcel",
            "stored Message { content: \"He said \\\"I never got the parcel from you\\\"\" }",
            "I never got the parcel from you and the rest of it",
            "sent to z@example.org",
            "session of ann@example.org",
            "signed with whsec_12345678",
            "Bearer aaaa.bbbb.cccc",
            "order=the blue one of May",
            "record as the stream of the table has it",
        ] {
            assert!(confidential.leak(["fine", line]).is_some(), "{line}");
        }
        let fine = ["wrote billing/refunds/and-more", "UNAUTHORIZED", "Refunds are answered", "session ses_01"];
        assert_eq!(confidential.leak(fine), None);
        assert_eq!(Confidential::default().leak(["anything"]), None);
    }
}
