//! Reading a query string: each parameter once, nothing trimmed, nothing guessed, every problem reported. What reads a
//! parameter is what describes it; [`query!`](crate::query!) makes the type of a query string of such formats.

mod format;
mod string;

use axum::extract::FromRequestParts;
use http::request::Parts;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;

use super::cursor::{self, CursorKeys, ListId};
use super::route_list::RouteSpec;
use crate::{ApiError, ApiResult};
use domain::access::Principal;
use domain::error::DetailCode;
use domain::{Error, Result};

pub use crate::input::{Parsed, parsed};
pub use format::{Email, Integer, Or, Parameter, Text, email, integer, text};
use string::CURSOR;
pub use string::Query;

/// A type that reads itself from a query string, reporting every problem; [`query!`](crate::query!) implements it.
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
/// [`Parameter`](crate::query::Parameter). Behind them may stand `pages: page, limit;` for a list by page numbers,
/// `cursor: from: T, list = (filters…);` for one by cursors, whose filters may name the parameters, `limit: limit;` for
/// how many items it has, and `either: "a", "b";` for two that exclude each other.
#[macro_export]
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
                pub(crate) $list: $crate::cursor::ListId,
            )?
            $(
                /// How many items at most.
                pub(crate) $limit: usize,
            )?
        }

        impl $crate::FromQuery for $name {
            fn from_query(query: &$crate::query::Query) -> Self {
                $(let $member = $crate::query::Parameter::read(&$spec, query, $parameter);)*
                $(let ($page, $page_limit) = query.page_and_limit();)?
                $(
                    let $list = query.list(&[$($filter),*]);
                    let $from = query.cursor(&$list);
                )?
                $(let $limit = query.limit();)?
                $(query.either($one, $other);)?
                Self { $($member,)* $($page, $page_limit,)? $($from, $list,)? $($limit,)? }
            }

            fn parameters(generator: &mut $crate::schemars::SchemaGenerator) -> Vec<$crate::query::Described> {
                let mut parameters = Vec::new();
                $(parameters.push($crate::query::Described {
                    name: $parameter,
                    about: concat!($($pdoc, "\n"),+),
                    schema: $crate::query::Parameter::schema(&$spec, generator),
                });)*
                $(
                    let _ = stringify!($page);
                    parameters.extend($crate::query::page_parameters(generator));
                )?
                $(
                    let _ = stringify!($from);
                    parameters.push($crate::query::cursor_parameter());
                )?
                $(
                    let _ = stringify!($limit);
                    parameters.push($crate::query::limit_parameter(generator));
                )?
                parameters
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paged(query: &str) -> Result<Paged> {
        read(&Query::parse(query), &["page", "limit"])
    }

    crate::query! {
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
        let text = |query: &str| text(1, 5).read(&Query::parse(query), "q");
        assert_eq!(text("q=a+b%2Bc"), Some("a b+c".to_owned()));
        assert_eq!(text("q=%C3%A9"), Some("é".to_owned()));
        for bad in ["q=", "q=abcdef", "q=%00", "q=+", "q=%E2%82", "q=a&q=a"] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
