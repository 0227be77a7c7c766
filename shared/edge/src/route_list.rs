//! Every route of the service, as data. Tests compare it with the routers, the template and the access cases.

use domain::access::Permission;

/// One route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteSpec {
    /// The function that serves it.
    pub function: &'static str,
    /// The method.
    pub method: &'static str,
    /// The path as axum writes it; `{*path}` takes the rest.
    pub path: &'static str,
    /// Who may call it.
    pub permission: Permission,
}

const fn route(function: &'static str, method: &'static str, path: &'static str, permission: Permission) -> RouteSpec {
    RouteSpec { function, method, path, permission }
}

/// The list.
pub const ROUTES: &[RouteSpec] = &[
    route("sessions", "POST", "/api/v1/sessions", Permission::UseSession),
    route("sessions", "GET", "/api/v1/sessions", Permission::ListSessions),
    route("sessions", "POST", "/api/v1/sessions/resume", Permission::UseSession),
    route("sessions", "GET", "/api/v1/sessions/{id}", Permission::UseSession),
    route("sessions", "PATCH", "/api/v1/sessions/{id}", Permission::EditSession),
    route("sessions", "DELETE", "/api/v1/sessions/{id}", Permission::DeleteSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/messages", Permission::UseSession),
    route("sessions", "GET", "/api/v1/sessions/{id}/messages", Permission::UseSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/reaction", Permission::UseSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/escalate", Permission::UseSession),
    route("sessions", "POST", "/api/v1/sessions/{id}/cancel-escalation", Permission::UseSession),
    route("wiki", "GET", "/api/v1/wiki", Permission::ReadWiki),
    route("wiki", "POST", "/api/v1/wiki", Permission::WriteWiki),
    route("wiki", "GET", "/api/v1/wiki/{*path}", Permission::ReadWiki),
    route("wiki", "PATCH", "/api/v1/wiki/{*path}", Permission::WriteWiki),
    route("wiki", "DELETE", "/api/v1/wiki/{*path}", Permission::WriteWiki),
    route("inbox", "GET", "/api/v1/inbox", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/takeover", Permission::Inbox),
    route("inbox", "GET", "/api/v1/inbox/{id}", Permission::Inbox),
    route("inbox", "PATCH", "/api/v1/inbox/{id}", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/message", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/handback", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/resolve", Permission::Inbox),
    route("inbox", "POST", "/api/v1/inbox/{id}/release", Permission::Inbox),
    route("auth", "POST", "/api/v1/auth/widget-token", Permission::IssueWidgetToken),
    route("auth", "GET", "/api/v1/api-keys", Permission::Administer),
    route("auth", "POST", "/api/v1/api-keys", Permission::Administer),
    route("auth", "GET", "/api/v1/api-keys/{id}", Permission::Administer),
    route("auth", "DELETE", "/api/v1/api-keys/{id}", Permission::Administer),
    route("auth", "GET", "/api/v1/settings", Permission::Administer),
    route("auth", "PATCH", "/api/v1/settings", Permission::Administer),
    route("analytics", "GET", "/api/v1/analytics", Permission::ReadAnalytics),
    route("analytics", "GET", "/api/v1/analytics/kb-gaps", Permission::ReadAnalytics),
    route("analytics", "PATCH", "/api/v1/analytics/kb-gaps/{id}", Permission::EditGaps),
    route("webhooks", "POST", "/api/v1/webhooks", Permission::ManageWebhooks),
    route("webhooks", "GET", "/api/v1/webhooks", Permission::ManageWebhooks),
    route("webhooks", "GET", "/api/v1/webhooks/{id}", Permission::ManageWebhooks),
    route("webhooks", "PATCH", "/api/v1/webhooks/{id}", Permission::ManageWebhooks),
    route("webhooks", "DELETE", "/api/v1/webhooks/{id}", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/rotate", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/test", Permission::ManageWebhooks),
    route("webhooks", "GET", "/api/v1/webhooks/{id}/deliveries", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/deliveries/{delivery}/resend", Permission::ManageWebhooks),
    route("webhooks", "POST", "/api/v1/webhooks/{id}/replay", Permission::ManageWebhooks),
    route("ingest", "POST", "/api/v1/ingest", Permission::Ingest),
    route("ingest", "GET", "/api/v1/ingest", Permission::Ingest),
    route("ingest", "GET", "/api/v1/ingest/{id}", Permission::Ingest),
    route("ingest", "POST", "/api/v1/ingest/{id}/retry", Permission::Ingest),
    route("health", "GET", "/api/v1/health", Permission::Public),
    route("health", "GET", "/api/v1/openapi.json", Permission::Public),
];

impl RouteSpec {
    /// Whether `path`, as received (percent-encoded), matches this route: equal literals, `{id}` any one segment,
    /// `{*path}` the rest.
    fn matches(&self, path: &str) -> bool {
        let mut wanted = self.path.split('/');
        let mut given = path.split('/');
        loop {
            match (wanted.next(), given.next()) {
                (None, None) => return true,
                (Some(w), Some(g)) if w.starts_with("{*") => return !g.is_empty() || given.next().is_some(),
                (Some(w), Some(g)) if w.starts_with('{') && !g.is_empty() => {}
                (Some(w), Some(g)) if w == g => {}
                _ => return false,
            }
        }
    }

    fn literals(&self) -> usize {
        self.path.split('/').filter(|segment| !segment.starts_with('{')).count()
    }
}

/// Every route of the most exact path that `path` matches: one per method, none when the path is unknown.
#[must_use]
pub fn routes_of(path: &str) -> Vec<&'static RouteSpec> {
    let matching: Vec<_> = ROUTES.iter().filter(|route| route.matches(path)).collect();
    let exact = matching.iter().map(|route| route.literals()).max();
    matching.into_iter().filter(|route| Some(route.literals()) == exact).collect()
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
