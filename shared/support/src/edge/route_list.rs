//! Every route of the service, as data. Tests compare it with the declarations of the endpoints.

mod route;
mod routes;

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use route::{RateClass, RouteSpec};
pub use routes::ROUTES;

/// The routes by their path, of which axum's matcher finds the most exact one.
static BY_PATH: LazyLock<matchit::Router<Vec<&'static RouteSpec>>> = LazyLock::new(|| {
    let mut by_path = BTreeMap::<_, Vec<_>>::new();
    for route in ROUTES {
        by_path.entry(route.path).or_default().push(route);
    }
    let mut router = matchit::Router::new();
    for (path, routes) in by_path {
        if let Err(error) = router.insert(path, routes) {
            tracing::error!(error = %error, http.route = path, "a path of the route list is not served");
        }
    }
    router
});

/// Every route of the most exact path that `path`, percent-encoded as it was received, matches: one per method, none when
/// the path is unknown.
#[must_use]
pub fn routes_of(path: &str) -> &'static [&'static RouteSpec] {
    BY_PATH.at(path).map_or(&[], |found| found.value.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods(path: &str) -> Vec<&'static str> {
        routes_of(path).iter().map(|route| route.method).collect()
    }

    #[test]
    fn a_path_finds_its_most_exact_routes() {
        assert_eq!(methods("/api/v1/sessions"), ["POST", "GET"]);
        assert_eq!(methods("/api/v1/sessions/resume"), ["POST"]);
        assert_eq!(methods("/api/v1/sessions/ses_1"), ["GET", "PATCH", "DELETE"]);
        assert_eq!(methods("/api/v1/wiki/a/b/c"), ["GET", "PATCH", "DELETE"]);
        assert_eq!(methods("/api/v1/wiki/a%2Fb"), ["GET", "PATCH", "DELETE"]);
        for unknown in [
            "/",
            "",
            "/api/v1",
            "/api/v1/",
            "/api/v1/sessions/",
            "/api/v1/wiki/",
            "/api/v2/sessions",
            "/api/v1/%73essions",
            "//api/v1/sessions",
        ] {
            assert!(methods(unknown).is_empty(), "{unknown}");
        }
    }

    #[test]
    fn every_route_is_found_by_its_path() {
        for route in ROUTES {
            assert!(routes_of(route.path).contains(&route), "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn no_route_is_listed_twice() {
        for (i, a) in ROUTES.iter().enumerate() {
            assert!(
                ROUTES.iter().skip(i + 1).all(|b| (a.method, a.path) != (b.method, b.path)),
                "{} {}",
                a.method,
                a.path
            );
        }
    }
}
