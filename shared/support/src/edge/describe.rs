//! The input and output of an endpoint, from the types of its handler: each argument and the answer describe
//! themselves.
//!
//! Only tests ask for it. No function of the service refers to a description, so none is in a function's binary.

use std::collections::BTreeSet;
use std::future::Future;

use axum::Json;
use axum::extract::{Extension, State};
use domain::access::Permission;
use domain::error::Code;
use http::{HeaderMap, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::edge::body::{FromFields, JsonIn, NoBody, OptionalJsonIn};
use crate::edge::cursor::CursorKeys;
use crate::edge::idempotency::OnceIn;
use crate::edge::meta::{RequestMeta, SourceAddress, Waiting};
use crate::edge::path::{FromPath, PathIn, PathPairIn};
use crate::edge::query::{FromQuery, QueryIn};
use crate::edge::respond::{Accepted, AcceptedAt, Created, NoContent, Put, Replayed, Tagged, WithCookie};
use crate::edge::{ApiResult, RateClass};

/// An operation of the service.
#[derive(Debug)]
pub struct Operation {
    /// The function that serves it.
    pub function: &'static str,
    /// Its name, in upper camel case.
    pub name: &'static str,
    pub method: &'static str,
    /// The path as axum writes it.
    pub path: &'static str,
    /// Its description: a sentence, then the details.
    pub about: &'static str,
    /// The permission that a caller needs.
    pub permission: Permission,
    /// The class of a call for the rate limits.
    pub rate_class: RateClass,
    /// The credential that an operation for everybody reads.
    pub identifies: Identifies,
    /// The parameters in path, query and headers.
    pub parameters: Vec<Parameter>,
    /// Its request body.
    pub body: Option<Body>,
    /// How it succeeds.
    pub answers: Vec<Answer>,
    /// How it fails.
    pub errors: BTreeSet<Code>,
    /// The headers of all requests that it reads.
    pub supports: &'static [Feature],
    /// A body that it takes.
    pub example: Option<Value>,
    /// A query that it takes.
    pub example_query: Option<Value>,
}

/// The headers that an operation reads beside its own parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// `Idempotency-Key`.
    IdempotencyKey,
}

/// The credential that an operation for everybody reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identifies {
    /// Nobody's.
    Nobody,
    /// A member's desk token.
    Members,
    /// An API key, and a member's desk token.
    KeysAndMembers,
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterLocation {
    /// In the path, in the order of the path.
    Path,
    /// In the query string.
    Query,
    Header,
}

#[derive(Debug)]
pub struct Parameter {
    /// Where it stands.
    pub place: ParameterLocation,
    pub name: String,
    /// Its description.
    pub about: String,
    pub schema: Schema,
}

#[derive(Debug)]
pub struct Body {
    /// Whether it must be there.
    pub required: bool,
    /// The most bytes that are read.
    pub limit_bytes: usize,
    pub schema: Schema,
}

/// A success.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    /// Its headers, and what they say.
    pub headers: Vec<(&'static str, &'static str)>,
    /// Its body.
    pub schema: Option<Schema>,
}

/// An argument of a handler.
pub trait Input {
    /// Adds what the argument says of `operation`.
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator);
}

/// The answer of a handler.
pub trait Output {
    /// Adds the answers to `operation`.
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator);
}

/// A handler, whose arguments are `A`.
pub trait Handler<A> {
    /// Adds what its arguments and its answer say of `operation`.
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator);
}

macro_rules! handlers {
    ($($argument:ident),*) => {
        impl<F, Fut, R, $($argument),*> Handler<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Fut,
            Fut: Future<Output = R>,
            R: Output,
            $($argument: Input,)*
        {
            fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
                $($argument::describe(operation, generator);)*
                R::describe(operation, generator);
            }
        }
    };
}

handlers!();
handlers!(A1);
handlers!(A1, A2);
handlers!(A1, A2, A3);
handlers!(A1, A2, A3, A4);
handlers!(A1, A2, A3, A4, A5);
handlers!(A1, A2, A3, A4, A5, A6);

/// Adds what `handler` says of `operation`.
pub fn handler<A, H: Handler<A>>(_: &H, operation: &mut Operation, generator: &mut SchemaGenerator) {
    H::describe(operation, generator);
}

/// Arguments that callers do not see.
macro_rules! unseen {
    ($([$($generic:ident)?] $type:ty),+ $(,)?) => { $(
        impl$(<$generic>)? Input for $type {
            fn describe(_: &mut Operation, _: &mut SchemaGenerator) {}
        }
    )+ };
}

unseen!(
    [S] State<S>,
    [T] Extension<T>,
    [] HeaderMap,
    [] RequestMeta,
    [] SourceAddress,
    [] Waiting,
    [] CursorKeys,
    [] NoBody,
);

impl<B: Input> Input for OnceIn<B> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        B::describe(operation, generator);
    }
}

impl<T: FromFields + JsonSchema> Input for JsonIn<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        body::<T>(operation, generator, true);
    }
}

impl<T: FromFields + JsonSchema> Input for OptionalJsonIn<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        body::<T>(operation, generator, false);
    }
}

fn body<T: FromFields + JsonSchema>(operation: &mut Operation, generator: &mut SchemaGenerator, required: bool) {
    let schema = generator.subschema_for::<T>();
    // A body that is left out reads like `{}`: if that is none of the type, there must be one.
    let whole = T::json_schema(generator);
    let required = required || whole.get("required").is_some() || whole.get("oneOf").is_some();
    operation.body = Some(Body { required, limit_bytes: T::BODY_LIMIT_BYTES, schema });
    operation.errors.extend([
        Code::ValidationError,
        Code::InvalidJson,
        Code::PayloadTooLarge,
        Code::UnsupportedMediaType,
    ]);
}

impl<T: FromQuery> Input for QueryIn<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        let described = T::parameters(generator).into_iter();
        operation.parameters.extend(described.map(|parameter| Parameter {
            place: ParameterLocation::Query,
            name: parameter.name.to_owned(),
            about: parameter.about.to_owned(),
            schema: parameter.schema,
        }));
        operation.errors.insert(Code::ValidationError);
    }
}

impl<T: FromPath + JsonSchema> Input for PathIn<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        path_parameter::<T>(operation, generator, 0);
    }
}

impl<A: FromPath + JsonSchema, B: FromPath + JsonSchema> Input for PathPairIn<A, B> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        path_parameter::<A>(operation, generator, 0);
        path_parameter::<B>(operation, generator, 1);
    }
}

fn path_parameter<T: FromPath + JsonSchema>(operation: &mut Operation, generator: &mut SchemaGenerator, at: usize) {
    let names = operation.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let name = names.map(|name| name.trim_start_matches('*')).nth(at).unwrap_or_default().to_owned();
    let about = T::json_schema(generator).get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let schema = generator.subschema_for::<T>();
    operation.parameters.push(Parameter { place: ParameterLocation::Path, name, about, schema });
    operation.errors.extend([T::REFUSED, Code::NotFound]);
}

impl<R: Output> Output for ApiResult<R> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        R::describe(operation, generator);
        operation.errors.extend([Code::InternalError, Code::ServiceUnavailable]);
    }
}

impl Operation {
    /// Adds a success with a body.
    pub fn answer<T: JsonSchema>(&mut self, status: StatusCode, generator: &mut SchemaGenerator) {
        let schema = Some(generator.subschema_for::<T>());
        self.answers.push(Answer { status, headers: Vec::new(), schema });
    }

    /// Adds a header to every success.
    fn header(&mut self, name: &'static str, about: &'static str) {
        self.answers.iter_mut().for_each(|answer| answer.headers.push((name, about)));
    }
}

impl<T: JsonSchema> Output for Json<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        operation.answer::<T>(StatusCode::OK, generator);
    }
}

impl<T: JsonSchema> Output for Created<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        operation.answer::<T>(StatusCode::CREATED, generator);
        operation.header("Location", "The path of what was made.");
    }
}

impl<T: JsonSchema> Output for Put<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        Created::<T>::describe(operation, generator);
        Json::<T>::describe(operation, generator);
    }
}

impl<T: JsonSchema> Output for Accepted<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        operation.answer::<T>(StatusCode::ACCEPTED, generator);
    }
}

impl<T: JsonSchema> Output for AcceptedAt<T> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        Accepted::<T>::describe(operation, generator);
        operation.header("Location", "The path of what is being made.");
    }
}

impl Output for NoContent {
    fn describe(operation: &mut Operation, _: &mut SchemaGenerator) {
        operation.answers.push(Answer { status: StatusCode::NO_CONTENT, headers: Vec::new(), schema: None });
    }
}

impl<R: Output> Output for Tagged<R> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        R::describe(operation, generator);
        operation.header("ETag", "The version that the answer shows.");
    }
}

impl<R: Output> Output for WithCookie<R> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        R::describe(operation, generator);
        operation.header("Set-Cookie", "The cookie of the sign-in, which no script can read.");
    }
}

impl<R: Output> Output for Replayed<R> {
    fn describe(operation: &mut Operation, generator: &mut SchemaGenerator) {
        R::describe(operation, generator);
        operation.header("Idempotency-Replayed", "`true` where the answer is that of an earlier request.");
    }
}
