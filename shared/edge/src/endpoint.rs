//! An endpoint is declared once, beside its handler: method, path, what it does, how it fails, an example. The
//! handler's types say what it takes and returns, and who may call it.
//!
//! The route list, the OpenAPI document, the comparison with the template and the cases of the access tests follow from
//! the declarations.

use axum::routing::MethodRouter;
use schemars::SchemaGenerator;

use crate::RateClass;
use crate::describe::{Feature, Identifies, Operation};
use domain::access::Permission;
use domain::error::Code;

/// An endpoint; [`endpoint!`](crate::endpoint) implements it.
pub trait Endpoint {
    /// The state of its function's handlers.
    type State;

    /// The method.
    const METHOD: &'static str;

    /// The path as axum writes it; `{*path}` takes the rest.
    const PATH: &'static str;

    /// The handler, for its method alone.
    fn router() -> MethodRouter<Self::State>;

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
/// The file imports the state of its handlers as `FunctionState`.
/// `rate_class` is a [`RateClass`]; without it, a call counts as [`RateClass::Call`].
#[macro_export]
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

        impl $crate::Endpoint for $name {
            type State = FunctionState;

            const METHOD: &'static str = stringify!($method);
            const PATH: &'static str = $path;

            fn router() -> $crate::axum::routing::MethodRouter<Self::State> {
                $crate::axum::routing::on($crate::axum::routing::MethodFilter::$method, $handler)
            }

            fn operation(
                function: &'static str,
                generator: &mut $crate::schemars::SchemaGenerator,
            ) -> $crate::describe::Operation {
                let mut operation = $crate::declared(
                    (function, stringify!($name)),
                    (Self::METHOD, Self::PATH),
                    concat!($($doc, "\n"),+),
                    &[$($($crate::describe::Feature::$supports),+)?],
                    &[$($(domain::error::Code::$code),+)?],
                );
                $crate::describe::handler(&$handler, &mut operation, generator);
                $(operation.rate_class = $crate::RateClass::$rate_class;)?
                $(operation.example = Some($crate::json!($example));)?
                $(operation.example_query = Some($crate::json!($query));)?
                operation
            }
        }
    };
}

/// Makes of a function's endpoints what it serves, and what it is.
#[macro_export]
macro_rules! function {
    ($name:literal, $state:ident: [$($endpoint:path),+ $(,)?]) => {
        /// The function's name.
        pub const NAME: &str = $name;

        /// The routes of the function.
        #[must_use]
        pub fn routes(state: $state) -> $crate::Routes {
            $crate::Routes::default()$(.endpoint::<$endpoint>())+.with_state(state)
        }

        /// The descriptions of the function's endpoints, for the OpenAPI document and the tests.
        #[must_use]
        pub fn operations(generator: &mut $crate::schemars::SchemaGenerator) -> Vec<$crate::describe::Operation> {
            vec![$(<$endpoint as $crate::Endpoint>::operation(NAME, generator)),+]
        }
    };
}
