//! `If-Match` (RFC 9110, section 13.1.1): a change is made only to the version that its sender has read.
//!
//! The comparison is strong. A foreign, weak or malformed entity tag matches nothing.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, header};
use schemars::{SchemaGenerator, json_schema};

use crate::describe::{Input, Operation, Parameter, ParameterLocation};
use domain::error::Code;
use domain::{Error, Result};

/// The precondition of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfMatch {
    /// The header is missing: any version will do.
    Absent,
    /// `*`: anything that exists.
    Any,
    /// One of these tags, as written.
    OneOf(Vec<String>),
}

impl IfMatch {
    /// Reads the header; several lines are one list.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let lines: Vec<_> = headers.get_all(header::IF_MATCH).iter().collect();
        if lines.is_empty() {
            return Self::Absent;
        }
        let tags = lines.iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        let tags: Vec<_> = tags.map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
        if tags == ["*"] { Self::Any } else { Self::OneOf(tags) }
    }

    /// Passes something of `version`.
    ///
    /// # Errors
    /// 412 `PRECONDITION_FAILED` if the header names other versions.
    pub fn check(&self, version: u64) -> Result<()> {
        let met = match self {
            Self::Absent | Self::Any => true,
            Self::OneOf(tags) => tags.contains(&etag(version)),
        };
        if met {
            return Ok(());
        }
        Err(Error::new(Code::PreconditionFailed, "The version does not match If-Match."))
    }
}

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> std::result::Result<Self, Infallible> {
        Ok(Self::from_headers(&parts.headers))
    }
}

impl Input for IfMatch {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.parameters.push(Parameter {
            place: ParameterLocation::Header,
            name: "If-Match".into(),
            about: "The `ETag` that the change is made from; 412 where it differs.".into(),
            schema: json_schema!({"type": "string"}),
        });
        operation.errors.insert(Code::PreconditionFailed);
    }
}

/// The strong entity tag of a version.
#[must_use]
pub fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn passes(lines: &[&str], version: u64) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_MATCH, HeaderValue::from_str(line).unwrap());
        }
        IfMatch::from_headers(&headers).check(version).is_ok()
    }

    #[test]
    fn only_the_strong_tag_of_the_version_or_a_star_passes() {
        for good in [&[][..], &["*"], &["\"3\""], &["\"1\", \"3\""], &["\"1\"", "\"3\""], &[" \"3\" ,"]] {
            assert!(passes(good, 3), "{good:?}");
        }
        for bad in
            [&[""][..], &["\"2\""], &["W/\"3\""], &["3"], &["\"33\""], &["\"3"], &["*, \"2\""], &["\"03\""], &["é"]]
        {
            assert!(!passes(bad, 3), "{bad:?}");
        }
    }

    #[test]
    fn fuzzed_headers() {
        const WORDS: &[&str] = &["\"", "3", "\"3\"", "\"2\"", "W/", "*", ",", ", ", " ", "\t", "é", "33", "0"];
        fuzz::texts!(WORDS, |text| {
            if HeaderValue::from_str(text).is_ok() && passes(&[text], 3) {
                let strong = text.replace("W/\"3\"", "");
                assert!(strong.contains("\"3\"") || text.replace([',', ' ', '\t'], "") == "*", "{text:?}");
            }
        });
    }
}
