//! Conditional requests by entity tags.
//!
//! `If-Match` (RFC 9110, section 13.1.1): a change is made only to the version that its sender has read. The comparison is
//! strong. A foreign, weak or malformed entity tag matches nothing.
//!
//! `If-None-Match` (RFC 9110, section 13.1.2): an answer is sent only if it differs from the one that its caller has. The
//! entity tag of what is polled is made of a revision and of what was asked for, by whom: tenant, mode, path and
//! query. So a tag says nothing of another list or another tenant. The comparison is weak.

use std::convert::Infallible;
use std::fmt::Display;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use domain::access::Principal;
use domain::error::Code;
use domain::{Error, Result, sha256_hex_of_parts};
use http::header::{self, HeaderName};
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use schemars::{SchemaGenerator, json_schema};

use crate::edge::describe::{Answer, Input, Operation, Output, Parameter, ParameterLocation};
use crate::edge::respond::Tagged;
use crate::edge::{ApiError, ApiResult};

/// How much of the hash of what is asked for a tag has, in characters.
const ASKED_CHARS: usize = 16;

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
    fn from_headers(headers: &HeaderMap) -> Self {
        if !headers.contains_key(header::IF_MATCH) {
            return Self::Absent;
        }
        let tags = tags(headers, header::IF_MATCH);
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
        Err(failed("The version does not match If-Match."))
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
        describe_header(operation, "If-Match", "The `ETag` that the change is made from; 412 where it differs.");
        operation.errors.insert(Code::PreconditionFailed);
    }
}

/// The preconditions of a `PUT`: `If-Match`, and `If-None-Match` (RFC 9110, section 13.1.2), which by `*` lets it only make
/// what is not there.
#[derive(Debug, Clone)]
pub struct PutConditions {
    if_match: IfMatch,
    /// The tags of `If-None-Match`, as written.
    unless: Vec<String>,
}

impl PutConditions {
    /// Passes what there is, of `version`, or that there is nothing.
    ///
    /// # Errors
    /// 412 `PRECONDITION_FAILED`.
    pub fn check(&self, version: Option<u64>) -> Result<()> {
        let is_excluded = version.is_some_and(|version| {
            self.unless.iter().any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag(version))
        });
        match version {
            None if self.if_match != IfMatch::Absent => Err(failed("There is nothing that could match If-Match.")),
            _ if is_excluded => Err(failed("There is one that If-None-Match excludes.")),
            None => Ok(()),
            Some(version) => self.if_match.check(version),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for PutConditions {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> std::result::Result<Self, Infallible> {
        let unless = tags(&parts.headers, header::IF_NONE_MATCH);
        Ok(Self { if_match: IfMatch::from_headers(&parts.headers), unless })
    }
}

impl Input for PutConditions {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        IfMatch::describe(operation, generator);
        describe_header(operation, "If-None-Match", "`*`: only if there is none yet; 412 if there is one.");
    }
}

fn failed(message: &'static str) -> Error {
    Error::new(Code::PreconditionFailed, message)
}

/// The strong entity tag of a version.
#[must_use]
pub fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

/// The `If-None-Match` of a request. It comes after the caller among a handler's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IfNoneMatch {
    /// The tags that the caller has, as written; `*` is any.
    has: Vec<String>,
    /// A hash of what is asked for.
    asked: String,
}

impl IfNoneMatch {
    fn new(headers: &HeaderMap, caller: &Principal, path: &str, query: &str) -> Self {
        let scope = caller.scope();
        let mut asked = sha256_hex_of_parts(&[scope.tenant.as_str(), scope.mode.as_str(), path, query]);
        asked.truncate(ASKED_CHARS);
        Self { has: tags(headers, header::IF_NONE_MATCH), asked }
    }

    /// The entity tag of `revision` of what is asked for.
    #[must_use]
    pub fn tag(&self, revision: impl Display) -> String {
        format!("W/\"{revision}.{}\"", self.asked)
    }

    /// Whether the caller has what `tag` is of.
    #[must_use]
    pub fn names(&self, tag: &str) -> bool {
        let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
        self.has.iter().any(|has| has == "*" || opaque(has) == opaque(tag))
    }
}

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let caller = parts.extensions.get::<Principal>();
        let caller = caller.ok_or_else(|| Error::internal("a conditional request has no caller"))?;
        Ok(Self::new(&parts.headers, caller, parts.uri.path(), parts.uri.query().unwrap_or_default()))
    }
}

impl Input for IfNoneMatch {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        let about = "The `ETag` of the answer that the caller has; 304 where nothing is new. A 304 counts as a tenth of a \
                     call.";
        describe_header(operation, "If-None-Match", about);
    }
}

/// An answer with its entity tag, or 304 for a caller who has it.
#[derive(Debug, Clone)]
pub enum Conditional<R> {
    /// An answer that the caller does not have.
    New(Tagged<R>),
    /// The tag of what it has.
    NotModified(String),
}

impl<R> Conditional<R> {
    /// An answer that the caller does not have.
    pub const fn new(etag: String, answer: R) -> Self {
        Self::New(Tagged { etag, answer })
    }
}

impl<R: IntoResponse> IntoResponse for Conditional<R> {
    fn into_response(self) -> Response {
        match self {
            Self::New(tagged) => tagged.into_response(),
            Self::NotModified(etag) => (StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response(),
        }
    }
}

impl<R: Output> Output for Conditional<R> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        Tagged::<R>::describe(operation, generator);
        let headers = vec![("ETag", "The version that the caller has.")];
        operation.answers.push(Answer { status: StatusCode::NOT_MODIFIED, headers, schema: None });
    }
}

/// The entity tags of a header, as written; several lines are one list.
fn tags(headers: &HeaderMap, name: HeaderName) -> Vec<String> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    let tags = lines.flat_map(|line| line.split(',')).map(str::trim);
    tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

fn describe_header(operation: &mut Operation, name: &str, about: &str) {
    let (place, schema) = (ParameterLocation::Header, json_schema!({"type": "string"}));
    operation.parameters.push(Parameter { place, name: name.to_owned(), about: about.to_owned(), schema });
}

#[cfg(test)]
mod tests {
    use domain::models::{ApiKeyId, Mode, Role, Scope, TenantId, Timestamp};
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

    fn asked(lines: &[&str], mode: Mode, query: &str) -> IfNoneMatch {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_NONE_MATCH, HeaderValue::from_str(line).unwrap());
        }
        let tenant = TenantId::from_parts(Timestamp::from_millis(1), 1);
        let key_id = ApiKeyId::from_parts(Timestamp::from_millis(1), 1);
        let caller = Principal::Key { key_id, scope: Scope { tenant, mode }, role: Role::Admin, name: "key".into() };
        IfNoneMatch::new(&headers, &caller, "/api/v1/inbox", query)
    }

    #[test]
    fn a_tag_is_of_one_revision_of_one_list_of_one_half_of_a_tenant() {
        let tag = |mode, query, revision| asked(&[], mode, query).tag(revision);
        let mine = tag(Mode::Live, "status=claimed", 7);
        assert_eq!(mine, tag(Mode::Live, "status=claimed", 7));
        for other in
            [tag(Mode::Test, "status=claimed", 7), tag(Mode::Live, "", 7), tag(Mode::Live, "status=claimed", 8)]
        {
            assert_ne!(mine, other);
        }
    }

    #[test]
    fn a_tag_is_had_weakly_in_a_list_or_as_a_star() {
        let tag = asked(&[], Mode::Live, "").tag(7);
        let strong = tag.trim_start_matches("W/").to_owned();
        let listed = format!("\"x\", {tag}");
        for good in [&[tag.as_str()][..], &[&strong], &[&listed], &["\"x\"", &tag], &["*"]] {
            assert!(asked(good, Mode::Live, "").names(&tag), "{good:?}");
        }
        let other = asked(&[], Mode::Live, "").tag(8);
        for bad in [&[][..], &[""], &[other.as_str()], &["7"], &["W/"], &[&tag[..tag.len() - 1]], &["é"]] {
            assert!(!asked(bad, Mode::Live, "").names(&tag), "{bad:?}");
        }
    }
}
