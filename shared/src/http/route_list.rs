//! Every route of the service, as data. Tests compare it with the routers, the template and the access cases.

use crate::auth::Permission;

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
    route("auth", "POST", "/api/v1/auth/widget-token", Permission::IssueWidgetToken),
    route("auth", "GET", "/api/v1/api-keys", Permission::Administer),
    route("auth", "POST", "/api/v1/api-keys", Permission::Administer),
    route("auth", "DELETE", "/api/v1/api-keys/{id}", Permission::Administer),
    route("auth", "GET", "/api/v1/settings", Permission::Administer),
    route("auth", "PATCH", "/api/v1/settings", Permission::Administer),
    route("health", "GET", "/api/v1/health", Permission::Public),
];
