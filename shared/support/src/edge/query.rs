//! Reading a query string: each parameter once, nothing trimmed, nothing guessed, every problem reported. What reads a
//! parameter is what describes it; [`query!`](crate::edge::query!) makes the type of a query string of such formats.

use std::cell::RefCell;
use std::collections::BTreeMap;

use axum::extract::FromRequestParts;
use domain::access::Principal;
use domain::error::{Detail, DetailCode};
use domain::{Error, Result};
use http::request::Parts;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use text::{BLANK, is_blank};

use super::cursor::{self, CursorKeys, ListId};
use super::route_list::RouteSpec;
use crate::edge::input::{FieldPath, Format};
use crate::edge::{ApiError, ApiResult};

pub use crate::edge::input::{Integer, Or, Parsed, integer, parsed};

/// How many unknown parameters are named in an answer, and in how many characters each.
const MAX_UNKNOWN: usize = 20;
const MAX_UNKNOWN_CHARS: usize = 100;

/// The parameter that names a place in a list.
pub(super) const CURSOR: &str = "cursor";

/// A type that reads itself from a query string, reporting every problem; [`query!`](crate::edge::query!) implements it.
pub trait FromQuery: Sized {
    /// Reads all parameters. If problems were reported, the value is never used.
    fn from_query(query: &Query) -> Self;

    /// Its parameters.
    fn parameters(generator: &mut SchemaGenerator) -> Vec<Described>;
}

/// A parameter, described.
#[derive(Debug, Clone)]
pub struct Described {
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
    pub schema: Schema,
}

/// The parameters of a request.
#[derive(Debug, Clone)]
pub struct QueryIn<T>(pub T);

impl<S: Send + Sync, T: FromQuery> FromRequestParts<S> for QueryIn<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        let route = parts.extensions.get::<&'static RouteSpec>();
        let known = route.ok_or_else(|| Error::internal("a request that did not pass the edge"))?.query;
        let scope = parts.extensions.get::<Principal>().map(Principal::scope);
        let scope = scope.ok_or_else(|| Error::internal("a query of nobody"))?;
        let mut query = Query::parse(parts.uri.query().unwrap_or_default());
        query.list = format!("{} {} {}", scope.tenant, scope.mode, parts.uri.path());
        if known.contains(&"cursor") {
            query.keys = CursorKeys::of(parts).await;
        }
        Ok(Self(read(&query, known)?))
    }
}

/// Refuses the parameters of a query string that are none of `known`.
pub(crate) fn check_names(text: &str, known: &[&str]) -> Result<()> {
    let query = Query::parse(text);
    query.reject_unknown(known);
    query.finish(())
}

fn read<T: FromQuery>(query: &Query, known: &[&str]) -> Result<T> {
    query.reject_unknown(known);
    let built = T::from_query(query);
    query.finish(built)
}

impl Query {
    /// The value `built`, unless a problem was reported.
    fn finish<T>(&self, built: T) -> Result<T> {
        let problems = self.problems.take();
        if problems.is_empty() { Ok(built) } else { Err(Error::validation(problems)) }
    }

    /// The list that is asked for under `filters`, each by its value if it is given.
    #[must_use]
    pub fn list(&self, filters: &[Option<&str>]) -> ListId {
        ListId::new(&self.list, filters, self.keys.clone())
    }

    /// `page` (from 1, by default 1) and `limit`, whose product is at most 10,000.
    #[must_use]
    pub fn page_and_limit(&self) -> (usize, usize) {
        let (page, limit) = (size(PAGE.read(self, "page")), self.limit());
        if page.saturating_mul(limit) > PAGE_TIMES_LIMIT {
            let message = format!("page times limit must be at most {PAGE_TIMES_LIMIT}");
            let _: Option<()> = self.reject("page", DetailCode::OutOfRange, message);
        }
        (page, limit)
    }

    /// `cursor`: a position that an earlier answer of the same `list` gave as `nextCursor`.
    #[must_use]
    pub fn cursor<T: DeserializeOwned>(&self, list: &ListId) -> Option<T> {
        let value = self.value(CURSOR)?;
        let wanted = "must be the nextCursor of an earlier response with the same filters";
        cursor::decode(list, value).or_else(|| self.reject(CURSOR, DetailCode::InvalidFormat, wanted))
    }

    /// `limit`: 1-100, by default 20.
    #[must_use]
    pub fn limit(&self) -> usize {
        size(LIMIT.read(self, "limit"))
    }
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How far pages go.
const PAGE_TIMES_LIMIT: usize = 10_000;
const PAGE: Or<Integer, u32> = integer(1, 10_000).or(1);
/// How many items a list has at the most.
pub const LIMIT: Or<Integer, u32> = integer(1, 100).or(20);

/// The descriptions of `page` and `limit`.
pub fn page_parameters(generator: &mut SchemaGenerator) -> [Described; 2] {
    let about = "Which page, counted from 1; `page` times `limit` is at most 10,000.";
    [Described { name: "page", about, schema: PAGE.schema(generator) }, limit_parameter(generator)]
}

/// The description of `cursor`.
#[must_use]
pub fn cursor_parameter() -> Described {
    let about = "`nextCursor` of the answer before, with the same filters; empty for the first page.";
    let schema = json_schema!({"type": "string", "maxLength": cursor::MAX_CHARS, "pattern": "^[A-Za-z0-9_-]*$"});
    Described { name: CURSOR, about, schema }
}

/// The description of `limit`.
pub fn limit_parameter(generator: &mut SchemaGenerator) -> Described {
    Described { name: "limit", about: "How many items at most.", schema: LIMIT.schema(generator) }
}

/// Makes the type of a query string: a struct, how it is read, and its description, from one line a parameter.
///
/// A parameter is its comment, its name and type here, its name on the wire, and its
/// [`Parameter`](crate::edge::query::Parameter). Behind them may stand `pages: page, limit;` for a list by page numbers,
/// `cursor: from: T, list = (filters…);` for one by cursors, whose filters may name the parameters, `limit: limit;` for
/// how many items it has, and `either: "a", "b";` for two that exclude each other.
macro_rules! query {
    (
        $(#[doc = $doc:literal])+
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $name:ident {
            $($(#[doc = $pdoc:literal])+ $pvis:vis $member:ident: $type:ty = $parameter:literal => $spec:expr),* $(,)?
        }
        $(pages: $page:ident, $page_limit:ident;)?
        $(cursor: $from:ident: $position:ty, $list:ident = ($($filter:expr),* $(,)?);)?
        $(limit: $limit:ident;)?
        $(either: $one:literal, $other:literal;)?
    ) => {
        $(#[doc = $doc])+
        $(#[derive($($derive),+)])?
        $vis struct $name {
            $($(#[doc = $pdoc])+ $pvis $member: $type,)*
            $(
                /// The number of the page, from 1.
                pub(crate) $page: usize,
                /// How many items at most.
                pub(crate) $page_limit: usize,
            )?
            $(
                /// Where the list goes on.
                pub(crate) $from: Option<$position>,
                /// The list that cursors are of.
                pub(crate) $list: $crate::edge::cursor::ListId,
            )?
            $(
                /// How many items at most.
                pub(crate) $limit: usize,
            )?
        }

        impl $crate::edge::FromQuery for $name {
            fn from_query(query: &$crate::edge::query::Query) -> Self {
                $(let $member = $crate::edge::query::Parameter::read(&$spec, query, $parameter);)*
                $(let ($page, $page_limit) = query.page_and_limit();)?
                $(
                    let $list = query.list(&[$($filter),*]);
                    let $from = query.cursor(&$list);
                )?
                $(let $limit = query.limit();)?
                $(query.either($one, $other);)?
                Self { $($member,)* $($page, $page_limit,)? $($from, $list,)? $($limit,)? }
            }

            fn parameters(generator: &mut $crate::edge::schemars::SchemaGenerator) -> Vec<$crate::edge::query::Described> {
                let own = vec![$($crate::edge::query::Described {
                    name: $parameter,
                    about: concat!($($pdoc, "\n"),+),
                    schema: $crate::edge::query::Parameter::schema(&$spec, generator),
                }),*];
                let of_lists: Vec<Vec<$crate::edge::query::Described>> = vec![
                    $((stringify!($page), $crate::edge::query::page_parameters(generator).into()).1,)?
                    $((stringify!($from), vec![$crate::edge::query::cursor_parameter()]).1,)?
                    $((stringify!($limit), vec![$crate::edge::query::limit_parameter(generator)]).1,)?
                ];
                own.into_iter().chain(of_lists.into_iter().flatten()).collect()
            }
        }
    };
}

pub(crate) use query;

/// Control characters that no parameter has, in a class of a regular expression of ECMA-262.
const CONTROL: &str = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f";

/// A parameter: reads it, and describes it. A [`Format`] is one that may be absent.
pub trait Parameter {
    /// The parsed value.
    type Value;

    /// Reads the parameter `name`, or reports what is wrong with it.
    fn read(&self, query: &Query, name: &str) -> Self::Value;

    /// The JSON schema of what is read.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;

    /// With a value of its own if the parameter is absent.
    fn or<V>(self, value: V) -> Or<Self, V>
    where
        Self: Parameter<Value = Option<V>> + Sized,
    {
        Or(self, value)
    }
}

impl<F: Format> Parameter for F {
    type Value = Option<F::Value>;

    fn read(&self, query: &Query, name: &str) -> Option<F::Value> {
        self.read_text(query.value(name)?, &FieldPath::whole(&query.problems).field(name))
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        Format::schema(self, generator)
    }
}

impl<F: Format<Value = V>, V: Clone + Serialize> Parameter for Or<F, V> {
    type Value = V;

    fn read(&self, query: &Query, name: &str) -> V {
        Parameter::read(&self.0, query, name).unwrap_or_else(|| self.1.clone())
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Format::schema(&self.0, generator);
        schema.insert("default".into(), serde_json::json!(self.1));
        schema
    }
}

/// See [`text()`].
#[derive(Debug, Clone, Copy)]
pub struct Text {
    min: usize,
    max: usize,
}

/// A text of `min` to `max` characters, none of them a control character; white space and invisible characters alone
/// are none.
#[must_use]
pub const fn text(min: usize, max: usize) -> Text {
    Text { min, max }
}

impl Format for Text {
    type Value = String;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<String> {
        let Self { min, max } = self;
        let Value::String(text) = value else { return at.wrong_type("a string") };
        if !(*min..=*max).contains(&text.chars().count()) {
            return at.refuse(DetailCode::OutOfRange, format!("must have {min} to {max} characters"));
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return at.refuse(DetailCode::InvalidCharacter, "must not contain control characters");
        }
        if is_blank(text) {
            return at.refuse(DetailCode::Blank, "must contain a visible character");
        }
        Some(text.to_owned())
    }

    fn schema(&self, _: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string", "minLength": self.min, "maxLength": self.max,
            "pattern": format!("^[^{CONTROL}]*[^{BLANK}][^{CONTROL}]*$"),
        })
    }
}

/// See [`email`].
#[derive(Debug, Clone, Copy)]
pub struct Email(Text);

/// An e-mail address to look for, without white space: a `+` that is not percent-encoded is a space.
#[must_use]
pub const fn email() -> Email {
    Email(text(1, 254))
}

impl Format for Email {
    type Value = String;

    fn read(&self, value: &Value, at: &FieldPath<'_>) -> Option<String> {
        let text = Format::read(&self.0, value, at)?;
        if text.chars().any(char::is_whitespace) {
            return at.refuse(DetailCode::InvalidCharacter, "must not contain white space; write + as %2B");
        }
        Some(text)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Format::schema(&self.0, generator);
        let refused = format!(r"\s{CONTROL}");
        schema.insert("pattern".into(), format!("^[^{refused}]*[^{BLANK}][^{refused}]*$").into());
        schema
    }
}

/// One query string being read.
#[derive(Debug, Default)]
pub struct Query {
    values: BTreeMap<String, Vec<Option<String>>>,
    /// The list that it asks for, and its owner.
    list: String,
    /// The keys of its cursors.
    keys: CursorKeys,
    problems: RefCell<Vec<Detail>>,
}

impl Query {
    /// Reads names and values; nothing is validated yet.
    fn parse(text: &str) -> Self {
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
    fn value(&self, name: &str) -> Option<&str> {
        match self.values.get(name)?.as_slice() {
            [Some(value)] if value.is_empty() && name == CURSOR => None,
            [Some(value)] if value.is_empty() => self.reject(name, DetailCode::Empty, "must not be empty"),
            [Some(value)] => Some(value),
            [None] => self.reject(name, DetailCode::InvalidEncoding, "must be percent-encoded UTF-8"),
            _ => self.reject(name, DetailCode::Duplicate, "must be given once"),
        }
    }

    /// Reports a problem.
    fn reject<T>(&self, name: &str, code: DetailCode, message: impl Into<String>) -> Option<T> {
        let detail = Detail { field: Some(name.to_owned()), code, message: message.into().into() };
        self.problems.borrow_mut().push(detail);
        None
    }

    /// Reports the parameters that are none of `known`.
    fn reject_unknown(&self, known: &[&str]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn paged(query: &str) -> Result<Paged> {
        read(&Query::parse(query), &["page", "limit"])
    }

    crate::edge::query! {
        /// A page.
        #[derive(Debug, PartialEq)]
        struct Paged {}
        pages: page, limit;
    }

    #[test]
    fn numbers_are_plain_digits_in_range_or_refused() {
        assert_eq!(paged("").unwrap(), Paged { page: 1, limit: 20 });
        assert_eq!(paged("limit=100&page=100").unwrap(), Paged { page: 100, limit: 100 });
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
            let details = paged(bad).unwrap_err().details().to_vec();
            assert_eq!(details.len(), 1, "{bad}");
        }
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        assert_eq!(paged("limit=0&page=x&sort=up").unwrap_err().details().len(), 3);
    }

    #[test]
    fn an_unknown_parameter_is_reported_once_by_a_bounded_name() {
        let unknown = |query: &str| {
            let refused = paged(query).unwrap_err();
            assert!(refused.details().iter().all(|detail| detail.code == DetailCode::UnknownParameter), "{query}");
            refused.details().iter().map(|detail| detail.field.clone().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(unknown("sort=a&sort=b&Limit=1"), ["Limit", "sort"]);
        assert_eq!(unknown("%zz=1&limit%00=1&=1"), ["", "%zz", "limit\0"]);
        assert_eq!(unknown(&"é".repeat(500)), ["é".repeat(100)]);
        let many: Vec<_> = (0..1_000).map(|n| format!("p{n}")).collect();
        assert_eq!(unknown(&many.join("&")).len(), 20);
    }

    #[test]
    fn texts_are_decoded_and_validated() {
        let text = |query: &str| Parameter::read(&text(1, 5), &Query::parse(query), "q");
        assert_eq!(text("q=a+b%2Bc"), Some("a b+c".to_owned()));
        assert_eq!(text("q=%C3%A9"), Some("é".to_owned()));
        for bad in ["q=", "q=abcdef", "q=%00", "q=+", "q=%E2%82", "q=a&q=a"] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
