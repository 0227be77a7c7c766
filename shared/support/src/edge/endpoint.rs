//! An endpoint is declared once, beside its handler: method, path, what it does, how it fails, an example. The
//! handler's types say what it takes and returns, and who may call it.
//!
//! The route list, the OpenAPI document, the comparison with the template and the cases of the access tests follow from
//! the declarations.

use axum::routing::MethodRouter;
use domain::access::Permission;
use domain::error::Code;
use schemars::SchemaGenerator;

use crate::edge::describe::{Feature, Identifies, Operation};
use crate::edge::{App, RateClass};

/// An endpoint; [`endpoint!`](crate::edge::endpoint!) implements it.
pub trait Endpoint {
    /// The method.
    const METHOD: &'static str;

    /// The path as axum writes it; `{*path}` takes the rest.
    const PATH: &'static str;

    /// The handler, for its method alone.
    fn router() -> MethodRouter<App>;

    /// Its description, for the OpenAPI document and the tests.
    fn operation(function: &'static str, generator: &mut SchemaGenerator) -> Operation;
}

/// An operation of which only its declaration is known yet.
#[must_use]
pub fn declared(
    (function, name): (&'static str, &'static str),
    (method, path): (&'static str, &'static str),
    about: &'static str,
    supports: &'static [Feature],
    errors: &[Code],
) -> Operation {
    let mut operation = Operation {
        function,
        name,
        method,
        path,
        about,
        permission: Permission::Public,
        rate_class: RateClass::Call,
        identifies: Identifies::Nobody,
        parameters: Vec::new(),
        body: None,
        answers: Vec::new(),
        errors: errors.iter().copied().collect(),
        supports,
        example: None,
        example_query: None,
    };
    if supports.contains(&Feature::IdempotencyKey) {
        let of_keys = [Code::ValidationError, Code::IdempotencyInProgress, Code::IdempotencyKeyReused];
        operation.errors.extend(of_keys);
    }
    operation
}

/// Declares an endpoint.
///
/// ```ignore
/// edge::endpoint! {
///     /// Send a customer's message and get the answer.
///     ///
///     /// The message is stored before anything is asked of a model.
///     pub(crate) SendMessage = POST "/api/v1/sessions/{id}/messages" => send_message;
///     supports: [IdempotencyKey],
///     rate_class: Message,
///     errors: [SessionClosed],
///     example: {"content": "How long does a refund take?"},
/// }
/// ```
///
/// The first sentence of the comment is the summary. `errors` has the codes that the handler's types do not tell.
/// `rate_class` is a [`RateClass`]; without it, a call counts as [`RateClass::Call`].
macro_rules! endpoint {
    (
        $(#[doc = $doc:literal])+
        $vis:vis $name:ident = $method:ident $path:literal => $handler:path;
        $(supports: [$($supports:ident),+ $(,)?],)?
        $(rate_class: $rate_class:ident,)?
        $(errors: [$($code:ident),+ $(,)?],)?
        $(example: $example:tt,)?
        $(example_query: $query:tt,)?
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy)]
        $vis struct $name;

        impl $crate::edge::Endpoint for $name {
            const METHOD: &'static str = stringify!($method);
            const PATH: &'static str = $path;

            fn router() -> axum::routing::MethodRouter<$crate::edge::App> {
                axum::routing::on(axum::routing::MethodFilter::$method, $handler)
            }

            fn operation(
                function: &'static str,
                generator: &mut $crate::edge::schemars::SchemaGenerator,
            ) -> $crate::edge::describe::Operation {
                let mut operation = $crate::edge::declared(
                    (function, stringify!($name)),
                    (Self::METHOD, Self::PATH),
                    concat!($($doc, "\n"),+),
                    &[$($($crate::edge::describe::Feature::$supports),+)?],
                    &[$($(domain::error::Code::$code),+)?],
                );
                $crate::edge::describe::handler(&$handler, &mut operation, generator);
                $(operation.rate_class = $crate::edge::RateClass::$rate_class;)?
                $(operation.example = Some($crate::edge::json!($example));)?
                $(operation.example_query = Some($crate::edge::json!($query));)?
                operation
            }
        }
    };
}

pub(crate) use endpoint;
