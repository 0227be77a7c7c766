//! The route list as source text, put together from the declarations of the endpoints.

use std::fmt::Write;

use edge::describe::Operation;

const HEAD: &str = "//! Every route of the service, as the endpoints declare it. `UPDATE_OPENAPI=1 cargo test -p e2e --test e2e -- committed`
//! writes this file.

use super::route::RouteSpec;
use domain::access::Permission;

const fn route(function: &'static str, method: &'static str, path: &'static str, permission: Permission) -> RouteSpec {
    RouteSpec { function, method, path, permission }
}

/// The list.
pub const ROUTES: &[RouteSpec] = &[
";

/// The source.
pub(super) fn source(operations: &[Operation]) -> String {
    let mut text = HEAD.to_owned();
    for Operation { function, method, path, permission, .. } in operations {
        writeln!(text, "    route({function:?}, {method:?}, {path:?}, Permission::{permission:?}),").unwrap();
    }
    text + "];\n"
}
