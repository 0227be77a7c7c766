//! The route list as source text, put together from the declarations of the endpoints.

use std::fmt::Write;

use edge::describe::Operation;

const HEAD: &str = "//! Every route of the service, as the endpoints declare it. `UPDATE_OPENAPI=1 cargo test -p e2e --test e2e -- committed`
//! writes this file.

use super::route::{RouteSpec, route};
use crate::RateClass;
use domain::access::Permission;

/// The list.
#[rustfmt::skip]
pub const ROUTES: &[RouteSpec] = &[
";

/// The source.
pub(super) fn source(operations: &[Operation]) -> String {
    let mut text = HEAD.to_owned();
    for Operation { function, method, path, permission, rate_class, .. } in operations {
        let is = format!("Permission::{permission:?}, RateClass::{rate_class:?}");
        writeln!(text, "    route({function:?}, {method:?}, {path:?}, {is}),").unwrap();
    }
    text + "];\n"
}
