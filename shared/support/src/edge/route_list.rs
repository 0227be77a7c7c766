//! Every route of the service, as data, with the class of its calls for the rate limits. Tests compare it with the
//! declarations of the endpoints.

mod routes;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use domain::access::Permission;

pub use routes::ROUTES;

/// One route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteSpec {
    /// The function that serves it.
    pub function: &'static str,
    pub method: &'static str,
    /// The path as axum writes it; `{*path}` takes the rest.
    pub path: &'static str,
    /// The permission that a caller needs.
    pub permission: Permission,
    /// The class of a call for the rate limits.
    pub rate_class: RateClass,
    /// The query parameters that it takes.
    pub query: &'static [&'static str],
}

/// One route, as the list writes it.
const fn route(
    function: &'static str,
    method: &'static str,
    path: &'static str,
    permission: Permission,
    rate_class: RateClass,
    query: &'static [&'static str],
) -> RouteSpec {
    RouteSpec { function, method, path, permission, rate_class, query }
}

impl RouteSpec {
    /// The segment of `path` that stands where this route has the parameter `name`.
    pub(crate) fn parameter<'p>(&self, path: &'p str, name: &str) -> Option<&'p str> {
        let is_parameter =
            |segment: &str| segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) == Some(name);
        path.split('/').nth(self.path.split('/').position(is_parameter)?)
    }
}

/// The class of a call. A call takes tokens of its caller's quota; some calls take more of them, or count against a
/// smaller quota as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RateClass {
    /// One token.
    #[default]
    Call,
    /// Three tokens: a list, a search, a report, an export.
    List,
    /// Three tokens; one if a widget asks for the turns after the last one that it knows.
    Turns,
    /// One token. For a visitor, of the quota of messages if one is stored.
    Message,
    /// One token, and one of a visitor's quota of new sessions if one is made.
    NewSession,
    /// One token, and one of a visitor's quota of escalations if one is made.
    Escalation,
    /// One token, and one of a key's quota of widget tokens if one is made.
    WidgetToken,
    /// One token, and those of the caller's quota of dry runs that it costs.
    DryRun,
    /// One token, and one of a key's quota of ingest jobs.
    IngestJob,
    /// One token, and one of the quota of the member (`{id}` of the path) who is invited again.
    Invitation,
    /// One token, and one of the quota of the receiver (`{id}` of the path) that is sent to.
    WebhookSend,
}

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
        assert_eq!(methods("/api/v1/wiki/a/b/c"), ["GET", "PUT", "PATCH", "DELETE"]);
        assert_eq!(methods("/api/v1/wiki/a%2Fb"), ["GET", "PUT", "PATCH", "DELETE"]);
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

    #[test]
    fn a_parameter_of_the_path_is_found_by_its_name() {
        let route = RouteSpec {
            function: "webhooks",
            method: "POST",
            path: "/api/v1/webhooks/{id}/deliveries/{delivery}/resend",
            permission: Permission::ManageWebhooks,
            rate_class: RateClass::WebhookSend,
            query: &[],
        };
        let path = "/api/v1/webhooks/whk_1/deliveries/dlv_2/resend";
        let found = ["id", "delivery", "none"].map(|name| route.parameter(path, name));
        assert_eq!(found, [Some("whk_1"), Some("dlv_2"), None]);
    }
}
