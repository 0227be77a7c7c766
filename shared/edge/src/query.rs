//! Reading a query string: each parameter once, nothing trimmed, nothing guessed, every problem reported. What reads a
//! parameter is what describes it; [`query!`](crate::query!) makes the type of a query string of such formats.

mod format;
mod string;

use axum::extract::FromRequestParts;
use http::request::Parts;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;

use super::cursor::{self, ListId};
use crate::{ApiError, ApiResult};
use domain::{Error, Result};

pub use crate::input::{Parsed, parsed};
pub use format::{Integer, Or, Parameter, Text, integer, text};
pub use string::Query;

/// A type that reads itself from a query string, reporting every problem; [`query!`](crate::query!) implements it.
pub trait FromQuery: Sized {
    /// Reads all parameters. Where problems were reported, the value is never used.
    fn from_query(query: &Query) -> Self;

    /// Its parameters.
    fn parameters(generator: &mut SchemaGenerator) -> Vec<Described>;
}

/// A parameter, described.
#[derive(Debug, Clone)]
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// What it may be.
    pub schema: Schema,
}

/// The parameters of a request.
#[derive(Debug, Clone)]
pub struct QueryIn<T>(pub T);

impl<S: Send + Sync, T: FromQuery> FromRequestParts<S> for QueryIn<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        Ok(Self(read(parts.uri.query().unwrap_or_default())?))
    }
}

fn read<T: FromQuery>(text: &str) -> Result<T> {
    let query = Query::parse(text);
    let built = T::from_query(&query);
    let problems = query.problems.take();
    if problems.is_empty() { Ok(built) } else { Err(Error::validation(problems)) }
}

impl Query {
    /// `page` (from 1, by default 1) and `limit`, whose product is at most 10,000.
    #[must_use]
    pub fn page_and_limit(&self) -> (usize, usize) {
        let (page, limit) = (size(PAGE.read(self, "page")), self.limit());
        if page.saturating_mul(limit) > PAGE_TIMES_LIMIT {
            let message = format!("page times limit must be at most {PAGE_TIMES_LIMIT}");
            let _: Option<()> = self.reject("page", "OUT_OF_RANGE", message);
        }
        (page, limit)
    }

    /// `cursor`: a position that an earlier answer of the same `list` gave as `nextCursor`.
    #[must_use]
    pub fn cursor<T: DeserializeOwned>(&self, list: &ListId) -> Option<T> {
        let value = self.value("cursor")?;
        let wanted = "must be the nextCursor of an earlier response with the same filters";
        cursor::decode(list, value).or_else(|| self.reject("cursor", "INVALID_FORMAT", wanted))
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

/// The descriptions of `cursor` and `limit`.
pub fn cursor_parameters(generator: &mut SchemaGenerator) -> [Described; 2] {
    let about = "`nextCursor` of the answer before, with the same filters.";
    let schema = json_schema!({
        "type": "string", "minLength": 1, "maxLength": cursor::MAX_CHARS, "pattern": "^[A-Za-z0-9_-]+$",
    });
    [Described { name: "cursor", about, schema }, limit_parameter(generator)]
}

fn limit_parameter(generator: &mut SchemaGenerator) -> Described {
    Described { name: "limit", about: "How many items at most.", schema: LIMIT.schema(generator) }
}

/// Makes the type of a query string: a struct, how it is read, and its description, from one line a parameter.
///
/// A parameter is its comment, its name and type here, its name on the wire, and its
/// [`Parameter`](crate::query::Parameter). Behind them may stand `pages: page, limit;` for a list by page numbers,
/// `cursor: from: T, limit, list = ("name", filters…);` for one by cursors, whose filters may name the parameters, and
/// `either: "a", "b";` for two that exclude each other.
#[macro_export]
macro_rules! query {
    (
        $(#[doc = $doc:literal])+
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $name:ident {
            $($(#[doc = $pdoc:literal])+ $pvis:vis $member:ident: $type:ty = $parameter:literal => $spec:expr),* $(,)?
        }
        $(pages: $page:ident, $page_limit:ident;)?
        $(cursor: $from:ident: $position:ty, $limit:ident, $list:ident = ($list_name:literal $(, $filter:expr)* $(,)?);)?
        $(either: $one:literal, $other:literal;)?
    ) => {
        $(#[doc = $doc])+
        $(#[derive($($derive),+)])?
        $vis struct $name {
            $($(#[doc = $pdoc])+ $pvis $member: $type,)*
            $(
                /// Which page, counted from 1.
                pub(crate) $page: usize,
                /// How many items at most.
                pub(crate) $page_limit: usize,
            )?
            $(
                /// Where the list goes on.
                pub(crate) $from: Option<$position>,
                /// How many items at most.
                pub(crate) $limit: usize,
                /// The list that cursors are of.
                pub(crate) $list: $crate::cursor::ListId,
            )?
        }

        impl $crate::FromQuery for $name {
            fn from_query(query: &$crate::query::Query) -> Self {
                $(let $member = $crate::query::Parameter::read(&$spec, query, $parameter);)*
                $(let ($page, $page_limit) = query.page_and_limit();)?
                $(
                    let $list = $crate::cursor::ListId::new($list_name, &[$($filter),*]);
                    let ($from, $limit) = (query.cursor(&$list), query.limit());
                )?
                $(query.either($one, $other);)?
                Self { $($member,)* $($page, $page_limit,)? $($from, $limit, $list,)? }
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
                    let _ = stringify!($limit);
                    parameters.extend($crate::query::cursor_parameters(generator));
                )?
                parameters
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::query! {
        /// A page.
        #[derive(Debug, PartialEq)]
        struct Paged {}
        pages: page, limit;
    }

    #[test]
    fn numbers_are_plain_digits_in_range_or_refused() {
        assert_eq!(read::<Paged>("").unwrap(), Paged { page: 1, limit: 20 });
        assert_eq!(read::<Paged>("limit=100&page=100&unknown=1&unknown=2").unwrap(), Paged { page: 100, limit: 100 });
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
    fn texts_are_decoded_and_validated() {
        let text = |query: &str| text(1, 5).read(&Query::parse(query), "q");
        assert_eq!(text("q=a+b%2Bc"), Some("a b+c".to_owned()));
        assert_eq!(text("q=%C3%A9"), Some("é".to_owned()));
        for bad in ["q=", "q=abcdef", "q=%00", "q=+", "q=%E2%82", "q=a&q=a"] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
