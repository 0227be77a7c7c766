//! One query string being read.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::error::{Detail, DetailCode};

use crate::cursor::CursorKeys;

/// How many unknown parameters are named in an answer, and in how many characters each.
const MAX_UNKNOWN: usize = 20;
const MAX_UNKNOWN_CHARS: usize = 100;

/// The parameter that names a place in a list.
pub(super) const CURSOR: &str = "cursor";

/// One query string being read.
#[derive(Debug, Default)]
pub struct Query {
    values: BTreeMap<String, Vec<Option<String>>>,
    /// The list that it asks for, and its owner.
    pub(super) list: String,
    /// The keys of its cursors.
    pub(super) keys: CursorKeys,
    pub(super) problems: RefCell<Vec<Detail>>,
}

impl Query {
    /// Reads names and values; nothing is validated yet.
    pub(super) fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // A name that does not decode is none that anybody asks for.
            let name = decode(name).unwrap_or_else(|| name.to_owned());
            query.values.entry(name).or_default().push(decode(value));
        }
        query
    }

    /// A parameter's one value; empty, twice or undecodable is a problem. An empty cursor is none: many clients send the
    /// `nextCursor` that they do not have yet.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        match self.values.get(name)?.as_slice() {
            [Some(value)] if value.is_empty() && name == CURSOR => None,
            [Some(value)] if value.is_empty() => self.reject(name, DetailCode::Empty, "must not be empty"),
            [Some(value)] => Some(value),
            [None] => self.reject(name, DetailCode::InvalidEncoding, "must be percent-encoded UTF-8"),
            _ => self.reject(name, DetailCode::Duplicate, "must be given once"),
        }
    }

    /// Reports a problem.
    pub(super) fn reject<T>(&self, name: &str, code: DetailCode, message: impl Into<String>) -> Option<T> {
        let detail = Detail { field: Some(name.to_owned()), code, message: message.into().into() };
        self.problems.borrow_mut().push(detail);
        None
    }

    /// Reports the parameters that are none of `known`.
    pub(super) fn reject_unknown(&self, known: &[&str]) {
        let message = match known {
            [] => "this operation takes no query parameters".to_owned(),
            known => format!("must be one of {}", known.join(", ")),
        };
        let unknown = self.values.keys().filter(|name| !known.contains(&name.as_str()));
        for name in unknown.take(MAX_UNKNOWN) {
            let name: String = name.chars().take(MAX_UNKNOWN_CHARS).collect();
            let _: Option<()> = self.reject(&name, DetailCode::UnknownParameter, message.clone());
        }
    }

    /// Reports a problem if both parameters are given.
    pub fn either(&self, one: &str, other: &str) {
        let is_given = |name: &str| match self.values.get(name).map(Vec::as_slice) {
            Some([Some(value)]) => name != CURSOR || !value.is_empty(),
            given => given.is_some(),
        };
        if is_given(one) && is_given(other) {
            let _: Option<()> = self.reject(other, DetailCode::Conflict, format!("give {one} or {other}, not both"));
        }
    }
}

/// `application/x-www-form-urlencoded`, strictly: a broken escape or invalid UTF-8 is refused.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => hex(rest.next()?)? << 4 | hex(rest.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
