//! The route list as source text, put together from the declarations of the endpoints.

use std::fmt::Write;

use support::edge::describe::{Operation, ParameterLocation};

const HEAD: &str = "//! Every route of the service, as the endpoints declare it. `UPDATE_OPENAPI=1 cargo test --workspace --test e2e -- committed`
//! writes this file.

use domain::access::Permission;

use super::{RouteSpec, route};
use crate::edge::RateClass;

/// The list.
#[rustfmt::skip]
pub const ROUTES: &[RouteSpec] = &[
";

/// The source.
pub(crate) fn route_list(operations: &[Operation]) -> String {
    let mut text = HEAD.to_owned();
    for Operation { function, method, path, permission, rate_class, parameters, .. } in operations {
        let query = parameters.iter().filter(|parameter| parameter.place == ParameterLocation::Query);
        let query: Vec<_> = query.map(|parameter| parameter.name.as_str()).collect();
        let is = format!("Permission::{permission:?}, RateClass::{rate_class:?}, &{query:?}");
        writeln!(text, "    route({function:?}, {method:?}, {path:?}, {is}),").unwrap();
    }
    text + "];\n"
}
