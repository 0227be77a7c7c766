//! The route list is exactly what the functions serve, and `cargo lambda watch` routes as the gateway does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use edge::route_list::ROUTES;

use crate::support::TestService;
use crate::template::document::root;

#[tokio::test]
async fn the_route_list_equals_the_routers() {
    let service = TestService::start().await;
    let all = local::routes(service.resources()).await.unwrap();
    let served: BTreeSet<_> = all
        .iter()
        .flat_map(|routes| routes.listed.iter().map(|(method, path)| (routes.function, *method, *path)))
        .collect();
    let listed: BTreeSet<_> = ROUTES.iter().map(|route| (route.function, route.method, route.path)).collect();
    assert_eq!(served, listed);
}

/// The methods that a client may send.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// The heading of the generated part of the workspace's manifest, which ends it.
const ROUTER: &str = "[workspace.metadata.lambda.watch.router]\n";

/// The function that a method of a path goes to: as at the gateway, `HEAD` goes where `GET` does, and what is no route
/// goes to `health`, which answers preflights and refusals.
fn function_of(method: &str, path: &str) -> &'static str {
    let wanted = if method == "HEAD" { "GET" } else { method };
    let route = ROUTES.iter().find(|route| (route.method, route.path) == (wanted, path));
    route.map_or("health", |route| route.function)
}

fn watch_router() -> String {
    let mut lines = String::new();
    let mut listed = BTreeSet::new();
    for path in ROUTES.iter().map(|route| route.path).filter(|path| listed.insert(*path)) {
        let methods =
            METHODS.map(|method| format!("{{ method = \"{method}\", function = \"{}\" }}", function_of(method, path)));
        writeln!(lines, "\"{path}\" = [{}]", methods.join(", ")).unwrap();
    }
    lines + "\"/\" = \"health\"\n\"/{*path}\" = \"health\"\n"
}

#[test]
fn the_committed_router_of_cargo_lambda_follows_the_routes() {
    let manifest = root().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let (before, committed) = text.split_once(ROUTER).unwrap();
    let generated = watch_router();
    if std::env::var("UPDATE_OPENAPI").is_ok() {
        std::fs::write(&manifest, format!("{before}{ROUTER}{generated}")).unwrap();
        return;
    }
    assert_eq!(committed, generated, "UPDATE_OPENAPI=1 cargo test -p e2e --test e2e -- committed");
}
