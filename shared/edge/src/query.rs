//! Reads a query string: each parameter once, nothing trimmed, every problem reported.

use crate::{ApiError, ApiResult};
use std::cell::RefCell;
use std::collections::BTreeMap;

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;

use super::cursor::{self, List};
use domain::error::Detail;
use domain::{Error, Result};
use text::is_blank;

/// A type that parses itself from a query string and reports every problem; `None` comes with at least one.
pub trait FromQuery: Sized {
    /// Reads all parameters first, then builds.
    fn from_query(query: &mut Query) -> Option<Self>;
}

/// The parameters of a request.
#[derive(Debug, Clone)]
pub struct QueryIn<T>(pub T);

/// One query string being read.
#[derive(Debug, Default)]
pub struct Query {
    values: BTreeMap<String, Vec<Option<String>>>,
    problems: RefCell<Vec<Detail>>,
}

impl<S: Send + Sync, T: FromQuery> FromRequestParts<S> for QueryIn<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        Ok(Self(read(parts.uri.query().unwrap_or_default())?))
    }
}

fn read<T: FromQuery>(text: &str) -> Result<T> {
    let mut query = Query::parse(text);
    let built = T::from_query(&mut query);
    let problems = query.problems.take();
    match built {
        Some(built) if problems.is_empty() => Ok(built),
        _ => Err(Error::validation(problems)),
    }
}

impl Query {
    fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // A name that does not decode is none that anybody asks for.
            let Some(name) = decode(name) else { continue };
            query.values.entry(name).or_default().push(decode(value));
        }
        query
    }

    /// Reports a problem of parameter `name`; `code` is `UPPER_SNAKE`.
    pub fn problem(&self, name: &str, code: &'static str, message: impl Into<String>) {
        let detail = Detail { field: Some(name.to_owned()), code: code.into(), message: message.into().into() };
        self.problems.borrow_mut().push(detail);
    }

    /// Whether a parameter is there, empty or not.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// A parameter's one value; empty, twice or undecodable is a problem.
    fn value(&self, name: &str) -> Option<&str> {
        match self.values.get(name)?.as_slice() {
            [Some(value)] if value.is_empty() => self.refuse(name, "EMPTY", "must not be empty"),
            [Some(value)] => Some(value),
            [None] => self.refuse(name, "INVALID_ENCODING", "must be percent-encoded UTF-8"),
            _ => self.refuse(name, "DUPLICATE", "must be given once"),
        }
    }

    fn refuse<T>(&self, name: &str, code: &'static str, message: impl Into<String>) -> Option<T> {
        self.problem(name, code, message);
        None
    }

    /// A text of `min` to `max` characters without control characters; white space and invisible characters alone are
    /// refused.
    #[must_use]
    pub fn text(&self, name: &str, min: usize, max: usize) -> Option<String> {
        let value = self.value(name)?;
        let length = value.chars().count();
        if !(min..=max).contains(&length) {
            return self.refuse(name, "OUT_OF_RANGE", format!("must have {min} to {max} characters"));
        }
        if value.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return self.refuse(name, "INVALID_CHARACTER", "must not contain control characters");
        }
        if is_blank(value) {
            return self.refuse(name, "BLANK", "must contain a visible character");
        }
        Some(value.to_owned())
    }

    /// A text that `parse` turns into a value; its error is shown to people.
    pub fn parsed<T>(&self, name: &str, parse: impl FnOnce(&str) -> Result<T, &'static str>) -> Option<T> {
        let value = self.value(name)?;
        parse(value).map_or_else(|message| self.refuse(name, "INVALID_FORMAT", message), Some)
    }

    /// One of a few words; `allowed` is for the message.
    pub fn choice<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>, allowed: &[&str]) -> Option<T> {
        let value = self.value(name)?;
        let unknown = || self.refuse(name, "NOT_ALLOWED", format!("must be one of {}", allowed.join(", ")));
        parse(value).map_or_else(unknown, Some)
    }

    /// A whole number from `min` to `max` in plain digits.
    #[must_use]
    pub fn integer(&self, name: &str, min: u64, max: u64) -> Option<u64> {
        let value = self.value(name)?;
        let unsigned = value.strip_prefix('-').unwrap_or(value);
        if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
            return self.refuse(name, "WRONG_TYPE", "must be a whole number in plain digits");
        }
        let in_range = value.parse::<u64>().ok().filter(|number| (min..=max).contains(number));
        in_range.or_else(|| self.refuse(name, "OUT_OF_RANGE", format!("must be between {min} and {max}")))
    }

    /// `limit`: 1-100, by default 20.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.integer("limit", 1, 100).and_then(|limit| usize::try_from(limit).ok()).unwrap_or(20)
    }

    /// `page` (from 1, by default 1) and `limit`, whose product is at most 10,000.
    #[must_use]
    pub fn page_and_limit(&self) -> (usize, usize) {
        let limit = self.limit();
        let page = self.integer("page", 1, 10_000).and_then(|page| usize::try_from(page).ok()).unwrap_or(1);
        if page.saturating_mul(limit) > 10_000 {
            self.problem("page", "OUT_OF_RANGE", "page times limit must be at most 10000");
        }
        (page, limit)
    }

    /// `cursor`: a position that an earlier answer of the same `list` gave as `nextCursor`.
    #[must_use]
    pub fn cursor<T: DeserializeOwned>(&self, list: &List) -> Option<T> {
        let wanted = "must be the nextCursor of an earlier response with the same filters";
        self.parsed("cursor", |text| cursor::decode(list, text).ok_or(wanted))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Paged(usize, usize);

    impl FromQuery for Paged {
        fn from_query(query: &mut Query) -> Option<Self> {
            let (page, limit) = query.page_and_limit();
            Some(Self(page, limit))
        }
    }

    #[test]
    fn numbers_are_plain_digits_in_range_or_refused() {
        assert_eq!(read::<Paged>("").unwrap(), Paged(1, 20));
        assert_eq!(read::<Paged>("limit=100&page=100&unknown=1&unknown=2").unwrap(), Paged(100, 100));
        for bad in [
            "limit=0",
            "limit=-1",
            "limit=101",
            "limit=1e2",
            "limit=",
            "limit",
            "limit=abc",
            "limit=９９",
            "limit=%EF%BC%99",
            "limit=1&limit=2",
            "limit=+5",
            "limit=%2B5",
            "limit=9999999999999999999",
            "limit=99999999999999999999",
            "limit=30.5",
            "limit=NaN",
            "limit=%zz",
            "limit=%ff",
            "limit=%",
            "limit=-",
            "page=101&limit=100",
            "page=0",
        ] {
            let details = read::<Paged>(bad).unwrap_err().details().to_vec();
            assert_eq!(details.len(), 1, "{bad}");
        }
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        assert_eq!(read::<Paged>("limit=0&page=x").unwrap_err().details().len(), 2);
    }

    #[test]
    fn texts_are_decoded_and_judged() {
        let text = |query: &str| Query::parse(query).text("q", 1, 5);
        assert_eq!(text("q=a+b%2Bc"), Some("a b+c".to_owned()));
        assert_eq!(text("q=%C3%A9"), Some("é".to_owned()));
        for bad in ["q=", "q=abcdef", "q=%00", "q=+", "q=%E2%82", "q=a&q=a"] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
