//! Every route of the service, as data. Tests compare it with the routers, the template and the access cases.

mod route;
mod table;

pub use route::RouteSpec;
pub use table::ROUTES;

/// Every route of the most exact path that `path` matches: one per method, none when the path is unknown.
#[must_use]
pub fn routes_of(path: &str) -> Vec<&'static RouteSpec> {
    let matching: Vec<_> = ROUTES.iter().filter(|route| route.matches(path)).collect();
    let exact = matching.iter().map(|route| route.literal_segments()).max();
    matching.into_iter().filter(|route| Some(route.literal_segments()) == exact).collect()
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
